//! Specifications of virtual drives.

use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use serde_json::json;
use vdrive::{Spec, SpecFaults};

use crate::errors::{FaultTuple, fault_tuple, spec_error};

/// A specification with the capacity and the seed that a target asks for.
pub(crate) fn read_spec(text: &str, capacity_bytes: Option<u64>, seed: Option<u64>) -> Result<Spec, SpecFaults> {
    let mut spec = Spec::parse(text)?;
    if let Some(capacity_bytes) = capacity_bytes {
        spec = spec.rescaled(capacity_bytes)?;
    }
    Ok(seed.map_or_else(|| spec.clone(), |seed| spec.with_seed(seed)))
}

/// Names of the built-in specifications.
#[pyfunction]
pub(crate) fn spec_names() -> Vec<&'static str> {
    Spec::BUILTIN_NAMES.to_vec()
}

/// The TOML text of a built-in specification.
#[pyfunction]
pub(crate) fn spec_text(name: &str) -> PyResult<&'static str> {
    Spec::builtin_text(name).ok_or_else(|| {
        let known = Spec::BUILTIN_NAMES.join(", ");
        PyLookupError::new_err(format!(
            "no built-in virtual drive is called {name:?}: there are {known}"
        ))
    })
}

/// All faults of a specification: line, key, message; empty if there is none.
#[pyfunction]
pub(crate) fn spec_check(text: &str) -> Vec<FaultTuple> {
    Spec::parse(text)
        .err()
        .map_or_else(Vec::new, |found| found.faults.iter().map(fault_tuple).collect())
}

/// What a specification promises, as JSON.
#[pyfunction]
#[pyo3(signature = (text, capacity_bytes=None, seed=None))]
pub(crate) fn spec_facts(
    py: Python<'_>,
    text: &str,
    capacity_bytes: Option<u64>,
    seed: Option<u64>,
) -> PyResult<String> {
    let spec = read_spec(text, capacity_bytes, seed).map_err(|faults| spec_error(py, &faults))?;
    let facts = json!({
        "name": spec.name(),
        "description": spec.description(),
        "capacity_bytes": spec.capacity_bytes(),
        "seed": spec.seed(),
        "indirection_unit_bytes": spec.indirection_unit_bytes(),
        "slc_cache_bytes_max": spec.slc_cache_bytes_max(),
        "slc_cache_bytes_min": spec.slc_cache_bytes_min(),
    });
    Ok(facts.to_string())
}
