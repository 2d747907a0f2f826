//! Data that says where and when it was written.
//!
//! A [`Pattern`] is a seed and a generation (a pass of writing). [`Pattern::fill`] makes the data of any range; every sector
//! of 512 bytes follows from the seed, the generation and its own offset alone, repeats nowhere and cannot be compressed.
//! [`Pattern::check`] regenerates it and tells apart what may have happened to it: zeroed, left over from another
//! generation, data of another place, damaged, or somebody else's.
//!
//! A sector begins with its identity: offset, generation and a mark, enciphered with the seed in 16 bytes. All other bytes
//! follow from those 16, so that a sector found in the wrong place can be read, regenerated and proven to be whole.

mod check;
mod identity;
mod sector;

pub use check::{Finding, Kind};

use identity::Cipher;

/// The unit of identity: offsets and lengths are multiples of it.
pub const SECTOR_BYTES: usize = 512;

/// A buffer or an offset that is not whole sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("offset {offset_bytes} and length {length_bytes} must both be multiples of {SECTOR_BYTES} bytes")]
pub struct Misaligned {
    /// Where the buffer stands on the drive.
    pub offset_bytes: u64,
    /// Its length.
    pub length_bytes: usize,
}

/// The data of one generation of one seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    cipher: Cipher,
    generation: u32,
}

impl Pattern {
    /// The data that `seed` gives in this generation: number the passes of writing, and no two have a sector in common.
    pub fn new(seed: u64, generation: u32) -> Self {
        Self {
            cipher: Cipher::new(seed),
            generation,
        }
    }

    /// Writes into `buffer` what belongs at `offset_bytes`.
    ///
    /// # Errors
    /// [`Misaligned`]; nothing is written.
    pub fn fill(&self, buffer: &mut [u8], offset_bytes: u64) -> Result<(), Misaligned> {
        let first = first_sector(buffer, offset_bytes)?;
        for (number, bytes) in (first..).zip(buffer.chunks_exact_mut(SECTOR_BYTES)) {
            let words = sector::words(self.cipher.identity(number, self.generation));
            for (cell, word) in bytes.chunks_exact_mut(8).zip(words) {
                cell.copy_from_slice(&word.to_le_bytes());
            }
        }
        Ok(())
    }

    /// What in `buffer`, read at `offset_bytes`, is not what [`Pattern::fill`] made; empty if all is well. Neighbours of
    /// one kind are one finding, in the order of the buffer.
    ///
    /// # Errors
    /// [`Misaligned`]; nothing was looked at.
    pub fn check(&self, buffer: &[u8], offset_bytes: u64) -> Result<Vec<Finding>, Misaligned> {
        let first = first_sector(buffer, offset_bytes)?;
        let mut findings = Vec::new();
        for (number, bytes) in (first..).zip(buffer.chunks_exact(SECTOR_BYTES)) {
            let expected = sector::words(self.cipher.identity(number, self.generation));
            if !sector::holds(bytes, &expected) {
                check::note(
                    &mut findings,
                    number,
                    check::kind_of(&self.cipher, number, bytes, &expected),
                );
            }
        }
        Ok(findings)
    }
}

fn first_sector(buffer: &[u8], offset_bytes: u64) -> Result<u64, Misaligned> {
    let sector = SECTOR_BYTES as u64;
    if buffer.len().is_multiple_of(SECTOR_BYTES) && offset_bytes.is_multiple_of(sector) {
        return Ok(offset_bytes / sector);
    }
    Err(Misaligned {
        offset_bytes,
        length_bytes: buffer.len(),
    })
}
