//! The Python module `ssdlab._core`: converts and releases the GIL, nothing else.

mod columns;
mod errors;
mod histogram;
mod io_log;
mod toml_lines;

use pyo3::prelude::*;

/// What Rust counts for Python.
#[pymodule]
mod _core {
    #[pymodule_export]
    const BUILD_PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

    #[pymodule_export]
    const BIN_COUNT: usize = fiolog::bins::BIN_COUNT;

    #[pymodule_export]
    use super::errors::{FioLogError, TomlError};
    #[pymodule_export]
    use super::histogram::{bin_high, bin_index, bin_low, bin_mid, histogram_percentiles};
    #[pymodule_export]
    use super::io_log::{FioLog, parse_fio_log};
    #[pymodule_export]
    use super::toml_lines::toml_key_lines;
}
