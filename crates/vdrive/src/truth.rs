//! What the drive knows about itself: the truth for tests of estimators, and the SMART page a host would read.

use crate::drive::VDrive;
use crate::relocate::Purpose;
use crate::superblock::Cell;

/// SMART counts data in thousands of 512-byte units.
const DATA_UNIT_BYTES: u64 = 512_000;
/// Program/erase cycles taken as all of a drive's life by [`Smart::percentage_used`].
const RATED_CYCLES: u64 = 1_000;
/// Write amplification is followed over this share of the capacity.
const PHASE_SHARE: u64 = 16;

/// Totals since the drive was new (or, where said, since it was purged).
#[derive(Debug, Clone, Default)]
pub(crate) struct Counters {
    pub(crate) host_read_bytes: u64,
    pub(crate) host_written_bytes: u64,
    pub(crate) reads: u64,
    pub(crate) writes: u64,
    pub(crate) flushes: u64,
    pub(crate) trims: u64,
    pub(crate) trimmed_bytes: u64,
    /// Whole units given to the host's writes.
    pub(crate) placed_bytes: u64,
    pub(crate) merged_bytes: u64,
    pub(crate) folded_bytes: u64,
    pub(crate) collected_bytes: u64,
    pub(crate) pad_bytes: u64,
    pub(crate) programmed_bytes: u64,
    pub(crate) map_misses: u64,
    busy_ns: u64,
    busy_until_ns: u64,
    lifetime: Lifetime,
}

/// What a purge does not reset.
#[derive(Debug, Clone, Default)]
struct Lifetime {
    host_read_bytes: u64,
    host_written_bytes: u64,
    reads: u64,
    writes: u64,
    programmed_bytes: u64,
}

impl Counters {
    #[inline]
    pub(crate) fn host_read(&mut self, bytes: u64) {
        self.host_read_bytes += bytes;
        self.reads += 1;
    }

    #[inline]
    pub(crate) fn host_write(&mut self, bytes: u64) {
        self.host_written_bytes += bytes;
        self.writes += 1;
    }

    /// Counts the time during which any command is in flight.
    #[inline]
    pub(crate) fn busy(&mut self, from_ns: u64, to_ns: u64) {
        let from_ns = from_ns.max(self.busy_until_ns);
        if to_ns > from_ns {
            self.busy_ns += to_ns - from_ns;
            self.busy_until_ns = to_ns;
        }
    }

    /// Zero again, but for what SMART keeps.
    pub(crate) fn purged(&self) -> Self {
        Self {
            busy_ns: self.busy_ns,
            busy_until_ns: self.busy_until_ns,
            lifetime: Lifetime {
                host_read_bytes: self.lifetime.host_read_bytes + self.host_read_bytes,
                host_written_bytes: self.lifetime.host_written_bytes + self.host_written_bytes,
                reads: self.lifetime.reads + self.reads,
                writes: self.lifetime.writes + self.writes,
                programmed_bytes: self.lifetime.programmed_bytes + self.programmed_bytes,
            },
            ..Self::default()
        }
    }
}

/// What the drive is doing with the host's writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing has been written since the last purge.
    FreshOutOfBox,
    /// Writes go to the SLC cache.
    Cache,
    /// Writes go to native cells while the cache is emptied beside them.
    Folding,
    /// Writes go to native cells and nothing is moved.
    Direct,
    /// Garbage collection has begun; write amplification still changes.
    Transition,
    /// Garbage collection runs and write amplification has settled.
    Steady,
}

/// The drive's own account of itself; byte counts are since the last purge.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct Truth {
    pub name: String,
    pub seed: u64,
    pub state: State,
    pub capacity_bytes: u64,
    pub raw_bytes: u64,
    pub mapped_bytes: u64,
    /// Programmed bytes per byte the host wrote; 1 before the first write.
    pub write_amplification: f64,
    /// The same over the last sixteenth of the capacity that the host wrote.
    pub write_amplification_recent: f64,
    pub host_written_bytes: u64,
    pub host_read_bytes: u64,
    /// Whole indirection units placed for the host.
    pub placed_bytes: u64,
    /// Read back because a write covered an indirection unit in part.
    pub merged_bytes: u64,
    pub folded_bytes: u64,
    pub collected_bytes: u64,
    pub pad_bytes: u64,
    pub programmed_bytes: u64,
    pub trimmed_bytes: u64,
    pub superblocks: u32,
    pub superblock_bytes: u64,
    pub free_superblocks: u32,
    pub erases: u64,
    pub cache_superblocks: u32,
    /// Valid data in the SLC cache.
    pub cache_valid_bytes: u64,
    pub slc_cache_bytes_max: u64,
    pub slc_cache_bytes_min: u64,
    pub buffered_bytes: u64,
    pub map_misses: u64,
    pub epoch_renumberings: u64,
    pub senses: u64,
    pub read_retries: u64,
    pub temperature_c: f64,
    /// 0 not throttled, 1 mildly, 2 severely.
    pub throttle_level: u8,
}

/// The SMART / Health Information log (NVM Express Base Specification, section of that name), as far as it means
/// something here, and the media bytes of the Open Compute data-centre log.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct Smart {
    pub critical_warning: u8,
    pub temperature_c: f64,
    pub available_spare_percent: u8,
    pub percentage_used: u8,
    pub data_units_read: u64,
    pub data_units_written: u64,
    pub host_read_commands: u64,
    pub host_write_commands: u64,
    pub controller_busy_min: u64,
    pub power_on_hours: u64,
    pub media_errors: u64,
    pub warning_temperature_min: u64,
    pub throttled_s: u64,
    pub throttle_events: u64,
    pub media_bytes_written: u64,
}

/// What can be read at any moment without asking the drive to do anything; counts are since it was new.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct Sensors {
    /// None if the Spec has no thermal section.
    pub heat: Option<HeatSensors>,
    pub used_percent: u64,
    pub host_read_bytes: u64,
    pub host_written_bytes: u64,
    pub media_written_bytes: u64,
}

/// The part of [`Sensors`] that tells of heat.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[allow(missing_docs)]
pub struct HeatSensors {
    pub temperature_c: f64,
    /// 0 not throttled, 1 mildly, 2 severely.
    pub throttle_level: usize,
    pub throttled_ns: u64,
    pub throttlings: u64,
    /// Time at or above the warning temperature.
    pub warning_ns: u64,
}

/// Follows write amplification over fixed amounts of host data.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phase {
    host_bytes: u64,
    programmed_bytes: u64,
    pub(crate) recent: Option<f64>,
    before: Option<f64>,
}

impl Phase {
    /// Whether the last two shares of the capacity agree within 5 %.
    fn is_settled(&self) -> bool {
        matches!((self.recent, self.before), (Some(now), Some(then)) if (now - then).abs() <= 0.05 * then)
    }

    /// Closes the present share if the host has written it.
    pub(crate) fn follow(&mut self, counters: &Counters, capacity_bytes: u64) {
        let host = counters.host_written_bytes - self.host_bytes;
        if host < capacity_bytes / PHASE_SHARE {
            return;
        }
        self.before = self.recent;
        self.recent = Some((counters.programmed_bytes - self.programmed_bytes) as f64 / host as f64);
        self.host_bytes = counters.host_written_bytes;
        self.programmed_bytes = counters.programmed_bytes;
    }
}

impl VDrive {
    /// The truth at `now_ns`; background work up to then is accounted for.
    pub fn truth(&mut self, now_ns: u64) -> Truth {
        self.catch_up(now_ns);
        let unit = self.spec.map.unit_bytes;
        let counters = &self.counters;
        let blocks = &self.map.blocks;
        let amplification = ratio(counters.programmed_bytes, counters.host_written_bytes);
        Truth {
            name: self.spec.name.clone(),
            seed: self.spec.seed,
            state: self.state(),
            capacity_bytes: self.spec.geometry.capacity_bytes,
            raw_bytes: self.spec.geometry.raw_bytes,
            mapped_bytes: self.map.mapped * unit,
            write_amplification: amplification,
            write_amplification_recent: self.phase.recent.unwrap_or(amplification),
            host_written_bytes: counters.host_written_bytes,
            host_read_bytes: counters.host_read_bytes,
            placed_bytes: counters.placed_bytes,
            merged_bytes: counters.merged_bytes,
            folded_bytes: counters.folded_bytes,
            collected_bytes: counters.collected_bytes,
            pad_bytes: counters.pad_bytes,
            programmed_bytes: counters.programmed_bytes,
            trimmed_bytes: counters.trimmed_bytes,
            superblocks: self.spec.superblocks(),
            superblock_bytes: self.spec.superblock_bytes(),
            free_superblocks: blocks.free_count(),
            erases: blocks.erases,
            cache_superblocks: blocks.cache_held(),
            cache_valid_bytes: blocks.cache_valid_units() * unit,
            slc_cache_bytes_max: self.spec.slc_cache_bytes_max(),
            slc_cache_bytes_min: self.spec.slc_cache_bytes_min(),
            buffered_bytes: self.host.dirty_units * unit,
            map_misses: counters.map_misses,
            epoch_renumberings: self.map.renumberings,
            senses: self.media.senses,
            read_retries: self.media.retries,
            temperature_c: self.heat.temperature_c,
            throttle_level: self.heat.level as u8,
        }
    }

    /// The SMART page at `now_ns`.
    pub fn smart(&mut self, now_ns: u64) -> Smart {
        self.catch_up(now_ns);
        let counters = &self.counters;
        let lifetime = &counters.lifetime;
        let media_bytes = self.media_written_bytes();
        let too_warm = self
            .spec
            .thermal
            .as_ref()
            .is_some_and(|thermal| self.heat.temperature_c >= thermal.warning_c);
        Smart {
            critical_warning: u8::from(too_warm) << 1,
            temperature_c: self.heat.temperature_c,
            available_spare_percent: 100,
            percentage_used: self.used_percent().min(255) as u8,
            data_units_read: (lifetime.host_read_bytes + counters.host_read_bytes).div_ceil(DATA_UNIT_BYTES),
            data_units_written: (lifetime.host_written_bytes + counters.host_written_bytes).div_ceil(DATA_UNIT_BYTES),
            host_read_commands: lifetime.reads + counters.reads,
            host_write_commands: lifetime.writes + counters.writes,
            controller_busy_min: counters.busy_ns / 60_000_000_000,
            power_on_hours: self.now_ns / 3_600_000_000_000,
            media_errors: 0,
            warning_temperature_min: self.heat.warning_ns / 60_000_000_000,
            throttled_s: self.heat.throttled_ns / 1_000_000_000,
            throttle_events: self.heat.throttlings,
            media_bytes_written: media_bytes,
        }
    }

    /// The sensors at `now_ns`. What an idle drive did until then is accounted for, and a drive that sleeps sleeps on: a command
    /// at the same time is served as if nobody had read them.
    pub fn sensors(&mut self, now_ns: u64) -> Sensors {
        if now_ns > self.answered_ns && now_ns >= self.upkeep_ns {
            self.map.settle();
            self.now_ns = self.now_ns.max(now_ns);
            let now_ns = self.now_ns;
            self.owed_wake_ns = self.owed_wake_ns.max(self.upkeep(now_ns) - now_ns);
        }
        self.sensors_seen()
    }

    /// The sensors as the latest command left them; their heat is at most one step old.
    pub fn sensors_seen(&self) -> Sensors {
        let counters = &self.counters;
        let lifetime = &counters.lifetime;
        let heat = &self.heat;
        Sensors {
            heat: heat.is_modelled().then_some(HeatSensors {
                temperature_c: heat.temperature_c,
                throttle_level: heat.level,
                throttled_ns: heat.throttled_ns,
                throttlings: heat.throttlings,
                warning_ns: heat.warning_ns,
            }),
            used_percent: self.used_percent(),
            host_read_bytes: lifetime.host_read_bytes + counters.host_read_bytes,
            host_written_bytes: lifetime.host_written_bytes + counters.host_written_bytes,
            media_written_bytes: self.media_written_bytes(),
        }
    }

    fn media_written_bytes(&self) -> u64 {
        self.counters.lifetime.programmed_bytes + self.counters.programmed_bytes
    }

    fn used_percent(&self) -> u64 {
        self.media_written_bytes() / (self.spec.geometry.raw_bytes * RATED_CYCLES / 100).max(1)
    }

    fn catch_up(&mut self, now_ns: u64) {
        self.map.settle();
        self.now_ns = self.now_ns.max(now_ns);
        if self.now_ns >= self.upkeep_ns {
            let now_ns = self.now_ns;
            self.upkeep(now_ns);
        }
    }

    fn state(&self) -> State {
        if self.counters.host_written_bytes == 0 {
            return State::FreshOutOfBox;
        }
        let short = self.map.blocks.free_count() <= self.spec.collection.start;
        if short && self.relocation.purpose == Purpose::Collect && self.counters.collected_bytes > 0 {
            return if self.phase.is_settled() {
                State::Steady
            } else {
                State::Transition
            };
        }
        if self.host.cell == Cell::Cache {
            return State::Cache;
        }
        if self.is_folding(short) {
            State::Folding
        } else {
            State::Direct
        }
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}
