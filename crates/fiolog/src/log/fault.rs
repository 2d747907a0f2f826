//! What can be wrong with a log.

use super::Column;

/// How much of a faulty line is quoted, in bytes.
const QUOTED_BYTES_MAX: usize = 100;

/// The first faulty line of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}, found {found:?}")]
pub struct LogFault {
    /// 1-based line in the file.
    pub line: u64,
    /// What is wrong and what was expected.
    pub problem: Problem,
    /// The line, shortened to 100 bytes.
    pub found: String,
}

impl LogFault {
    pub(crate) fn new(log: &[u8], line_start: usize, line: u64, problem: Problem) -> Self {
        let rest = &log[line_start..];
        let line_bytes = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        let found = String::from_utf8_lossy(&rest[..line_bytes.min(QUOTED_BYTES_MAX)]).into_owned();
        LogFault { line, problem, found }
    }
}

/// What is wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The file ends before the line does.
    #[error("the file ends inside this line (was fio killed, or the disk full?)")]
    Truncated,
    /// A line that does not end where a line of fio would have.
    #[error("the line is longer than any that fio writes")]
    TooLong,
    /// Not the number of columns that the file's first line has.
    #[error("{expected} columns expected as in the first line")]
    ColumnCount {
        /// Columns of the first line.
        expected: usize,
    },
    /// No fio log has so many columns.
    #[error(
        "a fio log has 4 to 8 columns and not {columns} (histogram logs have many more, and a reader of their own)"
    )]
    NoLayout {
        /// Columns of the first line.
        columns: usize,
    },
    /// Something that is not an unsigned number.
    #[error("the {column} is not a whole number of at least 0")]
    NotANumber {
        /// Where it stands.
        column: Column,
    },
    /// A number of more than 64 bits.
    #[error("the {column} does not fit into 64 bits")]
    TooLarge {
        /// Where it stands.
        column: Column,
    },
    /// A direction that fio does not log.
    #[error("the direction is {number}: allowed are 0 (read), 1 (write), 2 (trim)")]
    Direction {
        /// What stands there.
        number: u64,
    },
    /// A priority flag that fio does not write.
    #[error("the priority is {number}: allowed are 0, 1 and hexadecimal numbers")]
    Priority {
        /// What stands there.
        number: u64,
    },
    /// The largest value of a window is smaller than its mean.
    #[error("the window's largest value is below its mean")]
    MaxBelowMean,
}
