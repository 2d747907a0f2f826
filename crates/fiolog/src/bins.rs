//! The layout of fio's latency histogram (`stat.h`: `FIO_IO_U_PLAT_BITS` 6, 29 groups).
//!
//! A value below 128 ns has a bin of its own: bin = value, which is groups 0 and 1 of 64 bins each. Every further group
//! holds one power of two, cut into 64 bins of equal width: group `g` starts at `2^(g + 5)` ns and its bins are
//! `2^(g - 1)` ns wide. fio prints a bin as its middle, `low + width / 2`, so a printed value is off by at most half a
//! width, a 128th of the value. The last group ends at `2^34` ns = 17.18 s; everything above falls into the last bin.

/// Bins in one group: the bits of a value that fio keeps below its most significant one.
const BITS_KEPT: u32 = 6;
const BINS_PER_GROUP: usize = 1 << BITS_KEPT;
const GROUPS: usize = 29;

/// Number of bins of fio's latency histogram, in json+ as in histogram logs.
pub const BIN_COUNT: usize = GROUPS * BINS_PER_GROUP;

/// The bin without an upper end: it also counts everything that lasted longer than the layout reaches.
pub const LAST_BIN: usize = BIN_COUNT - 1;

/// The bin that counts a value in nanoseconds.
#[inline]
pub fn bin_index(value_ns: u64) -> usize {
    // Setting the lowest kept bit makes all values of the exact range share one rule without a branch on zero.
    let most_significant_bit = (value_ns | BINS_PER_GROUP as u64).ilog2();
    let bits_dropped = most_significant_bit - BITS_KEPT;
    let bin = ((bits_dropped as usize) << BITS_KEPT) + (value_ns >> bits_dropped) as usize;
    bin.min(LAST_BIN)
}

/// The smallest value in nanoseconds that a bin counts.
///
/// # Panics
/// If there is no such bin.
pub fn bin_low_ns(bin: usize) -> u64 {
    let (group, position) = split(bin);
    if group < 2 {
        bin as u64
    } else {
        ((BINS_PER_GROUP + position) as u64) << (group - 1)
    }
}

/// The largest value in nanoseconds that a bin counts: `u64::MAX` for the last one.
///
/// # Panics
/// If there is no such bin.
pub fn bin_high_ns(bin: usize) -> u64 {
    if bin == LAST_BIN {
        u64::MAX
    } else {
        bin_low_ns(bin) + width_ns(bin) - 1
    }
}

/// The value in nanoseconds that fio prints for a bin, in json+ keys and as a percentile.
///
/// # Panics
/// If there is no such bin.
pub fn bin_mid_ns(bin: usize) -> u64 {
    bin_low_ns(bin) + width_ns(bin) / 2
}

fn width_ns(bin: usize) -> u64 {
    let (group, _) = split(bin);
    1 << group.saturating_sub(1)
}

fn split(bin: usize) -> (usize, usize) {
    assert!(bin < BIN_COUNT, "bin {bin} of a histogram of {BIN_COUNT} bins");
    (bin / BINS_PER_GROUP, bin % BINS_PER_GROUP)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn there_are_1856_bins() {
        assert_eq!(BIN_COUNT, 1856);
    }

    #[test]
    fn values_below_128_ns_are_exact() {
        for value_ns in 0..128 {
            assert_eq!(bin_mid_ns(bin_index(value_ns)), value_ns);
        }
    }

    #[test]
    fn bins_are_adjacent_and_each_counts_what_lies_between_its_ends() {
        for bin in 0..BIN_COUNT {
            assert_eq!(bin_index(bin_low_ns(bin)), bin);
            assert_eq!(bin_index(bin_mid_ns(bin)), bin);
            assert_eq!(bin_index(bin_high_ns(bin)), bin);
            if bin < LAST_BIN {
                assert_eq!(bin_high_ns(bin) + 1, bin_low_ns(bin + 1));
            }
        }
    }

    #[test]
    fn what_lasts_longer_than_17_s_falls_into_the_last_bin() {
        assert_eq!(bin_index((1 << 34) - 1), LAST_BIN);
        assert_eq!(bin_index(1 << 34), LAST_BIN);
        assert_eq!(bin_index(u64::MAX), LAST_BIN);
        assert_eq!(bin_mid_ns(LAST_BIN), (1 << 34) - (1 << 26));
    }

    #[test]
    #[should_panic(expected = "bin 1856 of a histogram of 1856 bins")]
    fn a_bin_past_the_end_is_a_fault_of_the_caller() {
        bin_low_ns(BIN_COUNT);
    }

    proptest! {
        #[test]
        fn a_printed_value_is_within_a_128th(value_ns in 0u64..(1 << 34)) {
            let printed_ns = bin_mid_ns(bin_index(value_ns));
            prop_assert!(printed_ns.abs_diff(value_ns) * 128 <= value_ns);
        }

        #[test]
        fn longer_never_counts_in_an_earlier_bin(a_ns: u64, b_ns: u64) {
            prop_assert!(bin_index(a_ns.min(b_ns)) <= bin_index(a_ns.max(b_ns)));
        }
    }
}
