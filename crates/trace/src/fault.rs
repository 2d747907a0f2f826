//! What is wrong with a file.

use std::io;

/// Bytes of a damaged line that are shown.
const SHOWN_BYTES_MAX: usize = 80;

/// Why a place of a source cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Problem {
    /// No format has lines, or bytes, like these.
    UnknownFormat,
    /// The line has other columns than its format.
    Columns,
    /// A number is none, or too large.
    Number,
    /// The operation is none that the format has.
    Operation,
    /// No device can have had such an I/O: it has no length, or reaches beyond 8 EiB.
    Impossible,
    /// The line does not end.
    TooLong,
    /// The record has not the first bytes of its kind.
    Magic,
    /// The record was written by a machine of the other byte order.
    ByteOrder,
    /// The file ends within a record.
    CutOff,
    /// The I/O is of another device than those before it.
    SecondDevice,
    /// The I/O has a time and those before it have none, or the other way round.
    Times,
}

impl Problem {
    /// A name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Problem::UnknownFormat => "unknown-format",
            Problem::Columns => "columns",
            Problem::Number => "number",
            Problem::Operation => "operation",
            Problem::Impossible => "impossible",
            Problem::TooLong => "too-long",
            Problem::Magic => "magic",
            Problem::ByteOrder => "byte-order",
            Problem::CutOff => "cut-off",
            Problem::SecondDevice => "second-device",
            Problem::Times => "times",
        }
    }
}

/// A place that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The how-manieth line or record, from 1.
    pub at: u64,
    /// What is wrong.
    pub problem: Problem,
    /// What stands there; of a second device its name.
    pub found: String,
    /// Of a second device the name of the first.
    pub first_device: Option<String>,
}

impl Fault {
    /// What is wrong with a line or record.
    pub fn new(at: u64, problem: Problem, found: &[u8]) -> Self {
        Fault {
            at,
            problem,
            found: shown(found),
            first_device: None,
        }
    }

    /// An I/O of another device than those before it.
    pub fn second_device(at: u64, other: &[u8], first: &[u8]) -> Self {
        Fault {
            first_device: Some(shown(first)),
            ..Fault::new(at, Problem::SecondDevice, other)
        }
    }
}

fn shown(found: &[u8]) -> String {
    let beginning = &found[..found.len().min(SHOWN_BYTES_MAX)];
    String::from_utf8_lossy(beginning).trim_end().to_owned()
}

/// Why a file is no trace, or not one for what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It is no Parquet file, or a damaged one.
    Undecodable,
    /// It lacks the metadata of a trace, or they make no sense.
    Metadata,
    /// Another version of ssdlab wrote it.
    Version,
    /// Its columns are others.
    Columns,
    /// It holds what no trace can: an I/O that no device can have had, or out of order.
    Content,
    /// It has no times, which are needed.
    NoTimes,
    /// It touches, or has in flight, more than can be remembered.
    TooMuch,
}

impl Refusal {
    /// A name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Refusal::Undecodable => "undecodable",
            Refusal::Metadata => "metadata",
            Refusal::Version => "version",
            Refusal::Columns => "other-columns",
            Refusal::Content => "content",
            Refusal::NoTimes => "no-times",
            Refusal::TooMuch => "too-much",
        }
    }
}

/// Why a trace could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A source is damaged.
    #[error("line or record {}: {}", .0.at, .0.problem.name())]
    Damaged(Fault),
    /// A file is no trace.
    #[error("not a trace: {}", .0.name())]
    NoTrace(Refusal),
    /// The file system refused to read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The new file cannot be written.
    #[error("cannot be written: {0}")]
    Unwritten(io::Error),
    /// The temporary file cannot be used that sorting needs of more I/Os than fit into memory.
    #[error("cannot be sorted: {0}")]
    Unsorted(io::Error),
    /// The caller wanted no more.
    #[error("stopped")]
    Stopped,
}
