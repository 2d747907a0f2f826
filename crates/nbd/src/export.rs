//! What all connections share: the drive, its payload, its clock and the account of lateness.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use recording::{Header, Record, Recorder, SeenBy, What};
use vdrive::{Command, CommandFaultCount, Rejected, Sensors, Smart, Spec, Truth, VDrive};

use crate::clock::Clock;
use crate::fault::ServeError;
use crate::lateness::{Lateness, LatenessReport};
use crate::medium::Medium;
use crate::payload::Payload;
use crate::ranges::Ranges;
use crate::store::Store;
use crate::wire::request::{Durability, Provision, Range};

/// A virtual drive in real time, with payload.
///
/// Payload changes when a write is submitted and is read when the reply to a read is due. Both moments lie between a
/// request and its reply, which is all that NBD promises about requests that are in flight together.
pub struct Export {
    drive: Mutex<VDrive>,
    payload: Payload,
    clock: Clock,
    lateness: Mutex<Lateness>,
    capacity_bytes: u64,
    recorder: Option<(PathBuf, Recorder)>,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The drive refused it; nothing has changed.
    #[error(transparent)]
    Refused(#[from] Rejected),
    /// The payload's file failed; what the range holds is unknown.
    #[error("the payload's file failed: {0}")]
    Store(#[from] io::Error),
}

impl Export {
    /// A purged drive that has just been switched on, its payload in memory.
    pub fn new(spec: &Spec) -> Self {
        Self::with_medium(spec, Medium::Memory(Store::new(spec.capacity_bytes())))
    }

    /// A drive that has just been switched on and holds what `medium` does. The model begins as a purged drive: what the
    /// medium holds is data to the host and no flash to the model until it is written again.
    pub fn with_medium(spec: &Spec, medium: Medium) -> Self {
        Self {
            drive: Mutex::new(VDrive::new(spec)),
            payload: Payload::new(medium, spec),
            clock: Clock::start(),
            lateness: Mutex::default(),
            capacity_bytes: spec.capacity_bytes(),
            recorder: None,
        }
    }

    /// Writes down each command from now on, in a file that must not exist yet. What the drive refuses is not in it.
    ///
    /// # Errors
    /// [`ServeError::Record`].
    pub fn record(&mut self, path: &Path, device: &str) -> Result<(), ServeError> {
        let unix_ns = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |passed| passed.as_nanos() as u64);
        let header = Header {
            capacity_bytes: self.capacity_bytes,
            started_unix_ns: unix_ns.saturating_sub(self.clock.now_ns()),
            device: device.to_owned(),
            seen_by: SeenBy::Drive,
        };
        let recorder = Recorder::begin(path, &header).map_err(|source| record_error(path, source))?;
        self.recorder = Some((path.to_owned(), recorder));
        Ok(())
    }

    /// Writes the rest of what is recorded.
    ///
    /// # Errors
    /// [`ServeError::Record`] if the file did not take everything.
    pub fn end_recording(&self) -> Result<(), ServeError> {
        self.recorder.as_ref().map_or(Ok(()), |(path, recorder)| {
            recorder.end().map_err(|source| record_error(path, source))
        })
    }

    /// Size of the drive in bytes.
    pub fn capacity_bytes(&self) -> u64 {
        self.capacity_bytes
    }

    /// The drive's clock.
    pub fn clock(&self) -> Clock {
        self.clock
    }

    /// The payload.
    pub fn payload(&self) -> &Payload {
        &self.payload
    }

    /// Reads a range; its payload is to be taken at the completion time (ns) that is returned.
    ///
    /// # Errors
    /// [`Failure`], as for the other requests.
    pub fn read(&self, range: Range) -> Result<u64, Failure> {
        let Range {
            offset_bytes,
            length_bytes,
        } = range;
        let read = Command::Read {
            offset_bytes,
            length_bytes: length_bytes.into(),
        };
        Ok(self.submit(read, What::Read, Durability::Buffered)?)
    }

    /// Writes `data` at `range`; returns the completion time (ns).
    ///
    /// # Errors
    /// [`Failure`].
    pub fn write(&self, range: Range, data: &[u8], durability: Durability) -> Result<u64, Failure> {
        let completion_ns = self.submit(write_command(range, durability), What::Write, durability)?;
        self.payload.write(range.offset_bytes, data, durability)?;
        Ok(completion_ns)
    }

    /// Makes everything durable whose write has been answered; returns the completion time (ns).
    ///
    /// # Errors
    /// [`Failure`].
    pub fn flush(&self) -> Result<u64, Failure> {
        let completion_ns = self.submit(Command::Flush, What::Flush, Durability::Buffered)?;
        self.payload.flush()?;
        Ok(completion_ns)
    }

    /// Deallocates a range, which reads as zeros from now on; returns the completion time (ns).
    ///
    /// # Errors
    /// [`Failure`].
    pub fn trim(&self, range: Range, durability: Durability) -> Result<u64, Failure> {
        self.deallocate(range, What::Trim, durability)
    }

    fn deallocate(&self, range: Range, what: What, durability: Durability) -> Result<u64, Failure> {
        let Range {
            offset_bytes,
            length_bytes,
        } = range;
        let trim = Command::Trim {
            offset_bytes,
            length_bytes: length_bytes.into(),
        };
        let completion_ns = self.submit(trim, what, durability)?;
        self.payload.trim(offset_bytes, length_bytes.into())?;
        Ok(completion_ns)
    }

    /// Makes a range read as zeros, by deallocation where that is allowed; returns the completion time (ns).
    ///
    /// # Errors
    /// [`Failure`].
    pub fn zero(&self, range: Range, durability: Durability, provision: Provision) -> Result<u64, Failure> {
        if provision == Provision::Hole {
            return self.deallocate(range, What::WriteZeroes, durability);
        }
        let completion_ns = self.submit(write_command(range, durability), What::WriteZeroes, durability)?;
        self.payload.zero(range.offset_bytes, range.length_bytes.into())?;
        Ok(completion_ns)
    }

    /// Formats the drive: payload and mapping are gone. Returns the completion time (ns).
    ///
    /// # Errors
    /// The payload's file could not be emptied.
    pub fn purge(&self) -> io::Result<u64> {
        let mut drive = self.lock_drive();
        let completion_ns = drive.purge(self.clock.now_ns());
        self.payload.purge()?;
        Ok(completion_ns)
    }

    /// Cuts the power for a moment: what only a volatile cache held is gone. Returns what that was.
    pub fn lose_power(&self) -> Ranges {
        self.payload.lose_power()
    }

    /// How often each fault that concerns commands has acted.
    pub fn command_faults(&self) -> Vec<CommandFaultCount> {
        self.lock_drive().fault_counts()
    }

    /// What the model knows about itself.
    pub fn truth(&self) -> Truth {
        self.lock_drive().truth(self.clock.now_ns())
    }

    /// What the drive tells its host about its health.
    pub fn smart(&self) -> Smart {
        self.lock_drive().smart(self.clock.now_ns())
    }

    /// What the drive's sensors say; reading them disturbs nothing.
    pub fn sensors(&self) -> Sensors {
        self.lock_drive().sensors(self.clock.now_ns())
    }

    /// How far replies were behind the model since the start.
    pub fn lateness(&self) -> LatenessReport {
        self.lateness.lock().unwrap_or_else(PoisonError::into_inner).report()
    }

    /// Counts replies that left at `now_ns` and had been due at the times of `due_ns`.
    pub fn record_lateness(&self, now_ns: u64, due_ns: &[u64]) {
        let mut lateness = self.lateness.lock().unwrap_or_else(PoisonError::into_inner);
        for due_ns in due_ns {
            lateness.record(now_ns.saturating_sub(*due_ns));
        }
    }

    /// Submits a command and, if one without an own FUA bit is to be durable, a flush behind it.
    fn submit(&self, command: Command, what: What, durability: Durability) -> Result<u64, Rejected> {
        let mut drive = self.lock_drive();
        // The clock is read under the lock: the drive must see times that never decrease.
        let now_ns = self.clock.now_ns();
        let mut completion_ns = drive.submit(now_ns, command)?;
        if durability == Durability::Fua && matches!(command, Command::Trim { .. }) {
            completion_ns = completion_ns.max(drive.submit(now_ns, Command::Flush)?);
        }
        if let Some((_, recorder)) = &self.recorder {
            let (offset_bytes, length_bytes) = range_of(command);
            recorder.note(Record {
                at_ns: now_ns,
                latency_ns: Some(completion_ns - now_ns),
                what,
                flags: match durability {
                    Durability::Buffered => 0,
                    Durability::Fua => Record::DURABLE,
                },
                offset_bytes,
                // No request of NBD is longer.
                length_bytes: u32::try_from(length_bytes).unwrap_or(u32::MAX),
                stream: None,
            });
        }
        Ok(completion_ns)
    }

    fn lock_drive(&self) -> MutexGuard<'_, VDrive> {
        // A model that panicked half-way would go on with wrong times: better no drive than a wrong one.
        self.drive.lock().expect("the drive model panicked in another thread")
    }
}

fn record_error(path: &Path, source: io::Error) -> ServeError {
    ServeError::Record {
        path: path.to_owned(),
        source,
    }
}

fn range_of(command: Command) -> (u64, u64) {
    match command {
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

fn write_command(range: Range, durability: Durability) -> Command {
    let sync = match durability {
        Durability::Buffered => vdrive::Sync::Buffered,
        Durability::Fua => vdrive::Sync::Fua,
    };
    Command::Write {
        offset_bytes: range.offset_bytes,
        length_bytes: range.length_bytes.into(),
        sync,
    }
}
