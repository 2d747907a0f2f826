//! Where a log comes from, in chunks of whole lines.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroU64;
use std::os::unix::fs::FileExt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::Advice;

use super::line::LOOKAHEAD;
use super::packed::{decompressed, is_compressed};
use crate::log::{Layout, LogFault, Problem};

/// A line that is longer than this is not fio's: eight numbers of 20 digits with what separates them take 174 bytes.
const LINE_BYTES_MAX: usize = 512;

/// What is read of a file to know its columns: as many lines as that takes, and more.
const LAYOUT_BYTES_MAX: u64 = 1 << 18;

/// How long a read from a pipe waits before it looks whether the scan was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// A log as it lies: a file that can be read again, or a stream that passes once.
pub(super) enum Origin {
    File { file: File, bytes: u64 },
    Stream(Option<Box<dyn Read + Send>>),
}

/// Whole lines of a log, read by one worker.
pub(super) struct Chunk {
    /// The lines, then [`LOOKAHEAD`] bytes to read into.
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    /// 0-based, in order of the log.
    pub(super) index: u64,
    /// Whether the log ends with the chunk.
    pub(super) last: bool,
    /// Whether it ends there because its compressed form breaks off.
    pub(super) truncated: bool,
    /// The columns of the log; `None` if it ends before its first line does.
    pub(super) layout: Option<Layout>,
}

impl Chunk {
    pub(super) fn empty() -> Self {
        Chunk {
            buffer: Vec::new(),
            from: 0,
            to: 0,
            index: 0,
            last: false,
            truncated: false,
            layout: None,
        }
    }

    /// The lines; only the last one may lack its end.
    pub(super) fn lines(&self) -> &[u8] {
        &self.buffer[self.from..self.to]
    }

    /// The lines and at least [`LOOKAHEAD`] bytes behind them, which mean nothing.
    pub(super) fn lines_and_beyond(&self) -> &[u8] {
        &self.buffer[self.from..]
    }
}

/// Hands out the chunks of one pass to several workers.
pub(super) enum Chunks<'a> {
    File {
        file: &'a File,
        bytes: u64,
        chunk_bytes: usize,
        layout: Option<Layout>,
        next: AtomicU64,
    },
    Stream(Mutex<Stream<'a>>),
}

/// What was read of a stream and not yet handed out.
pub(super) struct Stream<'a> {
    /// As it was opened; what is read of it may have to be waited for.
    compressed: Option<Box<dyn Read + Send + 'a>>,
    reader: Box<dyn Read + Send + 'a>,
    chunk_bytes: usize,
    layout: Option<Layout>,
    begun: Vec<u8>,
    next: u64,
    ended: bool,
    truncated: bool,
}

impl Origin {
    /// Whether it can be read more than once.
    pub(super) fn rewinds(&self) -> bool {
        matches!(self, Origin::File { .. })
    }

    /// The first time of the log, 0 if it has none; what is read of a stream for it is put back. `keep_going` is asked while
    /// a stream lets us wait.
    pub(super) fn first_ms(&mut self, keep_going: &mut dyn FnMut() -> bool) -> Result<u64, Stopped> {
        match self {
            Origin::File { file, bytes } => {
                let bytes = *bytes;
                Ok(first_number(Section { file, at: 0 }.take(bytes)).unwrap_or(0))
            }
            Origin::Stream(reader) => {
                let Some(mut rest) = reader.take() else { return Ok(0) };
                let (begun, first_ms) = read_first_number(&mut rest, keep_going)?;
                *reader = Some(Box::new(io::Cursor::new(begun).chain(rest)));
                Ok(first_ms)
            }
        }
    }

    /// The chunks of one pass, decompressed; a stream has one pass only.
    pub(super) fn chunks<'a>(&'a mut self, chunk_bytes: usize, stop: &'a AtomicBool) -> Result<Chunks<'a>, Stopped> {
        let reader: Box<dyn Read + Send + 'a> = match self {
            Origin::File { file, bytes } => {
                let mut magic = [0; 4];
                let read = read_full_at(file, &mut magic, 0)?;
                if !is_compressed(&magic[..read]) {
                    return file_chunks(file, *bytes, chunk_bytes);
                }
                Box::new(Section { file, at: 0 }.take(*bytes))
            }
            Origin::Stream(reader) => reader.take().unwrap_or_else(|| Box::new(io::empty())),
        };
        Ok(Chunks::Stream(Mutex::new(Stream {
            compressed: Some(Box::new(Stoppable { reader, stop })),
            reader: Box::new(io::empty()),
            // With less, the first chunk may not have the first line whole, which tells the columns.
            chunk_bytes: chunk_bytes.max(LINE_BYTES_MAX + 1),
            layout: None,
            begun: Vec::new(),
            next: 0,
            ended: false,
            truncated: false,
        })))
    }
}

fn file_chunks(file: &File, bytes: u64, chunk_bytes: usize) -> Result<Chunks<'_>, Stopped> {
    let mut first = Chunk::empty();
    let first_bytes = (bytes.min(LAYOUT_BYTES_MAX)) as usize;
    read_section(file, bytes, 0, first_bytes, &mut first)?;
    Ok(Chunks::File {
        file,
        bytes,
        chunk_bytes,
        layout: layout_of(&first)?,
        next: AtomicU64::new(0),
    })
}

/// The layout of the log that begins with this chunk; `None` if the log ends before its first line does.
fn layout_of(first: &Chunk) -> Result<Option<Layout>, Stopped> {
    let log = first.lines();
    if log.contains(&b'\n') {
        return Ok(Some(Layout::detect(log).map_err(Stopped::Damaged)?));
    }
    let problem = if !first.last {
        Problem::TooLong
    } else if log
        .iter()
        .all(|byte| byte.is_ascii_hexdigit() || b", x\r".contains(byte))
    {
        return Ok(None);
    } else {
        let columns = log.split(|&byte| byte == b',').count();
        Problem::NoLayout { columns }
    };
    Err(Stopped::Damaged(LogFault::new(log, 0, 1, problem)))
}

/// The number that a log begins with, which is the first time in every layout; `None` if more must be read to know it.
fn first_number(begun: impl Read + Send) -> Option<u64> {
    let mut text = Vec::new();
    if let Ok(reader) = decompressed(begun) {
        // What cannot be unpacked is said when the log is read; what was unpacked before is kept.
        reader.take(LINE_BYTES_MAX as u64).read_to_end(&mut text).ok();
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&text[..digits]).unwrap_or_default().parse().ok();
    (digits < text.len() || text.len() == LINE_BYTES_MAX).then_some(number.unwrap_or(0))
}

/// Reads a stream until the number is known that it begins with; what was read, and the number.
fn read_first_number(reader: &mut dyn Read, keep_going: &mut dyn FnMut() -> bool) -> Result<(Vec<u8>, u64), Stopped> {
    let (mut begun, mut part) = (Vec::new(), [0; 4096]);
    let mut tried_bytes = 0;
    while begun.len() < LAYOUT_BYTES_MAX as usize {
        match reader.read(&mut part) {
            Ok(0) => break,
            Ok(read) => begun.extend_from_slice(&part[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && keep_going() => continue,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(Stopped::ByCaller),
            Err(error) => return Err(error.into()),
        }
        // What is packed is unpacked from its beginning each time, so it is not tried again for every few bytes more.
        if begun.len() >= 2 * tried_bytes || !is_compressed(&begun) {
            tried_bytes = begun.len();
            if let Some(first_ms) = first_number(&begun[..]) {
                return Ok((begun, first_ms));
            }
        }
    }
    let first_ms = first_number(&begun[..]).unwrap_or(0);
    Ok((begun, first_ms))
}

/// Why a pass did not come to its end.
pub(super) enum Stopped {
    Unreadable(io::Error),
    Damaged(LogFault),
    ByCaller,
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Stopped::Unreadable(error)
    }
}

impl Chunks<'_> {
    /// Reads the next chunk into `chunk`; false after the last one.
    pub(super) fn read_next(&self, chunk: &mut Chunk) -> Result<bool, Stopped> {
        match self {
            Chunks::File {
                file,
                bytes,
                chunk_bytes,
                layout,
                next,
            } => {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let from = index * *chunk_bytes as u64;
                if from >= *bytes {
                    return Ok(false);
                }
                (chunk.index, chunk.layout) = (index, *layout);
                read_ahead(file, from, *chunk_bytes);
                read_section(file, *bytes, from, *chunk_bytes, chunk)?;
                Ok(true)
            }
            Chunks::Stream(stream) => {
                let mut stream = stream.lock().map_err(|_| io::Error::other("another reader panicked"))?;
                stream.read_next(chunk)
            }
        }
    }
}

/// How much of a file is asked for before it is read.
const AHEAD_BYTES: u64 = 4 << 20;

/// Asks the kernel for what comes after: two threads that take turns look to it like random reads.
fn read_ahead(file: &File, from: u64, chunk_bytes: usize) {
    let first_of_block = from % AHEAD_BYTES < chunk_bytes as u64;
    if first_of_block {
        // Only a hint, so it may fail; of what is in memory already it costs a look.
        rustix::fs::fadvise(file, from + AHEAD_BYTES, NonZeroU64::new(AHEAD_BYTES), Advice::WillNeed).ok();
    }
}

/// The lines that begin in `chunk_bytes` bytes of a file.
fn read_section(file: &File, file_bytes: u64, from: u64, chunk_bytes: usize, chunk: &mut Chunk) -> io::Result<()> {
    // One byte before tells whether a line begins with the first byte; the last line may end in the next section.
    let before = usize::from(from > 0);
    let wanted = (before + chunk_bytes + LINE_BYTES_MAX).min((file_bytes - from) as usize + before);
    chunk
        .buffer
        .resize(before + chunk_bytes + LINE_BYTES_MAX + LOOKAHEAD, 0);
    let read = read_full_at(file, &mut chunk.buffer[..wanted], from - before as u64)?;
    if read < wanted {
        return Err(io::Error::new(
            io::ErrorKind::UnexpectedEof,
            "the file became shorter while it was read",
        ));
    }
    let text = &chunk.buffer[..wanted];
    let line_after = |at: usize| {
        text[at..]
            .iter()
            .position(|&byte| byte == b'\n')
            .map(|end| at + end + 1)
    };
    let next_section = before + chunk_bytes;
    chunk.from = match before {
        0 => 0,
        _ => line_after(0).unwrap_or(wanted),
    };
    chunk.last = wanted <= next_section;
    chunk.to = wanted;
    if !chunk.last {
        // Without an end, the line goes on for longer than any of fio's; what is read of it will be refused.
        let end = line_after(next_section - 1).unwrap_or(wanted);
        chunk.last = end == wanted && from + (wanted - before) as u64 == file_bytes;
        chunk.to = end;
    }
    chunk.from = chunk.from.min(chunk.to);
    Ok(())
}

fn read_full_at(file: &File, buffer: &mut [u8], from: u64) -> io::Result<usize> {
    let mut read = 0;
    while read < buffer.len() {
        match file.read_at(&mut buffer[read..], from + read as u64) {
            Ok(0) => break,
            Ok(more) => read += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

impl Stream<'_> {
    fn read_next(&mut self, chunk: &mut Chunk) -> Result<bool, Stopped> {
        if self.ended {
            return Ok(false);
        }
        let read = self.read_chunk(chunk);
        // What lies behind a fault is for no worker to read: it would pass for the beginning.
        self.ended |= read.is_err();
        read.map(|()| true)
    }

    fn read_chunk(&mut self, chunk: &mut Chunk) -> Result<(), Stopped> {
        chunk.index = self.next;
        if let Some(compressed) = self.compressed.take() {
            self.reader = decompressed(compressed)?;
        }
        let begun = self.begun.len();
        let filled_max = begun + self.chunk_bytes;
        chunk.buffer.resize(filled_max + LOOKAHEAD, 0);
        chunk.buffer[..begun].copy_from_slice(&self.begun);
        let filled = begun + self.fill(&mut chunk.buffer[begun..filled_max])?;
        let lines_end = chunk.buffer[..filled]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        // A line that does not end within its limit is handed out as it is, and will be refused.
        let whole = self.ended || filled - lines_end > LINE_BYTES_MAX;
        (chunk.from, chunk.to) = (0, if whole { filled } else { lines_end });
        self.begun.clear();
        self.begun.extend_from_slice(&chunk.buffer[chunk.to..filled]);
        (chunk.last, chunk.truncated) = (self.ended, self.truncated);
        if self.next == 0 {
            self.layout = layout_of(chunk)?;
        }
        chunk.layout = self.layout;
        self.next += 1;
        Ok(())
    }

    /// Fills the buffer unless the stream ends before.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    (self.ended, self.truncated) = (true, true);
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

/// A file read from its beginning, wherever others have read it to.
struct Section<'a> {
    file: &'a File,
    at: u64,
}

impl Read for Section<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A reader that ends with an error once the scan is stopped.
struct Stoppable<'a, R> {
    reader: R,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(io::Error::other("stopped"));
            }
            match self.reader.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

/// A pipe or device that gives up now and then, with [`io::ErrorKind::WouldBlock`], so that whoever reads it can be stopped.
pub(super) struct Patient(pub(super) File);

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let timeout = Timespec::try_from(PATIENCE).map_err(io::Error::other)?;
        let ready = poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout))?;
        if ready == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.0.read(buffer)
    }
}
