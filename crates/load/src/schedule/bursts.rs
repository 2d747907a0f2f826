//! Arrivals that come in bursts.

use vdrive::random::Random;
use vdrive::workload::arrivals::{Instant, exponential, generator};

use super::{Arrivals, gap_ns};
use crate::source::Fault;

/// A Markov-modulated Poisson process of two states (Fischer & Meier-Hellstern, "The Markov-modulated Poisson process
/// cookbook", Performance Evaluation 18, 1993): a burst and a lull take turns, each as long as an exponential draw.
#[derive(Debug)]
pub struct Bursts {
    states: [State; 2],
    now: usize,
    /// How long the present state still lasts.
    left_ns: f64,
    at: Instant,
    random: Random,
}

#[derive(Debug, Clone, Copy)]
struct State {
    gap_ns: f64,
    mean_ns: f64,
}

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
            Ok(State {
                gap_ns: gap_ns(rate_iops)?,
                mean_ns: mean_ns as f64,
            })
        };
        let states = [state(burst_iops, burst_ns)?, state(lull_iops, lull_ns)?];
        let mut random = generator(seed);
        let left_ns = states[0].mean_ns * exponential(&mut random);
        Ok(Self {
            states,
            now: 0,
            left_ns,
            at: Instant::default(),
            random,
        })
    }

    /// What it comes to over a long time.
    pub fn mean_iops(&self) -> f64 {
        let [burst, lull] = self.states;
        let ios = burst.mean_ns / burst.gap_ns + lull.mean_ns / lull.gap_ns;
        ios / (burst.mean_ns + lull.mean_ns) * 1e9
    }
}

impl Arrivals for Bursts {
    fn next_ns(&mut self) -> u64 {
        let mut waited_ns = 0.0;
        loop {
            // An exponential gap has no memory: where the state ends first, the gap is drawn anew in the next one.
            let gap_ns = self.states[self.now].gap_ns * exponential(&mut self.random);
            if gap_ns <= self.left_ns {
                self.left_ns -= gap_ns;
                return self.at.after(waited_ns + gap_ns);
            }
            waited_ns += self.left_ns;
            self.now = 1 - self.now;
            self.left_ns = self.states[self.now].mean_ns * exponential(&mut self.random);
        }
    }

    fn mean_ios(&self, until_ns: u64) -> f64 {
        let [state, other] = [self.states[self.now], self.states[1 - self.now]];
        let time_ns = self.at.left_ns(until_ns);
        let state_ns = time_ns.min(self.left_ns);
        let rest_ns = time_ns - state_ns;
        let mean_per_ns = self.mean_iops() / 1e9;
        // The rest begins with the other state, whose share falls from all to that of a long time.
        let relaxation_ns = 1.0 / (1.0 / state.mean_ns + 1.0 / other.mean_ns);
        let other_ns = relaxation_ns * (1.0 - libm::exp(-rest_ns / relaxation_ns));
        state_ns / state.gap_ns + rest_ns * mean_per_ns + other_ns * (1.0 / other.gap_ns - mean_per_ns)
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
