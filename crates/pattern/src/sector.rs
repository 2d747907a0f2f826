//! The 64 words of a sector, from its identity.
//!
//! 32 pairs of words go through four rounds of addition, rotation and exclusive-or, the mixing function of Threefish
//! (Ferguson et al., "The Skein hash function family", 2010) without its key schedule. Nothing depends on a neighbour, so
//! the compiler does several pairs in one register; multiplication is avoided because vectors of 64-bit products are
//! slow or missing.

use crate::SECTOR_BYTES;
use crate::identity::Identity;

/// Words in a sector.
pub(crate) const WORDS: usize = SECTOR_BYTES / 8;

/// A sector's contents.
pub(crate) type Words = [u64; WORDS];

const PAIRS: usize = WORDS / 2;

/// What tells the pairs apart: odd, with bits everywhere (the golden ratio).
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// How far each round turns; the first four of Threefish-512's column 0.
const TURNS: [u32; 4] = [46, 33, 17, 44];

/// The contents of the sector with this identity, which are its first two words.
#[inline]
pub(crate) fn words(identity: Identity) -> Words {
    let mut words = [0; WORDS];
    let (sums, turned) = words.split_at_mut(PAIRS);
    for (pair, (sum, turned)) in sums.iter_mut().zip(turned).enumerate() {
        let mut x = identity[0].wrapping_add(STEP.wrapping_mul(pair as u64));
        let mut y = identity[1];
        for turn in TURNS {
            x = x.wrapping_add(y);
            y = y.rotate_left(turn) ^ x;
        }
        (*sum, *turned) = (x, y);
    }
    [words[0], words[1]] = identity;
    words
}

/// The words that stand in a sector's bytes.
pub(crate) fn read(bytes: &[u8]) -> Words {
    let mut words = [0; WORDS];
    for (word, cell) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = cell.try_into().map_or(0, u64::from_le_bytes);
    }
    words
}

/// Whether a sector's bytes are these words.
#[inline]
pub(crate) fn holds(bytes: &[u8], words: &Words) -> bool {
    // All differences are joined without a branch, for vector registers.
    read(bytes)
        .iter()
        .zip(words)
        .fold(0, |joined, (found, word)| joined | (found ^ word))
        == 0
}
