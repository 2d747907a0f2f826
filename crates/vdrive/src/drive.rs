//! The drive: one command in, the time of its completion out.
//!
//! Every completion is computed at submission. Background work happens in the accounts when the next command arrives.

mod account;
mod upkeep;

use crate::command::{Command, Rejected, Sync, check_range};
use crate::defect::{Ailments, CommandFaultCount};
#[cfg(test)]
use crate::flash::Flash;
use crate::flash::{self, transfer_ns};
use crate::pace::Pace;
use crate::random::Random;
use crate::reads::Reads;
use crate::spec::Spec;
use crate::thermal::Heat;
use crate::writes::Writes;
use account::{Counters, Lifetime};
use std::sync::Arc;

/// A virtual drive. It holds no data: it says when a drive would have answered, and knows why.
///
/// Its layers, from the host down: commands with faults, link and heat; [`Reads`] with read-ahead; [`Writes`] with the write
/// buffer; [`flash::Flash`] with mapping, dies and garbage collection. Each knows the one below it and nothing above.
#[derive(Debug, Clone)]
pub struct VDrive {
    spec: Arc<Spec>,
    reads: Reads,
    heat: Heat,
    counters: Counters,
    lifetime: Lifetime,
    ailments: Ailments,
    /// None where the drive's time is the host's.
    pace: Option<Pace>,
    now_ns: u64,
    command_end_ns: u64,
    link_read_end_ns: u64,
    link_write_end_ns: u64,
    /// When the last command was answered.
    answered_ns: u64,
    /// Next time at which silence or heat have to be looked at.
    upkeep_ns: u64,
    /// Wake-up time that the next command pays: the sensors were read while the drive slept.
    owed_wake_ns: u64,
}

impl VDrive {
    /// A drive fresh out of the box, at time 0.
    pub fn new(spec: &Spec) -> Self {
        let spec = Arc::new(spec.clone());
        Self {
            reads: fresh(&spec, Random::new(spec.seed)),
            heat: Heat::new(&spec),
            counters: Counters::default(),
            lifetime: Lifetime::default(),
            ailments: Ailments::new(&spec),
            pace: Pace::of(&spec),
            now_ns: 0,
            command_end_ns: 0,
            link_read_end_ns: 0,
            link_write_end_ns: 0,
            answered_ns: 0,
            upkeep_ns: 0,
            owed_wake_ns: 0,
            spec,
        }
    }

    /// What the drive was built from.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Gives the drive a command at `now_ns` and returns when it completes (never before `now_ns`).
    ///
    /// Time must not run backwards: an earlier `now_ns` than before counts as the latest one seen. A command of no
    /// length completes at once and does nothing. A full drive never refuses a write: with little spare flash left,
    /// collection takes nearly all of its time.
    ///
    /// # Errors
    /// [`Rejected`] if the range is not on the drive or not whole sectors, or if a fault of the Spec says so; the drive is
    /// as it was.
    #[inline]
    pub fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let range = self.range_of(command)?;
        let now_ns = self.own_time(now_ns);
        let done_ns = self.perform(now_ns, command, range)?;
        Ok(self.host_time(done_ns))
    }

    /// Where reads begin that come soon: see [`crate::workload::BlockDevice::expect`].
    pub(crate) fn expect(&mut self, offsets_bytes: impl Iterator<Item = u64>) {
        let unit_bytes = self.spec.map.unit_bytes;
        let flash = self.reads.writes().flash();
        flash.expect(offsets_bytes.map(|offset_bytes| offset_bytes / unit_bytes));
    }

    /// Offset and length of what a command concerns, which must be on the drive; a flush concerns something, wherever it is.
    #[inline]
    fn range_of(&self, command: Command) -> Result<(u64, u64), Rejected> {
        match command {
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
            } => {
                check_range(offset_bytes, length_bytes, self.spec.geometry.capacity_bytes)?;
                Ok((offset_bytes, length_bytes))
            }
            Command::Flush => Ok((0, 1)),
        }
    }

    /// The command in the drive's own time, its range being on the drive.
    fn perform(&mut self, now_ns: u64, command: Command, range: (u64, u64)) -> Result<u64, Rejected> {
        let (offset, length) = range;
        let now = now_ns.max(self.now_ns);
        if length == 0 {
            return Ok(now);
        }
        let held_ns = self.ailments.meet(&command)?;
        let start = self.start(now + held_ns);
        let done = match command {
            Command::Read { .. } => self.read(start, offset, length),
            Command::Write { sync, .. } => self.write(start, offset, length, sync),
            Command::Flush => self.flush(start),
            Command::Trim { .. } => self.trim(start, offset, length),
        };
        let done = self.blurred(now, done);
        self.answered_ns = self.answered_ns.max(done);
        self.counters.busy(now, done);
        Ok(done)
    }

    /// How often each fault that concerns commands has acted, in the order of the Spec.
    pub fn fault_counts(&self) -> Vec<CommandFaultCount> {
        self.ailments.counts()
    }

    /// Erases everything, as the format command does: fresh out of the box, with its history and temperature kept.
    /// Returns when it is done.
    pub fn purge(&mut self, now_ns: u64) -> u64 {
        let now_ns = self.own_time(now_ns);
        let start = self.start(now_ns.max(self.now_ns));
        let done = start + self.spec.timing.erase_ns * u64::from(self.spec.superblocks()) + self.spec.buffer.flush_ns;
        self.lifetime = self.life_until_now();
        self.counters = self.counters.purged();
        let random = self.writes().flash().random().clone();
        self.reads = fresh(&self.spec, random);
        self.command_end_ns = done;
        self.link_read_end_ns = 0;
        self.link_write_end_ns = 0;
        self.answered_ns = done;
        self.owed_wake_ns = 0;
        self.host_time(done)
    }

    #[inline]
    fn own_time(&mut self, host_ns: u64) -> u64 {
        self.pace.as_mut().map_or(host_ns, |pace| pace.drive_time(host_ns))
    }

    #[inline]
    fn host_time(&mut self, own_ns: u64) -> u64 {
        self.pace.as_mut().map_or(own_ns, |pace| pace.host_time(own_ns))
    }

    /// Brings the drive's own affairs up to date and takes the command in.
    fn start(&mut self, now_ns: u64) -> u64 {
        self.now_ns = now_ns;
        let owed_ns = now_ns + std::mem::take(&mut self.owed_wake_ns);
        let woken_ns = if now_ns >= self.upkeep_ns {
            self.upkeep(now_ns).max(owed_ns)
        } else {
            owed_ns
        };
        let start = woken_ns.max(self.command_end_ns) + self.spec.timing.command_ns;
        self.command_end_ns = start;
        start
    }

    /// The layer below the reads.
    #[inline]
    pub(crate) fn writes(&mut self) -> &mut Writes {
        self.reads.writes()
    }

    #[cfg(test)]
    pub(crate) fn flash(&mut self) -> &mut Flash {
        self.writes().flash()
    }

    /// Adds the Spec's noise to a latency.
    fn blurred(&mut self, now_ns: u64, done_ns: u64) -> u64 {
        match &self.spec.noise {
            Some(noise) => now_ns + crate::noise::blur(noise, done_ns - now_ns, self.reads.writes().flash().random()),
            None => done_ns,
        }
    }

    fn read(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.writes().flash().settle();
        self.counters.host_read(length_bytes);
        self.heat.read(length_bytes);
        let data_ns = if let Some(legacy) = &self.spec.legacy {
            let busy_ns = self.reads.legacy_read_ns(legacy, offset_bytes, length_bytes);
            self.serve(start_ns, busy_ns)
        } else {
            self.reads.read(start_ns, offset_bytes, length_bytes)
        };
        let per_byte = self.spec.timing.link_read_ns_per_byte * self.heat.slowdown;
        self.link_read_end_ns = self.link_read_end_ns.max(start_ns) + transfer_ns(length_bytes, per_byte);
        data_ns.max(self.link_read_end_ns)
    }

    fn write(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64, sync: Sync) -> u64 {
        self.writes().count(length_bytes);
        self.counters.forced_writes += u64::from(sync == Sync::Fua);
        self.heat.wrote(length_bytes);
        let per_byte = self.spec.timing.link_write_ns_per_byte * self.heat.slowdown;
        self.link_write_end_ns = self.link_write_end_ns.max(start_ns) + transfer_ns(length_bytes, per_byte);
        let moved_ns = self.link_write_end_ns;
        if let Some(legacy) = &self.spec.legacy {
            let busy_ns = self.reads.legacy_write_ns(legacy, start_ns, offset_bytes, length_bytes);
            self.serve(start_ns, busy_ns).max(moved_ns)
        } else {
            self.reads.write(start_ns, offset_bytes, length_bytes, sync, moved_ns)
        }
    }

    /// One command at a time, as drives timed by the source paper's equations work.
    fn serve(&mut self, start_ns: u64, busy_ns: u64) -> u64 {
        self.command_end_ns = self.command_end_ns.max(start_ns) + busy_ns;
        self.command_end_ns
    }

    fn flush(&mut self, start_ns: u64) -> u64 {
        self.counters.flushes += 1;
        self.writes().flush(start_ns)
    }

    fn trim(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.counters.trims += 1;
        self.counters.trimmed_bytes += self.reads.trim(offset_bytes, length_bytes);
        start_ns + self.spec.timing.trim_ns
    }
}

/// The layers below the commands, fresh out of the box.
fn fresh(spec: &Arc<Spec>, random: Random) -> Reads {
    Reads::new(spec, Writes::new(spec, flash::Flash::new(spec, random)))
}
