//! Latency distributions over time: counts in coarse latency bins, window by window, in bounded memory.

use crate::bins::BIN_COUNT;

/// Neighbouring bins of fio's that are counted as one: 16 remain a power of two, so a latency is known to 6 %.
pub const BINS_MERGED: usize = 4;

const COLUMNS: usize = BIN_COUNT / BINS_MERGED;

/// Most windows that are kept: more than a figure has room for, and at most 15 MiB of counts. Tests reach few ones sooner.
const WINDOWS_MAX: usize = if cfg!(test) { 64 } else { 4096 };

/// The distribution of each window of a time that need not be known beforehand: whenever it becomes longer than
/// 4096 windows, each two are made one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OverTime {
    /// Windows as they come in that make one kept window, as a power of two.
    doublings: u32,
    /// Row by row.
    counts: Vec<u64>,
}

/// How many I/Os of one window fell into one coarse bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// From 0.
    pub window: usize,
    /// The first of the [`BINS_MERGED`] bins of fio's that are counted here.
    pub first_bin: usize,
    /// More than 0.
    pub count: u64,
}

impl OverTime {
    /// Counts `count` I/Os of one of fio's bins in a window, numbered from 0 as if no two had been made one.
    ///
    /// # Panics
    /// If there is no such bin.
    #[inline]
    pub fn record(&mut self, window: usize, bin: usize, count: u64) {
        let mut row = window >> self.doublings;
        if (row + 1) * COLUMNS > self.counts.len() {
            row = self.reach(window);
        }
        assert!(bin < BIN_COUNT, "bin {bin} of {BIN_COUNT}");
        self.counts[row * COLUMNS + bin / BINS_MERGED] += count;
    }

    /// Counts everything that `other` counted, whose windows must have begun as long.
    pub fn merge(&mut self, other: &OverTime) {
        for cell in other.cells() {
            self.record(cell.window << other.doublings, cell.first_bin, cell.count);
        }
    }

    /// Windows as they came in that are one window here.
    pub fn windows_joined(&self) -> u64 {
        1 << self.doublings
    }

    /// What was counted, in order of window and bin.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let occupied = self.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        occupied.map(|(position, &count)| Cell {
            window: position / COLUMNS,
            first_bin: position % COLUMNS * BINS_MERGED,
            count,
        })
    }

    /// Makes room for a window and gives its row.
    #[cold]
    fn reach(&mut self, window: usize) -> usize {
        while window >> self.doublings >= WINDOWS_MAX {
            self.join_pairs();
        }
        let row = window >> self.doublings;
        let needed = (row + 1) * COLUMNS;
        if needed > self.counts.len() {
            self.counts.resize(needed, 0);
        }
        row
    }

    fn join_pairs(&mut self) {
        self.doublings += 1;
        for position in 0..self.counts.len() {
            let count = std::mem::take(&mut self.counts[position]);
            self.counts[position / COLUMNS / 2 * COLUMNS + position % COLUMNS] += count;
        }
        let rows = (self.counts.len() / COLUMNS).div_ceil(2);
        self.counts.truncate(rows * COLUMNS);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn counted(ios: &[(usize, usize)]) -> OverTime {
        let mut over_time = OverTime::default();
        for &(window, bin) in ios {
            over_time.record(window, bin, 1);
        }
        over_time
    }

    proptest! {
        #[test]
        fn every_io_is_in_the_window_and_the_bin_it_belongs_to(
            ios in prop::collection::vec((0usize..1000, 0..BIN_COUNT), 1..200),
        ) {
            let over_time = counted(&ios);
            let joined = over_time.windows_joined() as usize;
            let mut expected = BTreeMap::new();
            for (window, bin) in &ios {
                *expected.entry((window / joined, bin / BINS_MERGED * BINS_MERGED)).or_insert(0) += 1;
            }
            let found: BTreeMap<_, _> = over_time.cells().map(|cell| ((cell.window, cell.first_bin), cell.count)).collect();
            prop_assert_eq!(found, expected);
            let last = ios.iter().map(|&(window, _)| window).max().unwrap();
            prop_assert!(last / joined < WINDOWS_MAX);
            prop_assert!(joined == 1 || last / (joined / 2) >= WINDOWS_MAX);
        }

        #[test]
        fn several_are_merged_as_if_they_had_been_one(
            one in prop::collection::vec((0usize..500, 0..BIN_COUNT), 0..50),
            other in prop::collection::vec((0usize..500, 0..BIN_COUNT), 0..50),
        ) {
            let mut merged = counted(&one);
            merged.merge(&counted(&other));
            let together = counted(&[one, other].concat());
            prop_assert_eq!(merged.windows_joined(), together.windows_joined());
            prop_assert!(merged.cells().eq(together.cells()));
        }
    }

    #[test]
    fn a_far_window_takes_no_more_memory() {
        let over_time = counted(&[(0, 0), (1 << 40, 1855)]);
        assert!(over_time.counts.len() <= WINDOWS_MAX * COLUMNS);
        assert_eq!(over_time.cells().map(|cell| cell.count).sum::<u64>(), 2);
    }
}
