//! Arrivals that come in bursts.

use vdrive::workload::arrivals::{self, BurstState};

use super::{Arrivals, gap_ns};
use crate::source::Fault;

/// A Markov-modulated Poisson process of two states: a burst and a lull take turns, each as long as an exponential draw.
#[derive(Debug)]
pub struct Bursts(arrivals::Bursts);

impl Bursts {
    /// `burst_iops` for a mean of `burst_ns`, then `lull_iops` for a mean of `lull_ns`; it begins with a burst.
    ///
    /// # Errors
    /// One of the rates is none, or one of the states lasts no time.
    pub fn new(burst_iops: f64, burst_ns: u64, lull_iops: f64, lull_ns: u64, seed: u64) -> Result<Self, Fault> {
        let state = |rate_iops, mean_ns: u64| {
            if mean_ns == 0 {
                return Err(Fault::NoTime);
            }
            Ok(BurstState {
                gap_ns: gap_ns(rate_iops)?,
                mean_ns: mean_ns as f64,
            })
        };
        let (burst, lull) = (state(burst_iops, burst_ns)?, state(lull_iops, lull_ns)?);
        Ok(Self(arrivals::Bursts::new(burst, lull, seed)))
    }

    /// What it comes to over a long time.
    pub fn mean_iops(&self) -> f64 {
        self.0.mean_iops()
    }
}

impl Arrivals for Bursts {
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
    use crate::schedule::tests::gaps_ns;

    #[test]
    fn the_mean_rate_is_that_of_both_states() {
        let mut bursts = Bursts::new(50_000.0, 10_000_000, 1_000.0, 90_000_000, 3).unwrap();
        assert!((bursts.mean_iops() - 5_900.0).abs() < 1e-6);
        let count = 2_000_000;
        let last_ns = (0..count).map(|_| bursts.next_ns()).last().unwrap();
        let found_iops = f64::from(count) / last_ns as f64 * 1e9;
        assert!((found_iops / 5_900.0 - 1.0).abs() < 0.05, "{found_iops}");
    }

    /// Variance of the gaps over their squared mean: 1 for a Poisson process.
    fn dispersion(bursts: &mut Bursts) -> f64 {
        let gaps_ns: Vec<f64> = gaps_ns(bursts, 200_000).into_iter().map(|gap| gap as f64).collect();
        let mean = gaps_ns.iter().sum::<f64>() / gaps_ns.len() as f64;
        let variance = gaps_ns.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps_ns.len() as f64;
        variance / mean.powi(2)
    }

    #[test]
    fn gaps_vary_more_than_those_of_a_poisson_process() {
        let mut bursts = Bursts::new(50_000.0, 10_000_000, 1_000.0, 90_000_000, 3).unwrap();
        assert!(dispersion(&mut bursts) > 3.0);
    }

    #[test]
    fn equal_states_are_a_poisson_process() {
        let mut bursts = Bursts::new(10_000.0, 1_000_000, 10_000.0, 1_000_000, 3).unwrap();
        assert!((dispersion(&mut bursts) - 1.0).abs() < 0.03);
    }
}
