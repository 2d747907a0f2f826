//! Logs of every I/O over time.

use std::path::PathBuf;

use fiolog::OverTime;
use fiolog::scan::{TimedDirection, timeline};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::Column;
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
pub(crate) struct FioTimelineDirection {
    #[pyo3(get)]
    direction: u8,
    #[pyo3(get)]
    ios: Column<u64>,
    #[pyo3(get)]
    bytes: Column<u64>,
    #[pyo3(get)]
    sum: Column<u64>,
    #[pyo3(get)]
    max: Column<u64>,
    over_time: OverTime,
}

impl From<TimedDirection> for FioTimelineDirection {
    fn from(timed: TimedDirection) -> Self {
        Self {
            direction: timed.direction as u8,
            ios: timed.windows.iter().map(|window| window.ios).collect(),
            bytes: timed.windows.iter().map(|window| window.bytes).collect(),
            sum: timed.windows.iter().map(|window| window.sum).collect(),
            max: timed.windows.iter().map(|window| window.max).collect(),
            over_time: timed.over_time,
        }
    }
}

#[pymethods]
impl FioTimelineDirection {
    /// Windows as asked for that are one window of `cells`.
    #[getter]
    fn windows_joined(&self) -> u64 {
        self.over_time.windows_joined()
    }

    /// Window, first of the coarse bin's bins, and count of every cell that is not empty.
    fn cells(&self) -> (Vec<usize>, Vec<usize>, Vec<u64>) {
        let mut columns = (Vec::new(), Vec::new(), Vec::new());
        for cell in self.over_time.cells() {
            columns.0.push(cell.window);
            columns.1.push(cell.first_bin);
            columns.2.push(cell.count);
        }
        columns
    }
}

/// Counts logs of every I/O in windows, `-` for standard input; Ctrl-C stops it.
#[pyfunction]
#[pyo3(signature = (paths, window_ms, windows_max, began_ms=None))]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned lists.
pub(crate) fn fio_timeline(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    window_ms: u64,
    windows_max: usize,
    began_ms: Option<u64>,
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
            began_ms,
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
            .map(|one| Py::new(py, FioTimelineDirection::from(one)))
            .collect::<PyResult<_>>()?,
        logs: logs
            .map(|one| Py::new(py, FioScanLog::from(one)))
            .collect::<PyResult<_>>()?,
    })
}
