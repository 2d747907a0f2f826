//! Real time as the drive counts it.

use std::time::Instant;

/// Nanoseconds since the drive was switched on. Monotonic over all threads.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    start: Instant,
}

impl Clock {
    /// A clock that shows 0 now.
    pub fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// Time since the start, in nanoseconds; 584 years fit.
    pub fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }
}
