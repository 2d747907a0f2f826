//! Whole logs of fio, scanned.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use fiolog::Percent;
use fiolog::log::{Column as LogColumn, Layout};
use fiolog::scan::{DirectionScan, Input, LogScan, Percentile, Scan, ScanFault, decompressed_file, scan};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::columns::Column;
use crate::errors::fio_log_error;
use crate::io_log::unreadable;

const PART_BYTES: u64 = 1 << 20;

/// What several logs say together.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioScan {
    #[pyo3(get)]
    window_ms: u64,
    #[pyo3(get)]
    directions: Vec<Py<FioScanDirection>>,
    #[pyo3(get)]
    logs: Vec<Py<FioScanLog>>,
}

/// What one direction did.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct FioScanDirection {
    direction: u8,
    lines: u64,
    bytes: u64,
    sum: u128,
    max: u64,
    percentiles: Vec<Found>,
    window_ios: Column<u64>,
    window_bytes: Column<u64>,
}

/// What one log was.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct FioScanLog {
    name: PathBuf,
    lines: u64,
    averaged: bool,
    /// Whether the largest value of every window stands beside the mean.
    has_largest: bool,
    cut: Option<(u64, String)>,
}

/// A percentile: its value, the ends of an interval, or nothing.
#[derive(Clone, IntoPyObject)]
enum Found {
    Exact(u64),
    Between((u64, u64)),
    TooFewAbove(Option<u64>),
}

impl From<DirectionScan> for FioScanDirection {
    fn from(scan: DirectionScan) -> Self {
        let found = |percentile: &Percentile| match *percentile {
            Percentile::Exact(value) => Found::Exact(value),
            Percentile::Between { low, high } => Found::Between((low, high)),
            Percentile::TooFewAbove => Found::TooFewAbove(None),
        };
        Self {
            direction: scan.direction as u8,
            lines: scan.ios,
            bytes: scan.bytes,
            sum: scan.sum,
            max: scan.max,
            percentiles: scan.percentiles.iter().map(found).collect(),
            window_ios: scan.windows.iter().map(|window| window.ios).collect(),
            window_bytes: scan.windows.iter().map(|window| window.bytes).collect(),
        }
    }
}

impl From<LogScan> for FioScanLog {
    fn from(log: LogScan) -> Self {
        let has_largest = |layout: Layout| layout.columns().contains(&LogColumn::ValueMax);
        Self {
            name: log.name,
            lines: log.lines,
            averaged: log.averaged,
            has_largest: log.layout.is_some_and(has_largest),
            cut: log.cut.map(|fault| (fault.line, fault.found)),
        }
    }
}

/// Scans logs as if they were one, `-` for standard input; Ctrl-C stops it.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // pyo3 hands over owned lists.
pub(crate) fn scan_fio_logs(py: Python<'_>, paths: Vec<PathBuf>, percentiles: Vec<f64>) -> PyResult<FioScan> {
    let percents: Result<Vec<Percent>, _> = percentiles.into_iter().map(Percent::try_from).collect();
    let percents = percents.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    let mut raised = None;
    let scanned = py.detach(|| {
        let inputs: Result<Vec<Input>, ScanFault> = paths.iter().map(|path| open(path)).collect();
        scan(
            inputs?,
            &percents,
            &mut || match Python::attach(|py| py.check_signals().err()) {
                None => true,
                stopped => {
                    raised = stopped;
                    false
                }
            },
        )
    });
    match (raised, scanned) {
        (Some(error), _) => Err(error),
        (None, Ok(scanned)) => converted(py, scanned),
        (None, Err(fault)) => Err(explained(py, fault)),
    }
}

/// A file that is read part by part, decompressed if it is compressed with gzip or zstd.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct FioFile {
    path: PathBuf,
    stream: Mutex<Stream>,
}

struct Stream {
    file: Box<dyn Read + Send>,
    /// Met after bytes that were handed out first.
    fault: Option<io::Error>,
}

impl Stream {
    /// What can be read of the next `size` bytes; a fault only where that is nothing.
    fn next(&mut self, size: u64) -> io::Result<Vec<u8>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        let mut part = Vec::new();
        match self.file.by_ref().take(size).read_to_end(&mut part) {
            Err(fault) if part.is_empty() => return Err(fault),
            Err(fault) => self.fault = Some(fault),
            Ok(_) => {}
        }
        Ok(part)
    }
}

#[pymethods]
impl FioFile {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        match py.detach(|| decompressed_file(&path)) {
            Ok(file) => Ok(Self {
                path,
                stream: Mutex::new(Stream { file, fault: None }),
            }),
            Err(error) => Err(unreadable(py, error, path)),
        }
    }

    /// The next `size` bytes; fewer only at the end, or before what cannot be read.
    fn read<'py>(&self, py: Python<'py>, size: u64) -> PyResult<Bound<'py, PyBytes>> {
        let part = py.detach(|| {
            let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
            stream.next(size)
        });
        match part {
            Ok(part) => Ok(PyBytes::new(py, &part)),
            Err(error) => Err(unreadable(py, error, self.path.clone())),
        }
    }
}

/// Whether a file that begins so is compressed with gzip or zstd; four bytes are enough.
#[pyfunction]
pub(crate) fn is_compressed(begin: &[u8]) -> bool {
    fiolog::scan::is_compressed(begin)
}

/// The content of a file, decompressed if it is compressed with gzip or zstd; the first `bytes_max` bytes of it if given.
#[pyfunction]
#[pyo3(signature = (path, bytes_max=None))]
pub(crate) fn read_fio_file(py: Python<'_>, path: PathBuf, bytes_max: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
    let file = FioFile::new(py, path)?;
    // Python's buffer grows where it is and is handed out as it is, so that the content is never in memory twice.
    let whole = py.import("io")?.getattr("BytesIO")?.call0()?;
    let mut left = bytes_max.unwrap_or(u64::MAX);
    loop {
        let part = file.read(py, left.min(PART_BYTES))?;
        if part.as_bytes().is_empty() {
            return whole.call_method0("getvalue");
        }
        left -= part.as_bytes().len() as u64;
        whole.call_method1("write", (part,))?;
    }
}

pub(crate) fn open(path: &Path) -> Result<Input, ScanFault> {
    if path == Path::new("-") {
        Input::standard_input()
    } else {
        Input::open(path)
    }
}

fn converted(py: Python<'_>, scan: Scan) -> PyResult<FioScan> {
    let directions = scan.directions.into_iter();
    let logs = scan.logs.into_iter();
    Ok(FioScan {
        window_ms: scan.window_ms,
        directions: directions
            .map(|one| Py::new(py, FioScanDirection::from(one)))
            .collect::<PyResult<_>>()?,
        logs: logs
            .map(|one| Py::new(py, FioScanLog::from(one)))
            .collect::<PyResult<_>>()?,
    })
}

pub(crate) fn explained(py: Python<'_>, fault: ScanFault) -> PyErr {
    match fault {
        ScanFault::Unreadable { name, error } => unreadable(py, error, name),
        ScanFault::Damaged { name, fault } => fio_log_error(py, &fault, Some(&name)),
        ScanFault::Changed | ScanFault::Stopped => PyValueError::new_err(fault.to_string()),
    }
}
