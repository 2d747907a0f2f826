//! What an event of the block layer says of a request.

use super::layout::{EventLayout, Happens};
use crate::fault::Problem;
use crate::io::{Flags, Io, Op};
use crate::source::pair::{Event, Happened};

const SECTOR_BYTES: u64 = 512;

/// What happened to a request of the drive that the kernel gives that number, and the process that had it in hand; `None` of other
/// drives, of events that nobody asked for, and of commands that read or write no blocks.
pub(super) fn request(
    layouts: &[EventLayout],
    device: u64,
    at_ns: u64,
    bytes: &[u8],
) -> Result<Option<(Event, u64)>, Problem> {
    let of_it = |layout: &&EventLayout| layout.id_field.number(bytes) == Some(layout.id);
    let Some(layout) = layouts.iter().find(of_it) else {
        return Ok(None);
    };
    let number = |field: super::layout::Field| field.number(bytes).ok_or(Problem::CutOff);
    if number(layout.device)? != device {
        return Ok(None);
    }
    let sectors = number(layout.sectors)?;
    let letters = layout.letters.letters(bytes).ok_or(Problem::CutOff)?;
    let Some((op, flags)) = operation(letters, sectors) else {
        return Ok(None);
    };
    let (sector, sectors) = if op == Op::Flush {
        (0, 0)
    } else {
        (number(layout.sector)?, sectors)
    };
    let in_bytes = |sectors: u64| sectors.checked_mul(SECTOR_BYTES).ok_or(Problem::Number);
    let io = Io {
        at_ns: Some(at_ns),
        flags: Some(flags),
        ..Io::new(op, in_bytes(sector)?, in_bytes(sectors)?)
    };
    if !io.is_possible() {
        return Err(Problem::Impossible);
    }
    let happened = match layout.happens {
        Happens::Issue => Happened::Issued,
        Happens::Requeue => Happened::Requeued,
        Happens::Complete => Happened::Completed,
    };
    Ok(Some((Event { happened, io }, number(layout.pid)?)))
}

/// What the letters say (`blk_fill_rwbs` of the kernel's `kernel/trace/blktrace.c`); `None` of what reads or writes no blocks.
///
/// Letters that nobody knows yet are no reason to end a recording. A write of zeros has none of its own in most kernels: what has
/// blocks, and a letter that says no operation, is one.
fn operation(letters: &[u8], sectors: u64) -> Option<(Op, Flags)> {
    let (preflush, rest) = match letters {
        [b'F', b'W' | b'D' | b'R' | b'N' | b'F', ..] => (Flags::PREFLUSH, &letters[1..]),
        rest => (0, rest),
    };
    let (op, rest) = match rest {
        [b'F', rest @ ..] => (Op::Flush, rest),
        [b'W', b'Z', rest @ ..] | [b'N', rest @ ..] => (Op::WriteZeroes, rest),
        [b'W', rest @ ..] => (Op::Write, rest),
        [b'D', rest @ ..] => (Op::Discard, rest),
        [b'R', rest @ ..] => (Op::Read, rest),
        _ => return None,
    };
    let flags = rest.iter().fold(0, |flags, letter| {
        flags
            | match letter {
                b'F' => Flags::FUA,
                b'A' => Flags::AHEAD,
                b'S' => Flags::SYNC,
                b'M' => Flags::META,
                _ => 0,
            }
    });
    match op {
        Op::Flush => Some((op, Flags(flags))),
        Op::Write | Op::WriteZeroes if sectors == 0 && preflush != 0 => Some((Op::Flush, Flags(flags))),
        _ => (sectors > 0).then_some((op, Flags(flags | preflush))),
    }
}
