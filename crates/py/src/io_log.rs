//! fio's text logs.

use std::path::PathBuf;

use fiolog::log::{IoLog, LogFault};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::columns::{optional_u64_column, u8_column, u64_column};
use crate::errors::fio_log_error;

/// The columns of one of fio's logs, each as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioLog(IoLog);

impl FioLog {
    pub(crate) fn of(log: IoLog) -> Self {
        FioLog(log)
    }
}

#[pymethods]
impl FioLog {
    fn __len__(&self) -> usize {
        self.0.value.len()
    }

    #[getter]
    fn time_ms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.time_ms)
    }

    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.value)
    }

    #[getter]
    fn value_max<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        optional_u64_column(py, self.0.value_max.as_ref())
    }

    #[getter]
    fn direction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u8_column(py, self.0.direction.iter().map(|&direction| direction as u8))
    }

    #[getter]
    fn block_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.block_bytes)
    }

    #[getter]
    fn offset_bytes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        optional_u64_column(py, self.0.offset_bytes.as_ref())
    }

    #[getter]
    fn priority<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        optional_u64_column(py, self.0.priority.as_ref())
    }

    #[getter]
    fn issue_ns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        optional_u64_column(py, self.0.issue_ns.as_ref())
    }
}

/// Where a log is: its content, or the path of its file.
#[derive(FromPyObject)]
pub(crate) enum Source {
    Content(PyBackedBytes),
    Path(PathBuf),
}

enum Failure {
    Unreadable(std::io::Error, PathBuf),
    Damaged(LogFault),
}

/// Reads a whole log from bytes or from a file.
#[pyfunction]
pub(crate) fn parse_fio_log(py: Python<'_>, data: Source) -> PyResult<FioLog> {
    py.detach(|| read(data)).map(FioLog).map_err(|failure| match failure {
        Failure::Unreadable(error, path) => unreadable(py, error, path),
        Failure::Damaged(fault) => fio_log_error(py, &fault, None),
    })
}

/// An `OSError` that names its file.
pub(crate) fn unreadable(py: Python<'_>, error: std::io::Error, path: PathBuf) -> PyErr {
    let error = PyErr::from(error);
    match error.value(py).setattr("filename", path) {
        Ok(()) => error,
        Err(failure) => failure,
    }
}

fn read(data: Source) -> Result<IoLog, Failure> {
    match data {
        Source::Content(bytes) => fiolog::log::parse(&bytes),
        Source::Path(path) => match std::fs::read(&path) {
            Ok(bytes) => fiolog::log::parse(&bytes),
            Err(error) => return Err(Failure::Unreadable(error, path)),
        },
    }
    .map_err(Failure::Damaged)
}
