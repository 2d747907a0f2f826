//! One pass over a range, chunk by chunk, with the data made or checked on another thread.

use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use pattern::{Finding, Pattern, SECTOR_BYTES};

use crate::buffer::Buffer;
use crate::crew;
use crate::medium::Medium;

/// Buffers that go round: one on the drive, one being made or checked, one waiting.
const BUFFERS: usize = 3;

/// Reads that fail are tried again in pieces, down to this length, to say which bytes cannot be read.
const PIECES_BYTES: [usize; 2] = [1 << 20, 4096];

/// How long the pieces of one chunk may take: a drive that tries for half a minute over each would not let anybody stop it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Whether to go on.
pub type Flow = ControlFlow<()>;

/// What is gone over.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    /// Where the range begins.
    pub offset_bytes: u64,
    /// Its length; whole sectors.
    pub length_bytes: u64,
    /// Bytes of one call.
    pub chunk_bytes: usize,
    /// Once so many bytes were written since the last flush, and at the end, all must be durable before it goes on.
    pub flush_bytes: u64,
    /// Which data.
    pub pattern: Pattern,
}

impl Pass {
    fn chunks(self) -> impl Iterator<Item = (u64, usize)> {
        let step = self.chunk_bytes as u64;
        (0..self.length_bytes.div_ceil(step)).map(move |number| {
            let done = number * step;
            (self.offset_bytes + done, step.min(self.length_bytes - done) as usize)
        })
    }
}

/// A chunk that was written or read.
#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    /// Where it is.
    pub offset_bytes: u64,
    /// Its length.
    pub length_bytes: usize,
    /// When it was handed to the drive, since the pass began; time in which `told` was at work is left out, here and below.
    pub begun_ns: u64,
    /// When the drive was done with it.
    pub ended_ns: u64,
}

/// Data that is not what was written, or that cannot be read.
#[derive(Clone, Debug)]
pub enum Bad {
    /// It was read, and is wrong.
    Wrong(Finding),
    /// The drive does not give it.
    Unreadable {
        /// Where it begins.
        offset_bytes: u64,
        /// Its length.
        length_bytes: u64,
        /// What the drive or the kernel says.
        error: String,
    },
}

/// What could not be done.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    /// A write that the drive refused.
    Written,
    /// A read from a drive that is gone.
    Read,
}

/// A pass that cannot go on.
#[derive(Debug, thiserror::Error)]
#[error("{length_bytes} bytes at {offset_bytes} could not be {}: {source}", match deed { Deed::Written => "written", Deed::Read => "read" })]
pub struct Failed {
    /// What.
    pub deed: Deed,
    /// Where.
    pub offset_bytes: u64,
    /// How many.
    pub length_bytes: usize,
    /// What the drive or the kernel says.
    pub source: io::Error,
}

/// Writes a range; `told` hears of every chunk once the drive has it, and may end the pass. A chunk with
/// which a flush was due has been flushed by then, and the flush is part of its time.
///
/// # Errors
/// The drive refused a write.
pub fn write(medium: &mut dyn Medium, pass: Pass, mut told: impl FnMut(Chunk) -> Flow) -> Result<(), Failed> {
    thread::scope(|scope| {
        let (to_fill, empty) = channel();
        let (filled, to_write) = channel();
        for _ in 0..BUFFERS {
            to_fill.send(Buffer::new(pass.chunk_bytes)).ok();
        }
        scope.spawn(move || fill(pass, &empty, &filled));
        // The time in which the first chunk is made is not the drive's.
        let mut ready = to_write.recv().ok();
        let mut clock = Clock::start();
        let end_bytes = pass.offset_bytes + pass.length_bytes;
        let mut durable_bytes = pass.offset_bytes;
        for (offset_bytes, length_bytes) in pass.chunks() {
            let Some(buffer) = ready.take().or_else(|| to_write.recv().ok()) else {
                break;
            };
            let begun_ns = clock.now_ns();
            let written_bytes = offset_bytes + length_bytes as u64;
            let due = written_bytes - durable_bytes >= pass.flush_bytes || written_bytes == end_bytes;
            let failed = |source| Failed {
                deed: Deed::Written,
                offset_bytes,
                length_bytes,
                source,
            };
            write_chunk(medium, offset_bytes, buffer.first(length_bytes), due).map_err(failed)?;
            if due {
                durable_bytes = written_bytes;
            }
            let chunk = Chunk {
                offset_bytes,
                length_bytes,
                begun_ns,
                ended_ns: clock.now_ns(),
            };
            to_fill.send(buffer).ok();
            if clock.aside(|| told(chunk)).is_break() {
                // What is said to be written is, also where the pass ends early.
                return if due { Ok(()) } else { medium.flush().map_err(failed) };
            }
        }
        Ok(())
    })
}

fn write_chunk(medium: &mut dyn Medium, offset_bytes: u64, data: &[u8], flush: bool) -> io::Result<()> {
    medium.write_at(offset_bytes, data)?;
    if flush { medium.flush() } else { Ok(()) }
}

fn fill(pass: Pass, empty: &Receiver<Buffer>, filled: &Sender<Buffer>) {
    for (offset_bytes, length_bytes) in pass.chunks() {
        let Ok(mut buffer) = empty.recv() else { return };
        crew::fill(pass.pattern, buffer.first_mut(length_bytes), offset_bytes);
        if filled.send(buffer).is_err() {
            return;
        }
    }
}

/// Reads a range back; `told` hears of every chunk once it is read, and may end the pass; `bad` of all that is not as it was
/// written, in the order of the range.
///
/// # Errors
/// The drive is gone; `bad` has heard of all that was read by then.
pub fn check(
    medium: &mut dyn Medium,
    pass: Pass,
    mut told: impl FnMut(Chunk) -> Flow,
    mut bad: impl FnMut(Bad),
) -> Result<(), Failed> {
    thread::scope(|scope| {
        let (to_read, empty) = channel();
        let (read, to_check) = channel();
        let (found, findings) = channel();
        for _ in 0..BUFFERS {
            to_read.send(Buffer::new(pass.chunk_bytes)).ok();
        }
        scope.spawn(move || look(pass, &to_check, &to_read, &found));
        let mut clock = Clock::start();
        let mut done = Ok(());
        for (offset_bytes, length_bytes) in pass.chunks() {
            let Ok(mut buffer) = empty.recv() else { break };
            let begun_ns = clock.now_ns();
            let unreadable = match read_all(medium, offset_bytes, buffer.first_mut(length_bytes), PATIENCE) {
                Ok(unreadable) => unreadable,
                Err(source) => {
                    done = Err(Failed {
                        deed: Deed::Read,
                        offset_bytes,
                        length_bytes,
                        source,
                    });
                    break;
                }
            };
            let chunk = Chunk {
                offset_bytes,
                length_bytes,
                begun_ns,
                ended_ns: clock.now_ns(),
            };
            read.send((buffer, chunk, unreadable)).ok();
            let flow = clock.aside(|| {
                findings.try_iter().for_each(&mut bad);
                told(chunk)
            });
            if flow.is_break() {
                break;
            }
        }
        drop(read);
        findings.iter().for_each(bad);
        done
    })
}

type Read = (Buffer, Chunk, Vec<Bad>);

fn look(pass: Pass, to_check: &Receiver<Read>, to_read: &Sender<Buffer>, found: &Sender<Bad>) {
    for (buffer, chunk, unreadable) in to_check {
        let data = buffer.first(chunk.length_bytes);
        let mut begin = 0;
        for bad in unreadable {
            let Bad::Unreadable {
                offset_bytes,
                length_bytes,
                ..
            } = &bad
            else {
                continue;
            };
            let place = (offset_bytes - chunk.offset_bytes) as usize;
            compare(
                pass.pattern,
                &data[begin..place],
                chunk.offset_bytes + begin as u64,
                found,
            );
            begin = place + *length_bytes as usize;
            found.send(bad).ok();
        }
        compare(pass.pattern, &data[begin..], chunk.offset_bytes + begin as u64, found);
        to_read.send(buffer).ok();
    }
}

fn compare(pattern: Pattern, data: &[u8], offset_bytes: u64, found: &Sender<Bad>) {
    for finding in crew::check(pattern, data, offset_bytes) {
        found.send(Bad::Wrong(finding)).ok();
    }
}

fn read_all(medium: &mut dyn Medium, offset_bytes: u64, data: &mut [u8], patience: Duration) -> io::Result<Vec<Bad>> {
    let mut pieces = Pieces {
        medium,
        until: Instant::now() + patience,
        bad: Vec::new(),
    };
    match pieces.medium.read_at(offset_bytes, data) {
        Ok(()) => {}
        Err(error) if is_gone(&error) => return Err(error),
        Err(_) => pieces.read(offset_bytes, data, &PIECES_BYTES)?,
    }
    Ok(pieces.bad)
}

/// A chunk that cannot be read at once.
struct Pieces<'a> {
    medium: &'a mut dyn Medium,
    until: Instant,
    bad: Vec<Bad>,
}

impl Pieces<'_> {
    fn read(&mut self, offset_bytes: u64, data: &mut [u8], pieces: &[usize]) -> io::Result<()> {
        let Some((piece, finer)) = pieces.split_first() else {
            return Ok(());
        };
        for (number, part) in data.chunks_mut(*piece).enumerate() {
            let at = offset_bytes + (number * piece) as u64;
            if Instant::now() >= self.until {
                self.note(at, part.len() as u64, NOT_TRIED.to_owned());
                continue;
            }
            let Err(error) = self.medium.read_at(at, part) else {
                continue;
            };
            if is_gone(&error) {
                return Err(error);
            }
            if finer.is_empty() || part.len() <= SECTOR_BYTES {
                self.note(at, part.len() as u64, error.to_string());
            } else {
                self.read(at, part, finer)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, at: u64, length: u64, said: String) {
        if let Some(Bad::Unreadable {
            offset_bytes,
            length_bytes,
            error,
        }) = self.bad.last_mut()
            && *offset_bytes + *length_bytes == at
            && *error == said
        {
            *length_bytes += length;
            return;
        }
        self.bad.push(Bad::Unreadable {
            offset_bytes: at,
            length_bytes: length,
            error: said,
        });
    }
}

const NOT_TRIED: &str = "not tried: the drive took more than a minute over what is before it";

/// Whether there is no drive any more, in place of bytes that it does not give. A server that answers what makes no sense is none
/// either: what it still sends would be taken for the answer to what is asked next.
fn is_gone(error: &io::Error) -> bool {
    let number = error.raw_os_error().map(rustix::io::Errno::from_raw_os_error);
    matches!(error.kind(), io::ErrorKind::NotConnected | io::ErrorKind::InvalidData)
        || matches!(number, Some(rustix::io::Errno::NODEV | rustix::io::Errno::NXIO))
}

/// Time since a pass began, without that in which its listener was at work: it makes records durable on another drive.
struct Clock {
    began: Instant,
    aside: Duration,
}

impl Clock {
    fn start() -> Self {
        Self {
            began: Instant::now(),
            aside: Duration::ZERO,
        }
    }

    fn now_ns(&self) -> u64 {
        u64::try_from(self.began.elapsed().saturating_sub(self.aside).as_nanos()).unwrap_or(u64::MAX)
    }

    fn aside<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.aside += began.elapsed();
        done
    }
}

#[cfg(test)]
mod tests;
