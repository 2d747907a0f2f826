//! Commands one by one, each said in advance: what a probe does to a drive.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{BlockDevice, Progress, WorkloadFault};
use crate::{Command, Rejected, VDrive};

/// When a command is given to the drive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Issue {
    /// As soon as fewer than the queue's depth are in flight.
    WhenRoom,
    /// Once everything before it has completed.
    Alone,
}

/// One command of a replay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// What the drive is asked.
    pub command: Command,
    /// When.
    pub issue: Issue,
    /// Silence after that, before it is asked.
    pub pause_ns: u64,
}

/// Planned commands that are being given to a drive, slice by slice.
#[derive(Debug)]
pub struct Replay {
    planned: Vec<Planned>,
    depth: usize,
    now_ns: u64,
    end_ns: u64,
    in_flight: BinaryHeap<Reverse<u64>>,
    submitted_ns: Vec<u64>,
    completed_ns: Vec<u64>,
}

/// When each command was submitted and completed, in the order in which they were planned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Submissions.
    pub submitted_ns: Vec<u64>,
    /// Completions.
    pub completed_ns: Vec<u64>,
    /// The last completion, or the start if there was nothing to do.
    pub end_ns: u64,
}

impl Replay {
    /// Prepares a replay that starts at `start_ns` with at most `depth` commands in flight.
    ///
    /// # Errors
    /// No command could ever be in flight.
    pub fn new(planned: Vec<Planned>, depth: u32, start_ns: u64) -> Result<Self, WorkloadFault> {
        if depth == 0 {
            return Err(WorkloadFault::new("queue_depth", "0, allowed is at least 1"));
        }
        let count = planned.len();
        Ok(Replay {
            planned,
            depth: depth as usize,
            now_ns: start_ns,
            end_ns: start_ns,
            in_flight: BinaryHeap::with_capacity(depth as usize),
            submitted_ns: Vec::with_capacity(count),
            completed_ns: Vec::with_capacity(count),
        })
    }

    /// Gives the drive at most so many commands more.
    ///
    /// # Errors
    /// The drive refuses one; those before it are done.
    pub fn advance<D: BlockDevice>(&mut self, device: &mut D, commands: usize) -> Result<Progress, Rejected> {
        let done = self.submitted_ns.len();
        let end = (done + commands).min(self.planned.len());
        for at in done..end {
            let Planned {
                command,
                issue,
                pause_ns,
            } = self.planned[at];
            let room = if issue == Issue::Alone { 1 } else { self.depth };
            while self.in_flight.len() >= room {
                let Some(Reverse(completed_ns)) = self.in_flight.pop() else {
                    break;
                };
                self.now_ns = self.now_ns.max(completed_ns);
            }
            self.now_ns += pause_ns;
            let completed_ns = device.submit(self.now_ns, command)?;
            self.in_flight.push(Reverse(completed_ns));
            self.submitted_ns.push(self.now_ns);
            self.completed_ns.push(completed_ns);
            self.end_ns = self.end_ns.max(completed_ns);
        }
        Ok(if end == self.planned.len() {
            Progress::Done
        } else {
            Progress::Running
        })
    }

    /// The same on a virtual drive: compiled with this crate, whose code is optimised in every build.
    ///
    /// # Errors
    /// As [`Replay::advance`].
    pub fn advance_drive(&mut self, drive: &mut VDrive, commands: usize) -> Result<Progress, Rejected> {
        self.advance(drive, commands)
    }

    /// Share of the commands that the drive was given, 0 to 1.
    pub fn share_done(&self) -> f64 {
        self.submitted_ns.len() as f64 / self.planned.len().max(1) as f64
    }

    /// When everything happened.
    pub fn finish(self) -> Replayed {
        Replayed {
            submitted_ns: self.submitted_ns,
            completed_ns: self.completed_ns,
            end_ns: self.end_ns,
        }
    }
}
