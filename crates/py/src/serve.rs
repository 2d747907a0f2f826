//! The NBD server, inside a Python process.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs `ssdlab-vdrive` with these arguments (without the program's name) until a signal or the lifeline ends it; gives its
/// exit status.
#[pyfunction]
pub(crate) fn serve_main(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    let status = py.detach(|| nbd::cli::run(argv));
    // The signal that ended the server is also waiting for Python, which would report it as a KeyboardInterrupt although it
    // has been obeyed.
    drop(py.check_signals());
    status
}
