//! Latency distributions over time.

use fiolog::OverTime;
use fiolog::hist_log::over_time;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::columns::Column;
use crate::errors::fio_hist_log_error;

/// The distribution of each window, each column as bytes for `numpy.frombuffer`: `<u8`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct LatencyOverTime(pub(crate) OverTime);

#[pymethods]
impl LatencyOverTime {
    /// Windows as they came in that are one window here.
    #[getter]
    fn windows_joined(&self) -> u64 {
        self.0.windows_joined()
    }

    #[getter]
    fn window(&self) -> Column<u64> {
        self.0.cells().map(|cell| cell.window as u64).collect()
    }

    #[getter]
    fn first_bin(&self) -> Column<u64> {
        self.0.cells().map(|cell| cell.first_bin as u64).collect()
    }

    #[getter]
    fn count(&self) -> Column<u64> {
        self.0.cells().map(|cell| cell.count).collect()
    }

    /// Both together.
    fn merged(&self, other: &LatencyOverTime) -> LatencyOverTime {
        let mut both = self.0.clone();
        both.merge(&other.0);
        LatencyOverTime(both)
    }
}

/// Reads the distributions over time of a histogram log from its content: of reads, writes, trims.
#[pyfunction]
#[pyo3(signature = (data, window_ms, began_ms=None))]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned buffers.
pub(crate) fn fio_latency_over_time(
    py: Python<'_>,
    data: PyBackedBytes,
    window_ms: u64,
    began_ms: Option<u64>,
) -> PyResult<[LatencyOverTime; 3]> {
    if window_ms == 0 {
        return Err(PyValueError::new_err("a window of 0 ms has no length"));
    }
    py.detach(|| over_time(&data, window_ms, began_ms))
        .map(|distributions| distributions.map(LatencyOverTime))
        .map_err(|fault| fio_hist_log_error(py, &fault))
}
