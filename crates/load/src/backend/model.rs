//! A model of a drive, in virtual time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use vdrive::workload::BlockDevice;
use vdrive::{Command, Rejected};

use super::{Backend, Completion, Stalled};
use crate::request::Request;
use crate::sink::Outcome;

const EPERM: i32 = 1;
const EIO: i32 = 5;
const EINVAL: i32 = 22;

/// Completes I/Os when the model says, as fast as the processor computes it.
pub struct Model<'a, D> {
    device: &'a mut D,
    now_ns: u64,
    in_flight: BinaryHeap<Reverse<(u64, u32, i32)>>,
}

impl<'a, D: BlockDevice> Model<'a, D> {
    /// From a time on that is not before the last command of the device.
    pub fn new(device: &'a mut D, now_ns: u64) -> Self {
        Self {
            device,
            now_ns,
            in_flight: BinaryHeap::new(),
        }
    }
}

impl<D: BlockDevice> Backend for Model<'_, D> {
    fn now_ns(&mut self) -> u64 {
        self.now_ns
    }

    #[inline]
    fn submit(&mut self, slot: u32, request: &Request) -> u64 {
        self.command(slot, &request.into())
    }

    fn length_bytes_max(&self, _command: &Command) -> u64 {
        u64::MAX
    }

    #[inline]
    fn command(&mut self, slot: u32, command: &Command) -> u64 {
        let (completed_ns, errno) = match self.device.submit(self.now_ns, *command) {
            Ok(completed_ns) => (completed_ns, 0),
            Err(rejected) => (self.now_ns, errno(rejected)),
        };
        self.in_flight.push(Reverse((completed_ns, slot, errno)));
        self.now_ns
    }

    #[inline]
    fn wait(&mut self, until_ns: Option<u64>, done: &mut Vec<Completion>) -> Result<(), Stalled> {
        let next_ns = self.in_flight.peek().map(|Reverse((completed_ns, ..))| *completed_ns);
        let Some(then_ns) = [next_ns, until_ns].into_iter().flatten().min() else {
            return Ok(());
        };
        self.now_ns = self.now_ns.max(then_ns);
        while let Some(&Reverse((completed_ns, slot, errno))) = self.in_flight.peek() {
            if completed_ns > self.now_ns {
                break;
            }
            self.in_flight.pop();
            let outcome = match errno {
                0 => Outcome::Done,
                errno => Outcome::Failed { errno },
            };
            done.push(Completion {
                slot,
                completed_ns,
                outcome,
            });
        }
        Ok(())
    }
}

fn errno(rejected: Rejected) -> i32 {
    match rejected {
        Rejected::Medium => EIO,
        Rejected::WriteProtected => EPERM,
        Rejected::PastTheEnd { .. } | Rejected::Unaligned { .. } => EINVAL,
    }
}
