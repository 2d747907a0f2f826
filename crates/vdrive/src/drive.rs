//! The drive: one command in, the time of its completion out.
//!
//! Every completion is computed at submission. Background work happens in the accounts when the next command arrives.

use crate::command::{Command, Rejected, Sync, check_range};
use crate::defect::{Ailments, CommandFaultCount};
use crate::host::Host;
use crate::map::Map;
use crate::mapcache::MapCache;
use crate::media::{Media, transfer_ns};
use crate::random::Random;
use crate::readahead::ReadAhead;
use crate::relocate::Relocation;
use crate::spec::{BufferKind, Spec};
use crate::thermal::Heat;
use crate::truth::{Counters, Phase};

/// A virtual drive. It holds no data: it says when a drive would have answered, and knows why.
#[derive(Debug, Clone)]
pub struct VDrive {
    pub(crate) spec: Spec,
    pub(crate) map: Map,
    pub(crate) media: Media,
    pub(crate) host: Host,
    pub(crate) relocation: Relocation,
    pub(crate) map_cache: MapCache,
    pub(crate) read_ahead: ReadAhead,
    pub(crate) heat: Heat,
    pub(crate) random: Random,
    pub(crate) counters: Counters,
    pub(crate) phase: Phase,
    pub(crate) ailments: Ailments,
    pub(crate) now_ns: u64,
    pub(crate) command_end_ns: u64,
    pub(crate) link_read_end_ns: u64,
    pub(crate) link_write_end_ns: u64,
    /// When the last command was answered.
    pub(crate) answered_ns: u64,
    /// Next time at which silence or heat have to be looked at.
    pub(crate) upkeep_ns: u64,
    /// Wake-up time that the next command pays: the sensors were read while the drive slept.
    pub(crate) owed_wake_ns: u64,
}

impl VDrive {
    /// A drive fresh out of the box, at time 0.
    pub fn new(spec: &Spec) -> Self {
        let superblock_units = spec.superblock_bytes() / spec.map.unit_bytes;
        let map = Map::new(spec.units(), spec.superblocks(), superblock_units);
        Self {
            map,
            media: Media::new(spec),
            host: Host::new(spec),
            relocation: Relocation::new(spec),
            map_cache: MapCache::new(spec),
            read_ahead: ReadAhead::new(spec),
            heat: Heat::new(spec),
            random: Random::new(spec.seed),
            counters: Counters::default(),
            phase: Phase::default(),
            ailments: Ailments::new(spec),
            now_ns: 0,
            command_end_ns: 0,
            link_read_end_ns: 0,
            link_write_end_ns: 0,
            answered_ns: 0,
            upkeep_ns: 0,
            owed_wake_ns: 0,
            spec: spec.clone(),
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
    pub fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let (offset, length) = match command {
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
                (offset_bytes, length_bytes)
            }
            Command::Flush => (0, 1),
        };
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
        let start = self.start(now_ns.max(self.now_ns));
        let done = start + self.spec.timing.erase_ns * u64::from(self.spec.superblocks()) + self.spec.buffer.flush_ns;
        let mut fresh = Self::new(&self.spec);
        fresh.random = self.random.clone();
        fresh.counters = self.counters.purged();
        fresh.heat = self.heat.clone();
        fresh.ailments = self.ailments.clone();
        fresh.now_ns = self.now_ns;
        fresh.command_end_ns = done;
        fresh.answered_ns = done;
        fresh.upkeep_ns = self.upkeep_ns;
        *self = fresh;
        done
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

    /// Adds the Spec's noise to a latency.
    fn blurred(&mut self, now_ns: u64, done_ns: u64) -> u64 {
        match &self.spec.noise {
            Some(noise) => now_ns + crate::noise::blur(noise, done_ns - now_ns, &mut self.random),
            None => done_ns,
        }
    }

    fn write(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64, sync: Sync) -> u64 {
        self.counters.host_write(length_bytes);
        self.heat.wrote(length_bytes);
        self.read_ahead.forget(offset_bytes, length_bytes);
        let moved_ns = transfer_ns(
            length_bytes,
            self.spec.timing.link_write_ns_per_byte * self.heat.slowdown,
        );
        self.link_write_end_ns = self.link_write_end_ns.max(start_ns) + moved_ns;
        if self.spec.legacy.is_some() {
            return self
                .legacy_write(start_ns, offset_bytes, length_bytes)
                .max(self.link_write_end_ns);
        }
        self.host.issued_end_ns = 0;
        let accepted_ns = self
            .place_bytes(start_ns, offset_bytes, length_bytes)
            .max(self.link_write_end_ns);
        let answered_ns = accepted_ns + self.spec.timing.write_overhead_ns;
        let durable_at_once = match self.spec.buffer.kind {
            BufferKind::Protected => false,
            BufferKind::Volatile => sync == Sync::Fua,
            BufferKind::WriteThrough => true,
        };
        self.host.unflushed = true;
        if !durable_at_once {
            return answered_ns;
        }
        self.pad_out(accepted_ns);
        let programmed_ns = self.host.issued_end_ns.max(answered_ns);
        if self.spec.buffer.kind == BufferKind::Volatile {
            programmed_ns + self.spec.buffer.flush_metadata_ns
        } else {
            self.host.unflushed = false;
            programmed_ns
        }
    }

    fn flush(&mut self, start_ns: u64) -> u64 {
        self.counters.flushes += 1;
        let answered_ns = start_ns + self.spec.buffer.flush_ns;
        if self.spec.buffer.kind != BufferKind::Volatile || !self.host.unflushed {
            return answered_ns;
        }
        self.host.unflushed = false;
        self.pad_out(start_ns);
        self.host.program_end_ns.max(answered_ns) + self.spec.timing.program_slc_ns + self.spec.buffer.flush_metadata_ns
    }

    fn trim(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.counters.trims += 1;
        self.read_ahead.forget(offset_bytes, length_bytes);
        let unit = self.spec.map.unit_bytes;
        let end_bytes = offset_bytes + length_bytes;
        let to_the_end = end_bytes == self.spec.geometry.capacity_bytes;
        let end = if to_the_end {
            end_bytes.div_ceil(unit)
        } else {
            end_bytes / unit
        };
        let first = offset_bytes.div_ceil(unit);
        if end > first {
            self.map.settle();
            let before = self.map.mapped;
            self.map.unmap(first, end - first);
            self.counters.trimmed_bytes += (before - self.map.mapped) * unit;
            self.media.erases = self.map.blocks.erases;
        }
        self.host.last_write_end_bytes = u64::MAX;
        start_ns + self.spec.timing.trim_ns
    }
}
