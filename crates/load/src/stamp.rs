//! When something was, by the clocks that tell whether measuring stood still meanwhile.

/// So often both clocks are read: who is interrupted between them knows less, and the best counts.
const READINGS: usize = 3;

/// A moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// On the monotonic clock (`CLOCK_MONOTONIC`).
    pub monotonic_ns: u64,
    /// How long the host had been suspended by then since it was started, at least: two clocks cannot be read at once.
    pub suspended_ns_least: i64,
    /// Likewise at most.
    pub suspended_ns_most: i64,
}

impl Stamp {
    /// Now.
    pub fn now() -> Self {
        let (mut least, mut most, mut monotonic_ns) = (i64::MIN, i64::MAX, 0);
        for _ in 0..READINGS {
            let before_ns = read(libc::CLOCK_MONOTONIC);
            let boot_ns = read(libc::CLOCK_BOOTTIME);
            monotonic_ns = read(libc::CLOCK_MONOTONIC);
            least = least.max(boot_ns - monotonic_ns);
            most = most.min(boot_ns - before_ns);
        }
        Self {
            monotonic_ns: monotonic_ns.unsigned_abs(),
            suspended_ns_least: least,
            suspended_ns_most: most,
        }
    }
}

fn read(clock: libc::clockid_t) -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel fills in the structure it is given; both clocks are there since Linux 2.6.39.
    #[allow(unsafe_code)]
    unsafe {
        libc::clock_gettime(clock, &raw mut time);
    }
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_follow_each_other_and_bound_how_long_the_host_slept() {
        let (first, second) = (Stamp::now(), Stamp::now());
        assert!(first.monotonic_ns <= second.monotonic_ns);
        for stamp in [first, second] {
            assert!(stamp.suspended_ns_least <= stamp.suspended_ns_most);
        }
    }
}
