//! What a workload gave, for Python: numbers as attributes, columns as bytes for `numpy.frombuffer`.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use vdrive::workload::{self, DirectionResult, EveryIo, Latency, Windows};

use crate::columns::{f64_column, u8_column, u64_column};
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
}

impl WorkloadResult {
    pub(crate) fn new(py: Python<'_>, result: workload::WorkloadResult) -> PyResult<Self> {
        Ok(WorkloadResult {
            start_ns: result.start_ns,
            end_ns: result.end_ns,
            read: WorkloadDirection::new(py, result.read)?,
            write: WorkloadDirection::new(py, result.write)?,
            trim: WorkloadDirection::new(py, result.trim)?,
            every_io: result.every_io.map(|ios| Py::new(py, WorkloadIos(ios))).transpose()?,
            first_error: result.first_error.map(|rejected| rejected.to_string()),
        })
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
            clat: Py::new(py, WorkloadLatency(result.clat))?,
            lat: Py::new(py, WorkloadLatency(result.lat))?,
            windows: Py::new(
                py,
                WorkloadWindows {
                    windows: result.windows,
                    block_bytes,
                },
            )?,
            clat_over_time: (result
                .clat_over_time
                .map(|over_time| Py::new(py, LatencyOverTime(over_time))))
            .transpose()?,
        };
        Py::new(py, direction)
    }
}

/// A latency distribution.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct WorkloadLatency(Latency);

#[pymethods]
impl WorkloadLatency {
    #[getter]
    fn bin_index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bins: Vec<u64> = self.0.histogram.occupied().map(|(bin, _)| bin as u64).collect();
        u64_column(py, &bins)
    }

    #[getter]
    fn count<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let counts: Vec<u64> = self.0.histogram.occupied().map(|(_, count)| count).collect();
        u64_column(py, &counts)
    }

    #[getter]
    fn mean_ns(&self) -> Option<f64> {
        self.0.moments.mean_ns()
    }

    #[getter]
    fn min_ns(&self) -> Option<u64> {
        self.0.moments.min_ns()
    }

    #[getter]
    fn max_ns(&self) -> Option<u64> {
        self.0.moments.max_ns()
    }

    #[getter]
    fn stddev_ns(&self) -> Option<f64> {
        self.0.moments.stddev_ns()
    }
}

/// What one direction did over time.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct WorkloadWindows {
    windows: Windows,
    block_bytes: u64,
}

#[pymethods]
impl WorkloadWindows {
    fn __len__(&self) -> usize {
        self.windows.ios.len()
    }

    #[getter]
    fn end_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.windows.end_ns)
    }

    #[getter]
    fn ios<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.windows.ios)
    }

    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes: Vec<u64> = self.windows.ios.iter().map(|ios| ios * self.block_bytes).collect();
        u64_column(py, &bytes)
    }

    #[getter]
    fn lat_mean_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        // 0 / 0 is the NaN that a window without I/Os has.
        let sums = self.windows.lat_ns_sum.iter().zip(&self.windows.ios);
        let means: Vec<f64> = sums.map(|(&sum, &ios)| sum as f64 / ios as f64).collect();
        f64_column(py, &means)
    }

    #[getter]
    fn lat_max_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let largest = self.windows.lat_ns_max.iter().zip(&self.windows.ios);
        let largest: Vec<f64> = largest
            .map(|(&max, &ios)| if ios == 0 { f64::NAN } else { max as f64 })
            .collect();
        f64_column(py, &largest)
    }
}

/// Every I/O, in order of completion.
#[pyclass(frozen, module = "ssdlab._core")]
pub(crate) struct WorkloadIos(EveryIo);

#[pymethods]
impl WorkloadIos {
    fn __len__(&self) -> usize {
        self.0.time_ns.len()
    }

    #[getter]
    fn time_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.time_ns)
    }

    #[getter]
    fn latency_ns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.latency_ns)
    }

    #[getter]
    fn direction<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u8_column(py, self.0.direction.iter().map(|&direction| direction as u8))
    }

    #[getter]
    fn offset_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        u64_column(py, &self.0.offset_bytes)
    }
}
