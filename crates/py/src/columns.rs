//! Columns as bytes that `numpy.frombuffer` reads without knowing Rust; little-endian.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A column of unsigned 64-bit integers, dtype `<u8`.
pub(crate) fn u64_column<'py>(py: Python<'py>, values: &[u64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(values), |bytes| {
        for (cell, value) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(values) {
            *cell = value.to_le_bytes();
        }
        Ok(())
    })
}

/// A column of doubles, dtype `<f8`.
pub(crate) fn f64_column<'py>(py: Python<'py>, values: &[f64]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, size_of_val(values), |bytes| {
        for (cell, value) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(values) {
            *cell = value.to_le_bytes();
        }
        Ok(())
    })
}

/// A column of bytes, dtype `u1`.
pub(crate) fn u8_column(py: Python<'_>, values: impl ExactSizeIterator<Item = u8>) -> PyResult<Bound<'_, PyBytes>> {
    PyBytes::new_with(py, values.len(), |bytes| {
        for (cell, value) in bytes.iter_mut().zip(values) {
            *cell = value;
        }
        Ok(())
    })
}

/// A column that may be absent.
pub(crate) fn optional_u64_column<'py>(
    py: Python<'py>,
    values: Option<&Vec<u64>>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    values.map(|values| u64_column(py, values)).transpose()
}
