//! Text, line by line.

use std::io::Read;

use memchr::memchr;

use super::collect::Collector;
use super::taken::{Refused, Taken};
use crate::fault::{Fault, Problem, TraceError};

/// The longest line; those of every format take some hundred bytes.
const LINE_BYTES_MAX: usize = 1 << 16;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 1 << 20;

/// What a line means.
pub(super) trait LineFormat {
    /// Takes one line without its end.
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused>;

    /// Whether a first line like this names the columns.
    fn is_heading(&self, _line: &[u8]) -> bool {
        false
    }
}

/// Reads all lines of a source.
pub(super) fn read<F: LineFormat>(
    source: &mut dyn Read,
    format: &mut F,
    collector: &mut Collector<'_>,
) -> Result<(), TraceError> {
    let mut buffer = vec![0; CHUNK_BYTES + LINE_BYTES_MAX];
    let (mut filled, mut line_number) = (0, 0);
    loop {
        let read = read_more(source, &mut buffer[filled..])?;
        filled += read;
        let is_end = read == 0;
        let mut from = 0;
        while let Some(length) = memchr(b'\n', &buffer[from..filled]) {
            line_number += 1;
            if take(&buffer[from..from + length], line_number, format, collector)? == Taken::Last {
                return Ok(());
            }
            from += length + 1;
        }
        if is_end {
            if from < filled {
                take(&buffer[from..filled], line_number + 1, format, collector)?;
            }
            return Ok(());
        }
        if filled - from > LINE_BYTES_MAX {
            let fault = Fault::new(line_number + 1, Problem::TooLong, &buffer[from..filled]);
            return Err(TraceError::Damaged(fault));
        }
        buffer.copy_within(from..filled, 0);
        filled -= from;
    }
}

fn read_more(source: &mut dyn Read, room: &mut [u8]) -> Result<usize, TraceError> {
    loop {
        match source.read(room) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return Ok(other?),
        }
    }
}

#[inline]
fn take<F: LineFormat>(
    line: &[u8],
    line_number: u64,
    format: &mut F,
    collector: &mut Collector<'_>,
) -> Result<Taken, TraceError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() || (line_number == 1 && format.is_heading(line)) {
        return Ok(Taken::More);
    }
    format.take(line, collector).map_err(|refused| match refused {
        Refused::Line(Problem::SecondDevice) => collector.second_device(line_number),
        Refused::Line(problem) => TraceError::Damaged(Fault::new(line_number, problem, line)),
        Refused::Other(error) => error,
    })
}
