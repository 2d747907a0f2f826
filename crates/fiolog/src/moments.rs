//! Count, sum, mean, spread and extremes of a stream of values, exact and independent of their order.

/// Exact sums over values in nanoseconds. Integers, so that no order of adding or merging changes a digit.
///
/// The sum of squares holds 2^58 samples of up to 2^35 ns (34 s).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum_ns: u128,
    sum_of_squares: u128,
    min_ns: u64,
    max_ns: u64,
}

impl Default for Moments {
    fn default() -> Self {
        Moments {
            count: 0,
            sum_ns: 0,
            sum_of_squares: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

impl Moments {
    /// Counts one value.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.count += 1;
        self.sum_ns += u128::from(value_ns);
        self.sum_of_squares += u128::from(value_ns) * u128::from(value_ns);
        self.min_ns = self.min_ns.min(value_ns);
        self.max_ns = self.max_ns.max(value_ns);
    }

    /// Counts everything that `other` counted.
    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.sum_of_squares += other.sum_of_squares;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// How many values were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Sum of all values in nanoseconds.
    pub fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// Smallest value in nanoseconds; `None` before the first.
    pub fn min_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min_ns)
    }

    /// Largest value in nanoseconds; `None` before the first.
    pub fn max_ns(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max_ns)
    }

    /// Arithmetic mean in nanoseconds, rounded once; `None` before the first value.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_ns as f64 / self.count as f64)
    }

    /// Standard deviation of the sample (divisor `n - 1`) in nanoseconds, as fio prints it; `None` below two values.
    pub fn stddev_ns(&self) -> Option<f64> {
        if self.count < 2 {
            return None;
        }
        // Squares are summed about the mean's integer part: exact, where sum of squares minus squared sum cancels.
        let count = u128::from(self.count);
        let centre_ns = self.sum_ns / count;
        let rest = self.sum_ns % count;
        let about_centre = self.sum_of_squares - count * centre_ns * centre_ns - 2 * centre_ns * rest;
        let about_mean = about_centre as f64 - (rest * rest) as f64 / self.count as f64;
        Some((about_mean.max(0.0) / (self.count - 1) as f64).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn moments_of(values_ns: &[u64]) -> Moments {
        let mut moments = Moments::default();
        for &value_ns in values_ns {
            moments.record(value_ns);
        }
        moments
    }

    #[test]
    fn nothing_counted_has_neither_mean_nor_extremes() {
        let nothing = Moments::default();
        assert_eq!(
            (
                nothing.min_ns(),
                nothing.max_ns(),
                nothing.mean_ns(),
                nothing.stddev_ns()
            ),
            (None, None, None, None)
        );
    }

    #[test]
    fn a_mean_between_two_integers_is_the_centre_of_the_spread() {
        let spread_ns = moments_of(&[0, 1]).stddev_ns().unwrap();
        assert!((spread_ns - 0.5f64.sqrt()).abs() < 1e-12, "{spread_ns}");
    }

    #[test]
    fn a_small_spread_on_a_large_value_is_not_lost() {
        let large_ns = 1 << 40;
        let spread_ns = moments_of(&[large_ns, large_ns + 2, large_ns + 4]).stddev_ns().unwrap();
        assert!((spread_ns - 2.0).abs() < 1e-12, "{spread_ns}");
    }

    proptest! {
        #[test]
        fn mean_and_spread_are_those_of_the_definition(values_ns in prop::collection::vec(0u64..1 << 34, 2..200)) {
            let moments = moments_of(&values_ns);
            let mean_ns = values_ns.iter().sum::<u64>() as f64 / values_ns.len() as f64;
            let squares: f64 = values_ns.iter().map(|&value_ns| (value_ns as f64 - mean_ns).powi(2)).sum();
            let stddev_ns = (squares / (values_ns.len() - 1) as f64).sqrt();
            prop_assert!((moments.mean_ns().unwrap() - mean_ns).abs() <= 1e-9 * mean_ns.max(1.0));
            prop_assert!((moments.stddev_ns().unwrap() - stddev_ns).abs() <= 1e-6 * stddev_ns.max(1.0));
        }

        #[test]
        fn parts_merge_to_the_whole_in_any_order(values_ns in prop::collection::vec(0u64..1 << 50, 0..100), cut: prop::sample::Index) {
            let (left, right) = values_ns.split_at(cut.index(values_ns.len() + 1));
            let mut forwards = moments_of(left);
            forwards.merge(&moments_of(right));
            let mut backwards = moments_of(right);
            backwards.merge(&moments_of(left));
            prop_assert_eq!(forwards, moments_of(&values_ns));
            prop_assert_eq!(backwards, forwards);
            prop_assert_eq!(forwards.min_ns(), values_ns.iter().min().copied());
            prop_assert_eq!(forwards.max_ns(), values_ns.iter().max().copied());
        }
    }
}
