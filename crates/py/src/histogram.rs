//! fio's latency bins and percentiles.

use fiolog::bins::{self, BIN_COUNT};
use fiolog::{Histogram, Percent};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

/// The bin that counts a value in nanoseconds.
#[pyfunction]
pub(crate) fn bin_index(value_ns: u64) -> usize {
    bins::bin_index(value_ns)
}

/// The smallest value in nanoseconds that a bin counts.
#[pyfunction]
pub(crate) fn bin_low(index: usize) -> PyResult<u64> {
    existing(index).map(bins::bin_low_ns)
}

/// The largest value in nanoseconds that a bin counts.
#[pyfunction]
pub(crate) fn bin_high(index: usize) -> PyResult<u64> {
    existing(index).map(bins::bin_high_ns)
}

/// The value in nanoseconds that fio prints for a bin.
#[pyfunction]
pub(crate) fn bin_mid(index: usize) -> PyResult<u64> {
    existing(index).map(bins::bin_mid_ns)
}

/// Percentiles in nanoseconds by nearest rank; None where fewer than ten samples lie above or the bins do not reach.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned lists.
pub(crate) fn histogram_percentiles(
    indices: Vec<usize>,
    counts: Vec<u64>,
    percentiles: Vec<f64>,
) -> PyResult<Vec<Option<u64>>> {
    if indices.len() != counts.len() {
        let (bins, counts) = (indices.len(), counts.len());
        return Err(PyValueError::new_err(format!(
            "{bins} bins but {counts} counts: one count for each bin expected"
        )));
    }
    let mut histogram = Histogram::default();
    for (&bin, &count) in indices.iter().zip(&counts) {
        histogram.record_many(existing(bin)?, count);
    }
    percentiles
        .into_iter()
        .map(|share| Ok(histogram.percentile_ns(percent(share)?)))
        .collect()
}

/// The 1-based nearest rank of each percentage among `count` samples: `ceil(p * count)`, at least 1.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned lists.
pub(crate) fn nearest_ranks(percentiles: Vec<f64>, count: u64) -> PyResult<Vec<u64>> {
    percentiles
        .into_iter()
        .map(|share| Ok(percent(share)?.rank(count)))
        .collect()
}

fn percent(share: f64) -> PyResult<Percent> {
    Percent::try_from(share).map_err(|fault| PyValueError::new_err(fault.to_string()))
}

fn existing(bin: usize) -> PyResult<usize> {
    if bin < BIN_COUNT {
        Ok(bin)
    } else {
        Err(PyIndexError::new_err(format!(
            "there is no bin {bin}: fio's latency bins are 0 to {}",
            BIN_COUNT - 1
        )))
    }
}
