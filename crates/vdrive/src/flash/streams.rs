//! Which write stream data belongs to: what is rewritten soon and what stays, told apart by how long ago it was written.
//!
//! The drive knows nothing of the host's pattern. A write overwrites data of some age, and the next write is expected after as long again;
//! what is moved to make room is expected to stay the longer, the older it is. Either is hot if that is less than the mean interval
//! between two writes of a unit, which is followed. After Wang et al., "Separating Data via Block Invalidation Time Inference for Write
//! Amplification Reduction in Log-Structured Storage", FAST 2022, with two classes in place of its six.

use crate::spec::Spec;

/// One of the streams, each with superblocks of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// All data of a drive with one stream; of one with two, what is to stay.
    Main,
    /// What is rewritten soon.
    Hot,
}

impl Stream {
    pub(crate) const ALL: [Self; 2] = [Self::Main, Self::Hot];
}

/// The mean is one of the intervals seen while this share of the capacity was overwritten.
const MEMORY_SHARE: u64 = 4;

#[derive(Debug, Clone)]
pub(super) struct Intervals {
    streams: u32,
    mean_units: f64,
    seen_units: u64,
    memory_units: u64,
}

impl Intervals {
    pub(super) fn new(spec: &Spec) -> Self {
        Self {
            streams: spec.collection.streams,
            mean_units: 0.0,
            seen_units: 0,
            memory_units: (spec.units() / MEMORY_SHARE).max(1),
        }
    }

    #[inline]
    pub(super) fn has_one_stream(&self) -> bool {
        self.streams == 1
    }

    /// Of data that was written so many units ago.
    pub(super) fn stream(&self, age_units: u64) -> Stream {
        if !self.has_one_stream() && (age_units as f64) < self.mean_units {
            Stream::Hot
        } else {
            Stream::Main
        }
    }

    /// So many units were overwritten after so long.
    pub(super) fn note(&mut self, age_units: u64, count: u64) {
        self.seen_units = (self.seen_units + count).min(self.memory_units);
        let weight = (count as f64 / self.seen_units as f64).min(1.0);
        self.mean_units += weight * (age_units as f64 - self.mean_units);
    }
}

#[cfg(test)]
mod tests {
    use super::{Intervals, Stream};

    fn intervals(streams: u32) -> Intervals {
        Intervals {
            streams,
            mean_units: 0.0,
            seen_units: 0,
            memory_units: 100,
        }
    }

    #[test]
    fn what_is_rewritten_sooner_than_the_mean_is_hot() {
        let mut two = intervals(2);
        two.note(10, 80);
        two.note(1000, 20);
        assert_eq!(
            [10, 207, 209].map(|age| two.stream(age)),
            [Stream::Hot, Stream::Hot, Stream::Main]
        );
    }

    #[test]
    fn before_anything_was_overwritten_all_stays() {
        assert_eq!(intervals(2).stream(0), Stream::Main);
    }

    #[test]
    fn with_one_stream_nothing_is_told_apart() {
        let mut one = intervals(1);
        one.note(1000, 100);
        assert_eq!(one.stream(1), Stream::Main);
    }

    #[test]
    fn the_mean_forgets_what_was_long_ago() {
        let mut two = intervals(2);
        two.note(1000, 100);
        two.note(10, 1000);
        assert_eq!((two.stream(9), two.stream(11)), (Stream::Hot, Stream::Main));
    }
}
