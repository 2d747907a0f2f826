//! What all connections share: the drive, its payload, its clock and the account of lateness.

use std::sync::{Mutex, MutexGuard, PoisonError};

use vdrive::{Command, Rejected, Sensors, Smart, Spec, Truth, VDrive};

use crate::clock::Clock;
use crate::lateness::{Lateness, LatenessReport};
use crate::store::Store;
use crate::wire::request::{Durability, Provision, Range};

/// A virtual drive in real time, with payload.
///
/// Payload changes when a write is submitted and is read when the reply to a read is due. Both moments lie between a
/// request and its reply, which is all that NBD promises about requests that are in flight together.
pub struct Export {
    drive: Mutex<VDrive>,
    store: Store,
    clock: Clock,
    lateness: Mutex<Lateness>,
    capacity_bytes: u64,
}

impl Export {
    /// A purged drive that has just been switched on.
    pub fn new(spec: &Spec) -> Self {
        Self {
            drive: Mutex::new(VDrive::new(spec)),
            store: Store::new(spec.capacity_bytes()),
            clock: Clock::start(),
            lateness: Mutex::default(),
            capacity_bytes: spec.capacity_bytes(),
        }
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
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Reads a range; its payload is to be taken from the store at the completion time (ns) that is returned.
    ///
    /// # Errors
    /// The drive's refusal; nothing has changed. The same holds for the other requests.
    pub fn read(&self, range: Range) -> Result<u64, Rejected> {
        let Range {
            offset_bytes,
            length_bytes,
        } = range;
        self.submit(
            Command::Read {
                offset_bytes,
                length_bytes: length_bytes.into(),
            },
            Durability::Buffered,
        )
    }

    /// Writes `data` at `range`; returns the completion time (ns).
    ///
    /// # Errors
    /// The drive's refusal; nothing has changed.
    pub fn write(&self, range: Range, data: &[u8], durability: Durability) -> Result<u64, Rejected> {
        let completion_ns = self.submit(write_command(range, durability), Durability::Buffered)?;
        self.store.write(range.offset_bytes, data);
        Ok(completion_ns)
    }

    /// Makes everything durable whose write has been answered; returns the completion time (ns).
    ///
    /// # Errors
    /// The drive's refusal; nothing has changed.
    pub fn flush(&self) -> Result<u64, Rejected> {
        self.submit(Command::Flush, Durability::Buffered)
    }

    /// Deallocates a range, which reads as zeros from now on; returns the completion time (ns).
    ///
    /// # Errors
    /// The drive's refusal; nothing has changed.
    pub fn trim(&self, range: Range, durability: Durability) -> Result<u64, Rejected> {
        let Range {
            offset_bytes,
            length_bytes,
        } = range;
        let trim = Command::Trim {
            offset_bytes,
            length_bytes: length_bytes.into(),
        };
        let completion_ns = self.submit(trim, durability)?;
        self.store.zero(offset_bytes, length_bytes.into());
        Ok(completion_ns)
    }

    /// Makes a range read as zeros, by deallocation where that is allowed; returns the completion time (ns).
    ///
    /// # Errors
    /// The drive's refusal; nothing has changed.
    pub fn zero(&self, range: Range, durability: Durability, provision: Provision) -> Result<u64, Rejected> {
        if provision == Provision::Hole {
            return self.trim(range, durability);
        }
        let completion_ns = self.submit(write_command(range, durability), Durability::Buffered)?;
        self.store.zero(range.offset_bytes, range.length_bytes.into());
        Ok(completion_ns)
    }

    /// Formats the drive: payload and mapping are gone. Returns the completion time (ns).
    pub fn purge(&self) -> u64 {
        let mut drive = self.lock_drive();
        let completion_ns = drive.purge(self.clock.now_ns());
        self.store.clear();
        completion_ns
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

    /// Submits a command and, if a command without an own FUA bit is to be durable, a flush behind it.
    fn submit(&self, command: Command, flush_behind: Durability) -> Result<u64, Rejected> {
        let mut drive = self.lock_drive();
        // The clock is read under the lock: the drive must see times that never decrease.
        let now_ns = self.clock.now_ns();
        let completion_ns = drive.submit(now_ns, command)?;
        match flush_behind {
            Durability::Buffered => Ok(completion_ns),
            Durability::Fua => Ok(completion_ns.max(drive.submit(now_ns, Command::Flush)?)),
        }
    }

    fn lock_drive(&self) -> MutexGuard<'_, VDrive> {
        // A model that panicked half-way would go on with wrong times: better no drive than a wrong one.
        self.drive.lock().expect("the drive model panicked in another thread")
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
