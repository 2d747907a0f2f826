//! Logs and histogram logs as columns, a part at a time.

use std::path::PathBuf;

use fiolog::hist_rows::{HistReader, HistRows, HistRowsFault};
use fiolog::scan::{Want, rows};
use pyo3::prelude::*;

use crate::columns::Column;
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
            &mut |log| match Python::attach(|py| take.call1(py, (FioLog::from(log),)).err()) {
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
        (None, Ok(log)) => Ok(FioScanLog::from(log)),
        (None, Err(fault)) => Err(explained(py, fault)),
    }
}

/// Rows of a histogram log, each column as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct FioHistRows {
    time_ms: Column<u64>,
    direction: Column<u8>,
    bin_index: Column<u64>,
    bins_merged: Column<u64>,
    count: Column<u64>,
}

#[pymethods]
impl FioHistRows {
    fn __len__(&self) -> usize {
        self.count.len()
    }
}

impl From<HistRows> for FioHistRows {
    fn from(rows: HistRows) -> Self {
        Self {
            time_ms: rows.time_ms.into(),
            direction: rows.direction.into_iter().map(|direction| direction as u8).collect(),
            bin_index: rows.bin.into(),
            bins_merged: rows.bins_merged.into(),
            count: rows.count.into(),
        }
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
            Ok(rows) => Ok(rows.map(FioHistRows::from)),
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
