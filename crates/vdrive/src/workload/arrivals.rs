//! When the I/Os of an open loop are due, in nanoseconds after its start.

use crate::random::{Random, mix};

/// A time with the part of a nanosecond that is left over, so that rates are exact in the mean.
#[derive(Debug, Clone, Copy, Default)]
pub struct Instant {
    /// Whole nanoseconds.
    pub whole_ns: u64,
    /// What is left over, less than one.
    pub part_ns: f64,
}

impl Instant {
    /// Moves on by a gap: the whole nanoseconds there.
    pub fn after(&mut self, gap_ns: f64) -> u64 {
        let sum_ns = self.part_ns + gap_ns;
        let whole_ns = sum_ns.floor();
        self.whole_ns += whole_ns as u64;
        self.part_ns = sum_ns - whole_ns;
        self.whole_ns
    }

    /// From here to that time; 0 if it has passed.
    pub fn left_ns(&self, until_ns: u64) -> f64 {
        until_ns.saturating_sub(self.whole_ns) as f64
    }
}

/// A generator of its own: the places of a load may have the same seed.
pub fn generator(seed: u64) -> Random {
    Random::new(mix(seed ^ 0x6172_7269_7661_6c73))
}

/// An exponential draw with mean 1, from a uniform one that is never 0.
pub fn exponential(random: &mut Random) -> f64 {
    -libm::log(1.0 - random.unit())
}

/// A Poisson process: exponential gaps.
#[derive(Debug, Clone)]
pub struct Poisson {
    gap_ns: f64,
    at: Instant,
    random: Random,
}

impl Poisson {
    /// With that gap in the mean, which is more than 0.
    pub fn new(gap_ns: f64, seed: u64) -> Self {
        Self {
            gap_ns,
            at: Instant::default(),
            random: generator(seed),
        }
    }

    /// The next; never earlier than the one before.
    pub fn next_ns(&mut self) -> u64 {
        self.at.after(self.gap_ns * exponential(&mut self.random))
    }

    /// How many come in the mean after the last one and before that time.
    pub fn mean_ios(&self, until_ns: u64) -> f64 {
        self.at.left_ns(until_ns) / self.gap_ns
    }
}
