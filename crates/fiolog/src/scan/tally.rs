//! What is counted in one pass: an exact count of every latency, and the I/Os and bytes of every window.

use std::collections::HashMap;

use super::line::Counted;
use super::series::{DIRECTIONS, Series};

/// Latencies below this have a counter of their own each, in nanoseconds: 2.1 ms, where an SSD spends nearly all I/Os. What a
/// log touches of the table fits the processor's cache.
pub(super) const DIRECT_NS: u64 = 1 << DIRECT_BITS;
const DIRECT_BITS: u32 = 21;

/// Counters a table begins with, so that a short log does not wait for a long table.
const DIRECT_CELLS_MIN: usize = 1 << 12;

/// Counters that are passed over together if they are all 0, which most are.
const CELLS_AT_ONCE: usize = 64;

const BATCH_LINES: usize = 256;

/// Bits below the most significant one that a coarse bin tells apart.
const COARSE_BITS: u32 = 11;
const COARSE_BINS: usize = ((64 - DIRECT_BITS) as usize) << COARSE_BITS;

/// Something that is shown every line of a log.
pub(super) trait Tally: Send {
    /// Counts one line.
    fn record(&mut self, line: &Counted);

    /// What was put off is done; to be called when no line follows at once.
    fn settle(&mut self) {}
}

/// Counts of everything.
pub(super) struct Counts {
    pub(super) directions: [DirectionCounts; DIRECTIONS],
    batch: Batch,
    apart: Apart,
    pub(super) series: Series,
}

/// Values that are yet to be counted. Their counters lie far apart, and the processor waits for many at once as long as for
/// one if nothing else is done between.
struct Batch {
    /// The direction above the [`DIRECT_BITS`] of the value.
    lines: [u32; BATCH_LINES],
    filled: usize,
}

/// Counts of one direction.
pub(super) struct DirectionCounts {
    /// By value; as long as the largest value below [`DIRECT_NS`] needs, in powers of two.
    direct: Vec<u16>,
    /// What these counters could not hold, by value.
    carried: HashMap<u64, u64>,
    /// Empty until a value needs it.
    coarse: Vec<u64>,
    sum_above: u128,
    max_above: u64,
}

/// Exact counts by direction and value of values without a counter of their own.
struct Apart {
    counts: HashMap<(usize, u64), u64>,
    distinct_max: usize,
    /// Whether every value above [`DIRECT_NS`] is in `counts`.
    complete: bool,
}

/// A range of latencies of a power of two in width that holds a wanted rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) low_ns: u64,
    pub(super) width_bits: u32,
    /// I/Os in it.
    pub(super) ios: u64,
}

/// Where a rank lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Exact(u64),
    /// The rank counts from the start of the interval.
    Within(Interval, u64),
}

/// A wanted rank of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) direction: usize,
    /// 1-based.
    pub(super) rank: u64,
    pub(super) place: Place,
}

impl Counts {
    pub(super) fn new(distinct_max: usize, windows_max: usize) -> Self {
        Counts {
            directions: std::array::from_fn(|_| DirectionCounts {
                direct: Vec::new(),
                carried: HashMap::new(),
                coarse: Vec::new(),
                sum_above: 0,
                max_above: 0,
            }),
            batch: Batch {
                lines: [0; BATCH_LINES],
                filled: 0,
            },
            apart: Apart {
                counts: HashMap::new(),
                distinct_max,
                complete: true,
            },
            series: Series::new(windows_max),
        }
    }

    #[cold]
    fn record_above(&mut self, direction: usize, value_ns: u64) {
        let counts = &mut self.directions[direction];
        counts.coarse.resize(COARSE_BINS, 0);
        counts.coarse[coarse_bin(value_ns)] += 1;
        counts.sum_above += u128::from(value_ns);
        counts.max_above = counts.max_above.max(value_ns);
        self.apart.add(direction, value_ns, 1);
    }

    /// Adds what another worker counted.
    pub(super) fn merge(&mut self, other: Counts) {
        for (mine, theirs) in self.directions.iter_mut().zip(&other.directions) {
            mine.merge_direct(theirs);
            mine.coarse.resize(mine.coarse.len().max(theirs.coarse.len()), 0);
            for (bin, count) in mine.coarse.iter_mut().zip(&theirs.coarse) {
                *bin += count;
            }
            mine.sum_above += theirs.sum_above;
            mine.max_above = mine.max_above.max(theirs.max_above);
        }
        self.apart.merge(other.apart);
        self.series.merge(&other.series);
    }

    /// Number of I/Os, sum and largest of their latencies in nanoseconds.
    pub(super) fn totals(&self, direction: usize) -> (u64, u128, Option<u64>) {
        let counts = &self.directions[direction];
        let (mut ios, mut sum_ns, mut max_ns) = (0, 0, None);
        self.for_each_direct(direction, |value_ns, count| {
            ios += count;
            sum_ns += u128::from(value_ns) * u128::from(count);
            max_ns = Some(value_ns);
            true
        });
        let above: u64 = counts.coarse.iter().sum();
        if above > 0 {
            max_ns = Some(counts.max_above);
        }
        (ios + above, sum_ns + counts.sum_above, max_ns)
    }

    /// Where 1-based ranks lie, which ascend; there are at least as many I/Os.
    pub(super) fn places(&self, direction: usize, ranks: &[u64]) -> Vec<Place> {
        let mut places = Vec::new();
        let mut below = 0;
        self.for_each_direct(direction, |value_ns, count| {
            below += count;
            while ranks.get(places.len()).is_some_and(|&rank| rank <= below) {
                places.push(Place::Exact(value_ns));
            }
            places.len() < ranks.len()
        });
        let above = ranks[places.len()..]
            .iter()
            .map(|rank| self.place_above(direction, rank - below));
        places.extend(above);
        places
    }

    /// Where a rank lies that counts from [`DIRECT_NS`] on.
    fn place_above(&self, direction: usize, rank: u64) -> Place {
        let coarse = &self.directions[direction].coarse;
        let (bin, rank) = locate(coarse, rank);
        let (low_ns, width_bits) = coarse_low_ns(bin);
        let ios = coarse[bin];
        let interval = Interval {
            low_ns,
            width_bits,
            ios,
        };
        if self.apart.complete {
            Place::Exact(self.apart.nth_within(direction, interval, rank))
        } else {
            Place::Within(interval, rank)
        }
    }

    /// Hands over every value below [`DIRECT_NS`] that occurred, ascending, with its count, until `take` says false.
    fn for_each_direct(&self, direction: usize, mut take: impl FnMut(u64, u64) -> bool) {
        let counts = &self.directions[direction];
        let mut carried: Vec<(u64, u64)> = counts
            .carried
            .iter()
            .map(|(&value_ns, &count)| (value_ns, count))
            .collect();
        carried.sort_unstable();
        let mut carried = carried.into_iter().peekable();
        for (block, cells) in counts.direct.chunks(CELLS_AT_ONCE).enumerate() {
            let from_ns = (block * CELLS_AT_ONCE) as u64;
            let beyond_ns = from_ns + CELLS_AT_ONCE as u64;
            if nothing_in(cells) && carried.peek().is_none_or(|&(value_ns, _)| value_ns >= beyond_ns) {
                continue;
            }
            for (value_ns, &cell) in (from_ns..).zip(cells) {
                let more = carried.next_if(|&(of, _)| of == value_ns);
                let count = u64::from(cell) + more.map_or(0, |(_, count)| count);
                if count > 0 && !take(value_ns, count) {
                    return;
                }
            }
        }
    }
}

impl DirectionCounts {
    #[inline]
    fn count(&mut self, value_ns: usize, count: u16) {
        let cell = match self.direct.get_mut(value_ns) {
            Some(cell) => cell,
            None => &mut self.direct_of(value_ns + 1)[value_ns],
        };
        let (sum, overflowed) = cell.overflowing_add(count);
        *cell = sum;
        if overflowed {
            self.carry(value_ns as u64, 1 << u16::BITS);
        }
    }

    #[cold]
    fn carry(&mut self, value_ns: u64, count: u64) {
        *self.carried.entry(value_ns).or_default() += count;
    }

    fn merge_direct(&mut self, other: &DirectionCounts) {
        for (block, cells) in other.direct.chunks(CELLS_AT_ONCE).enumerate() {
            if nothing_in(cells) {
                continue;
            }
            for (value_ns, &count) in (block * CELLS_AT_ONCE..).zip(cells) {
                self.count(value_ns, count);
            }
        }
        for (&value_ns, &count) in &other.carried {
            self.carry(value_ns, count);
        }
    }

    /// The table, with at least so many counters.
    #[cold]
    fn direct_of(&mut self, cells: usize) -> &mut [u16] {
        if self.direct.len() < cells {
            // Not `resize`: the system hands out zeroed memory, of which only the pages that are written to will exist.
            let mut longer = vec![0; cells.next_power_of_two().max(DIRECT_CELLS_MIN)];
            longer[..self.direct.len()].copy_from_slice(&self.direct);
            self.direct = longer;
        }
        &mut self.direct
    }
}

impl Tally for Counts {
    #[inline]
    fn record(&mut self, line: &Counted) {
        if line.value < DIRECT_NS {
            self.batch.lines[self.batch.filled] = (line.direction as u32) << DIRECT_BITS | line.value as u32;
            self.batch.filled += 1;
            if self.batch.filled == BATCH_LINES {
                self.settle();
            }
        } else {
            self.record_above(line.direction, line.value);
        }
        self.series.record(line);
    }

    fn settle(&mut self) {
        for &line in &self.batch.lines[..self.batch.filled] {
            let direction = (line >> DIRECT_BITS) as usize;
            let value_ns = line as usize & (DIRECT_NS as usize - 1);
            self.directions[direction].count(value_ns, 1);
        }
        self.batch.filled = 0;
    }
}

impl Apart {
    fn add(&mut self, direction: usize, value_ns: u64, count: u64) {
        if !self.complete {
            return;
        }
        *self.counts.entry((direction, value_ns)).or_default() += count;
        if self.counts.len() > self.distinct_max {
            self.give_up();
        }
    }

    fn give_up(&mut self) {
        self.complete = false;
        self.counts = HashMap::new();
    }

    fn merge(&mut self, other: Apart) {
        if !other.complete {
            self.give_up();
        }
        for ((direction, value_ns), count) in other.counts {
            self.add(direction, value_ns, count);
        }
    }

    /// The value with a 1-based rank within an interval.
    fn nth_within(&self, direction: usize, interval: Interval, rank: u64) -> u64 {
        let mut values: Vec<(u64, u64)> = (self.counts.iter())
            .filter(|&(&(of, value_ns), _)| of == direction && interval.cell_of(value_ns, 0).is_some())
            .map(|(&(_, value_ns), &count)| (value_ns, count))
            .collect();
        values.sort_unstable();
        let counts: Vec<u64> = values.iter().map(|&(_, count)| count).collect();
        values[locate(&counts, rank).0].0
    }
}

impl Interval {
    /// The 2^`cell_bits`-th part of the interval that a value falls into, `None` if it lies outside.
    #[inline]
    pub(super) fn cell_of(&self, value_ns: u64, cell_bits: u32) -> Option<usize> {
        let above = value_ns.checked_sub(self.low_ns)?;
        (above >> self.width_bits == 0).then(|| (above >> (self.width_bits - cell_bits)) as usize)
    }

    /// The largest value in it.
    pub(super) fn high_ns(&self) -> u64 {
        self.low_ns + ((1 << self.width_bits) - 1)
    }
}

fn nothing_in(cells: &[u16]) -> bool {
    // Without a way out in the middle, so that it is done many at a time.
    cells.iter().fold(0, |any, count| any | count) == 0
}

/// The entry of `counts` that holds a 1-based rank, and the rank counted from the start of that entry.
pub(super) fn locate(counts: &[u64], rank: u64) -> (usize, u64) {
    let mut left = rank;
    for (position, &count) in counts.iter().enumerate() {
        if count >= left {
            return (position, left);
        }
        left -= count;
    }
    unreachable!("a rank of {rank} among fewer samples");
}

fn coarse_bin(value_ns: u64) -> usize {
    let most_significant_bit = value_ns.ilog2();
    let position = (value_ns >> (most_significant_bit - COARSE_BITS)) as usize & ((1 << COARSE_BITS) - 1);
    (((most_significant_bit - DIRECT_BITS) as usize) << COARSE_BITS) + position
}

/// The smallest value of a coarse bin, and its width as a power of two.
fn coarse_low_ns(bin: usize) -> (u64, u32) {
    let octave = (bin >> COARSE_BITS) as u32;
    let width_bits = octave + DIRECT_BITS - COARSE_BITS;
    let position = bin & ((1 << COARSE_BITS) - 1);
    ((((1 << COARSE_BITS) + position) as u64) << width_bits, width_bits)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_counter_that_goes_round_loses_nothing() {
        let mut counts = Counts::new(10, 10);
        let line = Counted {
            time_ms: 0,
            value: 7,
            direction: 1,
            block_bytes: 512,
        };
        for _ in 0..70_000 {
            counts.record(&line);
        }
        let mut other = Counts::new(10, 10);
        for _ in 0..2 * 65_536 {
            other.record(&line);
        }
        for counts in [&mut counts, &mut other] {
            counts.settle();
        }
        counts.merge(other);
        assert_eq!(counts.totals(1), (201_072, 201_072 * 7, Some(7)));
        assert_eq!(counts.places(1, &[1, 201_072]), [Place::Exact(7); 2]);
    }

    #[test]
    fn a_counter_that_holds_nothing_but_what_went_round_is_not_passed_over() {
        let mut counts = Counts::new(10, 10);
        let line = |value| Counted {
            time_ms: 0,
            value,
            direction: 0,
            block_bytes: 512,
        };
        for _ in 0..65_536 {
            counts.record(&line(1000));
        }
        counts.record(&line(5000));
        counts.settle();
        assert_eq!(counts.totals(0), (65_537, 65_541_000, Some(5000)));
        assert_eq!(
            counts.places(0, &[65_536, 65_537]),
            [Place::Exact(1000), Place::Exact(5000)]
        );
    }

    proptest! {
        #[test]
        fn coarse_bins_hold_their_values(bits in DIRECT_BITS..64, low: u64) {
            let value_ns = (1 << bits) | (low & ((1 << bits) - 1));
            let (low_ns, width_bits) = coarse_low_ns(coarse_bin(value_ns));
            prop_assert!(low_ns <= value_ns && value_ns - low_ns < 1 << width_bits);
            prop_assert!(coarse_bin(value_ns) < COARSE_BINS);
        }
    }
}
