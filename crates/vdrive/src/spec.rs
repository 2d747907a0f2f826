//! The Spec: everything a virtual drive is, as validated numbers.

use crate::defect::{CommandDefect, DataDefect};
use crate::fault::SpecFaults;
use crate::{builtin, spec_parse, spec_scale};

/// A validated virtual drive; build a [`crate::VDrive`] from it.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) seed: u64,
    pub(crate) geometry: Geometry,
    pub(crate) timing: Timing,
    pub(crate) buffer: Buffer,
    pub(crate) map: Mapping,
    pub(crate) slc: SlcCache,
    pub(crate) collection: Collection,
    pub(crate) idle: Idle,
    pub(crate) read_ahead: ReadAhead,
    pub(crate) thermal: Option<Thermal>,
    pub(crate) spread: Spread,
    pub(crate) refresh: Option<RefreshSpec>,
    pub(crate) noise: Option<Noise>,
    pub(crate) pace: Option<PaceSpec>,
    pub(crate) legacy: Option<Legacy>,
    pub(crate) command_defects: Vec<CommandDefect>,
    pub(crate) data_defects: Vec<DataDefect>,
}

/// Sizes of the flash and how data is spread over it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Geometry {
    pub(crate) capacity_bytes: u64,
    pub(crate) raw_bytes: u64,
    /// The unit of erasing and garbage collection: one block of every plane of every die.
    pub(crate) superblock_bytes: u64,
    pub(crate) channels: u32,
    pub(crate) dies: u32,
    pub(crate) bits_per_cell: u32,
    /// What goes to one die before the next die's turn: one page of each of its planes.
    pub(crate) stripe_unit_bytes: u64,
    /// What one plane senses at once.
    pub(crate) page_bytes: u64,
    pub(crate) allocation: Allocation,
}

/// How a die is chosen for new data (Ryu & Park: order-based and address-based allocation).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allocation {
    /// Whatever arrives next goes to the next die.
    Order,
    /// The address decides.
    Address,
}

/// How long things take. Rates are nanoseconds a byte, 0 for unlimited.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Timing {
    /// Per page type; as many entries as bits per cell.
    pub(crate) sense_ns: [u64; 4],
    pub(crate) sense_slc_ns: u64,
    /// One-shot program of all page types of a stripe unit.
    pub(crate) program_ns: u64,
    pub(crate) program_slc_ns: u64,
    pub(crate) erase_ns: u64,
    pub(crate) channel_ns_per_byte: f64,
    pub(crate) link_read_ns_per_byte: f64,
    pub(crate) link_write_ns_per_byte: f64,
    /// Controller time that no two commands share.
    pub(crate) command_ns: u64,
    pub(crate) read_overhead_ns: u64,
    pub(crate) write_overhead_ns: u64,
    pub(crate) unmapped_read_ns: u64,
    pub(crate) trim_ns: u64,
    /// Cost of suspending a program for a read; none if the drive cannot.
    pub(crate) suspend_ns: Option<u64>,
    pub(crate) retry_probability: f64,
    pub(crate) retry_ns: u64,
}

impl Timing {
    /// Die time for reading one row of native data and programming it elsewhere.
    pub(crate) fn collect_ns(&self) -> u64 {
        self.sense_ns.iter().sum::<u64>() + self.program_ns
    }
}

/// What happens to written data before it is in flash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BufferKind {
    /// Acknowledged from DRAM, lost on power loss unless flushed.
    Volatile,
    /// Acknowledged from DRAM behind capacitors.
    Protected,
    /// Acknowledged once programmed.
    WriteThrough,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Buffer {
    pub(crate) kind: BufferKind,
    pub(crate) size_bytes: u64,
    pub(crate) flush_ns: u64,
    /// Writing the mapping journal, after the data.
    pub(crate) flush_metadata_ns: u64,
    /// Silence after which the drive empties its buffer by itself.
    pub(crate) flush_window_ns: Option<u64>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mapping {
    /// Indirection unit.
    pub(crate) unit_bytes: u64,
    /// Bytes of the drive whose mapping is held in memory; none if all of it is.
    pub(crate) reach_bytes: Option<u64>,
    /// Looking up a mapping that is held (HMB: a trip over the link).
    pub(crate) hit_ns: u64,
}

/// What the host's writes do once the SLC cache is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AfterCache {
    /// Native cells; the cache is folded only when free superblocks run out.
    Direct,
    /// Native cells while the cache is folded beside them.
    Fold,
    /// As `Fold`, and back to the cache once it has drained: a sawtooth.
    Refill,
    /// Never native: the host waits for the fold of the oldest cache superblock.
    CacheOnly,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SlcCache {
    /// Cache that exists however full the drive is.
    pub(crate) static_bytes: u64,
    /// Largest cache, static part included; 0 if the drive has none.
    pub(crate) max_bytes: u64,
    /// Free raw flash that the dynamic part leaves alone.
    pub(crate) reserve_bytes: u64,
    pub(crate) after: AfterCache,
    /// Bytes folded per byte the host writes, above and below the knee.
    pub(crate) fold_high: f64,
    pub(crate) fold_low: f64,
    pub(crate) knee_bytes: u64,
    pub(crate) refill_below_bytes: u64,
    /// How many times as long a fold takes for which the host waits.
    pub(crate) fold_when_short: f64,
}

/// Garbage collection: at how many free superblocks, and with how many write streams.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Collection {
    pub(crate) start: u32,
    pub(crate) hard: u32,
    /// One, or two for what is rewritten soon and what stays.
    pub(crate) streams: u32,
}

#[derive(Debug, Clone, PartialEq)]
#[expect(
    clippy::struct_field_names,
    reason = "all are times, and the unit belongs to a time's name"
)]
pub(crate) struct Idle {
    /// Silence before background reclaim; none if the drive never does.
    pub(crate) reclaim_after_ns: Option<u64>,
    /// Silence before the drive sleeps, and what waking costs the next command.
    pub(crate) sleep_after_ns: Option<u64>,
    pub(crate) wake_ns: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadAhead {
    /// How far ahead of a sequential reader; 0 if the drive does not read ahead.
    pub(crate) window_bytes: u64,
    /// Consecutive reads that make a stream.
    pub(crate) trigger: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thermal {
    pub(crate) ambient_c: f64,
    pub(crate) idle_c: f64,
    pub(crate) write_c_per_gb_s: f64,
    pub(crate) read_c_per_gb_s: f64,
    pub(crate) time_constant_ns: u64,
    pub(crate) warning_c: f64,
    /// The mild and the severe level.
    pub(crate) levels: [ThrottleLevel; 2],
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ThrottleLevel {
    pub(crate) on_c: f64,
    pub(crate) off_c: f64,
    /// Share of the link's speed that is left.
    pub(crate) speed: f64,
}

/// How the times of single operations differ: sigmas of log-normal factors.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spread {
    /// On each sense and each program.
    pub(crate) flash_sigma: f64,
    /// On the overhead of each read and write.
    pub(crate) controller_sigma: f64,
}

/// Rewriting of old data in the background.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RefreshSpec {
    /// All that is mapped is rewritten once in this time.
    pub(crate) after_ns: u64,
    /// A share of it at the end of each such period.
    pub(crate) every_ns: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Noise {
    /// Sigma of the log-normal factor on every latency.
    pub(crate) sigma: f64,
    pub(crate) outlier_probability: f64,
    pub(crate) outlier_ns: u64,
}

/// How the speed of the whole drive changes with time.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaceSpec {
    pub(crate) window_ns: u64,
    /// Sigma of the log-normal factor on the speed of each window.
    pub(crate) sigma: f64,
    /// Of that factor's logarithm from one window to the next.
    pub(crate) correlation: f64,
    /// Share of the first speed that is lost in an hour; negative where it gets faster.
    pub(crate) drift_per_hour: f64,
    pub(crate) dip_every_ns: Option<u64>,
    pub(crate) dip_length_ns: u64,
    pub(crate) dip_speed: f64,
}

/// Drives timed by Ryu & Park's equations: one command at a time, no buffer to hide behind.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Legacy {
    pub(crate) read_base_ns: u64,
    pub(crate) page_read_ns: u64,
    /// Synchronisation with each further channel.
    pub(crate) sync_ns: u64,
    /// Consecutive pages on one channel: all of the management block for 1-channel placement, k for multi-channel.
    pub(crate) pages_per_channel: u32,
    pub(crate) write_base_ns: u64,
    pub(crate) write_ns_per_byte: f64,
    /// Copying the rest of a management block that a write covers in part.
    pub(crate) copy_ns: u64,
}

impl Spec {
    /// Names of the built-in Specs.
    pub const BUILTIN_NAMES: &'static [&'static str] = builtin::NAMES;

    /// The TOML text of a built-in Spec.
    pub fn builtin_text(name: &str) -> Option<&'static str> {
        builtin::text(name)
    }

    /// Reads a Spec.
    ///
    /// # Errors
    /// Every fault of the text at once.
    pub fn parse(text: &str) -> Result<Self, SpecFaults> {
        spec_parse::parse(text)
    }

    /// The same drive smaller or bigger: raw flash, SLC cache and reserve in proportion, speeds as they were.
    ///
    /// Places of faults move in proportion too. The superblock shrinks with the drive down to a few pages of every die, and its erase time with it, so that
    /// erasing keeps its share of the drive's time.
    ///
    /// # Errors
    /// A capacity that is not whole sectors or too small for the geometry.
    pub fn rescaled(&self, capacity_bytes: u64) -> Result<Self, SpecFaults> {
        spec_scale::rescaled(self, capacity_bytes)
    }

    /// The same drive with other random draws.
    #[must_use]
    pub fn with_seed(&self, seed: u64) -> Self {
        Self { seed, ..self.clone() }
    }

    /// Seed of the drive's random draws.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Faults that concern data, for whoever holds it: the drive does not.
    pub fn data_defects(&self) -> &[DataDefect] {
        &self.data_defects
    }

    /// Short name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One sentence for people.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Bytes the host can address.
    pub fn capacity_bytes(&self) -> u64 {
        self.geometry.capacity_bytes
    }

    /// Bytes of the smallest part of the drive that is mapped: a smaller write is read, modified and written back.
    pub fn indirection_unit_bytes(&self) -> u64 {
        self.map.unit_bytes
    }

    /// Bytes a sequential writer gets at cache speed on a purged drive; 0 if there is no cache.
    pub fn slc_cache_bytes_max(&self) -> u64 {
        self.cache_bytes(|held| self.superblocks() - held)
    }

    /// Bytes a sequential writer gets at cache speed on a full, rested drive; 0 if there is no cache.
    ///
    /// What it overwrites becomes free as it goes: one native superblock for as many cache superblocks as a cell has bits.
    pub fn slc_cache_bytes_min(&self) -> u64 {
        let spare = self.superblocks() - self.geometry.capacity_bytes.div_ceil(self.superblock_bytes()) as u32;
        self.cache_bytes(|held| (spare + held / self.geometry.bits_per_cell).saturating_sub(held))
    }

    /// Plays the cache's admission rule, given how many superblocks are free when some are held.
    fn cache_bytes(&self, free_when: impl Fn(u32) -> u32) -> u64 {
        let mut held = 0;
        while self.admits_cache(held, free_when(held)) {
            held += 1;
        }
        u64::from(held) * self.cache_superblock_bytes()
    }

    /// Whether one more superblock may become cache when `held` are already and `free` are free.
    pub(crate) fn admits_cache(&self, held: u32, free: u32) -> bool {
        if free <= self.collection.hard {
            return false;
        }
        let (fixed, most) = (
            self.cache_superblocks(self.slc.static_bytes),
            self.cache_superblocks(self.slc.max_bytes),
        );
        let reserve = self.slc.reserve_bytes.div_ceil(self.superblock_bytes());
        held < fixed || (held < most && u64::from(free) > reserve + 1)
    }

    /// Superblocks that hold `bytes` in one-bit mode, to the nearest.
    pub(crate) fn cache_superblocks(&self, bytes: u64) -> u32 {
        let each = self.cache_superblock_bytes();
        ((bytes + each / 2) / each) as u32
    }

    /// Bytes of a superblock in native mode: whole rows over all dies, whole indirection units.
    pub(crate) fn superblock_bytes(&self) -> u64 {
        self.geometry.superblock_bytes
    }

    /// Bytes of the same superblock with one bit a cell: the same rows, one page type each.
    pub(crate) fn cache_superblock_bytes(&self) -> u64 {
        self.superblock_bytes() / u64::from(self.geometry.bits_per_cell)
    }

    /// Indirection units, the last one possibly beyond the end in part.
    pub(crate) fn units(&self) -> u64 {
        self.geometry.capacity_bytes.div_ceil(self.map.unit_bytes)
    }

    /// Number of superblocks.
    pub(crate) fn superblocks(&self) -> u32 {
        (self.geometry.raw_bytes / self.superblock_bytes()) as u32
    }

    /// Bytes of one row: one program of every die.
    pub(crate) fn row_bytes(&self) -> u64 {
        let geometry = &self.geometry;
        geometry.stripe_unit_bytes * u64::from(geometry.dies) * u64::from(geometry.bits_per_cell)
    }
}
