//! The Python module `ssdlab._core`.
use pyo3::prelude::*;

/// What Rust counts for Python.
#[pymodule]
mod _core {
    #[pymodule_export]
    const BUILD_PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };
}
