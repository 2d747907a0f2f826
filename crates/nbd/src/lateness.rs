//! How far the host fell behind the model.

use fiolog::Histogram;
use fiolog::Percent;
use serde::Serialize;

/// Time from the completion the model decided to the moment the reply had been handed to the socket, over all replies
/// that the drive had a say in.
#[derive(Debug, Default)]
pub struct Lateness {
    histogram: Histogram,
    total_ns: u64,
    max_ns: u64,
}

/// What `{"do":"lateness"}` answers. Times in nanoseconds; a percentile with fewer than ten replies above it is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LatenessReport {
    /// Replies counted.
    pub count: u64,
    /// All of them together.
    pub total_ns: u64,
    /// Half of the replies were at most this late.
    pub p50_ns: Option<u64>,
    /// 99 % of the replies were at most this late.
    pub p99_ns: Option<u64>,
    /// The latest reply, exactly.
    pub max_ns: u64,
    /// The whole distribution in fio's latency bins: pairs of the bin's middle and its count, ascending.
    pub bins: Vec<(u64, u64)>,
}

impl Lateness {
    /// Counts one reply.
    pub fn record(&mut self, late_ns: u64) {
        self.histogram.record(late_ns);
        self.total_ns = self.total_ns.saturating_add(late_ns);
        self.max_ns = self.max_ns.max(late_ns);
    }

    /// The figures so far.
    pub fn report(&self) -> LatenessReport {
        let percentile = |percent: f64| {
            Percent::try_from(percent)
                .ok()
                .and_then(|p| self.histogram.percentile_ns(p))
        };
        LatenessReport {
            count: self.histogram.count(),
            total_ns: self.total_ns,
            p50_ns: percentile(50.0),
            p99_ns: percentile(99.0),
            max_ns: self.max_ns,
            bins: self.histogram.printed().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_claimed_before_anything_was_sent() {
        let expected = LatenessReport {
            count: 0,
            total_ns: 0,
            p50_ns: None,
            p99_ns: None,
            max_ns: 0,
            bins: vec![],
        };
        assert_eq!(Lateness::default().report(), expected);
    }

    #[test]
    fn percentiles_come_from_the_bins_and_the_maximum_is_exact() {
        let mut lateness = Lateness::default();
        for late_ns in 0..=1999 {
            lateness.record(late_ns);
        }
        let report = lateness.report();
        assert_eq!((report.count, report.max_ns), (2000, 1999));
        assert_eq!(report.total_ns, 1999 * 1000);
        let near = |found: Option<u64>, expected: u64| found.is_some_and(|ns| ns.abs_diff(expected) * 64 <= expected);
        assert!(near(report.p50_ns, 999) && near(report.p99_ns, 1979), "{report:?}");
        assert_eq!(report.bins.iter().map(|(_, count)| count).sum::<u64>(), 2000);
    }
}
