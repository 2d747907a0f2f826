//! Distributions in bounded memory.

use fiolog::{Histogram, Moments};

use super::{Finished, Outcome, Phase, Sink};

/// Of one operation of one point; only measured I/Os.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationCounts {
    /// I/Os done.
    pub ios: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// I/Os that failed; they are counted nowhere else.
    pub errors: u64,
    /// From when it was due to its completion, in fio's bins.
    pub response: Histogram,
    /// Its exact sums.
    pub response_moments: Moments,
    /// From submission to completion.
    pub service: Histogram,
    /// Its exact sums.
    pub service_moments: Moments,
    /// From when it could have been submitted to its submission: what the host lost.
    pub lateness: Histogram,
    /// Its exact sums.
    pub lateness_moments: Moments,
}

impl OperationCounts {
    #[inline]
    fn count(&mut self, io: &Finished) {
        if io.outcome != Outcome::Done {
            self.errors += 1;
            return;
        }
        self.ios += 1;
        self.bytes += u64::from(io.request.length_bytes);
        self.response.record(io.response_ns());
        self.response_moments.record(io.response_ns());
        self.service.record(io.service_ns());
        self.service_moments.record(io.service_ns());
        self.lateness.record(io.lateness_ns());
        self.lateness_moments.record(io.lateness_ns());
    }
}

/// Counts of all points.
#[derive(Debug, Default)]
pub struct Counts {
    points: Vec<[OperationCounts; 3]>,
}

impl Counts {
    /// Of a point, counted from 0, by operation; `None` if nothing of it was measured.
    pub fn point(&self, number: u32) -> Option<&[OperationCounts; 3]> {
        self.points.get(number as usize)
    }
}

impl Sink for Counts {
    #[inline]
    fn finished(&mut self, io: &Finished) {
        if io.phase == Phase::Ramp {
            return;
        }
        let point = io.point as usize;
        if point >= self.points.len() {
            self.points.resize_with(point + 1, Default::default);
        }
        self.points[point][io.request.operation as usize].count(io);
    }
}
