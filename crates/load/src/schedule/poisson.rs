//! Arrivals that know nothing of each other.

use vdrive::workload::arrivals;

use super::{Arrivals, gap_ns};
use crate::source::Fault;

/// A Poisson process: exponential gaps.
#[derive(Debug)]
pub struct Poisson(arrivals::Poisson);

impl Poisson {
    /// At so many I/Os a second in the mean.
    ///
    /// # Errors
    /// That is no rate.
    pub fn new(rate_iops: f64, seed: u64) -> Result<Self, Fault> {
        Ok(Self(arrivals::Poisson::new(gap_ns(rate_iops)?, seed)))
    }
}

impl Arrivals for Poisson {
    fn next_ns(&mut self) -> u64 {
        self.0.next_ns()
    }

    fn mean_ios(&self, until_ns: u64) -> f64 {
        self.0.mean_ios(until_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::tests::{LOOKS_EXPONENTIAL_MAX, anderson_darling, gaps_ns};

    #[test]
    fn gaps_are_exponential_at_every_rate() {
        for rate_iops in [100.0, 20_000.0, 600_000.0] {
            let passed = (0..1000)
                .filter(|&seed| {
                    let mut poisson = Poisson::new(rate_iops, seed).unwrap();
                    anderson_darling(gaps_ns(&mut poisson, 2_000), 1e9 / rate_iops) < LOOKS_EXPONENTIAL_MAX
                })
                .count();
            assert!(passed >= 930, "{passed} of 1000 at {rate_iops}");
        }
    }

    #[test]
    fn the_rate_is_exact_in_the_mean() {
        for rate_iops in [100.0, 60_000.0, 130_000.0, 300_000.0, 400_000.0, 600_000.0, 5_000_000.0] {
            let mut poisson = Poisson::new(rate_iops, 7).unwrap();
            let count = 1_000_000;
            let last_ns = (0..count).map(|_| poisson.next_ns()).last().unwrap();
            let found_iops = f64::from(count) / last_ns as f64 * 1e9;
            // Four standard deviations of the mean of a million.
            assert!(
                (found_iops / rate_iops - 1.0).abs() < 0.004,
                "{found_iops} for {rate_iops}"
            );
        }
    }

    #[test]
    fn the_same_seed_is_the_same_load() {
        let times = |seed| {
            let mut poisson = Poisson::new(50_000.0, seed).unwrap();
            (0..1000).map(|_| poisson.next_ns()).collect::<Vec<u64>>()
        };
        assert_eq!(times(3), times(3));
        assert_ne!(times(3), times(4));
    }
}
