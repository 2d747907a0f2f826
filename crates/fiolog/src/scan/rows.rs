//! Every column of every line of a log, in order and in bounded memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use super::source::Stopped;
use super::source::{Chunk, Origin};
use super::{Input, LogScan, ScanFault};
use crate::log::cursor::Cursor;
use crate::log::{IoLog, Layout, LogFault, Problem};

/// What is read at a time: some 100,000 lines.
const CHUNK_BYTES: usize = 4 << 20;

/// About what a line takes, to reserve memory for.
const LINE_BYTES_USUAL: usize = 32;

/// How often the caller is asked whether to go on while nothing comes.
const LOOK: Duration = Duration::from_millis(50);

/// What the reader of a log hands over: lines, or how it ended.
enum Read {
    Lines(Layout, IoLog),
    End(Result<Option<LogFault>, Stopped>),
}

/// Whether the caller wants more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// The next lines.
    More,
    /// No further ones.
    NoMore,
}

/// Hands the lines of a log to `take`, some 100,000 at a time and in order; `wait` is asked while nothing comes.
///
/// # Errors
/// The log cannot be read, is damaged ([`LogScan::cut`] is no damage), or one of the two wanted no more.
pub fn rows(
    input: Input,
    take: &mut dyn FnMut(IoLog) -> Want,
    wait: &mut dyn FnMut() -> Want,
) -> Result<LogScan, ScanFault> {
    rows_within(CHUNK_BYTES, input, take, wait)
}

fn rows_within(
    chunk_bytes: usize,
    input: Input,
    take: &mut dyn FnMut(IoLog) -> Want,
    wait: &mut dyn FnMut() -> Want,
) -> Result<LogScan, ScanFault> {
    let Input { name, mut origin, .. } = input;
    let (mut lines, mut bytes, mut layout) = (0, 0u64, None);
    let stop = AtomicBool::new(false);
    let ended = std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(1);
        let (origin, stopped) = (&mut origin, &stop);
        scope.spawn(move || {
            let end = read(origin, chunk_bytes, stopped, &sender);
            // A caller that is gone does not want to know how it ended.
            sender.send(Read::End(end)).ok();
        });
        loop {
            let wanted = match receiver.recv_timeout(LOOK) {
                Ok(Read::Lines(found, log)) => {
                    layout = Some(found);
                    lines += log.value.len() as u64;
                    bytes = (log.block_bytes.iter()).fold(bytes, |sum, &block| sum.saturating_add(block));
                    take(log)
                }
                Ok(Read::End(end)) => return end,
                Err(RecvTimeoutError::Timeout) => wait(),
                Err(RecvTimeoutError::Disconnected) => unreachable!("a reader says how it ended"),
            };
            if wanted == Want::NoMore {
                stop.store(true, Ordering::Relaxed);
                return Err(Stopped::ByCaller);
            }
        }
    });
    match ended {
        Ok(cut) => Ok(LogScan {
            name,
            lines,
            layout,
            averaged: lines > 0 && bytes == 0,
            cut,
        }),
        Err(Stopped::Unreadable(error)) => Err(ScanFault::Unreadable { name, error }),
        Err(Stopped::Damaged(fault)) => Err(ScanFault::Damaged { name, fault }),
        Err(Stopped::ByCaller) => Err(ScanFault::Stopped),
    }
}

/// Reads a log to its end, to where it is cut off (which it gives), or to a fault.
fn read(
    origin: &mut Origin,
    chunk_bytes: usize,
    stop: &AtomicBool,
    sender: &SyncSender<Read>,
) -> Result<Option<LogFault>, Stopped> {
    let chunks = origin.chunks(chunk_bytes, stop)?;
    let (mut chunk, mut lines) = (Chunk::empty(), 0);
    while chunks.read_next(&mut chunk)? {
        let (log, fault) = columns(&chunk);
        let before = lines;
        if let (Some(layout), Some(log)) = (chunk.layout, log) {
            lines += log.value.len() as u64;
            if !log.value.is_empty() && sender.send(Read::Lines(layout, log)).is_err() {
                return Err(Stopped::ByCaller);
            }
        }
        if let Some(mut fault) = fault {
            fault.line += before;
            return match fault.problem {
                Problem::Truncated => Ok(Some(fault)),
                _ => Err(Stopped::Damaged(fault)),
            };
        }
    }
    Ok(None)
}

/// The lines of a chunk up to the first that cannot be read; no columns if the log ends inside its first line.
fn columns(chunk: &Chunk) -> (Option<IoLog>, Option<LogFault>) {
    let text = chunk.lines();
    let Some(layout) = chunk.layout else {
        let cut = chunk.truncated || !text.is_empty();
        return (None, cut.then(|| LogFault::new(text, 0, 1, Problem::Truncated)));
    };
    let mut log = IoLog::with_columns_of(layout, text.len() / LINE_BYTES_USUAL);
    let mut cursor = Cursor::at_start_of(text);
    while !cursor.at_end() {
        let (begin, line) = (cursor.position(), log.value.len() as u64 + 1);
        match cursor.row(layout) {
            Ok(row) => log.push(&row),
            Err(Problem::Truncated) if !chunk.last => {
                return (Some(log), Some(LogFault::new(text, begin, line, Problem::TooLong)));
            }
            Err(problem) => return (Some(log), Some(LogFault::new(text, begin, line, problem))),
        }
    }
    let line = log.value.len() as u64 + 1;
    let cut = (chunk.truncated).then(|| LogFault::new(text, cursor.position(), line, Problem::Truncated));
    (Some(log), cut)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use proptest::prelude::*;

    use super::*;
    use crate::log::parse;

    fn input(log: &[u8]) -> Input {
        Input::stream(PathBuf::from("a_lat.log"), io::Cursor::new(log.to_vec()))
    }

    fn read_all(log: &[u8], chunk_bytes: usize) -> Result<(LogScan, Vec<IoLog>), ScanFault> {
        let mut parts = Vec::new();
        let mut take = |part| {
            parts.push(part);
            Want::More
        };
        let scan = rows_within(chunk_bytes, input(log), &mut take, &mut || Want::More)?;
        Ok((scan, parts))
    }

    fn joined(parts: Vec<IoLog>) -> IoLog {
        let mut whole: Option<IoLog> = None;
        for part in parts {
            match &mut whole {
                None => whole = Some(part),
                Some(whole) => {
                    whole.time_ms.extend(part.time_ms);
                    whole.value.extend(part.value);
                    whole.direction.extend(part.direction);
                    whole.block_bytes.extend(part.block_bytes);
                    let optional = [
                        (&mut whole.value_max, part.value_max),
                        (&mut whole.offset_bytes, part.offset_bytes),
                        (&mut whole.priority, part.priority),
                        (&mut whole.issue_ns, part.issue_ns),
                    ];
                    for (mine, theirs) in optional {
                        if let (Some(mine), Some(theirs)) = (mine, theirs) {
                            mine.extend(theirs);
                        }
                    }
                }
            }
        }
        whole.unwrap_or_default()
    }

    #[test]
    fn the_columns_are_those_of_the_line() {
        let (scan, parts) = read_all(b"3, 500, 1, 4096, 8192, 0x7fff, 99\n", 64).unwrap();
        assert_eq!((scan.lines, scan.averaged), (1, false));
        let log = joined(parts);
        assert_eq!((log.time_ms[0], log.value[0], log.block_bytes[0]), (3, 500, 4096));
        assert_eq!(
            (log.offset_bytes, log.priority, log.issue_ns, log.value_max),
            (Some(vec![8192]), Some(vec![0x7fff]), Some(vec![99]), None)
        );
    }

    #[test]
    fn a_log_that_is_cut_off_is_read_up_to_the_cut() {
        let (scan, parts) = read_all(b"1, 5, 0, 512\n2, 6, 0, 512\n3, 7, 0", 16).unwrap();
        assert_eq!(joined(parts).value, [5, 6]);
        assert_eq!(
            scan.cut.map(|fault| (fault.line, fault.found)),
            Some((3, "3, 7, 0".into()))
        );
    }

    #[test]
    fn damage_is_named_with_its_line_in_the_log() {
        let fault = read_all(b"1, 5, 0, 512\n2, 6, 0, 512\n3, x, 0, 512\n", 16).unwrap_err();
        insta::assert_snapshot!(fault, @r#"a_lat.log: line 3: the value is not a whole number of at least 0, found "3, x, 0, 512""#);
    }

    #[test]
    fn averages_are_known_by_their_missing_block_sizes() {
        assert!(read_all(b"100, 5, 0, 0, 0\n", 64).unwrap().0.averaged);
    }

    #[test]
    fn a_caller_that_wants_no_more_gets_no_more() {
        let mut calls = 0;
        let mut take = |_| {
            calls += 1;
            Want::NoMore
        };
        let log = b"1, 5, 0, 512\n".repeat(50);
        let ended = rows_within(64, input(&log), &mut take, &mut || Want::More);
        assert!(matches!(ended, Err(ScanFault::Stopped)));
        assert_eq!(calls, 1);
    }

    proptest! {
        #[test]
        fn chunks_of_any_size_hold_what_the_whole_holds(
            ios in prop::collection::vec((0u64..1 << 40, 0u64..3, any::<u64>(), any::<u64>()), 1..60),
            chunk_bytes in 100usize..900,
        ) {
            let lines: Vec<String> = ios.iter().enumerate()
                .map(|(line, (value, direction, offset, issue))| format!("{line}, {value}, {direction}, 4096, {offset}, 0, {issue}\n"))
                .collect();
            let log = lines.concat();
            let (scan, parts) = read_all(log.as_bytes(), chunk_bytes).unwrap();
            prop_assert_eq!(scan.lines, ios.len() as u64);
            prop_assert_eq!(joined(parts), parse(log.as_bytes()).unwrap());
        }
    }
}
