//! Logs and histogram logs as columns, a part at a time.

use std::path::PathBuf;

use fiolog::hist_rows::{HistReader, HistRows, HistRowsFault};
use fiolog::scan::{Want, rows};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::{u8_column, u64_column};
use crate::errors::fio_hist_log_error;
use crate::io_log::{FioLog, unreadable};
use crate::scan::{FioScanLog, explained, open};

/// Hands the lines of a log to `take` as `FioLog`s, some 100,000 at a time and in order; what it raises ends the reading.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned paths.
pub(crate) fn read_fio_rows(py: Python<'_>, path: PathBuf, take: Py<PyAny>) -> PyResult<FioScanLog> {
    let mut raised = None;
    let mut called = None;
    let ended = py.detach(|| {
        rows(
            open(&path)?,
            &mut |log| match Python::attach(|py| take.call1(py, (FioLog::of(log),)).err()) {
                None => Want::More,
                error => {
                    called = error;
                    Want::NoMore
                }
            },
            &mut || match Python::attach(|py| py.check_signals().err()) {
                None => Want::More,
                stopped => {
                    raised = stopped;
                    Want::NoMore
                }
            },
        )
    });
    match (called.or(raised), ended) {
        (Some(error), _) => Err(error),
        (None, Ok(log)) => Ok(FioScanLog::of(log)),
        (None, Err(fault)) => Err(explained(py, fault)),
    }
}

/// Rows of a histogram log, each column as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioHistRows(HistRows);

#[pymethods]
impl FioHistRows {
    fn __len__(&self) -> usize {
        self.0.count.len()
    }

    #[getter]
    fn time_ms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.time_ms)
    }

    #[getter]
    fn direction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u8_column(py, self.0.direction.iter().map(|&direction| direction as u8))
    }

    #[getter]
    fn bin_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.bin)
    }

    #[getter]
    fn bins_merged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.bins_merged)
    }

    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.count)
    }
}

/// Reads a histogram log part by part; an iterator of `FioHistRows`.
#[pyclass(module = "ssdlab._core")]
pub(crate) struct FioHistReader {
    path: PathBuf,
    reader: Reader,
}

// Python hands the object to one thread at a time, but asks for a promise: the lock keeps it.
type Reader = std::sync::Mutex<HistReader>;

#[pymethods]
impl FioHistReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        match HistReader::open(&path) {
            Ok(reader) => Ok(FioHistReader {
                path,
                reader: Reader::new(reader),
            }),
            Err(error) => Err(unreadable(py, error, path)),
        }
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<FioHistRows>> {
        py.check_signals()?;
        let reader = self.reader.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        match py.detach(|| reader.read_next()) {
            Ok(rows) => Ok(rows.map(FioHistRows)),
            Err(HistRowsFault::Unreadable(error)) => Err(unreadable(py, error, self.path.clone())),
            Err(HistRowsFault::Damaged(fault)) => Err(fio_hist_log_error(py, &fault)),
        }
    }

    /// The line inside which the log was cut off, once it is read.
    #[getter]
    fn cut(&mut self) -> Option<u64> {
        let reader = self.reader.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        reader.cut().map(|fault| fault.line)
    }
}
