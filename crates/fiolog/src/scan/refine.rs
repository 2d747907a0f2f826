//! Further passes: exact values for ranks that a pass could only place within an interval.

use super::line::Counted;
use super::series::DIRECTIONS;
use super::tally::{DIRECT_NS, Interval, Place, Tally, Wanted, locate};

/// Parts into which a pass cuts an interval, as a power of two: 1 MiB of counters.
const CELL_BITS: u32 = 17;

/// Intervals that one pass looks into, which bounds the memory; more take more passes. Seven percentiles of three directions
/// need 21 at most.
const INTERVALS_MAX: usize = 21;

/// Counts of the parts of some intervals.
pub(super) struct Refinement {
    directions: [Vec<Part>; DIRECTIONS],
}

struct Part {
    interval: Interval,
    cell_bits: u32,
    counts: Vec<u64>,
}

impl Refinement {
    /// For the first intervals that `wanted` places ranks in, by direction; `None` if every rank is exact.
    pub(super) fn of(wanted: &[Wanted]) -> Option<Self> {
        let mut directions: [Vec<Part>; DIRECTIONS] = Default::default();
        for &Wanted { direction, place, .. } in wanted {
            let Place::Within(interval, _) = place else { continue };
            let full = directions.iter().map(Vec::len).sum::<usize>() == INTERVALS_MAX;
            if full || directions[direction].iter().any(|part| part.interval == interval) {
                continue;
            }
            let cell_bits = interval.width_bits.min(CELL_BITS);
            directions[direction].push(Part {
                interval,
                cell_bits,
                counts: vec![0; 1 << cell_bits],
            });
        }
        directions
            .iter()
            .any(|parts| !parts.is_empty())
            .then_some(Refinement { directions })
    }

    /// The same intervals, with nothing counted.
    pub(super) fn empty(&self) -> Self {
        let part = |part: &Part| Part {
            counts: vec![0; part.counts.len()],
            ..*part
        };
        Refinement {
            directions: std::array::from_fn(|direction| self.directions[direction].iter().map(part).collect()),
        }
    }

    pub(super) fn merge(&mut self, other: &Refinement) {
        let mine = self.directions.iter_mut().flatten();
        for (mine, theirs) in mine.zip(other.directions.iter().flatten()) {
            for (count, more) in mine.counts.iter_mut().zip(&theirs.counts) {
                *count += more;
            }
        }
    }

    /// Whether the pass saw as many I/Os in every interval as the passes before it.
    pub(super) fn agrees(&self) -> bool {
        let mut parts = self.directions.iter().flatten();
        parts.all(|part| part.counts.iter().sum::<u64>() == part.interval.ios)
    }

    /// Where a rank lies after this pass; as before if the pass did not look there.
    pub(super) fn place(&self, direction: usize, place: Place) -> Place {
        let Place::Within(interval, rank) = place else {
            return place;
        };
        let parts = &self.directions[direction];
        let Some(part) = parts.iter().find(|part| part.interval == interval) else {
            return place;
        };
        let (cell, rank) = locate(&part.counts, rank);
        let width_bits = interval.width_bits - part.cell_bits;
        let low_ns = interval.low_ns + ((cell as u64) << width_bits);
        if width_bits == 0 {
            return Place::Exact(low_ns);
        }
        let ios = part.counts[cell];
        Place::Within(
            Interval {
                low_ns,
                width_bits,
                ios,
            },
            rank,
        )
    }
}

impl Tally for Refinement {
    #[inline]
    fn record(&mut self, line: &Counted) {
        if line.value < DIRECT_NS {
            return;
        }
        for part in &mut self.directions[line.direction] {
            if let Some(cell) = part.interval.cell_of(line.value, part.cell_bits) {
                part.counts[cell] += 1;
            }
        }
    }
}
