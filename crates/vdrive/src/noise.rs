//! Measurement noise for tests of estimators: a log-normal factor and rare outliers on every latency.

use crate::random::{Random, exp};
use crate::spec::Noise;

/// A latency as a noisy rig would have seen it.
pub(crate) fn blur(noise: &Noise, latency_ns: u64, random: &mut Random) -> u64 {
    let factor = exp(noise.sigma * random.normal());
    let outlier_ns = if random.unit() < noise.outlier_probability {
        noise.outlier_ns
    } else {
        0
    };
    (latency_ns as f64 * factor) as u64 + outlier_ns
}
