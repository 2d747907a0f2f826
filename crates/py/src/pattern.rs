//! Data that says where and when it was written.

use ::pattern::{Finding, Kind, Misaligned, Pattern};
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A run of bytes that is not what was written.
#[pyclass(module = "ssdlab._core", frozen, get_all)]
pub(crate) struct PatternFinding {
    offset_bytes: u64,
    length_bytes: u64,
    kind: &'static str,
    generation: Option<u32>,
    origin_offset_bytes: Option<u64>,
    wrong_bits: Option<u64>,
}

impl From<&Finding> for PatternFinding {
    fn from(finding: &Finding) -> Self {
        let (kind, generation, origin_offset_bytes, wrong_bits) = match finding.kind {
            Kind::Zero => ("zero", None, None, None),
            Kind::Stale { generation } => ("stale", Some(generation), None, None),
            Kind::Elsewhere {
                offset_bytes,
                generation,
            } => ("elsewhere", Some(generation), Some(offset_bytes), None),
            Kind::Corrupted { wrong_bits } => ("corrupted", None, None, Some(wrong_bits)),
            Kind::Foreign => ("foreign", None, None, None),
        };
        Self {
            offset_bytes: finding.offset_bytes,
            length_bytes: finding.length_bytes,
            kind,
            generation,
            origin_offset_bytes,
            wrong_bits,
        }
    }
}

/// Fills a writable buffer with what belongs at `offset_bytes`; the data is made without the GIL and copied with it.
#[pyfunction]
pub(crate) fn pattern_fill(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    seed: u64,
    generation: u32,
    offset_bytes: u64,
) -> PyResult<()> {
    let buffer = PyBuffer::<u8>::get(buffer)?;
    let mut made = vec![0; buffer.len_bytes()];
    py.detach(|| Pattern::new(seed, generation).fill(&mut made, offset_bytes))
        .map_err(refused)?;
    buffer.copy_from_slice(py, &made)
}

/// What in a buffer read at `offset_bytes` is not what `pattern_fill` made, in order; empty if all is well.
#[pyfunction]
pub(crate) fn pattern_check(
    py: Python<'_>,
    buffer: &Bound<'_, PyAny>,
    seed: u64,
    generation: u32,
    offset_bytes: u64,
) -> PyResult<Vec<PatternFinding>> {
    let found = PyBuffer::<u8>::get(buffer)?.to_vec(py)?;
    let findings = py
        .detach(|| Pattern::new(seed, generation).check(&found, offset_bytes))
        .map_err(refused)?;
    Ok(findings.iter().map(PatternFinding::from).collect())
}

fn refused(misaligned: Misaligned) -> PyErr {
    PyValueError::new_err(misaligned.to_string())
}
