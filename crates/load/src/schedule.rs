//! When I/Os are due.

mod bursts;
mod constant;
mod poisson;
mod steps;

pub use bursts::Bursts;
pub use constant::Constant;
pub use poisson::Poisson;
pub use steps::{RateStep, Steps};

use vdrive::workload::arrivals::Due;

use crate::source::Fault;

/// What decides when the next I/O is submitted.
pub enum Schedule {
    /// The completion of one before it: so many are kept in flight.
    Closed {
        /// I/Os in flight; 0 counts as 1.
        queue_depth: u32,
    },
    /// A time of its own, whatever the device does.
    Open {
        /// The times.
        arrivals: Box<dyn Arrivals + Send>,
        /// No more than so many are in flight, 0 counts as 1; others wait in the host, and their response latency counts it.
        in_flight_max: u32,
    },
}

/// Times at which I/Os are due, in nanoseconds after the start of the load.
pub trait Arrivals {
    /// The next; never earlier than the one before.
    fn next_ns(&mut self) -> u64;

    /// How many come in the mean after the last one and before that time.
    fn mean_ios(&self, until_ns: u64) -> f64;
}

impl Arrivals for Due {
    fn next_ns(&mut self) -> u64 {
        Due::next_ns(self)
    }

    fn mean_ios(&self, until_ns: u64) -> f64 {
        Due::mean_ios(self, until_ns)
    }
}

/// Mean gap between I/Os at that rate.
fn gap_ns(rate_iops: f64) -> Result<f64, Fault> {
    if !(rate_iops.is_finite() && rate_iops > 0.0) {
        return Err(Fault::Rate { found: rate_iops });
    }
    Ok(1e9 / rate_iops)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;
    use vdrive::workload::arrivals::Spacing;

    use super::*;

    pub(crate) fn gaps_ns(arrivals: &mut dyn Arrivals, count: usize) -> Vec<u64> {
        let mut before_ns = 0;
        (0..count)
            .map(|_| {
                let next_ns = arrivals.next_ns();
                let gap_ns = next_ns - before_ns;
                before_ns = next_ns;
                gap_ns
            })
            .collect()
    }

    /// 5 % of samples that are exponential are above it.
    pub(crate) const LOOKS_EXPONENTIAL_MAX: f64 = 2.492;

    /// A-squared of Anderson & Darling against the exponential of known mean ("Asymptotic theory of certain goodness of fit
    /// criteria", Ann. Math. Stat. 23, 1952).
    pub(crate) fn anderson_darling(mut gaps_ns: Vec<u64>, mean_ns: f64) -> f64 {
        gaps_ns.sort_unstable();
        let count = gaps_ns.len();
        // Whole nanoseconds: a gap stands for the middle of its own.
        let share = |gap_ns: u64| 1.0 - (-(gap_ns as f64).max(0.25) / mean_ns).exp();
        let sum: f64 = (0..count)
            .map(|at| {
                let below = share(gaps_ns[at]).ln();
                let above = (1.0 - share(gaps_ns[count - 1 - at])).ln();
                (2 * at + 1) as f64 * (below + above)
            })
            .sum();
        -(count as f64) - sum / count as f64
    }

    #[test]
    fn as_many_come_in_the_mean_as_are_said_to() {
        let step = |rate_iops, duration_ns| RateStep { rate_iops, duration_ns };
        let steps = [step(9_000.0, 30_000_000), step(1_000.0, 40_000_000), step(5_000.0, 0)];
        let kinds: [&dyn Fn(u64) -> Box<dyn Arrivals>; 5] = [
            &|_| Box::new(Constant::new(3_333.3).unwrap()),
            &|seed| Box::new(Poisson::new(3_333.3, seed).unwrap()),
            &|seed| Box::new(Steps::new(&steps, seed).unwrap()),
            &|seed| Box::new(Bursts::new(9_000.0, 20_000_000, 500.0, 50_000_000, seed).unwrap()),
            &|seed| Box::new(Due::new(Spacing::Bursts, 300_000.0, seed)),
        ];
        for (kind, made) in kinds.iter().enumerate() {
            let (mut said, mut came) = (0.0, 0.0);
            for seed in 0..2_000 {
                let mut arrivals = made(seed);
                while arrivals.next_ns() < 10_000_000 {}
                said += arrivals.mean_ios(100_000_000);
                while arrivals.next_ns() < 100_000_000 {
                    came += 1.0;
                }
            }
            // Four standard deviations of the bursts, which vary most.
            assert!((came / said - 1.0_f64).abs() < 0.05, "{kind}: {came} for {said}");
        }
    }

    #[test]
    fn what_is_no_rate_is_refused() {
        for found in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Poisson::new(found, 1), Err(Fault::Rate { .. })));
            assert!(matches!(Constant::new(found), Err(Fault::Rate { .. })));
        }
    }

    /// One of each kind, at rates up to a fifth of an I/O a nanosecond.
    fn of_each_kind(rates_iops: [f64; 2], durations_ns: [u64; 2], seed: u64) -> [Box<dyn Arrivals>; 4] {
        let ([first_iops, then_iops], [busy_ns, lull_ns]) = (rates_iops, durations_ns);
        let step = |rate_iops, duration_ns| RateStep { rate_iops, duration_ns };
        [
            Box::new(Constant::new(first_iops).unwrap()),
            Box::new(Poisson::new(first_iops, seed).unwrap()),
            Box::new(Steps::new(&[step(first_iops, busy_ns), step(then_iops, 0)], seed).unwrap()),
            Box::new(Bursts::new(first_iops, busy_ns, then_iops, lull_ns, seed).unwrap()),
        ]
    }

    proptest! {
        #[test]
        fn times_never_go_back_and_follow_from_the_seed(
            rates_iops in prop::array::uniform2(1.0..2e8_f64),
            durations_ns in prop::array::uniform2(1..1_000_000_000_u64),
            seed: u64,
        ) {
            let others = of_each_kind(rates_iops, durations_ns, seed);
            for (mut arrivals, mut same) in of_each_kind(rates_iops, durations_ns, seed).into_iter().zip(others) {
                let mut before_ns = 0;
                for _ in 0..300 {
                    let next_ns = arrivals.next_ns();
                    prop_assert!(next_ns >= before_ns);
                    prop_assert_eq!(next_ns, same.next_ns());
                    before_ns = next_ns;
                }
                prop_assert!(arrivals.mean_ios(before_ns) >= 0.0);
                prop_assert!(arrivals.mean_ios(before_ns + 1_000_000_000) > 0.0);
            }
        }
    }
}
