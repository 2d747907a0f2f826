//! One pass over one log: several workers read and count its chunks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::line::{self, Counted, LOOKAHEAD, Last, Shape};
use super::source::{Chunk, Chunks, Origin, Stopped};
use super::tally::Tally;
use crate::log::cursor::Cursor;
use crate::log::{Layout, LogFault, Problem};

/// How often the caller is asked whether to go on.
const LOOK: Duration = Duration::from_millis(50);

/// What a pass saw of a log.
pub(super) struct Pass {
    pub(super) lines: u64,
    pub(super) layout: Option<Layout>,
    pub(super) cut: Option<LogFault>,
}

/// What one worker saw.
#[derive(Default)]
struct Share {
    layout: Option<Layout>,
    /// Chunk and its whole lines.
    lines: Vec<(u64, u64)>,
    /// Chunk, and why reading ended there; a damaged line is numbered within the chunk.
    end: Option<(u64, Stopped)>,
}

/// Shows every line of a log, with its time since `began_ms`, to one of the tallies, each of which has a thread of its own.
pub(super) fn run<T: Tally>(
    origin: &mut Origin,
    began_ms: u64,
    chunk_bytes: usize,
    tallies: &mut [T],
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Pass, Stopped> {
    let stop = AtomicBool::new(false);
    let chunks = origin.chunks(chunk_bytes, &stop)?;
    let mut stopped_by_caller = false;
    let shares = std::thread::scope(|scope| {
        let (alive, all_done) = channel::<()>();
        let workers: Vec<_> = (tallies.iter_mut())
            .map(|tally| {
                let (chunks, stop, alive) = (&chunks, &stop, alive.clone());
                scope.spawn(move || {
                    let _alive = alive;
                    work(chunks, began_ms, stop, tally)
                })
            })
            .collect();
        drop(alive);
        while all_done.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            if !stopped_by_caller && !keep_going() {
                stopped_by_caller = true;
                stop.store(true, Ordering::Relaxed);
            }
        }
        let joined = workers.into_iter().map(|worker| match worker.join() {
            Ok(share) => share,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect::<Vec<Share>>()
    });
    if stopped_by_caller {
        return Err(Stopped::ByCaller);
    }
    conclude(shares)
}

/// Chunks are handed out in order and each is finished, so everything before the first end was counted.
fn conclude(shares: Vec<Share>) -> Result<Pass, Stopped> {
    let layout = shares.iter().find_map(|share| share.layout);
    let lines = |chunk_end: u64| -> u64 {
        let counted = shares.iter().flat_map(|share| &share.lines);
        counted
            .filter(|&&(chunk, _)| chunk < chunk_end)
            .map(|&(_, lines)| lines)
            .sum()
    };
    let total = lines(u64::MAX);
    let first = shares
        .iter()
        .enumerate()
        .filter_map(|(worker, share)| Some((share.end.as_ref()?.0, worker)))
        .min();
    let Some((chunk, worker)) = first else {
        let cut = None;
        return Ok(Pass {
            lines: total,
            layout,
            cut,
        });
    };
    let before = lines(chunk);
    match shares.into_iter().nth(worker).and_then(|share| share.end) {
        Some((_, Stopped::Damaged(mut fault))) => {
            fault.line += before;
            if fault.problem == Problem::Truncated {
                let cut = Some(fault);
                return Ok(Pass {
                    lines: total,
                    layout,
                    cut,
                });
            }
            Err(Stopped::Damaged(fault))
        }
        Some((_, stopped)) => Err(stopped),
        None => unreachable!("the worker that has the first end"),
    }
}

fn work<T: Tally>(chunks: &Chunks, began_ms: u64, stop: &AtomicBool, tally: &mut T) -> Share {
    let mut share = Share::default();
    let mut chunk = Chunk::empty();
    while !stop.load(Ordering::Relaxed) {
        let end = match chunks.read_next(&mut chunk) {
            Ok(false) => break,
            Ok(true) => {
                share.layout = chunk.layout;
                let (lines, fault) = count(&chunk, began_ms, tally);
                tally.settle();
                share.lines.push((chunk.index, lines));
                fault.map(Stopped::Damaged)
            }
            // Once another worker has come to an end a stream refuses to be read: that is no end of its own.
            Err(_) if stop.load(Ordering::Relaxed) => break,
            Err(stopped) => Some(stopped),
        };
        if end.is_some() {
            share.end = end.map(|end| (chunk.index, end));
            stop.store(true, Ordering::Relaxed);
        }
    }
    share
}

/// Counts the lines of a chunk up to the first that cannot be read.
fn count<T: Tally>(chunk: &Chunk, began_ms: u64, tally: &mut T) -> (u64, Option<LogFault>) {
    #[cfg(target_arch = "x86_64")]
    if line::vector::available() {
        #[allow(unsafe_code)]
        // SAFETY: the processor has what the function is compiled for.
        return unsafe { count_with_vectors(chunk, began_ms, tally) };
    }
    count_with(line::read, chunk, began_ms, tally)
}

/// As [`count`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn count_with_vectors<T: Tally>(chunk: &Chunk, began_ms: u64, tally: &mut T) -> (u64, Option<LogFault>) {
    let read = |text: &[u8; LOOKAHEAD], shape, last: &mut Last| {
        line::vector::read(&line::vector::marks(text)?, text, shape, last)
    };
    count_with(read, chunk, began_ms, tally)
}

/// As [`count`], with a reader of usual lines.
#[allow(clippy::inline_always)] // So that it is compiled for what its caller is compiled for.
#[inline(always)]
fn count_with<T: Tally>(
    read: impl Fn(&[u8; LOOKAHEAD], Shape, &mut Last) -> Option<(Counted, usize)>,
    chunk: &Chunk,
    began_ms: u64,
    tally: &mut T,
) -> (u64, Option<LogFault>) {
    let log = chunk.lines();
    let beyond = chunk.lines_and_beyond();
    let Some(layout) = chunk.layout else {
        // The log ends inside its first line, or before it.
        let cut = chunk.truncated || !log.is_empty();
        return (0, cut.then(|| LogFault::new(log, 0, 1, Problem::Truncated)));
    };
    let shape = Shape::of(layout);
    let since_it_began = |counted: Counted| Counted {
        time_ms: counted.time_ms.saturating_sub(began_ms),
        ..counted
    };
    let mut last = Last::default();
    let (mut at, mut lines) = (0, 0);
    while at < log.len() {
        let usual = shape.and_then(|shape| {
            let text = beyond[at..].first_chunk::<LOOKAHEAD>()?;
            read(text, shape, &mut last).filter(|&(_, taken)| at + taken <= log.len())
        });
        if let Some((counted, taken)) = usual {
            tally.record(&since_it_began(counted));
            at += taken;
            lines += 1;
            continue;
        }
        match carefully(&log[at..], layout) {
            Ok((counted, taken)) => {
                tally.record(&since_it_began(counted));
                at += taken;
                lines += 1;
            }
            Err(Problem::Truncated) if !chunk.last => {
                return (lines, Some(LogFault::new(log, at, lines + 1, Problem::TooLong)));
            }
            Err(problem) => return (lines, Some(LogFault::new(log, at, lines + 1, problem))),
        }
    }
    let cut = (chunk.truncated).then(|| LogFault::new(log, at, lines + 1, Problem::Truncated));
    (lines, cut)
}

#[cold]
fn carefully(log: &[u8], layout: Layout) -> Result<(Counted, usize), Problem> {
    let mut cursor = Cursor::at_start_of(log);
    let row = cursor.row(layout)?;
    let counted = Counted {
        time_ms: row.time_ms,
        value: row.value_max.max(row.value),
        direction: row.direction as usize,
        block_bytes: row.block_bytes,
    };
    Ok((counted, cursor.position()))
}
