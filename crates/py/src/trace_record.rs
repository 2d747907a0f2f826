//! A drive recorded from the kernel's tracing.

use std::path::PathBuf;

use pyo3::prelude::*;
use trace::{KernelDrive, KernelFailed, KernelRecorder, Round};

use crate::errors::trace_damage;

/// A recording of a drive; its file must not exist yet. The events of the instance are to be switched on once it has begun.
#[pyclass(module = "ssdlab._core")]
pub(crate) struct TraceRecorder(KernelRecorder);

#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
#[pymethods]
impl TraceRecorder {
    #[new]
    fn new(
        py: Python<'_>,
        instance: PathBuf,
        number: (u32, u32),
        capacity_bytes: u64,
        name: String,
        journal: PathBuf,
    ) -> PyResult<Self> {
        let (major, minor) = number;
        let drive = KernelDrive {
            major,
            minor,
            capacity_bytes,
            name,
        };
        let begun = py.detach(|| KernelRecorder::begin(&instance, &drive, &journal));
        begun.map(Self).map_err(|error| failed(py, error))
    }

    /// Empties the kernel's buffers: I/Os and lost events so far, and bytes of the fullest buffer.
    fn round(&mut self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let done = py.detach(|| self.0.round());
        done.map(told).map_err(|error| failed(py, error))
    }

    /// Takes what is left and closes the file.
    fn end(&mut self, py: Python<'_>) -> PyResult<(u64, u64, u64)> {
        let done = py.detach(|| self.0.end());
        done.map(told).map_err(|error| failed(py, error))
    }
}

fn told(round: Round) -> (u64, u64, u64) {
    (round.ios, round.lost, round.fullest_bytes)
}

fn failed(py: Python<'_>, error: KernelFailed) -> PyErr {
    match error {
        KernelFailed::File { path, source } => {
            let raised = PyErr::from(source);
            match raised.value(py).setattr("filename", path) {
                Ok(()) => raised,
                Err(other) => other,
            }
        }
        KernelFailed::Damaged { path, fault } => trace_damage(py, &fault, Some(&path)),
    }
}
