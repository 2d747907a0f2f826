//! What the drive tells of itself, gathered from its layers.

use super::VDrive;
use crate::flash::{Cell, FlashAccount};
use crate::truth::{HeatSensors, Sensors, Smart, State, Truth};
use crate::writes::WriteAccount;

/// SMART counts data in thousands of 512-byte units.
const DATA_UNIT_BYTES: u64 = 512_000;
/// Program/erase cycles taken as all of a drive's life by [`Smart::percentage_used`].
const RATED_CYCLES: u64 = 1_000;

/// Totals of commands since the last purge, and the time they took since the drive was new.
#[derive(Debug, Clone, Default)]
pub(super) struct Counters {
    host_read_bytes: u64,
    reads: u64,
    pub(super) flushes: u64,
    pub(super) forced_writes: u64,
    pub(super) trims: u64,
    pub(super) trimmed_bytes: u64,
    busy_ns: u64,
    busy_until_ns: u64,
}

/// What a purge does not reset, as it was at the last one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lifetime {
    host_read_bytes: u64,
    host_written_bytes: u64,
    reads: u64,
    writes: u64,
    programmed_bytes: u64,
    flushes: u64,
    forced_writes: u64,
}

impl Counters {
    #[inline]
    pub(super) fn host_read(&mut self, bytes: u64) {
        self.host_read_bytes += bytes;
        self.reads += 1;
    }

    /// Counts the time during which any command is in flight.
    #[inline]
    pub(super) fn busy(&mut self, from_ns: u64, to_ns: u64) {
        let from_ns = from_ns.max(self.busy_until_ns);
        if to_ns > from_ns {
            self.busy_ns += to_ns - from_ns;
            self.busy_until_ns = to_ns;
        }
    }

    /// Zero again, but for the time.
    pub(super) fn purged(&self) -> Self {
        Self {
            busy_ns: self.busy_ns,
            busy_until_ns: self.busy_until_ns,
            ..Self::default()
        }
    }
}

impl VDrive {
    /// The truth at `now_ns`; background work up to then is accounted for.
    pub fn truth(&mut self, now_ns: u64) -> Truth {
        self.catch_up(now_ns);
        let unit = self.spec.map.unit_bytes;
        let writes = self.writes().account();
        let flash = self.writes().flash().account();
        let counters = &self.counters;
        let amplification = ratio(flash.counts.programmed_bytes, writes.counts.host_written_bytes);
        Truth {
            name: self.spec.name.clone(),
            seed: self.spec.seed,
            state: state(&writes, &flash),
            capacity_bytes: self.spec.geometry.capacity_bytes,
            raw_bytes: self.spec.geometry.raw_bytes,
            mapped_bytes: flash.mapped_units * unit,
            write_amplification: amplification,
            write_amplification_recent: writes.amplification_recent.unwrap_or(amplification),
            host_written_bytes: writes.counts.host_written_bytes,
            host_read_bytes: counters.host_read_bytes,
            placed_bytes: writes.counts.placed_bytes,
            merged_bytes: writes.counts.merged_bytes,
            folded_bytes: flash.counts.folded_bytes,
            collected_bytes: flash.counts.collected_bytes,
            refreshed_bytes: flash.counts.refreshed_bytes,
            pad_bytes: writes.counts.pad_bytes,
            programmed_bytes: flash.counts.programmed_bytes,
            trimmed_bytes: counters.trimmed_bytes,
            superblocks: self.spec.superblocks(),
            superblock_bytes: self.spec.superblock_bytes(),
            free_superblocks: flash.free_superblocks,
            erases: flash.erases,
            cache_superblocks: flash.cache_superblocks,
            cache_valid_bytes: flash.cache_valid_units * unit,
            slc_cache_bytes_max: self.spec.slc_cache_bytes_max(),
            slc_cache_bytes_min: self.spec.slc_cache_bytes_min(),
            buffered_bytes: writes.dirty_units * unit,
            map_misses: flash.counts.map_misses,
            epoch_renumberings: flash.renumberings,
            senses: flash.senses,
            read_retries: flash.retries,
            temperature_c: self.heat.temperature_c,
            throttle_level: self.heat.level as u8,
        }
    }

    /// The SMART page at `now_ns`.
    pub fn smart(&mut self, now_ns: u64) -> Smart {
        self.catch_up(now_ns);
        let life = self.life_until_now();
        let too_warm = self
            .spec
            .thermal
            .as_ref()
            .is_some_and(|thermal| self.heat.temperature_c >= thermal.warning_c);
        Smart {
            critical_warning: u8::from(too_warm) << 1,
            temperature_c: self.heat.temperature_c,
            available_spare_percent: 100,
            percentage_used: self.used_percent(&life).min(255) as u8,
            data_units_read: life.host_read_bytes.div_ceil(DATA_UNIT_BYTES),
            data_units_written: life.host_written_bytes.div_ceil(DATA_UNIT_BYTES),
            host_read_commands: life.reads,
            host_write_commands: life.writes,
            controller_busy_min: self.counters.busy_ns / 60_000_000_000,
            power_on_hours: self.now_ns / 3_600_000_000_000,
            media_errors: 0,
            warning_temperature_min: self.heat.warning_ns / 60_000_000_000,
            throttled_s: self.heat.throttled_ns / 1_000_000_000,
            throttle_events: self.heat.throttlings,
            media_bytes_written: life.programmed_bytes,
        }
    }

    /// The sensors at `now_ns`. What an idle drive did until then is accounted for, and a drive that sleeps sleeps on: a command
    /// at the same time is served as if nobody had read them.
    pub fn sensors(&mut self, now_ns: u64) -> Sensors {
        let now_ns = self.own_time(now_ns);
        if now_ns > self.answered_ns && now_ns >= self.upkeep_ns {
            self.writes().flash().settle();
            self.now_ns = self.now_ns.max(now_ns);
            let now_ns = self.now_ns;
            self.owed_wake_ns = self.owed_wake_ns.max(self.upkeep(now_ns) - now_ns);
        }
        self.sensors_seen()
    }

    /// The sensors as the latest command left them; their heat is at most one step old.
    pub fn sensors_seen(&self) -> Sensors {
        let life = self.life_until_now();
        let heat = &self.heat;
        Sensors {
            heat: heat.is_modelled().then_some(HeatSensors {
                temperature_c: heat.temperature_c,
                throttle_level: heat.level,
                throttled_ns: heat.throttled_ns,
                throttlings: heat.throttlings,
                warning_ns: heat.warning_ns,
            }),
            used_percent: self.used_percent(&life),
            host_read_bytes: life.host_read_bytes,
            host_written_bytes: life.host_written_bytes,
            media_written_bytes: life.programmed_bytes,
            flushes: life.flushes,
            forced_writes: life.forced_writes,
        }
    }

    /// Totals since the drive was new.
    pub(super) fn life_until_now(&self) -> Lifetime {
        let (writes, programmed_bytes) = self.reads.written();
        Lifetime {
            host_read_bytes: self.lifetime.host_read_bytes + self.counters.host_read_bytes,
            host_written_bytes: self.lifetime.host_written_bytes + writes.host_written_bytes,
            reads: self.lifetime.reads + self.counters.reads,
            writes: self.lifetime.writes + writes.writes,
            programmed_bytes: self.lifetime.programmed_bytes + programmed_bytes,
            flushes: self.lifetime.flushes + self.counters.flushes,
            forced_writes: self.lifetime.forced_writes + self.counters.forced_writes,
        }
    }

    fn used_percent(&self, life: &Lifetime) -> u64 {
        life.programmed_bytes / (self.spec.geometry.raw_bytes * RATED_CYCLES / 100).max(1)
    }

    fn catch_up(&mut self, now_ns: u64) {
        let now_ns = self.own_time(now_ns);
        self.writes().flash().settle();
        self.now_ns = self.now_ns.max(now_ns);
        if self.now_ns >= self.upkeep_ns {
            let now_ns = self.now_ns;
            self.upkeep(now_ns);
        }
    }
}

fn state(writes: &WriteAccount, flash: &FlashAccount) -> State {
    if writes.counts.host_written_bytes == 0 {
        return State::FreshOutOfBox;
    }
    if flash.is_short && flash.is_collecting {
        return if writes.is_settled {
            State::Steady
        } else {
            State::Transition
        };
    }
    if writes.cell == Cell::Cache {
        return State::Cache;
    }
    if writes.is_folding {
        State::Folding
    } else {
        State::Direct
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
