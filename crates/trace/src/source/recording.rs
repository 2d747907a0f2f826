//! What our own recorders write down ([`recording`]): the server of virtual drives, and `ssdlab trace record`.

use std::io::{BufReader, Read};

use recording::{HEADER_BYTES, Header, RECORD_BYTES, Record, SeenBy, Unreadable, What};

use super::collect::Collector;
use super::filled::filled;
use super::taken::Refused;
use crate::fault::{Fault, Problem, TraceError};
use crate::io::{Flags, Io, Op};
use crate::store::CapturedAt;

// A record's flags are those of a trace, and the one that a server of ours knows is the same.
const _: () = assert!(Flags::FUA == Record::DURABLE);

/// Reads a recording; one that ends within a record was cut short, which is told and no damage.
pub(super) fn read(source: &mut dyn Read, collector: &mut Collector<'_>) -> Result<(), TraceError> {
    let mut source = BufReader::with_capacity(1 << 18, source);
    let mut header = [0; HEADER_BYTES];
    if filled(&mut source, &mut header)? < HEADER_BYTES {
        return Err(damaged(1, Problem::CutOff));
    }
    let header = Header::decoded(&header).map_err(|unreadable| damaged(1, problem(unreadable)))?;
    collector.device_bytes(header.capacity_bytes);
    collector.captured_at(match header.seen_by {
        SeenBy::Drive => CapturedAt::Device,
        SeenBy::Kernel => CapturedAt::Issue,
    });
    let mut bytes = [0; RECORD_BYTES];
    for count in 1.. {
        match filled(&mut source, &mut bytes)? {
            0 => break,
            RECORD_BYTES => {}
            _ => {
                collector.count_left_out("cut-off-record");
                break;
            }
        }
        let record = Record::decoded(&bytes).map_err(|unreadable| damaged(count, problem(unreadable)))?;
        take(&header, &record, collector).map_err(|refused| match refused {
            Refused::Line(Problem::SecondDevice) => collector.second_device(count),
            Refused::Line(problem) => damaged(count, problem),
            Refused::Other(error) => error,
        })?;
    }
    Ok(())
}

fn take(header: &Header, record: &Record, collector: &mut Collector<'_>) -> Result<(), Refused> {
    let op = match record.what {
        What::Read => Op::Read,
        What::Write => Op::Write,
        What::Flush => Op::Flush,
        What::Trim => Op::Discard,
        What::WriteZeroes => Op::WriteZeroes,
        What::Lost => {
            collector.count_lost(record.length_bytes.into());
            return Ok(());
        }
    };
    let at_ns = header.started_unix_ns.checked_add(record.at_ns);
    let io = Io {
        at_ns: Some(at_ns.ok_or(Problem::Number)?),
        flags: Some(Flags(record.flags & Flags::ALL)),
        latency_ns: record.latency_ns,
        stream: record.stream,
        ..Io::new(op, record.offset_bytes, record.length_bytes.into())
    };
    if record.latency_ns.is_none() {
        collector.count_left_out("latencies-without-completion");
    }
    collector.io(header.device.as_bytes(), io).map(drop)
}

fn problem(unreadable: Unreadable) -> Problem {
    match unreadable {
        Unreadable::Magic | Unreadable::Version => Problem::Magic,
        Unreadable::What => Problem::Operation,
    }
}

fn damaged(at: u64, problem: Problem) -> TraceError {
    TraceError::Damaged(Fault::new(at, problem, b""))
}
