//! A trace in formats of others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Arguments;
use std::io::Write;

use parquet::file::reader::ChunkReader;

use crate::fault::{Refusal, TraceError};
use crate::io::{Flags, Io, Op};
use crate::store::{CapturedAt, TraceReader};

const SECTOR_BYTES: u64 = 512;
const NS_PER_US: u64 = 1_000;
const NS_PER_S: u64 = 1_000_000_000;

/// The longest line of fio's log that fio reads: it takes lengths for 32 bits, and this is whole for any block.
const IOLOG_BYTES_MAX: u64 = 1 << 31;

/// Completions that wait for their place at most.
const WAITING_MAX: usize = 1 << 20;

/// What is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// fio's log, version 3, for `--read_iolog`; with the name of the file that fio is to open.
    FioIolog(String),
    /// What `blkparse` prints.
    Blkparse,
}

/// What became of the I/Os.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Exported {
    /// I/Os that were written.
    pub ios: u64,
    /// I/Os that the format has no word for.
    pub left_out: u64,
}

/// Writes a trace in another format.
///
/// # Errors
/// The trace is damaged, has no times, or the file cannot be written.
pub fn export<R: ChunkReader + 'static, W: Write>(
    trace: &mut TraceReader<R>,
    target: &Target,
    out: W,
) -> Result<Exported, TraceError> {
    match target {
        Target::FioIolog(name) => iolog(trace, name, Lines(out)),
        Target::Blkparse => blkparse(trace, Lines(out)),
    }
}

/// The new file: what it refuses is no fault of the trace.
struct Lines<W: Write>(W);

impl<W: Write> Lines<W> {
    fn write_fmt(&mut self, text: Arguments<'_>) -> Result<(), TraceError> {
        self.0.write_fmt(text).map_err(TraceError::Unwritten)
    }

    fn flush(&mut self) -> Result<(), TraceError> {
        self.0.flush().map_err(TraceError::Unwritten)
    }
}

fn at_ns(io: &Io) -> Result<u64, TraceError> {
    io.at_ns.ok_or(TraceError::NoTrace(Refusal::NoTimes))
}

fn iolog<R: ChunkReader + 'static, W: Write>(
    trace: &mut TraceReader<R>,
    name: &str,
    mut out: Lines<W>,
) -> Result<Exported, TraceError> {
    let mut exported = Exported::default();
    let mut last_us = 0;
    write!(out, "fio version 3 iolog\n0 {name} add\n0 {name} open\n")?;
    trace.for_each(|io| {
        let action = match io.op {
            Op::Read => "read",
            Op::Write => "write",
            Op::Flush => "sync",
            Op::Discard => "trim",
            Op::WriteZeroes => {
                exported.left_out += 1;
                return Ok(());
            }
        };
        last_us = at_ns(io)? / NS_PER_US;
        exported.ios += 1;
        let mut offset_bytes = io.offset_bytes;
        loop {
            let length_bytes = (io.end_bytes() - offset_bytes).min(IOLOG_BYTES_MAX);
            writeln!(out, "{last_us} {name} {action} {offset_bytes} {length_bytes}")?;
            offset_bytes += length_bytes;
            if offset_bytes == io.end_bytes() {
                return Ok(());
            }
        }
    })?;
    writeln!(out, "{last_us} {name} close")?;
    out.flush()?;
    Ok(exported)
}

fn blkparse<R: ChunkReader + 'static, W: Write>(
    trace: &mut TraceReader<R>,
    mut out: Lines<W>,
) -> Result<Exported, TraceError> {
    let begin = match trace.meta().captured_at {
        CapturedAt::Issue => 'D',
        _ => 'Q',
    };
    let mut exported = Exported::default();
    let mut sequence = 0;
    let mut waiting: BinaryHeap<Reverse<(u64, u64)>> = BinaryHeap::new();
    let mut lines = std::collections::HashMap::new();
    trace.for_each(|io| {
        let begun_ns = at_ns(io)?;
        if !io.offset_bytes.is_multiple_of(SECTOR_BYTES) || !io.length_bytes.is_multiple_of(SECTOR_BYTES) {
            exported.left_out += 1;
            return Ok(());
        }
        while let Some(Reverse((ended_ns, number))) = waiting.pop_if_before(begun_ns) {
            if let Some(io) = lines.remove(&number) {
                event(&mut out, &mut sequence, ended_ns, 'C', &io)?;
            }
        }
        event(&mut out, &mut sequence, begun_ns, begin, io)?;
        exported.ios += 1;
        if let Some(latency_ns) = io.latency_ns {
            if waiting.len() == WAITING_MAX {
                return Err(TraceError::NoTrace(Refusal::TooMuch));
            }
            waiting.push(Reverse((begun_ns + latency_ns, exported.ios)));
            lines.insert(exported.ios, *io);
        }
        Ok(())
    })?;
    while let Some(Reverse((ended_ns, number))) = waiting.pop() {
        if let Some(io) = lines.remove(&number) {
            event(&mut out, &mut sequence, ended_ns, 'C', &io)?;
        }
    }
    out.flush()?;
    Ok(exported)
}

/// The end that comes next, if it comes by then.
trait PopBefore {
    fn pop_if_before(&mut self, now_ns: u64) -> Option<Reverse<(u64, u64)>>;
}

impl PopBefore for BinaryHeap<Reverse<(u64, u64)>> {
    fn pop_if_before(&mut self, now_ns: u64) -> Option<Reverse<(u64, u64)>> {
        let is_due = self.peek().is_some_and(|Reverse((ended_ns, _))| *ended_ns <= now_ns);
        if is_due { self.pop() } else { None }
    }
}

fn event(out: &mut Lines<impl Write>, sequence: &mut u64, at_ns: u64, action: char, io: &Io) -> Result<(), TraceError> {
    *sequence += 1;
    write!(
        out,
        "  8,0    0 {sequence:8} {:5}.{:09} {:5} {action:>2} {:>3}",
        at_ns / NS_PER_S,
        at_ns % NS_PER_S,
        io.stream.unwrap_or(0),
        letters(io),
    )?;
    let tail = if action == 'C' { "[0]" } else { "[trace]" };
    if io.op == Op::Flush {
        writeln!(out, " {tail}")?;
    } else {
        let (sector, sectors) = (io.offset_bytes / SECTOR_BYTES, io.length_bytes / SECTOR_BYTES);
        writeln!(out, " {sector} + {sectors} {tail}")?;
    }
    Ok(())
}

fn letters(io: &Io) -> String {
    let flags = io.flags.unwrap_or_default();
    let letter = |flag, letter| if flags.has(flag) { letter } else { "" };
    let preflush = if io.op == Op::Flush {
        "F"
    } else {
        letter(Flags::PREFLUSH, "F")
    };
    let op = match io.op {
        Op::Read => "R",
        Op::Write | Op::Flush => "W",
        Op::Discard => "D",
        Op::WriteZeroes => "WZ",
    };
    [
        preflush,
        op,
        letter(Flags::FUA, "F"),
        letter(Flags::AHEAD, "A"),
        letter(Flags::SYNC, "S"),
        letter(Flags::META, "M"),
    ]
    .concat()
}
