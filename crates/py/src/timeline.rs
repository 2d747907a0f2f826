//! Logs of every I/O over time.

use std::path::PathBuf;

use fiolog::scan::{TimedDirection, TimedWindow, timeline};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::u64_column;
use crate::scan::{FioScanLog, explained, open};

/// Logs over time, as if they were one.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioTimeline {
    #[pyo3(get)]
    window_ms: u64,
    #[pyo3(get)]
    directions: Vec<Py<FioTimelineDirection>>,
    #[pyo3(get)]
    logs: Vec<Py<FioScanLog>>,
}

/// One direction over time, each column as bytes for `numpy.frombuffer`: `<u8`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioTimelineDirection(TimedDirection);

#[pymethods]
impl FioTimelineDirection {
    #[getter]
    fn direction(&self) -> u8 {
        self.0.direction as u8
    }

    #[getter]
    fn ios<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.column(py, |window| window.ios)
    }

    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.column(py, |window| window.bytes)
    }

    #[getter]
    fn sum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.column(py, |window| window.sum)
    }

    #[getter]
    fn max<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.column(py, |window| window.max)
    }

    /// Windows as asked for that are one window of `cells`.
    #[getter]
    fn windows_joined(&self) -> u64 {
        self.0.over_time.windows_joined()
    }

    /// Window, first of the coarse bin's bins, and count of every cell that is not empty.
    fn cells(&self) -> (Vec<usize>, Vec<usize>, Vec<u64>) {
        let mut columns = (Vec::new(), Vec::new(), Vec::new());
        for cell in self.0.over_time.cells() {
            columns.0.push(cell.window);
            columns.1.push(cell.first_bin);
            columns.2.push(cell.count);
        }
        columns
    }
}

impl FioTimelineDirection {
    fn column<'py>(&self, py: Python<'py>, value: fn(&TimedWindow) -> u64) -> PyResult<Bound<'py, PyBytes>> {
        let values: Vec<u64> = self.0.windows.iter().map(value).collect();
        u64_column(py, &values)
    }
}

/// Counts logs of every I/O in windows, `-` for standard input; Ctrl-C stops it.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned lists.
pub(crate) fn fio_timeline(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    window_ms: u64,
    windows_max: usize,
) -> PyResult<FioTimeline> {
    if window_ms == 0 || windows_max == 0 {
        return Err(PyValueError::new_err(
            "a window takes at least 1 ms, and there is at least one",
        ));
    }
    let mut raised = None;
    let counted = py.detach(|| {
        let inputs = paths.iter().map(|path| open(path)).collect::<Result<_, _>>()?;
        timeline(
            inputs,
            window_ms,
            windows_max,
            &mut || match Python::attach(|py| py.check_signals().err()) {
                None => true,
                stopped => {
                    raised = stopped;
                    false
                }
            },
        )
    });
    let counted = match (raised, counted) {
        (Some(error), _) => return Err(error),
        (None, counted) => counted.map_err(|fault| explained(py, fault))?,
    };
    let directions = counted.directions.into_iter();
    let logs = counted.logs.into_iter();
    Ok(FioTimeline {
        window_ms: counted.window_ms,
        directions: directions
            .map(|one| Py::new(py, FioTimelineDirection(one)))
            .collect::<PyResult<_>>()?,
        logs: logs
            .map(|one| Py::new(py, FioScanLog::of(one)))
            .collect::<PyResult<_>>()?,
    })
}
