//! The I/Os of a workload, for whoever submits them in another way than [`super::Run`] does.

use fiolog::log::Direction;

use super::driver::Stream;
use super::{Workload, WorkloadFault};

/// What a workload does and where, its jobs taking turns: each job does what it does in a [`super::Run`], in the same order.
#[derive(Debug)]
pub struct Ios {
    workload: Workload,
    streams: Vec<Stream>,
    /// Which job is next.
    turn: usize,
}

impl Ios {
    /// Of a workload on a device of this size.
    ///
    /// # Errors
    /// It does not fit the device.
    pub fn new(capacity_bytes: u64, workload: &Workload) -> Result<Self, WorkloadFault> {
        workload.check(capacity_bytes)?;
        Ok(Self {
            streams: (0..workload.jobs)
                .map(|stream| Stream::new(workload, u64::from(stream)))
                .collect(),
            workload: workload.clone(),
            turn: 0,
        })
    }
}

impl Iterator for Ios {
    type Item = (Direction, u64);

    /// Jobs that have ended are passed over.
    #[inline]
    fn next(&mut self) -> Option<(Direction, u64)> {
        for _ in 0..self.streams.len() {
            let stream = &mut self.streams[self.turn];
            self.turn = if self.turn + 1 == self.workload.jobs as usize {
                0
            } else {
                self.turn + 1
            };
            if let Some(next) = stream.next(&self.workload, |_| ()) {
                return Some(next);
            }
        }
        None
    }
}
