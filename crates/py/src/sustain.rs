//! Writing data that says where and when it was written, and reading it back.

use std::path::PathBuf;
use std::sync::Mutex;

use pattern::{Kind, Pattern};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sustain::{Bad, Chunk, Failed, Files, Flow, Medium, Nbd, Pass};

use crate::nbd::connect_error;

/// A linear range of bytes that is written and read past all caches; one pass at a time.
#[pyclass(module = "ssdlab._core", frozen)]
pub(crate) struct SustainMedium {
    medium: Mutex<Box<dyn Medium>>,
    size_bytes: Option<u64>,
}

/// Bytes that are not what was written.
#[pyclass(module = "ssdlab._core", frozen, get_all)]
pub(crate) struct BadRange {
    offset_bytes: u64,
    length_bytes: u64,
    kind: &'static str,
    found_offset_bytes: Option<u64>,
    found_generation: Option<u32>,
    /// Where the right data has wrong ones.
    wrong_bits: Option<u64>,
    /// What the drive or the kernel said of what cannot be read.
    error: Option<String>,
}

#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
#[pymethods]
impl SustainMedium {
    /// Files that exist, in a row, all but the last `part_bytes` long.
    #[staticmethod]
    fn files(py: Python<'_>, paths: Vec<PathBuf>, part_bytes: u64) -> PyResult<Self> {
        Ok(Self::of(py.detach(|| Files::open(&paths, part_bytes))?, None))
    }

    /// A block device.
    #[staticmethod]
    fn device(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        Ok(Self::of(py.detach(|| Files::device(&path))?, None))
    }

    /// An NBD export on a unix socket.
    #[staticmethod]
    fn nbd(py: Python<'_>, socket: PathBuf, export: &str) -> PyResult<Self> {
        let nbd = py.detach(|| Nbd::connect(&socket, export)).map_err(connect_error)?;
        let size_bytes = nbd.size_bytes();
        Ok(Self::of(nbd, Some(size_bytes)))
    }

    /// Length of an NBD export; None of files and devices.
    #[getter]
    fn size_bytes(&self) -> Option<u64> {
        self.size_bytes
    }

    /// Writes a range; `told(offset, length, begun_ns, ended_ns)` hears of every chunk and ends the pass by
    /// returning False; after every `flush_bytes` all is durable before the next.
    #[allow(clippy::too_many_arguments)]
    fn write(
        &self,
        py: Python<'_>,
        offset_bytes: u64,
        length_bytes: u64,
        chunk_bytes: usize,
        flush_bytes: u64,
        seed: u64,
        generation: u32,
        told: Py<PyAny>,
    ) -> PyResult<()> {
        let pass = pass(offset_bytes, length_bytes, chunk_bytes, flush_bytes, seed, generation)?;
        let mut raised = None;
        let done = py.detach(|| {
            let mut medium = self
                .medium
                .lock()
                .map_err(|_| PyRuntimeError::new_err("a pass before panicked"))?;
            Ok::<_, PyErr>(sustain::write(medium.as_mut(), pass, |chunk| {
                tell(&told, chunk, &mut raised)
            }))
        })?;
        if let Some(error) = raised {
            return Err(error);
        }
        done.map_err(|failed| os_error(&failed))
    }

    /// Reads a range back and returns what of it is not as it was written, in its order; `told` as for `write`. No more than
    /// `bad_max` ranges are kept; of the others only the number of bytes is counted, which is returned beside.
    #[allow(clippy::too_many_arguments)]
    fn check(
        &self,
        py: Python<'_>,
        offset_bytes: u64,
        length_bytes: u64,
        chunk_bytes: usize,
        seed: u64,
        generation: u32,
        bad_max: usize,
        told: Py<PyAny>,
    ) -> PyResult<(Vec<BadRange>, u64)> {
        let pass = pass(offset_bytes, length_bytes, chunk_bytes, u64::MAX, seed, generation)?;
        let mut raised = None;
        let mut kept: Vec<BadRange> = Vec::new();
        let mut bytes = 0;
        let done = py.detach(|| {
            let mut medium = self
                .medium
                .lock()
                .map_err(|_| PyRuntimeError::new_err("a pass before panicked"))?;
            let told = |chunk| tell(&told, chunk, &mut raised);
            let done = sustain::check(medium.as_mut(), pass, told, |bad| {
                let range = bad_range(bad);
                bytes += range.length_bytes;
                if !kept.last_mut().is_some_and(|last| last.takes_in(&range)) && kept.len() < bad_max {
                    kept.push(range);
                }
            });
            Ok::<_, PyErr>(done)
        })?;
        match raised {
            Some(error) => Err(error),
            None => done.map(|()| (kept, bytes)).map_err(|failed| os_error(&failed)),
        }
    }
}

impl SustainMedium {
    fn of(medium: impl Medium + 'static, size_bytes: Option<u64>) -> Self {
        Self {
            medium: Mutex::new(Box::new(medium)),
            size_bytes,
        }
    }
}

impl BadRange {
    /// Lengthens this range by one that goes on in the next chunk where it ended.
    fn takes_in(&mut self, next: &BadRange) -> bool {
        let goes_on = self.offset_bytes + self.length_bytes == next.offset_bytes
            && self.kind == next.kind
            && self.found_generation == next.found_generation
            && self.error == next.error
            && self.found_offset_bytes.map(|found| found + self.length_bytes) == next.found_offset_bytes;
        if goes_on {
            self.length_bytes += next.length_bytes;
            self.wrong_bits = self.wrong_bits.zip(next.wrong_bits).map(|(ours, more)| ours + more);
        }
        goes_on
    }
}

fn os_error(failed: &Failed) -> PyErr {
    let what = failed.to_string();
    match failed.source.raw_os_error() {
        Some(number) => PyOSError::new_err((number, what)),
        None => PyOSError::new_err(what),
    }
}

fn pass(
    offset_bytes: u64,
    length_bytes: u64,
    chunk_bytes: usize,
    flush_bytes: u64,
    seed: u64,
    generation: u32,
) -> PyResult<Pass> {
    let sector = pattern::SECTOR_BYTES as u64;
    if chunk_bytes == 0
        || [offset_bytes, length_bytes, chunk_bytes as u64]
            .iter()
            .any(|bytes| bytes % sector != 0)
    {
        return Err(PyValueError::new_err(
            "offset, length and chunk must be whole sectors of 512 bytes",
        ));
    }
    let pattern = Pattern::new(seed, generation);
    Ok(Pass {
        offset_bytes,
        length_bytes,
        chunk_bytes,
        flush_bytes,
        pattern,
    })
}

fn tell(told: &Py<PyAny>, chunk: Chunk, raised: &mut Option<PyErr>) -> Flow {
    let said = Python::attach(|py| {
        py.check_signals()?;
        let said = told.call1(
            py,
            (chunk.offset_bytes, chunk.length_bytes, chunk.begun_ns, chunk.ended_ns),
        )?;
        said.extract::<bool>(py)
    });
    match said {
        Ok(true) => Flow::Continue(()),
        Ok(false) => Flow::Break(()),
        Err(error) => {
            *raised = Some(error);
            Flow::Break(())
        }
    }
}

fn bad_range(bad: Bad) -> BadRange {
    match bad {
        Bad::Unreadable {
            offset_bytes,
            length_bytes,
            error,
        } => BadRange {
            offset_bytes,
            length_bytes,
            kind: "unreadable",
            found_offset_bytes: None,
            found_generation: None,
            wrong_bits: None,
            error: Some(error),
        },
        Bad::Wrong(finding) => {
            let (kind, found_offset_bytes, found_generation, wrong_bits) = match finding.kind {
                Kind::Zero => ("zero", None, None, None),
                Kind::Stale { generation } => ("stale", None, Some(generation), None),
                Kind::Elsewhere {
                    offset_bytes,
                    generation,
                } => ("elsewhere", Some(offset_bytes), Some(generation), None),
                Kind::Corrupted { wrong_bits } => ("corrupted", None, None, Some(wrong_bits)),
                Kind::Foreign => ("foreign", None, None, None),
            };
            BadRange {
                offset_bytes: finding.offset_bytes,
                length_bytes: finding.length_bytes,
                kind,
                found_offset_bytes,
                found_generation,
                wrong_bits,
                error: None,
            }
        }
    }
}
