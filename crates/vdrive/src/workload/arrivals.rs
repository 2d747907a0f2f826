//! When the I/Os of an open loop are due, in nanoseconds after its start.

use serde::Deserialize;

use crate::random::{Random, mix};

mod bursts;

pub use bursts::{BurstState, Bursts};

/// How the I/Os of an open loop follow each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Spacing {
    /// Each knows nothing of the others: [`Poisson`].
    #[default]
    Poisson,
    /// Equal gaps: [`Constant`].
    Constant,
    /// Many together, then few: [`Bursts::around`].
    Bursts,
}

/// When the I/Os of an open loop are due.
#[derive(Debug, Clone)]
pub enum Due {
    /// Of [`Spacing::Poisson`].
    Poisson(Poisson),
    /// Of [`Spacing::Constant`].
    Constant(Constant),
    /// Of [`Spacing::Bursts`].
    Bursts(Bursts),
}

impl Due {
    /// Spaced like that, with that gap in the mean, which is more than 0.
    pub fn new(spacing: Spacing, gap_ns: f64, seed: u64) -> Self {
        match spacing {
            Spacing::Poisson => Self::Poisson(Poisson::new(gap_ns, seed)),
            Spacing::Constant => Self::Constant(Constant::new(gap_ns)),
            Spacing::Bursts => Self::Bursts(Bursts::around(gap_ns, seed)),
        }
    }

    /// The next; never earlier than the one before.
    pub fn next_ns(&mut self) -> u64 {
        match self {
            Self::Poisson(poisson) => poisson.next_ns(),
            Self::Constant(constant) => constant.next_ns(),
            Self::Bursts(bursts) => bursts.next_ns(),
        }
    }

    /// How many come in the mean after the last one and before that time.
    pub fn mean_ios(&self, until_ns: u64) -> f64 {
        match self {
            Self::Poisson(poisson) => poisson.mean_ios(until_ns),
            Self::Constant(constant) => constant.mean_ios(until_ns),
            Self::Bursts(bursts) => bursts.mean_ios(until_ns),
        }
    }
}

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

/// One I/O after each equal gap.
#[derive(Debug, Clone)]
pub struct Constant {
    gap_ns: f64,
    at: Instant,
}

impl Constant {
    /// With that gap, which is more than 0.
    pub fn new(gap_ns: f64) -> Self {
        Self {
            gap_ns,
            at: Instant::default(),
        }
    }

    /// The next; never earlier than the one before.
    pub fn next_ns(&mut self) -> u64 {
        self.at.after(self.gap_ns)
    }

    /// How many come after the last one and before that time.
    pub fn mean_ios(&self, until_ns: u64) -> f64 {
        self.at.left_ns(until_ns) / self.gap_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP_NS: f64 = 20_000.0;
    const SPACINGS: [Spacing; 3] = [Spacing::Constant, Spacing::Poisson, Spacing::Bursts];

    /// Of the I/Os in windows of 2 ms: mean, and variance over mean, which is 1 for a Poisson process.
    fn counted(spacing: Spacing) -> (f64, f64) {
        let mut due = Due::new(spacing, GAP_NS, 3);
        let mut ios = vec![0.0_f64; 50_000];
        while let Some(window) = ios.get_mut((due.next_ns() / 2_000_000) as usize) {
            *window += 1.0;
        }
        let mean = ios.iter().sum::<f64>() / ios.len() as f64;
        let variance = ios.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / ios.len() as f64;
        (mean, variance / mean)
    }

    #[test]
    fn however_they_are_spaced_as_many_come() {
        for spacing in SPACINGS {
            let (mean, _) = counted(spacing);
            assert!((mean / 100.0 - 1.0).abs() < 0.03, "{spacing:?}: {mean}");
        }
    }

    #[test]
    fn bursts_crowd_more_than_chance_does_and_equal_gaps_do_not_crowd_at_all() {
        let [constant, poisson, bursts] = SPACINGS.map(|spacing| counted(spacing).1);
        assert!(constant < 0.02, "{constant}");
        assert!((poisson - 1.0).abs() < 0.05, "{poisson}");
        assert!(bursts > 20.0, "{bursts}");
    }
}
