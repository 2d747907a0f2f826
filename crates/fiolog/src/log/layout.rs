//! Which columns a log has.

use std::fmt;

use super::cursor::{COLUMNS_MAX, Cursor, Field, Radix};
use super::{Direction, LogFault, Problem};

/// Lines that are looked at to tell layouts with equally many columns apart.
const LINES_LOOKED_AT: usize = 4096;

/// What a column of a log holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Milliseconds since the job began.
    Time,
    /// Latency, bandwidth or IOPS.
    Value,
    /// Largest value of the window, with `log_window_value=both`.
    ValueMax,
    /// 0 read, 1 write, 2 trim.
    Direction,
    /// Length of the I/O.
    Block,
    /// Where the I/O was, with `log_offset=1`.
    Offset,
    /// Priority class: 0 or 1, or hexadecimal with `log_prio=1`.
    Priority,
    /// When the I/O was issued, with `log_issue_time=1`.
    IssueTime,
}

impl fmt::Display for Column {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Column::Time => "time",
            Column::Value => "value",
            Column::ValueMax => "largest value",
            Column::Direction => "direction",
            Column::Block => "block size",
            Column::Offset => "offset",
            Column::Priority => "priority",
            Column::IssueTime => "issue time",
        })
    }
}

/// The columns of a log, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout(&'static [Column]);

impl Layout {
    /// All layouts that fio writes, `iolog.c`: versions without priority first, then every combination of options.
    /// Of two with equally many columns the commoner comes first.
    pub const ALL: &'static [Layout] = {
        use Column::{Block as B, Direction as D, IssueTime as I, Offset as O, Priority as P};
        use Column::{Time as T, Value as V, ValueMax as M};
        &[
            Layout(&[T, V, D, B]),
            Layout(&[T, V, D, B, P]),
            Layout(&[T, V, D, B, O]),
            Layout(&[T, V, D, B, O, P]),
            Layout(&[T, V, M, D, B, P]),
            Layout(&[T, V, D, B, P, I]),
            Layout(&[T, V, D, B, O, P, I]),
            Layout(&[T, V, M, D, B, O, P]),
            Layout(&[T, V, M, D, B, P, I]),
            Layout(&[T, V, M, D, B, O, P, I]),
        ]
    };

    /// The columns in order.
    pub fn columns(self) -> &'static [Column] {
        self.0
    }

    pub(super) fn position(self, column: Column) -> Option<usize> {
        self.0.iter().position(|&candidate| candidate == column)
    }

    /// The layout of a log: the one with as many columns as the first line that no early line contradicts.
    ///
    /// A direction is 0 to 2, a priority 0, 1 or hexadecimal, and nothing else is hexadecimal. Where several layouts
    /// remain, the first in [`Layout::ALL`] is taken; that takes a log whose every offset, or every averaged value, is at
    /// most 2.
    ///
    /// # Errors
    /// The number of columns is that of no layout, or the file ends within its first line.
    pub fn detect(log: &[u8]) -> Result<Layout, LogFault> {
        let Some(first_line_bytes) = log.iter().position(|&byte| byte == b'\n') else {
            return Err(LogFault::new(log, 0, 1, Problem::Truncated));
        };
        let columns = log[..first_line_bytes].split(|&byte| byte == b',').count();
        let mut candidates: Vec<Layout> = Layout::ALL
            .iter()
            .copied()
            .filter(|layout| layout.0.len() == columns)
            .collect();
        if candidates.is_empty() {
            return Err(LogFault::new(log, 0, 1, Problem::NoLayout { columns }));
        }
        let mut cursor = Cursor::at_start_of(log);
        for _ in 0..LINES_LOOKED_AT {
            // A malformed line, or one that no layout allows, ends the search: reading the log will report it.
            let Ok(fields) = cursor.fields(columns) else { break };
            let allowed: Vec<Layout> = candidates
                .iter()
                .copied()
                .filter(|layout| layout.allows(&fields))
                .collect();
            if allowed.is_empty() {
                break;
            }
            candidates = allowed;
        }
        Ok(candidates[0])
    }

    fn allows(self, fields: &[Field; COLUMNS_MAX]) -> bool {
        self.0.iter().enumerate().all(|(position, column)| {
            let Field { number, radix } = fields[position];
            match column {
                Column::Priority => radix == Radix::Hexadecimal || number <= 1,
                Column::Direction => radix == Radix::Decimal && Direction::of_fio(number).is_some(),
                _ => radix == Radix::Decimal,
            }
        })
    }
}
