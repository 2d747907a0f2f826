//! The load engine in real time, on a thread that Python never holds up.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use load::{
    CannotPerform, Export, Forcing, Judge, Operation, Performed, Stalled, Uring, Verdict, Window, opened_again,
    perform_on_export, perform_on_file,
};
use nbd::client::{Client, Patience};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use vdrive::workload::Workload;

use crate::errors::{load_gone, load_silent, workload_error};
use crate::nbd::{connect_error, signals};
use crate::outcome::{WorkloadLatency, WorkloadResult};

/// How often Python looks whether somebody wants to stop while no window closes.
const LOOK: Duration = Duration::from_millis(200);

/// A server that says nothing for so long during the handshake is given up.
const HANDSHAKE_MAX: Duration = Duration::from_secs(60);

/// So many looks what is in flight is waited for when it is not wanted any more.
const WAITS_MAX: u32 = 10;

/// What a job of the load engine gave.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct LoadResult {
    result: Py<WorkloadResult>,
    /// From when each I/O could have been submitted to its submission: what the host lost.
    lateness: Py<WorkloadLatency>,
    /// I/Os of an open loop that were due before its end, found no room and were never submitted.
    unsubmitted: u64,
    /// The first I/O that failed, after which none was submitted.
    failed: Option<Py<LoadFailure>>,
}

/// An I/O that failed.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct LoadFailure {
    /// 0 reads, 1 writes, 2 trims.
    direction: u8,
    offset_bytes: u64,
    length_bytes: u32,
    errno: i32,
}

/// Does a workload (JSON) on an export. `told(end_ns, bytes, written_bytes)` hears of every window that closed, and ends the
/// workload by returning True; a server that says nothing for `silence_ns_max` is given up.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
pub(crate) fn load_export(
    py: Python<'_>,
    socket: PathBuf,
    export: &str,
    workload_json: &str,
    silence_ns_max: u64,
    told: &Bound<'_, PyAny>,
) -> PyResult<LoadResult> {
    let workload = read(py, workload_json)?;
    // The engine itself gives up a server that says nothing later on; this limit is that of the handshake.
    let patience = Patience::Limited(
        Duration::from_nanos(silence_ns_max).min(HANDSHAKE_MAX),
        Box::new(signals),
    );
    let client = py
        .detach(|| Client::connect(&socket, export, patience))
        .map_err(connect_error)?;
    let capacity_bytes = client.export().size_bytes;
    watched(py, told, |judge| {
        let mut export = Export::new(client, in_flight_max(&workload), silence_ns_max, workload.seed);
        Ok(perform_on_export(&mut export, capacity_bytes, &workload, judge))
    })
}

/// The same on the file or device that a descriptor holds open; `forced` makes every write durable before it counts.
#[pyfunction]
pub(crate) fn load_descriptor(
    py: Python<'_>,
    descriptor: i32,
    capacity_bytes: u64,
    forced: bool,
    workload_json: &str,
    silence_ns_max: u64,
    told: &Bound<'_, PyAny>,
) -> PyResult<LoadResult> {
    let workload = read(py, workload_json)?;
    let forcing = if forced { Forcing::EveryWrite } else { Forcing::Nothing };
    let file = opened_again(descriptor, forcing)?;
    let block_bytes = u32::try_from(workload.block_bytes).unwrap_or(u32::MAX);
    watched(py, told, |judge| {
        let mut uring = Uring::new(
            file,
            in_flight_max(&workload),
            block_bytes,
            silence_ns_max,
            workload.seed,
        )?;
        Ok(perform_on_file(&mut uring, capacity_bytes, &workload, judge))
    })
}

fn read(py: Python<'_>, workload_json: &str) -> PyResult<Workload> {
    Workload::from_json(workload_json).map_err(|fault| workload_error(py, &fault))
}

fn in_flight_max(workload: &Workload) -> u32 {
    workload.queue_depth.saturating_mul(workload.jobs)
}

/// What Python is told of a window.
struct Closed {
    end_ns: u64,
    bytes: u64,
    written_bytes: u64,
}

/// Tells of windows, and does what it is told.
struct Remote<'a> {
    windows: Sender<Closed>,
    ends: &'a AtomicBool,
    is_unwanted: &'a AtomicBool,
    waits: u32,
}

impl Judge for Remote<'_> {
    fn window(&mut self, window: &Window) -> Verdict {
        let closed = Closed {
            end_ns: window.end_ns,
            bytes: window.operations.iter().map(|of| of.bytes).sum(),
            written_bytes: window.operations[Operation::Write as usize].bytes,
        };
        // Nobody listens any more only when all of it is unwanted.
        if self.windows.send(closed).is_err() || self.ends.load(Ordering::Relaxed) {
            return Verdict::End;
        }
        Verdict::GoOn
    }

    fn gives_up(&mut self) -> bool {
        self.waits += u32::from(self.is_unwanted.load(Ordering::Relaxed));
        self.waits > WAITS_MAX
    }
}

/// Runs a job on a thread of its own while this one tells Python how it goes on.
fn watched(
    py: Python<'_>,
    told: &Bound<'_, PyAny>,
    job: impl FnOnce(&mut dyn Judge) -> std::io::Result<Result<Performed, CannotPerform>> + Send,
) -> PyResult<LoadResult> {
    let (ends, is_unwanted) = (AtomicBool::new(false), AtomicBool::new(false));
    let told = told.clone().unbind();
    let (raised, done) = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel();
            let mut judge = Remote {
                windows: sender,
                ends: &ends,
                is_unwanted: &is_unwanted,
                waits: 0,
            };
            let worker = scope.spawn(move || job(&mut judge));
            let raised = listen(&receiver, &told, &ends).err();
            if raised.is_some() {
                is_unwanted.store(true, Ordering::Relaxed);
                ends.store(true, Ordering::Relaxed);
            }
            (raised, worker.join())
        })
    });
    if let Some(raised) = raised {
        return Err(raised);
    }
    let done = done.map_err(|_| PyRuntimeError::new_err("the load engine panicked"))??;
    result(py, done.map_err(|cannot| refused(py, cannot))?)
}

/// Until the job is over, or Python raises.
fn listen(windows: &Receiver<Closed>, told: &Py<PyAny>, ends: &AtomicBool) -> PyResult<()> {
    loop {
        match windows.recv_timeout(LOOK) {
            Ok(closed) => {
                let says_stop = Python::attach(|py| {
                    py.check_signals()?;
                    let of_window = (closed.end_ns, closed.bytes, closed.written_bytes);
                    told.call1(py, of_window)?.extract::<bool>(py)
                })?;
                if says_stop {
                    ends.store(true, Ordering::Relaxed);
                }
            }
            Err(RecvTimeoutError::Timeout) => look_up()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

fn look_up() -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        Ok(())
    })
}

fn refused(py: Python<'_>, cannot: CannotPerform) -> PyErr {
    match cannot {
        CannotPerform::Workload(fault) => workload_error(py, &fault),
        CannotPerform::Device(Stalled::Silent { waited_ns, in_flight }) => load_silent(py, waited_ns, in_flight),
        CannotPerform::Device(Stalled::Gone { reason }) => load_gone(py, &reason),
        CannotPerform::Device(other) => PyRuntimeError::new_err(other.to_string()),
    }
}

fn result(py: Python<'_>, done: Performed) -> PyResult<LoadResult> {
    let failure = done.failed.map(|failed| LoadFailure {
        direction: failed.request.operation as u8,
        offset_bytes: failed.request.offset_bytes,
        length_bytes: failed.request.length_bytes,
        errno: failed.errno,
    });
    Ok(LoadResult {
        result: Py::new(py, WorkloadResult::new(py, done.result)?)?,
        lateness: Py::new(py, WorkloadLatency::from(done.lateness))?,
        unsubmitted: done.unsubmitted,
        failed: failure.map(|failure| Py::new(py, failure)).transpose()?,
    })
}
