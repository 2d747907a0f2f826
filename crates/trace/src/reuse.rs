//! Reuse distances: how many different blocks were touched between two touches of one.
//!
//! Exact while no more than [`BLOCKS_MAX`] blocks were touched; beyond that a sample of blocks, chosen by a hash of their address,
//! stands for all (Waldspurger, Park, Garthwaite, Ahmad: "Efficient MRC Construction with SHARDS", FAST '15, fixed size).

use std::collections::HashMap;

use fiolog::{Histogram, Percent};

/// What is touched at once.
pub const BLOCK_BYTES: u64 = 4096;

/// Blocks that are followed: 4 GiB of them, in some 60 MB.
const BLOCKS_MAX: usize = 1 << 20;

/// Moments that are numbered before the numbers begin anew.
const MOMENTS: usize = 2 * BLOCKS_MAX;

/// Touches that are looked at: 16 TiB moved.
const TOUCHES_MAX: u64 = 1 << 32;

/// Follows touches of blocks.
pub(crate) struct Reuse {
    /// The last touch of each block that is followed.
    last: HashMap<u64, usize>,
    /// Binary indexed tree over moments: 1 where a block was touched last.
    tree: Vec<u32>,
    now: usize,
    blocks_max: usize,
    /// Blocks with a hash above are not followed.
    hash_max: u64,
    touches: u64,
    distances: Histogram,
    first: u64,
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
        Self::following(BLOCKS_MAX)
    }
}

impl Reuse {
    fn following(blocks_max: usize) -> Self {
        Reuse {
            last: HashMap::new(),
            tree: vec![0; MOMENTS + 1],
            now: 0,
            blocks_max,
            hash_max: u64::MAX,
            touches: 0,
            distances: Histogram::default(),
            first: 0,
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
        if self.touches > TOUCHES_MAX {
            return;
        }
        for block in first..=last {
            if hash(block) <= self.hash_max {
                self.touch_block(block);
            }
        }
    }

    /// The distances; `None` if there was too much to follow, or nothing.
    pub(crate) fn finish(self) -> Option<Distances> {
        let followed = self.distances.count() + self.first;
        (followed > 0 && self.touches <= TOUCHES_MAX).then(|| Distances {
            reused_share: self.distances.count() as f64 / followed as f64,
            sampled_share: (self.hash_max as f64 + 1.0) / 2_f64.powi(64),
            bytes: self.distances,
        })
    }

    fn touch_block(&mut self, block: u64) {
        if self.now == MOMENTS {
            self.renumber();
        }
        if let Some(before) = self.last.insert(block, self.now) {
            // Those touched since: all that are followed, without those touched up to then.
            let since = self.last.len() as u64 - self.sum(before);
            let scale = u64::MAX / self.hash_max.max(1);
            self.distances
                .record(since.saturating_mul(scale).saturating_mul(BLOCK_BYTES));
            self.add(before, -1);
        } else {
            self.first += 1;
        }
        self.add(self.now, 1);
        self.now += 1;
        if self.last.len() > self.blocks_max {
            self.hash_max /= 2;
            let hash_max = self.hash_max;
            self.last.retain(|block, _| hash(*block) <= hash_max);
            self.renumber();
        }
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

/// Mixes an address (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA '14).
fn hash(block: u64) -> u64 {
    let mut mixed = block.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
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

    #[test]
    fn a_sample_of_the_blocks_tells_what_all_of_them_do() {
        let mut reuse = Reuse::following(512);
        for round in 0..4_u64 {
            for block in 0..20_000_u64 {
                reuse.touch((block ^ round) * BLOCK_BYTES, BLOCK_BYTES);
            }
        }
        let found = reuse.finish().unwrap();
        assert!(found.sampled_share < 0.05);
        let middle = found.percentile_bytes(Percent::try_from(50.0).unwrap()).unwrap() as f64;
        let truth = 20_000.0 * BLOCK_BYTES as f64;
        assert!((middle / truth - 1.0).abs() < 0.1, "{middle} against {truth}");
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
