//! Operations of one kind do not all take equally long: a log-normal factor around the time that the Spec states.

use crate::random::{Random, exp};

/// One operation's time, where half of all take `median_ns` or less. Nothing is drawn where nothing is spread.
#[inline]
pub(crate) fn spread(median_ns: u64, sigma: f64, random: &mut Random) -> u64 {
    if sigma == 0.0 {
        median_ns
    } else {
        (median_ns as f64 * exp(sigma * random.normal())) as u64
    }
}
