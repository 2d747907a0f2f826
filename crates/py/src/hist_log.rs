//! fio's histogram logs.

use fiolog::hist_log::{HistLog, parse};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::columns::{u8_column, u64_column};
use crate::errors::fio_hist_log_error;

/// The windows of a histogram log, each column as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioHistLog(HistLog);

#[pymethods]
impl FioHistLog {
    fn __len__(&self) -> usize {
        self.0.time_ms.len()
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
    fn ios<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.ios)
    }

    #[getter]
    fn longest_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.longest_ns)
    }

    #[getter]
    fn bins_merged(&self) -> usize {
        self.0.bins_merged
    }

    /// The bins of one direction that are not empty, over all windows, and their counts.
    fn bins(&self, direction: usize) -> PyResult<(Vec<usize>, Vec<u64>)> {
        let histogram = self.0.histograms.get(direction);
        let histogram = histogram.ok_or_else(|| PyIndexError::new_err("directions are 0, 1 and 2"))?;
        Ok(histogram.occupied().unzip())
    }
}

/// Reads a whole histogram log from its content.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned buffers.
pub(crate) fn parse_fio_hist_log(py: Python<'_>, data: PyBackedBytes) -> PyResult<FioHistLog> {
    py.detach(|| parse(&data))
        .map(FioHistLog)
        .map_err(|fault| fio_hist_log_error(py, &fault))
}
