//! Commands planned one by one: columns from Python, columns back.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use vdrive::workload::{Issue, Planned, Replayed};
use vdrive::{Command, Sync};

use crate::columns::Column;

/// Codes of what is asked, as `ssdlab.engine.commands.Verb` numbers them.
const READ: u8 = 0;
const WRITE: u8 = 1;
const WRITE_THROUGH: u8 = 2;
const FLUSH: u8 = 3;
const TRIM: u8 = 4;

/// When each planned command was submitted and completed.
#[allow(clippy::struct_field_names)] // All of it is times.
#[pyclass(frozen, get_all, module = "ssdlab._core")]
pub(crate) struct ReplayResult {
    submitted_ns: Column<u64>,
    completed_ns: Column<u64>,
    end_ns: u64,
}

impl From<Replayed> for ReplayResult {
    fn from(replayed: Replayed) -> Self {
        Self {
            submitted_ns: replayed.submitted_ns.into(),
            completed_ns: replayed.completed_ns.into(),
            end_ns: replayed.end_ns,
        }
    }
}

#[pymethods]
impl ReplayResult {
    fn __len__(&self) -> usize {
        self.submitted_ns.len()
    }
}

/// Columns of the same length: what, where, how much (`<u8`), after which silence, and whether alone.
pub(crate) struct Columns<'a> {
    pub(crate) verb: &'a [u8],
    pub(crate) offset_bytes: &'a [u8],
    pub(crate) length_bytes: &'a [u8],
    pub(crate) pause_ns: &'a [u8],
    pub(crate) alone: &'a [u8],
}

impl Columns<'_> {
    /// One command a row.
    pub(crate) fn planned(&self) -> PyResult<Vec<Planned>> {
        let count = self.verb.len();
        let (offsets, lengths, pauses) = (words(self.offset_bytes), words(self.length_bytes), words(self.pause_ns));
        if [offsets.len(), lengths.len(), pauses.len(), self.alone.len()] != [count; 4] {
            return Err(PyValueError::new_err("the columns are of different lengths"));
        }
        (0..count)
            .map(|at| {
                Ok(Planned {
                    command: command(self.verb[at], offsets[at], lengths[at])?,
                    issue: if self.alone[at] == 0 {
                        Issue::WhenRoom
                    } else {
                        Issue::Alone
                    },
                    pause_ns: pauses[at],
                })
            })
            .collect()
    }
}

fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|word| u64::from_le_bytes(*word))
        .collect()
}

fn command(verb: u8, offset_bytes: u64, length_bytes: u64) -> PyResult<Command> {
    let write = |sync| Command::Write {
        offset_bytes,
        length_bytes,
        sync,
    };
    Ok(match verb {
        READ => Command::Read {
            offset_bytes,
            length_bytes,
        },
        WRITE => write(Sync::Buffered),
        WRITE_THROUGH => write(Sync::Fua),
        FLUSH => Command::Flush,
        TRIM => Command::Trim {
            offset_bytes,
            length_bytes,
        },
        _ => return Err(PyValueError::new_err(format!("{verb} is no command"))),
    })
}
