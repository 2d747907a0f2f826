//! I/Os as a trace has them, and as a drive takes them.

use std::collections::VecDeque;
use std::fs::File;

use trace::{Flags, Io, Op, TraceError, TraceReader};
use vdrive::{Command, Sync};

/// The I/Os of a trace in the order of their arrival, without holding more than a block of them.
pub fn of_trace(mut trace: TraceReader<File>) -> impl Iterator<Item = Result<Io, TraceError>> {
    let mut block = VecDeque::new();
    std::iter::from_fn(move || {
        if block.is_empty() {
            match trace.next_block() {
                Ok(Some(ios)) => block.extend(ios.iter().copied()),
                Ok(None) => return None,
                Err(error) => return Some(Err(error)),
            }
        }
        block.pop_front().map(Ok)
    })
}

/// What a drive is asked for.
///
/// A range that is to read as zeros is given back, as servers and kernels do where they may. Of a write before which all others are to be
/// durable only its own durability is asked for: a device gets that flush as a command of its own (Linux, block/blk-flush.c), which
/// traces seen there have.
pub fn command(io: &Io) -> Command {
    let (offset_bytes, length_bytes) = (io.offset_bytes, io.length_bytes);
    match io.op {
        Op::Read => Command::Read {
            offset_bytes,
            length_bytes,
        },
        Op::Write => Command::Write {
            offset_bytes,
            length_bytes,
            sync: if io.flags.is_some_and(|flags| flags.has(Flags::FUA)) {
                Sync::Fua
            } else {
                Sync::Buffered
            },
        },
        Op::Flush => Command::Flush,
        Op::Discard | Op::WriteZeroes => Command::Trim {
            offset_bytes,
            length_bytes,
        },
    }
}

/// A command as several that are no longer than that.
pub(crate) fn parts(whole: Command, length_bytes_max: u64) -> impl Iterator<Item = Command> {
    let (begin_bytes, length_bytes) = range_of(&whole);
    let count = length_bytes.div_ceil(length_bytes_max).max(1);
    (0..count).map(move |part| {
        let skipped_bytes = part * length_bytes_max;
        let of_part = length_bytes_max.min(length_bytes - skipped_bytes);
        in_range(whole, begin_bytes + skipped_bytes, of_part)
    })
}

fn range_of(command: &Command) -> (u64, u64) {
    match *command {
        Command::Flush => (0, 0),
        Command::Read {
            offset_bytes,
            length_bytes,
        }
        | Command::Write {
            offset_bytes,
            length_bytes,
            ..
        }
        | Command::Trim {
            offset_bytes,
            length_bytes,
        } => (offset_bytes, length_bytes),
    }
}

fn in_range(whole: Command, offset_bytes: u64, length_bytes: u64) -> Command {
    match whole {
        Command::Flush => Command::Flush,
        Command::Read { .. } => Command::Read {
            offset_bytes,
            length_bytes,
        },
        Command::Write { sync, .. } => Command::Write {
            offset_bytes,
            length_bytes,
            sync,
        },
        Command::Trim { .. } => Command::Trim {
            offset_bytes,
            length_bytes,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_command_is_several_that_cover_it_once() {
        let whole = Command::Trim {
            offset_bytes: 4096,
            length_bytes: 10_000 * 512,
        };
        let found: Vec<_> = parts(whole, 4096 * 512).map(|part| range_of(&part)).collect();
        let part = 4096 * 512;
        assert_eq!(
            found,
            [(4096, part), (4096 + part, part), (4096 + 2 * part, 1808 * 512)]
        );
    }

    #[test]
    fn a_flush_is_one() {
        assert_eq!(parts(Command::Flush, 512).count(), 1);
    }
}
