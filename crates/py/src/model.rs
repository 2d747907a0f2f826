//! A virtual drive in virtual time.

use std::time::{Duration, Instant};

use pyo3::prelude::*;
use serde::Serialize;
use vdrive::VDrive;
use vdrive::workload::{Progress, Run, Workload, WorkloadFault};

use crate::errors::{spec_error, workload_error};
use crate::outcome::WorkloadResult;
use crate::spec::read_spec;

/// How long Rust works before it looks whether Python wants to stop.
const SLICE: Duration = Duration::from_millis(100);

/// I/Os between two looks at the clock.
const IOS_PER_LOOK: u64 = 4096;

/// A drive model with its own virtual clock; one thread at a time.
#[pyclass(module = "ssdlab._core")]
pub(crate) struct ModelDrive(VDrive);

#[pymethods]
impl ModelDrive {
    #[new]
    #[pyo3(signature = (spec_text, capacity_bytes=None, seed=None))]
    fn new(py: Python<'_>, spec_text: &str, capacity_bytes: Option<u64>, seed: Option<u64>) -> PyResult<Self> {
        let spec = read_spec(spec_text, capacity_bytes, seed).map_err(|faults| spec_error(py, &faults))?;
        Ok(ModelDrive(py.detach(|| VDrive::new(&spec))))
    }

    #[getter]
    fn capacity_bytes(&self) -> u64 {
        self.0.spec().capacity_bytes()
    }

    /// Runs a workload (JSON) from `start_ns` on; `progress` is called with the share done, about ten times a second.
    #[pyo3(signature = (workload_json, start_ns, progress=None))]
    fn run(
        &mut self,
        py: Python<'_>,
        workload_json: &str,
        start_ns: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<WorkloadResult> {
        let drive = &mut self.0;
        let failed = |fault: WorkloadFault| workload_error(py, &fault);
        let workload = Workload::from_json(workload_json).map_err(failed)?;
        let mut run = Run::new(drive.spec().capacity_bytes(), start_ns, &workload).map_err(failed)?;
        loop {
            let reached = py.detach(|| advance(&mut run, drive)).map_err(failed)?;
            py.check_signals()?;
            if let Some(progress) = progress {
                progress.call1((run.share_done(),))?;
            }
            if reached == Progress::Done {
                return WorkloadResult::new(py, run.finish());
            }
        }
    }

    /// Purges the drive; gives the time at which that is done.
    fn purge(&mut self, py: Python<'_>, now_ns: u64) -> u64 {
        py.detach(|| self.0.purge(now_ns))
    }

    /// What the drive knows about itself, as JSON.
    fn truth(&mut self, now_ns: u64) -> PyResult<String> {
        json(&self.0.truth(now_ns))
    }

    /// What the drive would tell in its SMART page, as JSON.
    fn smart(&mut self, now_ns: u64) -> PyResult<String> {
        json(&self.0.smart(now_ns))
    }
}

fn advance(run: &mut Run, drive: &mut VDrive) -> Result<Progress, WorkloadFault> {
    let started = Instant::now();
    loop {
        let reached = run.advance(drive, IOS_PER_LOOK)?;
        if reached == Progress::Done || started.elapsed() >= SLICE {
            return Ok(reached);
        }
    }
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}
