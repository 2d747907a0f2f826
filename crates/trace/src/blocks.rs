//! Which blocks were touched.

use std::collections::{BTreeMap, HashMap};

use crate::reuse::BLOCK_BYTES;

/// Blocks of a part: 512 bits.
const PART_BLOCKS: u64 = 512;

/// Parts and ranges of them that are held: 8 TiB of touched addresses at the least, in some 400 MB.
const HELD_MAX: usize = 1 << 22;

/// A set of blocks. How long a range is makes no difference to the time that it takes to add.
#[derive(Default)]
pub(crate) struct Blocks {
    /// Which blocks of a part.
    parts: HashMap<u64, [u64; 8]>,
    /// Parts that were touched as a whole: the first of a range, and the one after its last. No two ranges meet.
    whole: BTreeMap<u64, u64>,
    is_too_large: bool,
}

impl Blocks {
    /// Adds every block of which a range has a byte.
    pub(crate) fn add(&mut self, offset_bytes: u64, length_bytes: u64) {
        if length_bytes == 0 || self.is_too_large {
            return;
        }
        let (first, end) = (
            offset_bytes / BLOCK_BYTES,
            (offset_bytes + length_bytes).div_ceil(BLOCK_BYTES),
        );
        let (whole_first, whole_end) = (first.div_ceil(PART_BLOCKS), end / PART_BLOCKS);
        if whole_first < whole_end {
            self.add_blocks(first, whole_first * PART_BLOCKS);
            self.add_whole(whole_first, whole_end);
            self.add_blocks(whole_end * PART_BLOCKS, end);
        } else {
            self.add_blocks(first, end);
        }
        if self.parts.len() + self.whole.len() > HELD_MAX {
            *self = Blocks {
                is_too_large: true,
                ..Blocks::default()
            };
        }
    }

    /// Bytes of all blocks; `None` if they were too many to remember.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let whole: u64 = self.whole.iter().map(|(first, end)| end - first).sum();
        let single: u64 = self
            .parts
            .iter()
            .filter(|(part, _)| !self.is_whole(**part))
            .flat_map(|(_, words)| words.map(|word| u64::from(word.count_ones())))
            .sum();
        (!self.is_too_large).then_some((whole * PART_BLOCKS + single) * BLOCK_BYTES)
    }

    fn add_blocks(&mut self, first: u64, end: u64) {
        for part in first / PART_BLOCKS..end.div_ceil(PART_BLOCKS) {
            if self.is_whole(part) {
                continue;
            }
            let begin = part * PART_BLOCKS;
            let (from, to) = (first.max(begin) - begin, end.min(begin + PART_BLOCKS) - begin);
            let words = self.parts.entry(part).or_default();
            for (word, at) in words.iter_mut().zip((0..).step_by(64)) {
                *word |= ones(from.max(at) - at, to.min(at + 64).max(at) - at);
            }
        }
    }

    /// Makes one range of it and of all that it meets.
    fn add_whole(&mut self, mut first: u64, mut end: u64) {
        while let Some((&other, &other_end)) = self.whole.range(..=end).next_back()
            && other_end >= first
        {
            self.whole.remove(&other);
            (first, end) = (first.min(other), end.max(other_end));
        }
        self.whole.insert(first, end);
    }

    fn is_whole(&self, part: u64) -> bool {
        self.whole
            .range(..=part)
            .next_back()
            .is_some_and(|(_, end)| part < *end)
    }
}

/// Bits from one position up to another.
fn ones(from: u64, to: u64) -> u64 {
    if from >= to || from >= 64 {
        return 0;
    }
    (u64::MAX >> (64 - (to - from))) << from
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn counts_each_block_once(ranges in proptest::collection::vec((0..9_000_000_u64, 0..9_000_000_u64), 0..12)) {
            let (mut blocks, mut expected) = (Blocks::default(), BTreeSet::new());
            for (offset, length) in ranges {
                blocks.add(offset, length);
                if length > 0 {
                    expected.extend(offset / BLOCK_BYTES..=(offset + length - 1) / BLOCK_BYTES);
                }
            }
            prop_assert_eq!(blocks.bytes(), Some(expected.len() as u64 * BLOCK_BYTES));
        }
    }
    #[test]
    fn what_is_touched_as_a_whole_a_hundred_thousand_times_takes_no_time() {
        let mut blocks = Blocks::default();
        for at in 0..100_000 {
            blocks.add(at * BLOCK_BYTES, u32::MAX.into());
        }
        assert_eq!(blocks.bytes(), Some((100_000 - 1 + (1 << 20)) * BLOCK_BYTES));
    }
}
