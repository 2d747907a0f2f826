//! Records a drive from an instance of the kernel's tracing, until it is told to end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use recording::{Header, Record, Recorder, SeenBy, What};
use rustix::time::{ClockId, clock_gettime};

use super::events::KernelEvents;
use super::layout::{EventLayout, Happens, PageLayout};
use crate::fault::{Fault, TraceError};
use crate::io::{Io, Op};

/// An event gets its time before it can be read, and may be interrupted between the two.
const UNSETTLED_NS: u64 = 1_000_000;

/// Of a buffer's pages as many are read in a round at most, so that one busy processor cannot keep the others waiting.
const PAGES_A_ROUND_MAX: u64 = 4096;

/// Of what a file of tracefs says; the longest, the format of an event, has a twentieth of it.
const TEXT_BYTES_MAX: usize = 1 << 16;

/// The drive that is recorded.
#[derive(Debug, Clone)]
pub struct KernelDrive {
    /// Its number.
    pub major: u32,
    /// Its number.
    pub minor: u32,
    /// Its size.
    pub capacity_bytes: u64,
    /// What it is called in the recording.
    pub name: String,
}

/// Why there is no recording, or no more of it.
#[derive(Debug, thiserror::Error)]
pub enum KernelFailed {
    /// A file of tracefs, or that of the recording.
    #[error("{}: {source}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The kernel tells something that is not understood.
    #[error("{}: {}", .path.display(), .fault.problem.name())]
    Damaged {
        /// Where.
        path: PathBuf,
        /// What.
        fault: Fault,
    },
}

/// What one look at the buffers found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Round {
    /// I/Os so far.
    pub ios: u64,
    /// Events that found no room in the kernel's buffers, so far.
    pub lost: u64,
    /// Bytes of the fullest buffer that this look emptied.
    pub fullest_bytes: u64,
}

/// A recording.
pub struct KernelRecorder {
    buffers: Vec<Buffer>,
    events: KernelEvents,
    recorder: Recorder,
    journal: PathBuf,
    page: Vec<u8>,
    began_ns: u64,
    told: Round,
}

struct Buffer {
    pages: File,
    path: PathBuf,
    counts: PathBuf,
    /// What was lost when the recording began is not its own.
    lost_before: u64,
}

impl KernelRecorder {
    /// Begins one of an instance whose events are still off, in a file that must not exist yet.
    ///
    /// # Errors
    /// [`KernelFailed`].
    pub fn begin(instance: &Path, drive: &KernelDrive, journal: &Path) -> Result<Self, KernelFailed> {
        let page = parsed(&instance.join("events/header_page"), PageLayout::parse)?;
        let layouts = [
            ("block_rq_issue", Happens::Issue),
            ("block_rq_requeue", Happens::Requeue),
            ("block_rq_complete", Happens::Complete),
        ];
        let layouts: Result<Vec<_>, _> = layouts
            .into_iter()
            .map(|(name, happens)| {
                let path = instance.join("events/block").join(name).join("format");
                parsed(&path, |text| EventLayout::parse(happens, text))
            })
            .collect();
        let device = u64::from(drive.major) << 20 | u64::from(drive.minor);
        let events = KernelEvents::new(page, layouts?, device);
        let buffers = buffers(&instance.join("per_cpu"))?;
        let began_ns = now_ns();
        let unix_ns = SystemTime::now().duration_since(UNIX_EPOCH);
        let header = Header {
            capacity_bytes: drive.capacity_bytes,
            started_unix_ns: unix_ns.map_or(0, |passed| passed.as_nanos() as u64),
            device: drive.name.clone(),
            seen_by: SeenBy::Kernel,
        };
        Ok(KernelRecorder {
            buffers,
            page: vec![0; events.page_bytes()],
            events,
            recorder: Recorder::begin(journal, &header).map_err(|source| file_error(journal, source))?,
            journal: journal.to_owned(),
            began_ns,
            told: Round::default(),
        })
    }

    /// Empties the buffers into the file, which a thread writes.
    ///
    /// # Errors
    /// [`KernelFailed`].
    pub fn round(&mut self) -> Result<Round, KernelFailed> {
        let mut settled_ns = now_ns().saturating_sub(UNSETTLED_NS);
        let mut fullest_bytes = 0;
        for buffer in &mut self.buffers {
            let (pages, last_ns) = buffer.empty(&mut self.page, &mut self.events)?;
            if pages == PAGES_A_ROUND_MAX {
                settled_ns = settled_ns.min(last_ns);
            }
            fullest_bytes = fullest_bytes.max(pages * self.page.len() as u64);
        }
        let mut noted = Noted::of(&self.recorder, self.began_ns, &mut self.told.ios);
        self.events
            .settle(settled_ns, &mut |io| noted.note(io))
            .map_err(|error| file_error(&self.journal, io::Error::other(error)))?;
        self.count_lost(settled_ns)?;
        if self.recorder.has_failed() {
            self.recorder
                .end()
                .map_err(|source| file_error(&self.journal, source))?;
        }
        Ok(Round {
            fullest_bytes,
            ..self.told
        })
    }

    /// Takes what the buffers still hold and closes the file; I/Os without an end have no latency in it.
    ///
    /// # Errors
    /// [`KernelFailed`].
    pub fn end(&mut self) -> Result<Round, KernelFailed> {
        while self.round()?.fullest_bytes == PAGES_A_ROUND_MAX * self.page.len() as u64 {}
        let mut noted = Noted::of(&self.recorder, self.began_ns, &mut self.told.ios);
        self.events
            .finish(&mut |io| noted.note(io))
            .map_err(|error| file_error(&self.journal, io::Error::other(error)))?;
        self.recorder
            .end()
            .map_err(|source| file_error(&self.journal, source))?;
        Ok(self.told)
    }

    fn count_lost(&mut self, at_ns: u64) -> Result<(), KernelFailed> {
        let mut lost = 0;
        for buffer in &self.buffers {
            lost += buffer.lost()?.saturating_sub(buffer.lost_before);
        }
        let more = lost.saturating_sub(self.told.lost);
        if more > 0 {
            self.recorder
                .note(Record::lost(more, at_ns.saturating_sub(self.began_ns)));
            self.told.lost = lost;
        }
        Ok(())
    }
}

impl Buffer {
    /// Reads what is there: how many pages, and when the last event was.
    fn empty(&mut self, page: &mut [u8], events: &mut KernelEvents) -> Result<(u64, u64), KernelFailed> {
        let (mut pages, mut last_ns) = (0, 0);
        while pages < PAGES_A_ROUND_MAX {
            match self.pages.read(page) {
                Ok(0) => break,
                Ok(read) => {
                    last_ns = events.take_page(&page[..read]).map_err(|fault| KernelFailed::Damaged {
                        path: self.path.clone(),
                        fault,
                    })?;
                    pages += 1;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(file_error(&self.path, error)),
            }
        }
        Ok((pages, last_ns))
    }

    /// Events that found no room, ever.
    fn lost(&self) -> Result<u64, KernelFailed> {
        let text = text_of(&self.counts)?;
        let counts = text.lines().filter_map(|line| {
            let (name, count) = line.split_once(": ")?;
            matches!(name, "overrun" | "commit overrun" | "dropped events").then(|| count.trim().parse::<u64>().ok())?
        });
        Ok(counts.sum())
    }
}

/// Notes I/Os, and counts them.
struct Noted<'a> {
    recorder: &'a Recorder,
    began_ns: u64,
    ios: &'a mut u64,
}

impl<'a> Noted<'a> {
    fn of(recorder: &'a Recorder, began_ns: u64, ios: &'a mut u64) -> Self {
        Noted {
            recorder,
            began_ns,
            ios,
        }
    }

    #[allow(clippy::unnecessary_wraps)] // As whoever gives I/Os wants it.
    fn note(&mut self, io: Io) -> Result<(), TraceError> {
        *self.ios += 1;
        self.recorder.note(Record {
            at_ns: io.at_ns.unwrap_or(0).saturating_sub(self.began_ns),
            latency_ns: io.latency_ns,
            what: match io.op {
                Op::Read => What::Read,
                Op::Write => What::Write,
                Op::Flush => What::Flush,
                Op::Discard => What::Trim,
                Op::WriteZeroes => What::WriteZeroes,
            },
            flags: io.flags.unwrap_or_default().0,
            offset_bytes: io.offset_bytes,
            // The kernel counts the bytes of a request in 32 bits.
            length_bytes: u32::try_from(io.length_bytes).unwrap_or(u32::MAX),
            stream: io.stream,
        });
        Ok(())
    }
}

fn buffers(directory: &Path) -> Result<Vec<Buffer>, KernelFailed> {
    let listed = fs::read_dir(directory).map_err(|source| file_error(directory, source))?;
    let mut found = Vec::new();
    for entry in listed {
        let entry = entry.map_err(|source| file_error(directory, source))?.path();
        let path = entry.join("trace_pipe_raw");
        let mut buffer = Buffer {
            pages: OpenOptions::new()
                .read(true)
                .custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed())
                .open(&path)
                .map_err(|source| file_error(&path, source))?,
            path,
            counts: entry.join("stats"),
            lost_before: 0,
        };
        buffer.lost_before = buffer.lost()?;
        found.push(buffer);
    }
    Ok(found)
}

fn parsed<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, Fault>) -> Result<T, KernelFailed> {
    let text = text_of(path)?;
    parse(&text).map_err(|fault| KernelFailed::Damaged {
        path: path.to_owned(),
        fault,
    })
}

/// What a file of tracefs says. Some give what they have to the first read alone, however little room it brings.
fn text_of(path: &Path) -> Result<String, KernelFailed> {
    let mut room = vec![0; TEXT_BYTES_MAX];
    let mut filled = 0;
    let mut file = File::open(path).map_err(|source| file_error(path, source))?;
    loop {
        match file.read(&mut room[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(file_error(path, error)),
        }
    }
    room.truncate(filled);
    Ok(String::from_utf8_lossy(&room).into_owned())
}

fn file_error(path: &Path, source: io::Error) -> KernelFailed {
    KernelFailed::File {
        path: path.to_owned(),
        source,
    }
}

fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
