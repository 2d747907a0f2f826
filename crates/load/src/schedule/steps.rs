//! A rate that changes at given times.

use vdrive::random::Random;
use vdrive::workload::arrivals::{Instant, exponential, generator};

use super::{Arrivals, gap_ns};
use crate::source::Fault;

/// A rate for some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateStep {
    /// Mean rate.
    pub rate_iops: f64,
    /// How long it lasts; the last step lasts for ever.
    pub duration_ns: u64,
}

/// A Poisson process whose rate changes in steps.
#[derive(Debug)]
pub struct Steps {
    /// Mean gap, and when it ends.
    rates: Vec<(f64, u64)>,
    now: usize,
    at: Instant,
    random: Random,
}

impl Steps {
    /// One step after the other.
    ///
    /// # Errors
    /// There is no step, or one has no rate.
    pub fn new(steps: &[RateStep], seed: u64) -> Result<Self, Fault> {
        if steps.is_empty() {
            return Err(Fault::Rate { found: 0.0 });
        }
        let mut end_ns = 0;
        let rates = steps
            .iter()
            .map(|step| {
                end_ns = step.duration_ns.saturating_add(end_ns);
                Ok((gap_ns(step.rate_iops)?, end_ns))
            })
            .collect::<Result<_, Fault>>()?;
        Ok(Self {
            rates,
            now: 0,
            at: Instant::default(),
            random: generator(seed),
        })
    }
}

impl Arrivals for Steps {
    fn next_ns(&mut self) -> u64 {
        loop {
            let (gap_ns, end_ns) = self.rates[self.now];
            let gap_ns = gap_ns * exponential(&mut self.random);
            let left_ns = end_ns.saturating_sub(self.at.whole_ns) as f64 - self.at.part_ns;
            if gap_ns <= left_ns || self.now + 1 == self.rates.len() {
                return self.at.after(gap_ns);
            }
            self.at = Instant {
                whole_ns: end_ns,
                part_ns: 0.0,
            };
            self.now += 1;
        }
    }

    fn mean_ios(&self, until_ns: u64) -> f64 {
        let mut at = self.at;
        let mut ios = 0.0;
        for (step, &(gap_ns, end_ns)) in self.rates.iter().enumerate().skip(self.now) {
            let is_last = step + 1 == self.rates.len();
            let step_end_ns = if is_last { until_ns } else { until_ns.min(end_ns) };
            ios += at.left_ns(step_end_ns) / gap_ns;
            at.whole_ns = at.whole_ns.max(step_end_ns);
        }
        ios
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_its_rate() {
        let step = |rate_iops, duration_ns| RateStep { rate_iops, duration_ns };
        let second_ns = 1_000_000_000;
        let mut steps = Steps::new(
            &[
                step(1_000.0, 10 * second_ns),
                step(50_000.0, 10 * second_ns),
                step(200.0, 0),
            ],
            3,
        )
        .unwrap();
        let mut counts = [0_u32; 4];
        loop {
            let tens = (steps.next_ns() / (10 * second_ns)) as usize;
            if tens > 3 {
                break;
            }
            counts[tens] += 1;
        }
        for (count, expected) in counts.into_iter().zip([10_000.0, 500_000.0, 2_000.0, 2_000.0_f64]) {
            assert!(
                (f64::from(count) - expected).abs() < 5.0 * expected.sqrt(),
                "{counts:?}"
            );
        }
    }
}
