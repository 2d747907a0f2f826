//! Quantiles of Student's t.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The value that Student's t exceeds with that probability, 0 to 0.5 without its ends.
#[pyfunction]
pub(crate) fn student_t_beyond(probability: f64, degrees: u32) -> PyResult<f64> {
    if !(probability > 0.0 && probability < 0.5) {
        return Err(PyValueError::new_err(format!("{probability} is not between 0 and 0.5")));
    }
    let student =
        StudentsT::new(0.0, 1.0, f64::from(degrees)).map_err(|error| PyValueError::new_err(error.to_string()))?;
    // Its lower tail keeps the digits that 1 - probability would lose.
    Ok(-student.inverse_cdf(probability))
}
