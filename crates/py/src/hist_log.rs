//! fio's histogram logs.

use fiolog::Histogram;
use fiolog::hist_log::parse;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::columns::Column;
use crate::errors::fio_hist_log_error;

/// The windows of a histogram log, each column as bytes for `numpy.frombuffer`: `<u8`, the direction `u1`.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioHistLog {
    #[pyo3(get)]
    time_ms: Column<u64>,
    #[pyo3(get)]
    direction: Column<u8>,
    #[pyo3(get)]
    ios: Column<u64>,
    #[pyo3(get)]
    longest_ns: Column<u64>,
    #[pyo3(get)]
    bins_merged: usize,
    histograms: [Histogram; 3],
}

#[pymethods]
impl FioHistLog {
    fn __len__(&self) -> usize {
        self.time_ms.len()
    }

    /// The bins of one direction that are not empty, over all windows, and their counts.
    fn bins(&self, direction: usize) -> PyResult<(Vec<usize>, Vec<u64>)> {
        let histogram = self.histograms.get(direction);
        let histogram = histogram.ok_or_else(|| PyIndexError::new_err("directions are 0, 1 and 2"))?;
        Ok(histogram.occupied().unzip())
    }
}

/// Reads a whole histogram log from its content.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned buffers.
pub(crate) fn parse_fio_hist_log(py: Python<'_>, data: PyBackedBytes) -> PyResult<FioHistLog> {
    py.detach(|| parse(&data))
        .map(|log| FioHistLog {
            time_ms: log.time_ms.into(),
            direction: log.direction.into_iter().map(|direction| direction as u8).collect(),
            ios: log.ios.into(),
            longest_ns: log.longest_ns.into(),
            bins_merged: log.bins_merged,
            histograms: log.histograms,
        })
        .map_err(|fault| fio_hist_log_error(py, &fault))
}
