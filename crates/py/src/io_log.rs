//! fio's text logs.

use std::io::ErrorKind;
use std::path::PathBuf;

use fiolog::log::{IoLog, LogFault};
use fiolog::scan::Followed;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::columns::Column;
use crate::errors::{FollowedError, PackedError, fio_log_error};

/// The columns of one of fio's logs, each as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct FioLog {
    time_ms: Column<u64>,
    value: Column<u64>,
    value_max: Option<Column<u64>>,
    direction: Column<u8>,
    block_bytes: Column<u64>,
    offset_bytes: Option<Column<u64>>,
    priority: Option<Column<u64>>,
    issue_ns: Option<Column<u64>>,
}

impl From<IoLog> for FioLog {
    fn from(log: IoLog) -> Self {
        Self {
            time_ms: log.time_ms.into(),
            value: log.value.into(),
            value_max: log.value_max.map(Column::from),
            direction: log.direction.into_iter().map(|direction| direction as u8).collect(),
            block_bytes: log.block_bytes.into(),
            offset_bytes: log.offset_bytes.map(Column::from),
            priority: log.priority.map(Column::from),
            issue_ns: log.issue_ns.map(Column::from),
        }
    }
}

#[pymethods]
impl FioLog {
    fn __len__(&self) -> usize {
        self.value.len()
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
    py.detach(|| read(data))
        .map(FioLog::from)
        .map_err(|failure| match failure {
            Failure::Unreadable(error, path) => unreadable(py, error, path),
            Failure::Damaged(fault) => fio_log_error(py, &fault, None),
        })
}

/// An `OSError`, or a `PackedError`, that names its file.
pub(crate) fn unreadable(py: Python<'_>, error: std::io::Error, path: PathBuf) -> PyErr {
    let told_by_kind = matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::IsADirectory);
    let followed = matches!(error.get_ref(), Some(inner) if inner.is::<Followed>());
    let error = if followed {
        FollowedError::new_err(error.to_string())
    } else if let Some(number) = error.raw_os_error() {
        // Python makes the kind of `OSError` of the number, which says what to do.
        PyOSError::new_err((number, error.to_string()))
    } else if told_by_kind {
        PyErr::from(error)
    } else {
        PackedError::new_err(error.to_string())
    };
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
