//! One point of a sweep.

use crate::schedule::Schedule;
use crate::source::Source;

/// A load for some time.
pub struct Point {
    /// What is done.
    pub source: Box<dyn Source + Send>,
    /// When it is due.
    pub schedule: Schedule,
    /// How long.
    pub length: Length,
}

/// When a point is measured, and when it ends.
///
/// An I/O belongs to the time at which it is *due* (at which it is submitted, in a closed loop), not to that at which it
/// completes: else the slow ones of an open loop would fall out of its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Length {
    /// I/Os due before it has passed count as ramp.
    pub ramp_ns: u64,
    /// Measured time after the ramp; without it the point ends with `ios` or its source.
    pub duration_ns: Option<u64>,
    /// At most so many measured I/Os.
    pub ios: Option<u64>,
}

impl Length {
    /// Measured from the start, for so long.
    pub fn of_ns(duration_ns: u64) -> Self {
        Self {
            ramp_ns: 0,
            duration_ns: Some(duration_ns),
            ios: None,
        }
    }

    /// Measured from the start, so many I/Os.
    pub fn of_ios(ios: u64) -> Self {
        Self {
            ramp_ns: 0,
            duration_ns: None,
            ios: Some(ios),
        }
    }

    /// The same after a ramp.
    #[must_use]
    pub fn after(self, ramp_ns: u64) -> Self {
        Self { ramp_ns, ..self }
    }
}
