//! What the drive knows about itself: the truth for tests of estimators, and the SMART page a host would read.

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
    pub refreshed_bytes: u64,
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
    /// Flush commands.
    pub flushes: u64,
    /// Writes with force unit access.
    pub forced_writes: u64,
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
