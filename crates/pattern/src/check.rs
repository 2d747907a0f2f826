//! What a sector is that is not what it should be.

use crate::SECTOR_BYTES;
use crate::identity::Cipher;
use crate::sector::{self, WORDS, Words};

/// Fewer wrong bits than this and the sector was the right one: of 4096 bits, data that has nothing to do with it differs in
/// 2048 with a standard deviation of 32.
const WRONG_BITS_OF_STRANGERS: u32 = 1536;

/// As many right words of 64 and the sector was the right one in part: one in 2^58 strangers has a single one.
const RIGHT_WORDS_OF_OWN: usize = 2;

/// What was found in place of the expected data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but zeros: never written, trimmed, or lost.
    Zero,
    /// A whole sector of another generation of the same seed, in its right place: a later write was lost.
    Stale {
        /// The generation found.
        generation: u32,
    },
    /// A whole sector of the same seed from another place: swapped, wrapped around, or written in the wrong place.
    Elsewhere {
        /// Where the first sector of the finding belongs; the others follow it.
        offset_bytes: u64,
        /// Their generation.
        generation: u32,
    },
    /// Data of this seed that is not whole: some bits are wrong, or some parts.
    Corrupted {
        /// Bits that differ from what is expected.
        wrong_bits: u64,
    },
    /// Nothing of this seed.
    Foreign,
}

/// A run of bytes with one kind of wrong data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where on the drive it begins.
    pub offset_bytes: u64,
    /// How long it is, in whole sectors.
    pub length_bytes: u64,
    /// What was found.
    pub kind: Kind,
}

/// What a sector is that does not hold the expected words.
#[cold]
pub(crate) fn kind_of(cipher: &Cipher, number: u64, bytes: &[u8], expected: &Words) -> Kind {
    let found = sector::read(bytes);
    if found == [0; WORDS] {
        return Kind::Zero;
    }
    let identity = [found[0], found[1]];
    let claimed = cipher.read(identity);
    let is_whole = sector::words(identity) == found;
    let wrong_bits: u32 = found.iter().zip(expected).map(|(a, b)| (a ^ b).count_ones()).sum();
    match claimed {
        Some((claimed_number, generation)) if is_whole && claimed_number == number => Kind::Stale { generation },
        Some((claimed_number, generation)) if is_whole => Kind::Elsewhere {
            offset_bytes: claimed_number.wrapping_mul(SECTOR_BYTES as u64),
            generation,
        },
        Some(_) => Kind::Corrupted {
            wrong_bits: wrong_bits.into(),
        },
        None if is_like(&found, expected, wrong_bits) => Kind::Corrupted {
            wrong_bits: wrong_bits.into(),
        },
        None => Kind::Foreign,
    }
}

fn is_like(found: &Words, expected: &Words, wrong_bits: u32) -> bool {
    let right_words = found.iter().zip(expected).filter(|(a, b)| a == b).count();
    wrong_bits < WRONG_BITS_OF_STRANGERS || right_words >= RIGHT_WORDS_OF_OWN
}

/// Adds a sector to the findings, to the last of them if it goes on with the same.
pub(crate) fn note(findings: &mut Vec<Finding>, number: u64, kind: Kind) {
    let sector_bytes = SECTOR_BYTES as u64;
    let offset_bytes = number.wrapping_mul(sector_bytes);
    if let Some(last) = findings.last_mut()
        && last.offset_bytes.wrapping_add(last.length_bytes) == offset_bytes
        && let Some(joined) = joined(last, kind)
    {
        last.length_bytes += sector_bytes;
        last.kind = joined;
        return;
    }
    findings.push(Finding {
        offset_bytes,
        length_bytes: sector_bytes,
        kind,
    });
}

/// The kind of a finding with one more sector; none if that is another finding.
fn joined(last: &Finding, next: Kind) -> Option<Kind> {
    match (last.kind, next) {
        (Kind::Corrupted { wrong_bits }, Kind::Corrupted { wrong_bits: more }) => Some(Kind::Corrupted {
            wrong_bits: wrong_bits + more,
        }),
        (
            Kind::Elsewhere {
                offset_bytes,
                generation,
            },
            Kind::Elsewhere {
                offset_bytes: next_offset_bytes,
                generation: next_generation,
            },
        ) => {
            let follows = offset_bytes.wrapping_add(last.length_bytes) == next_offset_bytes;
            (follows && generation == next_generation).then_some(last.kind)
        }
        (before, next) => (before == next).then_some(before),
    }
}
