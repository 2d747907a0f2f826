//! Tables of Parquet, before a decoder is given them.

use std::fs::File;
use std::path::PathBuf;

use pyo3::prelude::*;
use trace::TraceError;

/// Rows that a file of Parquet claims to hold; `None` where it is none, or what it claims cannot be.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
pub(crate) fn table_rows(path: PathBuf) -> PyResult<Option<u64>> {
    match trace::shape(&File::open(path)?) {
        Ok(shape) => Ok(Some(shape.rows)),
        Err(TraceError::Io(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}
