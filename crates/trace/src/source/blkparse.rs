//! What `blkparse` prints without a format of one's own: `device cpu sequence seconds pid action rwbs sector + sectors [process]`.

use super::collect::Collector;
use super::fields::{Fields, number, seconds_ns, times};
use super::lines::LineFormat;
use super::pair::{Event, Happened};
use super::taken::{Refused, Taken};
use crate::fault::Problem;
use crate::io::{Flags, Io, Op};

const SECTOR_BYTES: u64 = 512;

pub(super) struct Blkparse;

/// Whether it tells of the files that are read, which stands before the events or after them, as buffers are emptied (blkparse 1.2.0).
pub(super) fn is_notice(line: &[u8]) -> bool {
    line.starts_with(b"Input file ") || line.starts_with(b"discarded traces ")
}

impl LineFormat for Blkparse {
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        if is_notice(line) {
            return Ok(Taken::More);
        }
        let mut fields = Fields::new(line);
        let device = fields.word();
        if device.starts_with(b"CPU") || device == b"Total" {
            // Sums follow the events.
            return Ok(Taken::Last);
        }
        let (_cpu, _sequence) = (number(fields.word())?, number(fields.word())?);
        let at_ns = seconds_ns(fields.word())?;
        let pid = number(fields.word())?;
        let happened = match fields.word() {
            b"Q" => Happened::Queued,
            b"D" => Happened::Issued,
            b"R" => Happened::Requeued,
            b"C" => Happened::Completed,
            b"" => return Err(Problem::Columns.into()),
            // Merges, plugs, messages: nothing that an I/O is counted by.
            _ => return Ok(Taken::More),
        };
        let rwbs = fields.word();
        let place = fields.word();
        let (sector, sectors) = match fields.word() {
            b"+" => (number(place)?, number(fields.word())?),
            // A flush has no place, or one that means nothing.
            _ => (0, 0),
        };
        let Some((op, flags)) = operation(rwbs, sectors)? else {
            return collector.left_out(device, "commands-of-no-block-io");
        };
        let (sector, sectors) = if op == Op::Flush { (0, 0) } else { (sector, sectors) };
        let io = Io {
            at_ns: Some(at_ns),
            flags: Some(flags),
            stream: if happened == Happened::Completed {
                None
            } else {
                collector.stream(pid)
            },
            ..Io::new(op, times(sector, SECTOR_BYTES)?, times(sectors, SECTOR_BYTES)?)
        };
        collector.event(device, Event { happened, io })?;
        Ok(Taken::More)
    }
}

/// What the letters say; `None` of what is no I/O.
fn operation(rwbs: &[u8], sectors: u64) -> Result<Option<(Op, Flags)>, Problem> {
    let (preflush, rest) = match rwbs {
        [b'F', rest @ ..] => (Flags::PREFLUSH, rest),
        rest => (0, rest),
    };
    let (op, mut letters) = match rest {
        [b'D', rest @ ..] => (Some(Op::Discard), rest),
        [b'W', b'Z', rest @ ..] => (Some(Op::WriteZeroes), rest),
        [b'W', rest @ ..] => (Some(Op::Write), rest),
        [b'R', rest @ ..] => (Some(Op::Read), rest),
        [b'N', rest @ ..] => (None, rest),
        _ => return Err(Problem::Operation),
    };
    let mut flags = 0;
    while let [letter, rest @ ..] = letters {
        flags |= match letter {
            b'F' => Flags::FUA,
            b'A' => Flags::AHEAD,
            b'S' => Flags::SYNC,
            b'M' => Flags::META,
            // An erase that is sure, a vanilla request: nothing that a trace keeps.
            b'E' | b'V' | b'B' => 0,
            _ => return Err(Problem::Operation),
        };
        letters = rest;
    }
    Ok(match op {
        Some(Op::Write) | None if sectors == 0 && preflush != 0 => Some((Op::Flush, Flags(flags))),
        Some(op) if sectors > 0 => Some((op, Flags(flags | preflush))),
        _ => None,
    })
}
