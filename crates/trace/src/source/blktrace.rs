//! Records of the kernel's block tracer: 48 bytes in the byte order of the machine, and as many more as each says.
//!
//! `struct blk_io_trace` of the kernel's `include/uapi/linux/blktrace_api.h`, version 7. Each processor numbers what it records, so
//! that a gap tells that records are missing. What the kernel had no room for is not numbered by most versions of it: `blktrace`
//! prints how much that was, and no file says it. Files of several processors are merged by time.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io::{BufReader, Read};

use super::collect::Collector;
use super::filled::whole;
use super::import::Failed;
use super::pair::{Event, Happened};
use super::taken::Refused;
use crate::fault::{Fault, Problem, TraceError};
use crate::io::{Flags, Io, Op};

/// The upper three bytes of a record's first number; the lowest is the version.
pub(super) const MAGIC: u32 = 0x6561_7400;

const VERSION: u32 = 7;
const RECORD_BYTES: usize = 48;
const SECTOR_BYTES: u64 = 512;

/// Categories, in the upper half of an action.
const WRITE: u32 = 1 << 1;
const FLUSH: u32 = 1 << 2;
const SYNC: u32 = 1 << 3;
const PASSED_THROUGH: u32 = 1 << 9;
const NOTIFY: u32 = 1 << 10;
const AHEAD: u32 = 1 << 11;
const META: u32 = 1 << 12;
const DISCARD: u32 = 1 << 13;
const FUA: u32 = 1 << 15;

/// In the lower half of an action: the number of a control group is the first of what follows the record (option `blk_cgroup` of the
/// tracer, kernel 4.14).
const OF_GROUP: u32 = 1 << 8;

struct Record {
    sequence: u32,
    time_ns: u64,
    sector: u64,
    length_bytes: u32,
    action: u32,
    pid: u32,
    device: u32,
    cpu: u32,
}

/// Reads files of one recording.
pub(super) fn read(sources: &mut [&mut dyn Read], collector: &mut Collector<'_>) -> Result<(), Failed> {
    let mut sources: Vec<_> = sources
        .iter_mut()
        .map(|source| Records {
            source: BufReader::with_capacity(1 << 18, &mut **source),
            count: 0,
        })
        .collect();
    let mut heads: Vec<Option<Record>> = Vec::new();
    let mut order = BinaryHeap::new();
    for (index, source) in sources.iter_mut().enumerate() {
        let head = source.next().map_err(|error| (index, error))?;
        if let Some(record) = &head {
            order.push(Reverse((record.time_ns, index)));
        }
        heads.push(head);
    }
    let mut sequences = HashMap::new();
    while let Some(Reverse((_, index))) = order.pop() {
        // The next one is read before this one is taken.
        let at = sources[index].count;
        let next = sources[index].next().map_err(|error| (index, error))?;
        if let Some(record) = &next {
            order.push(Reverse((record.time_ns, index)));
        }
        let Some(record) = std::mem::replace(&mut heads[index], next) else {
            continue;
        };
        count_lost(&record, &mut sequences, collector);
        take(&record, collector).map_err(|refused| match refused {
            Refused::Line(Problem::SecondDevice) => (index, collector.second_device(at)),
            Refused::Line(problem) => (index, TraceError::Damaged(Fault::new(at, problem, b""))),
            Refused::Other(error) => (index, error),
        })?;
    }
    Ok(())
}

struct Records<R> {
    source: BufReader<R>,
    count: u64,
}

impl<R: Read> Records<R> {
    fn next(&mut self) -> Result<Option<Record>, TraceError> {
        let count = self.count;
        let Some(bytes) = whole(&mut self.source, |problem| fault(count, problem))? else {
            return Ok(None);
        };
        self.count += 1;
        let (record, beyond_bytes) = decoded(&bytes).map_err(|problem| self.fault(problem))?;
        let skipped = std::io::copy(&mut (&mut self.source).take(beyond_bytes.into()), &mut std::io::sink())?;
        if skipped < beyond_bytes.into() {
            return Err(self.fault(Problem::CutOff));
        }
        Ok(Some(record))
    }

    fn fault(&self, problem: Problem) -> TraceError {
        fault(self.count, problem)
    }
}

fn fault(records: u64, problem: Problem) -> TraceError {
    TraceError::Damaged(Fault::new(records.max(1), problem, b""))
}

/// A record, and how many bytes follow it.
fn decoded(bytes: &[u8; RECORD_BYTES]) -> Result<(Record, u16), Problem> {
    let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
    let magic = word(0);
    if magic != MAGIC | VERSION {
        let is_swapped = magic.swap_bytes() & !0xff == MAGIC;
        return Err(if is_swapped { Problem::ByteOrder } else { Problem::Magic });
    }
    let record = Record {
        sequence: word(4),
        time_ns: long(8),
        sector: long(16),
        length_bytes: word(24),
        action: word(28),
        pid: word(32),
        device: word(36),
        cpu: word(40),
    };
    Ok((record, u16::from_le_bytes([bytes[46], bytes[47]])))
}

fn count_lost(record: &Record, sequences: &mut HashMap<(u32, u32), u32>, collector: &mut Collector<'_>) {
    if record.action & NOTIFY << 16 != 0 {
        // Messages are not numbered.
        return;
    }
    let before = sequences.insert((record.device, record.cpu), record.sequence);
    let missing = before.map_or(0, |before| record.sequence.saturating_sub(before).saturating_sub(1));
    if missing > 0 {
        collector.count_lost(missing.into());
    }
}

fn take(record: &Record, collector: &mut Collector<'_>) -> Result<(), Refused> {
    let category = record.action >> 16;
    if category & NOTIFY != 0 {
        return Ok(());
    }
    let happened = match record.action & 0xffff & !OF_GROUP {
        1 => Happened::Queued,
        6 => Happened::Requeued,
        7 => Happened::Issued,
        8 => Happened::Completed,
        _ => return Ok(()),
    };
    let name = format!("{},{}", record.device >> 20, record.device & 0xf_ffff);
    let Some(op) = operation(category, record.length_bytes) else {
        collector.left_out(name.as_bytes(), "commands-of-no-block-io")?;
        return Ok(());
    };
    let sector = if op == Op::Flush { 0 } else { record.sector };
    let io = Io {
        at_ns: Some(record.time_ns),
        flags: Some(flags(category, op)),
        stream: if happened == Happened::Completed {
            None
        } else {
            collector.stream(record.pid.into())
        },
        ..Io::new(
            op,
            sector.checked_mul(SECTOR_BYTES).ok_or(Problem::Number)?,
            record.length_bytes.into(),
        )
    };
    collector.event(name.as_bytes(), Event { happened, io })
}

/// The kernel gives requests that write zeros no category of their own: they are writes here.
fn operation(category: u32, length_bytes: u32) -> Option<Op> {
    let is_empty = length_bytes == 0;
    match () {
        () if category & PASSED_THROUGH != 0 => None,
        () if is_empty => (category & FLUSH != 0).then_some(Op::Flush),
        () if category & DISCARD != 0 => Some(Op::Discard),
        () if category & WRITE != 0 => Some(Op::Write),
        () => Some(Op::Read),
    }
}

fn flags(category: u32, op: Op) -> Flags {
    let mut flags = 0;
    for (bit, flag) in [
        (FUA, Flags::FUA),
        (SYNC, Flags::SYNC),
        (META, Flags::META),
        (AHEAD, Flags::AHEAD),
    ] {
        if category & bit != 0 {
            flags |= flag;
        }
    }
    if category & FLUSH != 0 && op != Op::Flush {
        flags |= Flags::PREFLUSH;
    }
    Flags(flags)
}
