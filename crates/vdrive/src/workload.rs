//! A workload in virtual time: what fio does to a real drive, done to a model at the speed of the processor.
//!
//! The host side costs nothing here: a request is submitted the instant its queue slot is free, so what is measured is
//! the drive alone. Everything is integer arithmetic from the seed, in one order: the same workload on the same drive
//! gives the same bytes on any machine.

pub mod arrivals;
mod beside;
mod driver;
mod ios;
mod offsets;
mod permutation;
mod replay;
mod result;

use serde::Deserialize;

use fiolog::log::Direction;

use arrivals::{Due, Spacing};
pub use beside::{Beside, BesideKind, HostMemory};
pub use driver::{Limit, Progress, Run};
pub use ios::Ios;
pub use permutation::Permutation;
pub use replay::{Issue, Planned, Replay, Replayed};
pub use result::{DirectionResult, EveryIo, FinishedIo, Latency, Tally, Windows, WorkloadResult};

use crate::command::SECTOR_BYTES;
use crate::{Command, Rejected, VDrive};

const NS_PER_S: f64 = 1e9;

/// Most requests in flight over all jobs.
const IN_FLIGHT_MAX: u64 = 1 << 20;

/// Shortest window: finer ones would cost more memory than the I/Os themselves.
const WINDOW_NS_MIN: u64 = 1_000_000;

/// Order of offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// One block after the other, wrapping inside the region; reads and writes each keep their own place, as in fio.
    Sequential,
    /// Any block.
    Random,
}

/// How random offsets are drawn (METHODS 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// Each offset drawn anew, uniform over the region's blocks: one stream, never re-seeded.
    Independent,
    /// Every block exactly once a pass, in another pseudo-random order each pass.
    Permutation,
}

/// What is done to the blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Reads and writes in the ratio of `read_percent`.
    ReadWrite,
    /// Trims.
    Trim,
}

/// Durability asked of each write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// The drive may keep it in its buffer.
    None,
    /// Force unit access, as `sync=1` does it.
    Sync,
}

/// Whether every single I/O is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogEveryIo {
    /// Histograms and windows only.
    No,
    /// Also time, latency, direction and offset of each: 25 bytes an I/O.
    Yes,
}

/// Whether the latency distribution of each window is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatencyOverTime {
    /// Of the whole run only.
    #[default]
    No,
    /// Of `clat` in up to 4096 windows, by coarse bins ([`fiolog::OverTime`]).
    Yes,
}

/// One job: the model's side of one fio invocation.
///
/// It stops issuing at `amount_bytes` or after `duration_ns`, whichever comes first, and ends when all that is in flight
/// has completed. With several jobs the amount and the rate are those of all together; sequential and permuted jobs
/// each have an equal share of the region (so that a pass still covers it once), independent ones draw from all of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Order of offsets.
    pub pattern: Pattern,
    /// How random offsets are drawn.
    pub draw: Draw,
    /// What is done.
    pub action: Action,
    /// Share of reads, 0 to 100; without meaning for trims.
    pub read_percent: u8,
    /// Length of each I/O.
    pub block_bytes: u64,
    /// I/Os in flight of each job.
    pub queue_depth: u32,
    /// Independent streams.
    pub jobs: u32,
    /// Where the region begins.
    pub region_offset_bytes: u64,
    /// How long the region is; what is left of it after whole blocks stays untouched.
    pub region_length_bytes: u64,
    /// At most this many bytes are issued, in whole blocks.
    pub amount_bytes: Option<u64>,
    /// Issuing stops after so long.
    pub duration_ns: Option<u64>,
    /// Open loop: I/Os are due at this rate in the mean, and `lat` counts from the time each was due. Closed loop if absent: the next
    /// I/O is issued when one completes. Either way no more are in flight than queue depth times jobs.
    pub rate_iops: Option<u64>,
    /// How the I/Os of an open loop follow each other; without meaning in a closed one.
    #[serde(default)]
    pub arrivals: Spacing,
    /// Durability asked of each write.
    pub sync: Durability,
    /// The same seed draws the same offsets and directions.
    pub seed: u64,
    /// Length of a window of the series.
    #[serde(default = "default_window_ns")]
    pub window_ns: u64,
    /// Whether every single I/O is kept.
    pub log_every_io: LogEveryIo,
    /// Whether the latency distribution of each window is kept.
    #[serde(default)]
    pub latency_over_time: LatencyOverTime,
    /// Streams of writes and trims that run as long as the job reads.
    #[serde(default)]
    pub beside: Vec<Beside>,
}

fn default_window_ns() -> u64 {
    100_000_000
}

/// A workload that cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {message}")]
pub struct WorkloadFault {
    /// The field at fault.
    pub field: &'static str,
    /// What was found and what is allowed.
    pub message: String,
}

impl WorkloadFault {
    fn new(field: &'static str, message: impl Into<String>) -> Self {
        WorkloadFault {
            field,
            message: message.into(),
        }
    }
}

impl Workload {
    /// Reads a workload from JSON.
    ///
    /// # Errors
    /// Not JSON, an unknown or missing field, or a value of another type; the message says where.
    pub fn from_json(text: &str) -> Result<Self, WorkloadFault> {
        serde_json::from_str(text).map_err(|error| WorkloadFault::new("json", error.to_string()))
    }

    /// Checks what no drive of this size could run.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn check(&self, capacity_bytes: u64) -> Result<(), WorkloadFault> {
        self.check_region(capacity_bytes)?;
        let fault = |field, message: String| Err(WorkloadFault::new(field, message));
        if self.read_percent > 100 {
            return fault("read_percent", format!("{} %, allowed is 0 to 100", self.read_percent));
        }
        if self.queue_depth == 0 || self.jobs == 0 || self.slots() > IN_FLIGHT_MAX {
            let (depth, jobs) = (self.queue_depth, self.jobs);
            return fault(
                "queue_depth",
                format!("{depth} in {jobs} jobs, allowed is 1 to {IN_FLIGHT_MAX} in flight"),
            );
        }
        if u64::from(self.jobs) > self.blocks() {
            return fault(
                "jobs",
                format!("{} for {} blocks, allowed is one a block", self.jobs, self.blocks()),
            );
        }
        match (self.amount_bytes, self.duration_ns) {
            (None, None) => return fault("amount_bytes", "neither amount nor duration ends the workload".into()),
            (Some(amount), _) if amount < self.block_bytes => {
                return fault(
                    "amount_bytes",
                    format!("{amount} bytes hold no block of {} bytes", self.block_bytes),
                );
            }
            _ => {}
        }
        if self.rate_iops == Some(0) {
            return fault(
                "rate_iops",
                "0, allowed is at least 1; leave it out for a closed loop".into(),
            );
        }
        if self.window_ns < WINDOW_NS_MIN {
            return fault(
                "window_ns",
                format!("{}, allowed is at least {WINDOW_NS_MIN}", self.window_ns),
            );
        }
        self.beside.iter().try_for_each(|beside| beside.check(self))
    }

    /// When its I/Os are due, in nanoseconds after its start; `None` of a closed loop. The workload has passed [`Workload::check`].
    pub fn due(&self) -> Option<Due> {
        self.rate_iops
            .map(|rate_iops| Due::new(self.arrivals, NS_PER_S / rate_iops as f64, self.seed))
    }

    fn check_region(&self, capacity_bytes: u64) -> Result<(), WorkloadFault> {
        let fault = |field, message: String| Err(WorkloadFault::new(field, message));
        let (offset_bytes, length_bytes) = (self.region_offset_bytes, self.region_length_bytes);
        if self.block_bytes == 0 || !self.block_bytes.is_multiple_of(SECTOR_BYTES) {
            return fault(
                "block_bytes",
                format!("{} is not a multiple of {SECTOR_BYTES}", self.block_bytes),
            );
        }
        if !offset_bytes.is_multiple_of(SECTOR_BYTES) {
            return fault(
                "region_offset_bytes",
                format!("{offset_bytes} is not a multiple of {SECTOR_BYTES}"),
            );
        }
        if length_bytes < self.block_bytes {
            let block_bytes = self.block_bytes;
            return fault(
                "region_length_bytes",
                format!("{length_bytes} bytes hold no block of {block_bytes} bytes"),
            );
        }
        if offset_bytes > capacity_bytes || length_bytes > capacity_bytes - offset_bytes {
            let found = format!("{length_bytes} bytes at {offset_bytes}, but the drive holds {capacity_bytes} bytes");
            return fault("region_length_bytes", found);
        }
        Ok(())
    }

    fn blocks(&self) -> u64 {
        self.region_length_bytes / self.block_bytes
    }

    fn ios(&self) -> Option<u64> {
        self.amount_bytes.map(|bytes| bytes / self.block_bytes)
    }

    fn slots(&self) -> u64 {
        u64::from(self.queue_depth) * u64::from(self.jobs)
    }
}

/// What a workload is run on: the virtual drive, or something simpler in a test of the driver itself.
pub trait BlockDevice {
    /// Bytes that can be addressed.
    fn capacity_bytes(&self) -> u64;

    /// When the command will have completed; `now_ns` never decreases from call to call.
    ///
    /// # Errors
    /// The device refuses the command.
    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected>;

    /// Where the next I/Os of a stream begin, so that what is known of these places may be had ready. It changes no answer.
    fn expect(&mut self, ios: &[(Direction, u64)]) {
        let _ = ios;
    }
}

impl BlockDevice for VDrive {
    fn capacity_bytes(&self) -> u64 {
        self.spec().capacity_bytes()
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        VDrive::submit(self, now_ns, command)
    }

    fn expect(&mut self, ios: &[(Direction, u64)]) {
        // Writes are gathered by the map itself.
        let reads = ios.iter().filter(|(direction, _)| *direction == Direction::Read);
        VDrive::expect(self, reads.map(|(_, offset_bytes)| *offset_bytes));
    }
}

/// Runs a whole workload from `start_ns` on; the next may start at the result's `end_ns`.
///
/// # Errors
/// The workload does not fit the device, or no time passes on it.
pub fn run<D: BlockDevice>(
    device: &mut D,
    start_ns: u64,
    workload: &Workload,
) -> Result<WorkloadResult, WorkloadFault> {
    let mut run = Run::new(device.capacity_bytes(), start_ns, workload)?;
    while run.advance(device, Limit::NONE)? == Progress::Running {}
    Ok(run.finish())
}
