//! Writes records beside whoever has them to tell, who never waits for a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::{Header, RECORD_BYTES, Record};

/// How long a record may lie in memory: with the time a disk takes, less than a second is lost when the power is.
const WRITTEN_EVERY: Duration = Duration::from_millis(250);

/// Most records that wait for the file: 48 MiB of them.
const WAITING_MAX: usize = 1 << 20;

/// Takes records.
pub struct Recorder {
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<io::Result<()>>>>,
}

struct Shared {
    waiting: Mutex<Waiting>,
    is_over: AtomicBool,
}

#[derive(Default)]
struct Waiting {
    records: Vec<Record>,
    lost: u64,
}

impl Recorder {
    /// Begins a recording in a file that must not exist yet.
    ///
    /// # Errors
    /// The file cannot be made or written.
    pub fn begin(path: &Path, header: &Header) -> io::Result<Self> {
        let mut file = File::create_new(path)?;
        file.write_all(&header.encoded())?;
        file.sync_all()?;
        let shared = Arc::new(Shared {
            waiting: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let of_thread = Arc::clone(&shared);
        let writer = thread::Builder::new()
            .name("record".to_owned())
            .spawn(move || write(&mut file, &of_thread))?;
        Ok(Self {
            shared,
            writer: Mutex::new(Some(writer)),
        })
    }

    /// Takes the next record; what finds no room is counted, and its number stands in its place.
    pub fn note(&self, record: Record) {
        let mut waiting = self.shared.lock();
        if waiting.records.len() >= WAITING_MAX {
            waiting.lost += 1;
            return;
        }
        let lost = std::mem::take(&mut waiting.lost);
        if lost > 0 {
            waiting.records.push(Record::lost(lost, record.at_ns));
        }
        waiting.records.push(record);
    }

    /// Whether the file took no more, so that there is nothing but to end.
    pub fn has_failed(&self) -> bool {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.as_ref().is_some_and(JoinHandle::is_finished)
    }

    /// Writes what waits, and ends.
    ///
    /// # Errors
    /// The file took not everything; it is good up to there.
    pub fn end(&self) -> io::Result<()> {
        self.shared.is_over.store(true, Ordering::Release);
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(writer) = writer else { return Ok(()) };
        writer.thread().unpark();
        writer
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("its thread panicked")))
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Until the end. After an error nothing more is written, and the end tells it.
fn write(file: &mut File, shared: &Shared) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut last_ns = 0;
    loop {
        let is_last = shared.is_over.load(Ordering::Acquire);
        let taken = std::mem::take(&mut *shared.lock());
        bytes.clear();
        bytes.reserve(taken.records.len() * RECORD_BYTES);
        for record in &taken.records {
            bytes.extend_from_slice(&record.encoded());
            last_ns = record.at_ns;
        }
        if taken.lost > 0 {
            bytes.extend_from_slice(&Record::lost(taken.lost, last_ns).encoded());
        }
        if !bytes.is_empty() {
            file.write_all(&bytes)?;
            file.sync_data()?;
        }
        if is_last {
            return Ok(());
        }
        thread::park_timeout(WRITTEN_EVERY);
    }
}
