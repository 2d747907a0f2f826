//! The load engine in real time, on a thread that Python never holds up.

mod chain;

use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use load::{CannotPerform, Forcing, Stalled, Stamp, opened_again};
use nbd::client::{Client, Patience};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use replay::{CannotReplay, Task};

use crate::errors::{load_gone, load_silent, replay_refused, workload_error};
use crate::nbd::{connect_error, signals};
use crate::outcome::{LoadFailure, WorkloadLatency, WorkloadResult};
use chain::{Chain, Done, Ended, Target};

/// A server that says nothing for so long during the handshake is given up.
const HANDSHAKE_MAX: Duration = Duration::from_secs(60);

/// Workloads that follow each other with nothing between them: each begins when the one before it is over and it was let, while Python
/// may still be busy with the one before.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct LoadChain(Chain);

#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
#[pymethods]
impl LoadChain {
    /// On an export; a server that says nothing for `silence_ns_max` is given up. What writes more than `written_bytes_max` in all ends.
    #[staticmethod]
    fn export(
        py: Python<'_>,
        socket: PathBuf,
        export: &str,
        workloads_json: Vec<String>,
        silence_ns_max: u64,
        written_bytes_max: Option<u64>,
    ) -> PyResult<Self> {
        let workloads = read(py, &workloads_json)?;
        // The engine itself gives up a server that says nothing later on; this limit is that of the handshake.
        let patience = Patience::Limited(
            Duration::from_nanos(silence_ns_max).min(HANDSHAKE_MAX),
            Box::new(signals),
        );
        let client = py
            .detach(|| Client::connect(&socket, export, patience))
            .map_err(connect_error)?;
        let target = Target::Export(client);
        Ok(Self(Chain::begin(
            target,
            workloads,
            silence_ns_max,
            written_bytes_max,
            None,
        )?))
    }

    /// On the file or device that a descriptor holds open; `forced` makes every write durable before it counts. `counters` is a file of
    /// the kernel's that is read before the first workload and after each.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)] // Python names each.
    fn descriptor(
        py: Python<'_>,
        descriptor: i32,
        capacity_bytes: u64,
        forced: bool,
        workloads_json: Vec<String>,
        silence_ns_max: u64,
        written_bytes_max: Option<u64>,
        counters: Option<PathBuf>,
    ) -> PyResult<Self> {
        let workloads = read(py, &workloads_json)?;
        let forcing = if forced { Forcing::EveryWrite } else { Forcing::Nothing };
        let file: File = opened_again(descriptor, forcing)?;
        let target = Target::File { file, capacity_bytes };
        Ok(Self(Chain::begin(
            target,
            workloads,
            silence_ns_max,
            written_bytes_max,
            counters,
        )?))
    }

    /// Lets one more workload begin, as soon as those before it are over.
    fn permit(&self) {
        self.0.permit();
    }

    /// Bytes written so far by each workload that has begun, in order.
    fn written(&self) -> Vec<u64> {
        self.0.written()
    }

    /// Waits for the next workload, which was let begin. `told(end_ns, bytes, written_bytes)` hears of every window that closed, and ends all by returning
    /// True.
    fn next(&self, py: Python<'_>, told: Py<PyAny>) -> PyResult<LoadResult> {
        match py.detach(|| self.0.next(&told)) {
            Ended::Done(done) => result(py, *done),
            Ended::Cannot(cannot) => Err(refused(py, cannot)),
            Ended::Failed(error) => Err(error.into()),
            Ended::Raised(raised) => Err(raised),
            Ended::Panicked => Err(PyRuntimeError::new_err("the load engine panicked")),
            Ended::Over => Err(PyValueError::new_err("no workload is left")),
        }
    }

    /// Ends what has begun, and waits for it.
    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

/// What a job of the load engine gave.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct LoadResult {
    result: Py<WorkloadResult>,
    /// From when each I/O could have been submitted to its submission: what the host lost.
    lateness: Py<WorkloadLatency>,
    /// The first I/O that failed, after which none was submitted.
    failed: Option<Py<LoadFailure>>,
    /// When its windows began, on the monotonic clock.
    began_ns: u64,
    /// Just before anything of it was done, and just after.
    before: Py<LoadStamp>,
    after: Py<LoadStamp>,
    /// From the last completion of the workload before to its first submission; None of the first.
    gap_ns: Option<u64>,
    /// Processor time of the thread that did it.
    user_ns: u64,
    system_ns: u64,
    /// What the kernel's file said before and after.
    counted_before: Option<String>,
    counted_after: Option<String>,
}

/// A moment, by the thread that does the I/O.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct LoadStamp {
    /// On the monotonic clock.
    at_ns: u64,
    /// How long the host had been suspended by then, at least and at most.
    suspended_ns_least: i64,
    suspended_ns_most: i64,
}

impl From<Stamp> for LoadStamp {
    fn from(stamp: Stamp) -> Self {
        Self {
            at_ns: stamp.monotonic_ns,
            suspended_ns_least: stamp.suspended_ns_least,
            suspended_ns_most: stamp.suspended_ns_most,
        }
    }
}

fn read(py: Python<'_>, workloads_json: &[String]) -> PyResult<Vec<Task>> {
    let read = |json: &String| Task::from_json(json).map_err(|fault| workload_error(py, &fault));
    workloads_json.iter().map(read).collect()
}

fn refused(py: Python<'_>, cannot: CannotReplay) -> PyErr {
    match cannot {
        CannotReplay::Workload(fault) | CannotReplay::Job(CannotPerform::Workload(fault)) => workload_error(py, &fault),
        CannotReplay::Device(stalled) | CannotReplay::Job(CannotPerform::Device(stalled)) => gone(py, stalled),
        other => replay_refused(py, &other),
    }
}

fn gone(py: Python<'_>, stalled: Stalled) -> PyErr {
    match stalled {
        Stalled::Silent { waited_ns, in_flight } => load_silent(py, waited_ns, in_flight),
        Stalled::Gone { reason } => load_gone(py, &reason),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

fn result(py: Python<'_>, done: Done) -> PyResult<LoadResult> {
    let performed = done.performed;
    let failed = performed.failed.map(|failed| LoadFailure::new(py, failed));
    Ok(LoadResult {
        result: Py::new(
            py,
            WorkloadResult::new(py, performed.result, performed.issued, done.aside, None)?,
        )?,
        lateness: Py::new(py, WorkloadLatency::from(performed.lateness))?,
        failed: failed.transpose()?,
        began_ns: done.began_ns,
        before: Py::new(py, LoadStamp::from(done.before))?,
        after: Py::new(py, LoadStamp::from(done.after))?,
        gap_ns: done.gap_ns,
        user_ns: done.used.user_ns,
        system_ns: done.used.system_ns,
        counted_before: done.counted_before,
        counted_after: done.counted_after,
    })
}
