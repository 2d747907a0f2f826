//! fio's text logs (`write_lat_log`, `write_bw_log`, `write_iops_log`) as columns.
//!
//! A log has no header; which columns stand in it depends on fio's options and version, so that is derived from the
//! file ([`Layout::detect`]). Anything but whole lines of that layout is a fault with its line number: a log that lost
//! lines would otherwise give percentiles that nobody can tell from true ones.

pub(crate) mod cursor;
mod fault;
mod layout;

pub use fault::{LogFault, Problem};
pub use layout::{Column, Layout};

use cursor::Cursor;

/// Kind of an I/O, numbered as fio does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Direction {
    /// fio's 0.
    Read = 0,
    /// fio's 1.
    Write = 1,
    /// fio's 2.
    Trim = 2,
}

impl Direction {
    pub(crate) fn of_fio(number: u64) -> Option<Self> {
        match number {
            0 => Some(Direction::Read),
            1 => Some(Direction::Write),
            2 => Some(Direction::Trim),
            _ => None,
        }
    }
}

/// Times from here on are those of a clock (`log_unix_epoch`), in milliseconds since 1970: no job lasts for thirty years.
const WALL_CLOCK_MS: u64 = 1_000_000_000_000;

/// Whether the first time of a log is that of a clock, not since the job began.
#[must_use]
pub fn is_wall_clock(first_ms: u64) -> bool {
    first_ms >= WALL_CLOCK_MS
}

/// The columns of a log; all that are present have one entry a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IoLog {
    /// Milliseconds since the job began (since the ramp ended, if there was one).
    pub time_ms: Vec<u64>,
    /// Nanoseconds in latency logs, KiB/s in bandwidth logs, 1/s in IOPS logs; the mean where fio averaged.
    pub value: Vec<u64>,
    /// With `log_window_value=both`: the largest value in the window.
    pub value_max: Option<Vec<u64>>,
    /// Kind of I/O.
    pub direction: Vec<Direction>,
    /// Length of the I/O in bytes; 0 where fio averaged.
    pub block_bytes: Vec<u64>,
    /// With `log_offset=1`.
    pub offset_bytes: Option<Vec<u64>>,
    /// 0 or 1 (of the high class); with `log_prio=1` what the kernel was given.
    pub priority: Option<Vec<u64>>,
    /// With `log_issue_time=1`: when the I/O was issued, nanoseconds.
    pub issue_ns: Option<Vec<u64>>,
}

impl IoLog {
    pub(crate) fn with_columns_of(layout: Layout, lines_expected: usize) -> Self {
        let optional = |column| layout.position(column).map(|_| Vec::with_capacity(lines_expected));
        IoLog {
            time_ms: Vec::with_capacity(lines_expected),
            value: Vec::with_capacity(lines_expected),
            value_max: optional(Column::ValueMax),
            direction: Vec::with_capacity(lines_expected),
            block_bytes: Vec::with_capacity(lines_expected),
            offset_bytes: optional(Column::Offset),
            priority: optional(Column::Priority),
            issue_ns: optional(Column::IssueTime),
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, row: &Row) {
        self.time_ms.push(row.time_ms);
        self.value.push(row.value);
        self.direction.push(row.direction);
        self.block_bytes.push(row.block_bytes);
        let optional = [
            (&mut self.value_max, row.value_max),
            (&mut self.offset_bytes, row.offset_bytes),
            (&mut self.priority, row.priority),
            (&mut self.issue_ns, row.issue_ns),
        ];
        for (column, value) in optional {
            if let Some(column) = column {
                column.push(value);
            }
        }
    }
}

/// One line; a column that the layout lacks is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// See [`IoLog::time_ms`].
    pub time_ms: u64,
    /// See [`IoLog::value`].
    pub value: u64,
    /// See [`IoLog::value_max`].
    pub value_max: u64,
    /// See [`IoLog::direction`].
    pub direction: Direction,
    /// See [`IoLog::block_bytes`].
    pub block_bytes: u64,
    /// See [`IoLog::offset_bytes`].
    pub offset_bytes: u64,
    /// See [`IoLog::priority`].
    pub priority: u64,
    /// See [`IoLog::issue_ns`].
    pub issue_ns: u64,
}

/// Reads a whole log. An empty file is an empty log: fio leaves one where an engine cannot tell (slat of `sync`).
///
/// # Errors
/// The first line that is not what the layout of the file says.
pub fn parse(log: &[u8]) -> Result<IoLog, LogFault> {
    if log.is_empty() {
        return Ok(IoLog::default());
    }
    let layout = Layout::detect(log)?;
    let first_line_bytes = log.iter().take_while(|&&byte| byte != b'\n').count() + 1;
    let mut columns = IoLog::with_columns_of(layout, log.len().div_ceil(first_line_bytes));
    scan(log, layout, |row| columns.push(&row))?;
    Ok(columns)
}

/// Hands every line of `log` to `take`, in order; `log` begins at the start of a line.
///
/// # Errors
/// The first line that does not have the columns of `layout`; what `take` has seen by then are the lines before it.
pub fn scan(log: &[u8], layout: Layout, mut take: impl FnMut(Row)) -> Result<(), LogFault> {
    let mut cursor = Cursor::at_start_of(log);
    let mut line = 1;
    while !cursor.at_end() {
        let line_start = cursor.position();
        let row = cursor
            .row(layout)
            .map_err(|problem| LogFault::new(log, line_start, line, problem))?;
        take(row);
        line += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
