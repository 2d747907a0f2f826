//! An NBD export that somebody serves: what it is, trims, and a look at its data.

use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use nbd::client::{Client, Command, ConnectError, Export, Patience};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A connection to an export on a unix socket, which ends with the object.
#[pyclass(module = "ssdlab._core", frozen)]
pub(crate) struct NbdExport {
    client: Mutex<Client>,
    export: Export,
}

#[pymethods]
impl NbdExport {
    #[new]
    #[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
    fn new(py: Python<'_>, socket: PathBuf, export: &str, silence_s_max: u64) -> PyResult<Self> {
        let patience = Patience::Limited(Duration::from_secs(silence_s_max), Box::new(signals));
        let client = py
            .detach(|| Client::connect(&socket, export, patience))
            .map_err(connect_error)?;
        Ok(Self {
            export: client.export(),
            client: Mutex::new(client),
        })
    }

    #[getter]
    fn size_bytes(&self) -> u64 {
        self.export.size_bytes
    }

    #[getter]
    fn is_writable(&self) -> bool {
        self.export.is_writable()
    }

    #[getter]
    fn trims(&self) -> bool {
        self.export.trims()
    }

    /// Trims a part.
    fn trim(&self, py: Python<'_>, offset_bytes: u64, length_bytes: u32) -> PyResult<()> {
        self.ask(py, Command::Trim, offset_bytes, length_bytes, &mut [])
    }

    /// Reads a part.
    fn read<'py>(&self, py: Python<'py>, offset_bytes: u64, length_bytes: u32) -> PyResult<Bound<'py, PyBytes>> {
        let mut data = vec![0; length_bytes as usize];
        self.ask(py, Command::Read, offset_bytes, length_bytes, &mut data)?;
        Ok(PyBytes::new(py, &data))
    }
}

impl NbdExport {
    fn ask(&self, py: Python<'_>, command: Command, offset: u64, length: u32, data: &mut [u8]) -> PyResult<()> {
        let done = py.detach(|| {
            let mut client = self.client.lock().ok()?;
            Some(client.ask(command, offset, length, data))
        });
        let panicked = || PyRuntimeError::new_err("a request before panicked");
        Ok(done.ok_or_else(panicked)??)
    }
}

/// Ctrl-C ends a wait.
pub(crate) fn signals() -> io::Result<()> {
    Python::attach(|py| {
        py.check_signals()
            .map_err(|raised| io::Error::new(io::ErrorKind::Interrupted, raised))
    })
}

pub(crate) fn connect_error(error: ConnectError) -> PyErr {
    match error {
        ConnectError::Io(error) => match error.raw_os_error() {
            // Python's own words for the number, and the class that goes with it.
            Some(number) => Python::attach(|py| {
                PyModule::import(py, "os")
                    .and_then(|os| os.call_method1("strerror", (number,)))
                    .map_or_else(|failure| failure, |words| PyOSError::new_err((number, words.unbind())))
            }),
            None => PyErr::from(error),
        },
        ConnectError::Protocol(what) => PyOSError::new_err(what),
    }
}
