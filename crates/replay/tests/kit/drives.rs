//! Drives of a few servers.

use vdrive::random::Random;
use vdrive::workload::BlockDevice;
use vdrive::{Command, Rejected};

/// Each command takes a free server, or the one that is free first, for a time drawn around a mean.
pub(crate) struct Servers {
    free_ns: Vec<u64>,
    mean_ns: f64,
    random: Random,
}

impl Servers {
    pub(crate) fn new(servers: usize, mean_ns: f64, seed: u64) -> Self {
        Self {
            free_ns: vec![0; servers],
            mean_ns,
            random: Random::new(seed),
        }
    }
}

impl BlockDevice for Servers {
    fn capacity_bytes(&self) -> u64 {
        1 << 40
    }

    fn submit(&mut self, now_ns: u64, _command: Command) -> Result<u64, Rejected> {
        // Between half of the mean and one and a half.
        let share = 0.5 + self.random.below(1 << 20) as f64 / f64::from(1 << 20);
        let free_ns = self.free_ns.iter_mut().min().expect("there are servers");
        *free_ns = now_ns.max(*free_ns) + (self.mean_ns * share) as u64;
        Ok(*free_ns)
    }
}
