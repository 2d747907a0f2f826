//! Typed Python exceptions: what went wrong is in attributes, so that Python never takes a message apart.

// The exception types that `create_exception!` declares implement an unsafe trait of pyo3.
#![allow(unsafe_code)]

use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
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
    "A fio log is damaged; has `file`, `line`, `problem` and `found`."
);
create_exception!(
    ssdlab._core,
    PackedError,
    PyValueError,
    "A file is not what its first bytes say, gzip or Zstandard; has `filename`."
);
create_exception!(
    ssdlab._core,
    FollowedError,
    PackedError,
    "What was packed with gzip is whole, but bytes that are no gzip stand after it; has `filename`."
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

create_exception!(
    ssdlab._core,
    LoadSilentError,
    PyException,
    "A device says nothing; has `waited_ns` and `in_flight`."
);
create_exception!(
    ssdlab._core,
    LoadGoneError,
    PyException,
    "The way to a device is over; has `reason`."
);

create_exception!(
    ssdlab._core,
    TraceDamageError,
    PyValueError,
    "A trace, or what one is made of, is damaged; has `file`, `at`, `problem`, `found` and `first_device`."
);

/// A `TraceDamageError` with its attributes.
pub(crate) fn trace_damage(py: Python<'_>, fault: &trace::Fault, file: Option<&Path>) -> PyErr {
    let error = TraceDamageError::new_err(format!("{} at {}", fault.problem.name(), fault.at));
    with_attributes(py, error, |value| {
        value.setattr("file", file)?;
        value.setattr("at", fault.at)?;
        value.setattr("problem", fault.problem.name())?;
        value.setattr("found", &fault.found)?;
        value.setattr("first_device", fault.first_device.as_deref())
    })
}

/// A `TraceDamageError` of a trace, which has no lines.
pub(crate) fn trace_refused(py: Python<'_>, refusal: trace::Refusal, file: &Path) -> PyErr {
    let error = TraceDamageError::new_err(refusal.name());
    with_attributes(py, error, |value| {
        value.setattr("file", file)?;
        value.setattr("at", 0)?;
        value.setattr("problem", refusal.name())?;
        value.setattr("found", "")?;
        value.setattr("first_device", py.None())
    })
}

/// A trace that a replay cannot use: a `WorkloadError` of the field `replay`.
pub(crate) fn replay_refused(py: Python<'_>, refused: &replay::CannotReplay) -> PyErr {
    let fault = vdrive::workload::WorkloadFault {
        field: "replay",
        message: refused.to_string(),
    };
    workload_error(py, &fault)
}

/// A `LoadSilentError` with its attributes.
pub(crate) fn load_silent(py: Python<'_>, waited_ns: u64, in_flight: u32) -> PyErr {
    let error = LoadSilentError::new_err("the device says nothing");
    with_attributes(py, error, |value| {
        value.setattr("waited_ns", waited_ns)?;
        value.setattr("in_flight", in_flight)
    })
}

/// A `LoadGoneError` with its attribute.
pub(crate) fn load_gone(py: Python<'_>, reason: &str) -> PyErr {
    let error = LoadGoneError::new_err(reason.to_owned());
    with_attributes(py, error, |value| value.setattr("reason", reason))
}

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

/// Line, key and message of one fault.
pub(crate) type FaultTuple = (u32, String, String);

pub(crate) fn fault_tuple(fault: &vdrive::SpecFault) -> FaultTuple {
    (fault.line, fault.key.clone(), fault.message.clone())
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
