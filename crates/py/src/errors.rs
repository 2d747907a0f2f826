//! Typed Python exceptions: what went wrong is in attributes, so that Python never takes a message apart.

// The exception types that `create_exception!` declares implement an unsafe trait of pyo3.
#![allow(unsafe_code)]

use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::spec::fault_tuple;

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
    "A fio log is damaged; has `file`, `line`, `problem` and `found`."
);

create_exception!(
    ssdlab._core,
    SpecError,
    PyValueError,
    "A drive specification has faults, listed in `faults`."
);
create_exception!(
    ssdlab._core,
    WorkloadError,
    PyValueError,
    "A workload cannot be run; has `field` and `message`."
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
pub(crate) fn fio_log_error(py: Python<'_>, fault: &fiolog::log::LogFault, file: Option<&Path>) -> PyErr {
    let error = FioLogError::new_err(fault.to_string());
    with_attributes(py, error, |value| {
        value.setattr("file", file)?;
        value.setattr("line", fault.line)?;
        value.setattr("problem", fault.problem.to_string())?;
        value.setattr("found", &fault.found)
    })
}

/// A `FioLogError` for a histogram log, whose lines are too long to quote.
pub(crate) fn fio_hist_log_error(py: Python<'_>, fault: &fiolog::hist_log::HistLogFault) -> PyErr {
    let error = FioLogError::new_err(fault.to_string());
    with_attributes(py, error, |value| {
        value.setattr("file", py.None())?;
        value.setattr("line", fault.line)?;
        value.setattr("problem", fault.problem.to_string())?;
        value.setattr("found", "")
    })
}

/// A `SpecError` with its attributes.
pub(crate) fn spec_error(py: Python<'_>, found: &vdrive::SpecFaults) -> PyErr {
    let error = SpecError::new_err(found.to_string());
    let faults: Vec<_> = found.faults.iter().map(fault_tuple).collect();
    with_attributes(py, error, |value| value.setattr("faults", faults))
}

/// A `WorkloadError` with its attributes.
pub(crate) fn workload_error(py: Python<'_>, fault: &vdrive::workload::WorkloadFault) -> PyErr {
    let error = WorkloadError::new_err(fault.to_string());
    with_attributes(py, error, |value| {
        value.setattr("field", fault.field)?;
        value.setattr("message", &fault.message)
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
