//! Counts in fio's latency bins and the percentiles read from them.

use crate::bins::{BIN_COUNT, LAST_BIN, bin_index, bin_mid_ns};

/// Samples that must lie above a percentile for it to be printed (METHODS 0).
pub const SAMPLES_ABOVE_MIN: u64 = 10;

/// A share of all samples, 0 to 100 %, kept as an integer so that `99.9 %` of 1000 is rank 999 and not 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Percent {
    millionths: u64,
}

/// A number that is no percentage.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{found} is no percentage: allowed are 0 to 100, with up to six decimals")]
pub struct PercentFault {
    /// What was given.
    pub found: f64,
}

impl TryFrom<f64> for Percent {
    type Error = PercentFault;

    fn try_from(percent: f64) -> Result<Self, PercentFault> {
        if !(0.0..=100.0).contains(&percent) {
            return Err(PercentFault { found: percent });
        }
        Ok(Percent {
            millionths: (percent * 1e6).round() as u64,
        })
    }
}

impl Percent {
    /// The 1-based nearest rank among `count` samples: `ceil(p * count)`, at least 1 (METHODS 0).
    pub fn rank(self, count: u64) -> u64 {
        (u128::from(self.millionths) * u128::from(count))
            .div_ceil(100_000_000)
            .max(1) as u64
    }

    /// The same where enough samples lie above it for the percentile to be known.
    pub fn known_rank(self, count: u64) -> Option<u64> {
        let rank = self.rank(count);
        (count >= rank.saturating_add(SAMPLES_ABOVE_MIN)).then_some(rank)
    }
}

/// A value that is not the printed value of any bin of fio's layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{found_ns} ns is not the middle of a latency bin (the nearest is {nearest_ns} ns): \
     this is no fio json+ with {BIN_COUNT} bins"
)]
pub struct PrintedBinFault {
    /// The key that was found.
    pub found_ns: u64,
    /// The key that fio prints for a sample of that value.
    pub nearest_ns: u64,
}

/// How many samples fell into each of fio's latency bins ([`crate::bins`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    counts: Box<[u64; BIN_COUNT]>,
    count: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            counts: Box::new([0; BIN_COUNT]),
            count: 0,
        }
    }
}

impl Histogram {
    /// Counts one sample.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.record_many(bin_index(value_ns), 1);
    }

    /// Counts `count` samples in one bin.
    ///
    /// # Panics
    /// If there is no such bin.
    #[inline]
    pub fn record_many(&mut self, bin: usize, count: u64) {
        self.counts[bin] += count;
        self.count += count;
    }

    /// Counts everything that `other` counted.
    pub fn merge(&mut self, other: &Histogram) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts.iter()) {
            *mine += theirs;
        }
        self.count += other.count;
    }

    /// The histogram behind fio's json+ `bins`: pairs of printed value in nanoseconds and count.
    ///
    /// # Errors
    /// The first value that fio's layout does not print.
    pub fn from_printed(bins: impl IntoIterator<Item = (u64, u64)>) -> Result<Self, PrintedBinFault> {
        let mut histogram = Histogram::default();
        for (found_ns, count) in bins {
            let bin = bin_index(found_ns);
            if bin_mid_ns(bin) != found_ns {
                return Err(PrintedBinFault {
                    found_ns,
                    nearest_ns: bin_mid_ns(bin),
                });
            }
            histogram.record_many(bin, count);
        }
        Ok(histogram)
    }

    /// The bins that counted anything, ascending: (value in nanoseconds as fio prints it, count).
    pub fn printed(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.occupied().map(|(bin, count)| (bin_mid_ns(bin), count))
    }

    /// The bins that counted anything, ascending: (bin, count).
    pub fn occupied(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().copied().enumerate().filter(|&(_, count)| count > 0)
    }

    /// How many samples were counted.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The percentile by nearest rank, as the middle of its bin, which is what fio prints (METHODS 0).
    ///
    /// `None` if fewer than ten samples lie above the rank, or if the rank falls into the last bin, whose samples have no
    /// upper bound.
    pub fn percentile_ns(&self, percent: Percent) -> Option<u64> {
        let rank = percent.known_rank(self.count)?;
        let mut counted = 0;
        let bin = self.counts.iter().position(|count| {
            counted += count;
            counted >= rank
        })?;
        (bin != LAST_BIN).then(|| bin_mid_ns(bin))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn percent(value: f64) -> Percent {
        Percent::try_from(value).unwrap()
    }

    fn histogram_of(values_ns: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for &value_ns in values_ns {
            histogram.record(value_ns);
        }
        histogram
    }

    #[test]
    fn the_rank_is_exact_where_binary_fractions_are_not() {
        assert_eq!(percent(99.9).rank(1000), 999);
        assert_eq!(percent(7.0).rank(100), 7);
        assert_eq!(percent(99.9999).rank(10_000_000), 9_999_990);
        assert_eq!(percent(2.01).rank(1_000_000_000), 20_100_000);
        assert_eq!(percent(50.0).rank(3), 2);
        assert_eq!(percent(0.0).rank(3), 1);
    }

    #[test]
    fn what_is_no_percentage_is_refused() {
        for found in [-0.1, 100.1, f64::NAN, f64::INFINITY] {
            assert!(Percent::try_from(found).is_err());
        }
    }

    #[test]
    fn a_percentile_needs_ten_samples_above_it() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!(histogram_of(&hundred).percentile_ns(percent(90.0)), Some(90));
        assert_eq!(histogram_of(&hundred).percentile_ns(percent(91.0)), None);
        assert_eq!(histogram_of(&[]).percentile_ns(percent(50.0)), None);
    }

    #[test]
    fn a_percentile_beyond_the_reach_of_the_bins_is_refused() {
        let twenty_seconds_ns = 20_000_000_000;
        assert_eq!(
            histogram_of(&[twenty_seconds_ns; 100]).percentile_ns(percent(50.0)),
            None
        );
    }

    #[test]
    fn a_value_that_fio_does_not_print_is_named() {
        let fault = Histogram::from_printed([(110, 1), (18_305, 2)]).unwrap_err();
        assert_eq!(
            fault,
            PrintedBinFault {
                found_ns: 18_305,
                nearest_ns: 18_304
            }
        );
    }

    fn latencies_ns() -> impl Strategy<Value = Vec<u64>> {
        let latency_ns = (0u32..34).prop_flat_map(|bits| (1u64 << bits)..(2u64 << bits).min((1 << 34) - (1 << 27)));
        prop::collection::vec(latency_ns, 11..400)
    }

    proptest! {
        #[test]
        fn a_percentile_is_within_a_128th_of_the_sorted_sample(mut values_ns in latencies_ns(), share in 0.0f64..=100.0) {
            let printed = histogram_of(&values_ns).percentile_ns(percent(share));
            values_ns.sort_unstable();
            let rank = percent(share).rank(values_ns.len() as u64) as usize;
            match printed {
                Some(printed_ns) => {
                    let exact_ns = values_ns[rank - 1];
                    prop_assert!(printed_ns.abs_diff(exact_ns) * 128 <= exact_ns);
                }
                None => prop_assert!(values_ns.len() - rank < 10),
            }
        }

        #[test]
        fn json_bins_survive_a_round_trip(values_ns: Vec<u64>) {
            let histogram = histogram_of(&values_ns);
            prop_assert_eq!(Histogram::from_printed(histogram.printed()), Ok(histogram));
        }

        #[test]
        fn parts_merge_to_the_whole_in_any_order(values_ns: Vec<u64>, cut: prop::sample::Index) {
            let (left, right) = values_ns.split_at(cut.index(values_ns.len() + 1));
            let mut forwards = histogram_of(left);
            forwards.merge(&histogram_of(right));
            let mut backwards = histogram_of(right);
            backwards.merge(&histogram_of(left));
            prop_assert_eq!(forwards.count(), values_ns.len() as u64);
            prop_assert_eq!(&forwards, &histogram_of(&values_ns));
            prop_assert_eq!(&backwards, &forwards);
        }
    }
}
