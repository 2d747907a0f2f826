//! Lines of TOML keys.

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tomlpos::Segment;

use crate::errors::toml_error;

/// The 1-based line of every key and array element, by its path of keys and positions.
#[pyfunction]
pub(crate) fn toml_key_lines<'py>(py: Python<'py>, text: &str) -> PyResult<Vec<(Bound<'py, PyTuple>, u32)>> {
    let lines = py
        .detach(|| tomlpos::key_lines(text))
        .map_err(|fault| toml_error(py, &fault))?;
    lines
        .into_iter()
        .map(|(path, line)| Ok((path_tuple(py, path)?, line)))
        .collect()
}

fn path_tuple(py: Python<'_>, path: Vec<Segment>) -> PyResult<Bound<'_, PyTuple>> {
    let segments: Vec<Bound<'_, PyAny>> = path
        .into_iter()
        .map(|segment| match segment {
            Segment::Key(key) => key.into_bound_py_any(py),
            Segment::Index(index) => index.into_bound_py_any(py),
        })
        .collect::<PyResult<_>>()?;
    PyTuple::new(py, segments)
}
