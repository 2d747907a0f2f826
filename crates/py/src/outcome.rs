//! What a workload gave, for Python: numbers as attributes, columns as bytes for `numpy.frombuffer`.

use load::{Failed, IssuedCell};
use pyo3::prelude::*;
use replay::Aside;
use vdrive::Command;
use vdrive::workload::{self, DirectionResult, EveryIo, Latency, Windows};

use crate::columns::Column;
use crate::over_time::LatencyOverTime;

/// What a workload gave.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct WorkloadResult {
    start_ns: u64,
    end_ns: u64,
    read: Py<WorkloadDirection>,
    write: Py<WorkloadDirection>,
    trim: Py<WorkloadDirection>,
    every_io: Option<Py<WorkloadIos>>,
    first_error: Option<String>,
    /// I/Os of an open loop that were due before its end, found no room and were never submitted.
    unsubmitted: u64,
    /// Of a mix, what was done: part, length, class of places, how many.
    issued: Option<Vec<(usize, u32, usize, u64)>>,
    /// Of a replay: flushes that were done, and the share of the bytes that lay beyond the end of the drive.
    replayed: Option<(u64, f64)>,
    /// Of a replay in virtual time: the command that failed, after which none was submitted.
    failed: Option<Py<LoadFailure>>,
}

impl WorkloadResult {
    pub(crate) fn new(
        py: Python<'_>,
        result: workload::WorkloadResult,
        issued: Option<Vec<IssuedCell>>,
        aside: Option<Aside>,
        failed: Option<Failed>,
    ) -> PyResult<Self> {
        Ok(WorkloadResult {
            start_ns: result.start_ns,
            end_ns: result.end_ns,
            read: WorkloadDirection::new(py, result.read)?,
            write: WorkloadDirection::new(py, result.write)?,
            trim: WorkloadDirection::new(py, result.trim)?,
            every_io: result
                .every_io
                .map(|ios| Py::new(py, WorkloadIos::from(ios)))
                .transpose()?,
            first_error: result.first_error.map(|rejected| rejected.to_string()),
            unsubmitted: result.unsubmitted,
            issued: issued.map(|cells| {
                let row = |one: IssuedCell| (one.part, one.block_bytes, one.cell, one.ios);
                cells.into_iter().map(row).collect()
            }),
            replayed: aside.map(|aside| (aside.flushes, aside.moved_share)),
            failed: failed.map(|failed| LoadFailure::new(py, failed)).transpose()?,
        })
    }
}

/// An I/O that failed.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct LoadFailure {
    /// 0 reads, 1 writes, 2 trims, 3 flushes, which have no place.
    direction: u8,
    offset_bytes: u64,
    length_bytes: u64,
    errno: i32,
}

impl LoadFailure {
    pub(crate) fn new(py: Python<'_>, failed: Failed) -> PyResult<Py<Self>> {
        let (direction, offset_bytes, length_bytes) = match failed.command {
            Command::Read {
                offset_bytes,
                length_bytes,
            } => (0, offset_bytes, length_bytes),
            Command::Write {
                offset_bytes,
                length_bytes,
                ..
            } => (1, offset_bytes, length_bytes),
            Command::Trim {
                offset_bytes,
                length_bytes,
            } => (2, offset_bytes, length_bytes),
            Command::Flush => (3, 0, 0),
        };
        let errno = failed.errno;
        Py::new(
            py,
            Self {
                direction,
                offset_bytes,
                length_bytes,
                errno,
            },
        )
    }
}

/// All that one direction did.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct WorkloadDirection {
    ios: u64,
    bytes: u64,
    errors: u64,
    runtime_ns: u64,
    clat: Py<WorkloadLatency>,
    lat: Py<WorkloadLatency>,
    windows: Py<WorkloadWindows>,
    clat_over_time: Option<Py<LatencyOverTime>>,
}

impl WorkloadDirection {
    fn new(py: Python<'_>, result: DirectionResult) -> PyResult<Py<Self>> {
        let block_bytes = result.bytes.checked_div(result.ios).unwrap_or(0);
        let direction = WorkloadDirection {
            ios: result.ios,
            bytes: result.bytes,
            errors: result.errors,
            runtime_ns: result.runtime_ns,
            clat: Py::new(py, WorkloadLatency::from(result.clat))?,
            lat: Py::new(py, WorkloadLatency::from(result.lat))?,
            windows: Py::new(py, WorkloadWindows::new(result.windows, block_bytes))?,
            clat_over_time: (result
                .clat_over_time
                .map(|over_time| Py::new(py, LatencyOverTime(over_time))))
            .transpose()?,
        };
        Py::new(py, direction)
    }
}

/// A latency distribution.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct WorkloadLatency {
    bin_index: Column<u64>,
    count: Column<u64>,
    mean_ns: Option<f64>,
    min_ns: Option<u64>,
    max_ns: Option<u64>,
    stddev_ns: Option<f64>,
}

impl From<Latency> for WorkloadLatency {
    fn from(latency: Latency) -> Self {
        Self {
            bin_index: latency.histogram.occupied().map(|(bin, _)| bin as u64).collect(),
            count: latency.histogram.occupied().map(|(_, count)| count).collect(),
            mean_ns: latency.moments.mean_ns(),
            min_ns: latency.moments.min_ns(),
            max_ns: latency.moments.max_ns(),
            stddev_ns: latency.moments.stddev_ns(),
        }
    }
}

/// What one direction did over time.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct WorkloadWindows {
    end_ns: Column<u64>,
    ios: Column<u64>,
    bytes: Column<u64>,
    lat_mean_ns: Column<f64>,
    lat_max_ns: Column<f64>,
}

impl WorkloadWindows {
    fn new(windows: Windows, block_bytes: u64) -> Self {
        // 0 / 0 is the NaN that a window without I/Os has.
        let sums = windows.lat_ns_sum.iter().zip(&windows.ios);
        let largest = windows.lat_ns_max.iter().zip(&windows.ios);
        Self {
            bytes: windows.ios.iter().map(|ios| ios * block_bytes).collect(),
            lat_mean_ns: sums.map(|(&sum, &ios)| sum as f64 / ios as f64).collect(),
            lat_max_ns: largest
                .map(|(&max, &ios)| if ios == 0 { f64::NAN } else { max as f64 })
                .collect(),
            end_ns: windows.end_ns.into(),
            ios: windows.ios.into(),
        }
    }
}

#[pymethods]
impl WorkloadWindows {
    fn __len__(&self) -> usize {
        self.ios.len()
    }
}

/// Every I/O, in order of completion.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct WorkloadIos {
    time_ns: Column<u64>,
    latency_ns: Column<u64>,
    direction: Column<u8>,
    offset_bytes: Column<u64>,
}

impl From<EveryIo> for WorkloadIos {
    fn from(ios: EveryIo) -> Self {
        Self {
            time_ns: ios.time_ns.into(),
            latency_ns: ios.latency_ns.into(),
            direction: ios.direction.into_iter().map(|direction| direction as u8).collect(),
            offset_bytes: ios.offset_bytes.into(),
        }
    }
}

#[pymethods]
impl WorkloadIos {
    fn __len__(&self) -> usize {
        self.time_ns.len()
    }
}
