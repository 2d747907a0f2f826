//! Reuse distances: how many different blocks were touched between two touches of one.
//!
//! Exact while no more than [`Limits::blocks`] were touched, no more often than [`Limits::touches`]; beyond that a sample of blocks, chosen
//! by a hash of their address, stands for all (Waldspurger, Park, Garthwaite, Ahmad: "Efficient MRC Construction with SHARDS", FAST '15,
//! fixed size). What was found of a block that the sample loses is forgotten, so that each block counts as much as any other.

use std::collections::HashMap;

use fiolog::{Histogram, Percent};

/// What is touched at once.
pub const BLOCK_BYTES: u64 = 4096;

/// Moments that are numbered before the numbers begin anew.
const MOMENTS: usize = 2 * LIMITS.blocks;

/// Touches that are looked at: 16 TiB moved.
const TOUCHES_MAX: u64 = 1 << 32;

/// Touches that are followed in all: some ten seconds of few blocks, of which no sample would do.
const FOLLOWED_MAX: u64 = 1 << 28;

/// What is followed of a trace before a sample half as large is.
#[derive(Clone, Copy)]
struct Limits {
    blocks: usize,
    touches: u64,
    /// Of fewer blocks all touches are followed: no sample of them would do.
    blocks_min: usize,
}

/// 4 GiB of blocks, in some 60 MB; and touches of them in seconds, wherever they are in memory.
const LIMITS: Limits = Limits {
    blocks: 1 << 20,
    touches: 1 << 23,
    blocks_min: 1 << 13,
};

/// Follows touches of blocks.
pub(crate) struct Reuse {
    /// The last touch of each block that is followed.
    last: HashMap<u64, usize>,
    /// Binary indexed tree over moments: 1 where a block was touched last.
    tree: Vec<u32>,
    now: usize,
    limits: Limits,
    /// Blocks whose hash begins with fewer zero bits are not followed.
    zeros_min: usize,
    touches: u64,
    followed: u64,
    /// By the zero bits that the hash of a block begins with.
    found: Vec<Found>,
    /// Touches in it.
    kept: u64,
}

/// Touches of some blocks.
#[derive(Default)]
struct Found {
    first: u64,
    distances: Histogram,
}

/// Distances of a trace.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Distances {
    /// Touches of a block that was touched before, over all touches.
    pub(crate) reused_share: f64,
    /// Of how many blocks' touches these are, over all.
    pub(crate) sampled_share: f64,
    /// In bytes, in bins.
    pub(crate) bytes: Histogram,
}

impl Default for Reuse {
    fn default() -> Self {
        Self::within(LIMITS)
    }
}

impl Reuse {
    fn within(limits: Limits) -> Self {
        Reuse {
            last: HashMap::new(),
            tree: vec![0; MOMENTS + 1],
            now: 0,
            limits,
            zeros_min: 0,
            touches: 0,
            followed: 0,
            found: Vec::new(),
            kept: 0,
        }
    }

    /// Touches every block of which a range has a byte.
    pub(crate) fn touch(&mut self, offset_bytes: u64, length_bytes: u64) {
        if length_bytes == 0 {
            return;
        }
        let (first, last) = (
            offset_bytes / BLOCK_BYTES,
            (offset_bytes + length_bytes - 1) / BLOCK_BYTES,
        );
        self.touches = self.touches.saturating_add(last - first + 1);
        if self.is_too_much() {
            return;
        }
        for block in first..=last {
            let zeros = zeros(block);
            if zeros >= self.zeros_min {
                self.touch_block(block, zeros);
            }
        }
    }

    /// The distances; `None` if there was too much to follow, or nothing.
    pub(crate) fn finish(self) -> Option<Distances> {
        let mut bytes = Histogram::default();
        for found in &self.found {
            bytes.merge(&found.distances);
        }
        (self.kept > 0 && !self.is_too_much()).then(|| Distances {
            reused_share: bytes.count() as f64 / self.kept as f64,
            sampled_share: 0.5_f64.powi(self.zeros_min as i32),
            bytes,
        })
    }

    fn is_too_much(&self) -> bool {
        self.touches > TOUCHES_MAX || self.followed > FOLLOWED_MAX
    }

    fn touch_block(&mut self, block: u64, zeros: usize) {
        if self.now == MOMENTS {
            self.renumber();
        }
        if self.found.len() <= zeros {
            self.found.resize_with(zeros + 1, Found::default);
        }
        self.followed += 1;
        self.kept += 1;
        if let Some(before) = self.last.insert(block, self.now) {
            // Those touched since: all that are followed, without those touched up to then.
            let since = self.last.len() as u64 - self.sum(before);
            let distance = u128::from(since * BLOCK_BYTES) << self.zeros_min;
            self.found[zeros]
                .distances
                .record(u64::try_from(distance).unwrap_or(u64::MAX));
            self.add(before, -1);
        } else {
            self.found[zeros].first += 1;
        }
        self.add(self.now, 1);
        self.now += 1;
        let blocks = self.last.len();
        if blocks > self.limits.blocks || (self.kept > self.limits.touches && blocks > self.limits.blocks_min) {
            self.follow_half();
        }
    }

    /// Follows half as many blocks, and forgets the others.
    fn follow_half(&mut self) {
        if let Some(lost) = self.found.get_mut(self.zeros_min) {
            let lost = std::mem::take(lost);
            self.kept -= lost.first + lost.distances.count();
        }
        self.zeros_min += 1;
        let zeros_min = self.zeros_min;
        self.last.retain(|block, _| zeros(*block) >= zeros_min);
        self.renumber();
    }

    /// Numbers the last touches from 0 on.
    fn renumber(&mut self) {
        let mut order: Vec<(usize, u64)> = self.last.iter().map(|(block, moment)| (*moment, *block)).collect();
        order.sort_unstable();
        self.tree.fill(0);
        for (moment, (_, block)) in order.iter().enumerate() {
            self.last.insert(*block, moment);
            self.add(moment, 1);
        }
        self.now = order.len();
    }

    fn add(&mut self, moment: usize, change: i32) {
        let mut index = moment + 1;
        while index <= MOMENTS {
            self.tree[index] = self.tree[index].wrapping_add_signed(change);
            index += index & index.wrapping_neg();
        }
    }

    /// How many blocks were touched last at that moment or before.
    fn sum(&self, moment: usize) -> u64 {
        let (mut index, mut sum) = (moment + 1, 0);
        while index > 0 {
            sum += u64::from(self.tree[index]);
            index &= index - 1;
        }
        sum
    }
}

/// Zero bits that the hash of an address begins with: with each more, half as many have them (Steele, Lea, Flood: "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA '14).
fn zeros(block: u64) -> usize {
    let mut mixed = block.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (mixed ^ (mixed >> 31)).leading_zeros() as usize
}

impl Distances {
    /// A percentile in bytes; `None` where too few lie above.
    pub(crate) fn percentile_bytes(&self, percent: Percent) -> Option<u64> {
        self.bytes.percentile_ns(percent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_distance_is_the_number_of_others_between(touched in proptest::collection::vec(0..20_u64, 0..200)) {
            let mut reuse = Reuse::default();
            let mut expected = Histogram::default();
            for (index, block) in touched.iter().enumerate() {
                reuse.touch(block * BLOCK_BYTES, 1);
                if let Some(before) = touched[..index].iter().rposition(|other| other == block) {
                    let mut between = touched[before + 1..index].to_vec();
                    between.sort_unstable();
                    between.dedup();
                    expected.record(between.len() as u64 * BLOCK_BYTES);
                }
            }
            if let Some(found) = reuse.finish() {
                prop_assert!((found.sampled_share - 1.0).abs() < f64::EPSILON);
                prop_assert_eq!(found.bytes, expected);
            }
        }
    }

    const FEW: Limits = Limits { blocks: 512, ..LIMITS };

    fn median_bytes(found: &Distances) -> f64 {
        found.percentile_bytes(Percent::try_from(50.0).unwrap()).unwrap() as f64
    }

    #[test]
    fn a_sample_of_the_blocks_tells_what_all_of_them_do() {
        let mut reuse = Reuse::within(FEW);
        for round in 0..4_u64 {
            for block in 0..20_000_u64 {
                reuse.touch((block ^ round) * BLOCK_BYTES, BLOCK_BYTES);
            }
        }
        let found = reuse.finish().unwrap();
        assert!(found.sampled_share < 0.05);
        let (middle, truth) = (median_bytes(&found), 20_000.0 * BLOCK_BYTES as f64);
        assert!((middle / truth - 1.0).abs() < 0.1, "{middle} against {truth}");
        // Each block is touched four times, and each of the sample, too.
        assert!((found.reused_share - 0.75).abs() < f64::EPSILON);
    }

    #[test]
    fn of_blocks_that_are_touched_too_often_a_sample_is_followed() {
        let limits = Limits {
            touches: 1 << 14,
            blocks_min: 700,
            ..LIMITS
        };
        let mut reuse = Reuse::within(limits);
        for _ in 0..64 {
            reuse.touch(0, 4096 * BLOCK_BYTES);
        }
        assert!(reuse.followed < 1 << 16);
        let found = reuse.finish().unwrap();
        assert!((found.sampled_share - 0.125).abs() < f64::EPSILON);
        let (middle, truth) = (median_bytes(&found), 4096.0 * BLOCK_BYTES as f64);
        assert!((middle / truth - 1.0).abs() < 0.1, "{middle} against {truth}");
        assert!((found.reused_share - 63.0 / 64.0).abs() < f64::EPSILON);
    }

    #[test]
    fn moments_beyond_the_last_number_begin_anew() {
        let mut reuse = Reuse::default();
        for touch in 0..(2 * MOMENTS as u64 + 10) {
            reuse.touch(touch % 3 * BLOCK_BYTES, 1);
        }
        let found = reuse.finish().unwrap();
        let bins: Vec<(usize, u64)> = found.bytes.occupied().collect();
        assert_eq!(
            bins,
            [(fiolog::bins::bin_index(2 * BLOCK_BYTES), 2 * MOMENTS as u64 + 7)]
        );
    }
}
