//! Streams beside a job's own reads: writes or trims at random blocks, one at a time, at a steady pace.

use fiolog::log::Direction;
use serde::Deserialize;

use super::result::{FinishedIo, Tally};
use super::{BlockDevice, Workload, WorkloadFault};
use crate::command::SECTOR_BYTES;
use crate::random::{Random, mix};
use crate::{Command, Sync};

/// Told apart from the generators of the job itself, which share the workload's seed.
const BESIDE_DOMAIN: u64 = 0x0000_6265_7369_6465;

const NS_PER_S: u128 = 1_000_000_000;

/// What a stream does to its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BesideKind {
    /// Writes them.
    Write,
    /// Trims them.
    Trim,
}

/// Whether writes wait in the memory of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostMemory {
    /// Each goes to the drive at once.
    Direct,
    /// They take no time, and all that wait go to the drive together when they are flushed.
    Buffered,
}

/// One stream beside the job.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// What it does.
    pub kind: BesideKind,
    /// Length of each I/O.
    pub block_bytes: u64,
    /// Its pace: an I/O is due as soon as all before it, at this rate, should be done; what is late is caught up, as in fio.
    pub rate_bytes_per_s: u64,
    /// The drive is flushed after each so many writes.
    pub flush_every: Option<u64>,
    /// Whether writes wait in the host's memory until then.
    pub memory: HostMemory,
}

impl Beside {
    pub(super) fn check(&self, workload: &Workload) -> Result<(), WorkloadFault> {
        let fault = |message: String| Err(WorkloadFault::new("beside", message));
        if workload.duration_ns.is_none() || workload.rate_iops.is_some() || workload.read_percent < 100 {
            return fault("goes only with a closed loop of reads that ends by duration".to_owned());
        }
        if self.block_bytes == 0 || !self.block_bytes.is_multiple_of(SECTOR_BYTES) {
            return fault(format!("blocks of {} bytes are no whole sectors", self.block_bytes));
        }
        if self.block_bytes > workload.region_length_bytes {
            return fault(format!("the region holds no block of {} bytes", self.block_bytes));
        }
        if self.rate_bytes_per_s == 0 || self.flush_every == Some(0) {
            return fault("neither its rate nor the writes between flushes can be 0".to_owned());
        }
        Ok(())
    }

    pub(super) fn direction(&self) -> Direction {
        match self.kind {
            BesideKind::Write => Direction::Write,
            BesideKind::Trim => Direction::Trim,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// For its next I/O to be due.
    Waiting,
    /// For the drive to complete one.
    InFlight { offset_bytes: u64, submitted_ns: u64 },
    /// For the drive to take what waited in the host's memory.
    WritingBack,
    /// For the drive to complete a flush.
    Flushing,
}

/// A stream that is being run; something happens to it at one time after the other.
#[derive(Debug)]
pub(super) struct Paced {
    beside: Beside,
    region_offset_bytes: u64,
    blocks: u64,
    random: Random,
    start_ns: u64,
    deadline_ns: u64,
    done: u64,
    /// Offsets of what waits in the host's memory.
    dirty: Vec<u64>,
    phase: Phase,
}

impl Paced {
    pub(super) fn new(workload: &Workload, number: usize, start_ns: u64, deadline_ns: u64) -> Self {
        let beside = workload.beside[number].clone();
        Paced {
            region_offset_bytes: workload.region_offset_bytes,
            blocks: workload.region_length_bytes / beside.block_bytes,
            random: Random::new(mix(workload.seed ^ BESIDE_DOMAIN).wrapping_add(number as u64)),
            start_ns,
            deadline_ns,
            done: 0,
            dirty: Vec::new(),
            phase: Phase::Waiting,
            beside,
        }
    }

    /// What it waited for has come: does what follows, and gives the time of the next thing to wait for.
    pub(super) fn go_on<D: BlockDevice>(&mut self, device: &mut D, now_ns: u64, tally: &mut Tally) -> Option<u64> {
        match self.phase {
            Phase::Waiting => self.submit(device, now_ns, tally),
            Phase::InFlight {
                offset_bytes,
                submitted_ns,
            } => {
                tally.count(FinishedIo {
                    direction: self.beside.direction(),
                    offset_bytes,
                    due_ns: submitted_ns,
                    submitted_ns,
                    completed_ns: now_ns,
                });
                self.done += 1;
                let flush_is_due = self
                    .beside
                    .flush_every
                    .is_some_and(|every| self.done.is_multiple_of(every));
                if flush_is_due && now_ns < self.deadline_ns {
                    self.write_back(device, now_ns, tally)
                } else {
                    self.next(device, now_ns, tally)
                }
            }
            Phase::WritingBack => {
                self.phase = Phase::Flushing;
                self.asked(device.submit(now_ns, Command::Flush), tally)
            }
            Phase::Flushing => self.next(device, now_ns, tally),
        }
    }

    fn next<D: BlockDevice>(&mut self, device: &mut D, now_ns: u64, tally: &mut Tally) -> Option<u64> {
        let bytes = u128::from(self.done) * u128::from(self.beside.block_bytes);
        let after_ns = bytes * NS_PER_S / u128::from(self.beside.rate_bytes_per_s);
        let due_ns = self.start_ns.saturating_add(after_ns.try_into().unwrap_or(u64::MAX));
        if due_ns <= now_ns {
            return self.submit(device, now_ns, tally);
        }
        self.phase = Phase::Waiting;
        (due_ns < self.deadline_ns).then_some(due_ns)
    }

    fn submit<D: BlockDevice>(&mut self, device: &mut D, now_ns: u64, tally: &mut Tally) -> Option<u64> {
        if now_ns >= self.deadline_ns {
            return None;
        }
        let length_bytes = self.beside.block_bytes;
        let offset_bytes = self.region_offset_bytes + self.random.below(self.blocks) * length_bytes;
        self.phase = Phase::InFlight {
            offset_bytes,
            submitted_ns: now_ns,
        };
        match (self.beside.kind, self.beside.memory) {
            (BesideKind::Write, HostMemory::Buffered) => {
                self.dirty.push(offset_bytes);
                Some(now_ns)
            }
            (BesideKind::Write, HostMemory::Direct) => {
                self.asked(device.submit(now_ns, write(offset_bytes, length_bytes)), tally)
            }
            (BesideKind::Trim, _) => {
                let command = Command::Trim {
                    offset_bytes,
                    length_bytes,
                };
                self.asked(device.submit(now_ns, command), tally)
            }
        }
    }

    /// Hands the drive all that waits, at once; it is flushed when it has taken the last of it.
    fn write_back<D: BlockDevice>(&mut self, device: &mut D, now_ns: u64, tally: &mut Tally) -> Option<u64> {
        let mut taken_ns = now_ns;
        for offset_bytes in std::mem::take(&mut self.dirty) {
            let asked = device.submit(now_ns, write(offset_bytes, self.beside.block_bytes));
            taken_ns = taken_ns.max(self.asked(asked, tally)?);
        }
        self.phase = Phase::WritingBack;
        Some(taken_ns)
    }

    /// A refused command ends the stream, as an error ends a job of fio.
    fn asked(&self, answer: Result<u64, crate::Rejected>, tally: &mut Tally) -> Option<u64> {
        answer
            .map_err(|rejected| tally.count_error(self.beside.direction(), rejected))
            .ok()
    }
}

fn write(offset_bytes: u64, length_bytes: u64) -> Command {
    Command::Write {
        offset_bytes,
        length_bytes,
        sync: Sync::Buffered,
    }
}
