//! Typed Python exceptions: what went wrong is in attributes, so that Python never takes a message apart.

// The exception types that `create_exception!` declares implement an unsafe trait of pyo3.
#![allow(unsafe_code)]

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    ssdlab._core,
    TomlError,
    PyValueError,
    "A text is not TOML; has `line`, `column` and `message`."
);
create_exception!(
    ssdlab._core,
    FioLogError,
    PyValueError,
    "A fio log is damaged; has `line`, `problem` and `found`."
);

/// A `TomlError` with its attributes.
pub(crate) fn toml_error(py: Python<'_>, fault: &tomlpos::ParseFault) -> PyErr {
    let error = TomlError::new_err(fault.to_string());
    with_attributes(py, error, |value| {
        value.setattr("line", fault.line)?;
        value.setattr("column", fault.column)?;
        value.setattr("message", &fault.message)
    })
}

/// A `FioLogError` with its attributes.
pub(crate) fn fio_log_error(py: Python<'_>, fault: &fiolog::log::LogFault) -> PyErr {
    let error = FioLogError::new_err(fault.to_string());
    with_attributes(py, error, |value| {
        value.setattr("line", fault.line)?;
        value.setattr("problem", fault.problem.to_string())?;
        value.setattr("found", &fault.found)
    })
}

fn with_attributes<'py>(
    py: Python<'py>,
    error: PyErr,
    set: impl FnOnce(&Bound<'py, pyo3::exceptions::PyBaseException>) -> PyResult<()>,
) -> PyErr {
    match set(error.value(py)) {
        Ok(()) => error,
        Err(failure) => failure,
    }
}
