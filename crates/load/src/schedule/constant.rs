//! A steady rate.

use vdrive::workload::arrivals;

use super::{Arrivals, gap_ns};
use crate::source::Fault;

/// One I/O after each equal gap.
#[derive(Debug)]
pub struct Constant(arrivals::Constant);

impl Constant {
    /// At so many I/Os a second.
    ///
    /// # Errors
    /// That is no rate.
    pub fn new(rate_iops: f64) -> Result<Self, Fault> {
        Ok(Self(arrivals::Constant::new(gap_ns(rate_iops)?)))
    }
}

impl Arrivals for Constant {
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

    #[test]
    fn the_rate_is_exact_whatever_the_fraction_of_a_nanosecond() {
        for rate_iops in [
            3.0,
            100.0,
            2_000.0,
            60_000.0,
            300_000.0,
            333_333.3,
            777_777.0,
            3_000_000.0,
        ] {
            let mut constant = Constant::new(rate_iops).unwrap();
            let count = 1_000_000;
            let last_ns = (0..count).map(|_| constant.next_ns()).last().unwrap();
            let exact_ns = f64::from(count) * 1e9 / rate_iops;
            assert!(
                (last_ns as f64 - exact_ns).abs() < 2.0,
                "{rate_iops}: {last_ns} for {exact_ns}"
            );
        }
    }
}
