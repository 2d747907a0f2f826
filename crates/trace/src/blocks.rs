//! Which blocks were touched.

use std::collections::HashMap;

use crate::reuse::BLOCK_BYTES;

/// Blocks of a part: 512 bits.
const PART_BLOCKS: u64 = 512;

/// Parts that are held: 8 TiB of touched addresses at the least, in some 400 MB.
const PARTS_MAX: usize = 1 << 22;

/// A set of blocks.
#[derive(Default)]
pub(crate) struct Blocks {
    parts: HashMap<u64, [u64; 8]>,
    count: u64,
    is_too_large: bool,
}

impl Blocks {
    /// Adds every block of which a range has a byte.
    pub(crate) fn add(&mut self, offset_bytes: u64, length_bytes: u64) {
        if length_bytes == 0 || self.is_too_large {
            return;
        }
        let (first, last) = (
            offset_bytes / BLOCK_BYTES,
            (offset_bytes + length_bytes - 1) / BLOCK_BYTES,
        );
        for part in first / PART_BLOCKS..=last / PART_BLOCKS {
            if self.parts.len() == PARTS_MAX {
                self.is_too_large = true;
                self.parts = HashMap::new();
                return;
            }
            let from = first.max(part * PART_BLOCKS) % PART_BLOCKS;
            let to = last.min(part * PART_BLOCKS + PART_BLOCKS - 1) % PART_BLOCKS;
            let words = self.parts.entry(part).or_default();
            for (word, at) in words.iter_mut().zip((0..).step_by(64)) {
                let bits = ones(from.max(at) - at, (to + 1).min(at + 64).max(at) - at);
                self.count += u64::from((bits & !*word).count_ones());
                *word |= bits;
            }
        }
    }

    /// Bytes of all blocks; `None` if they were too many to remember.
    pub(crate) fn bytes(&self) -> Option<u64> {
        (!self.is_too_large).then_some(self.count * BLOCK_BYTES)
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
}
