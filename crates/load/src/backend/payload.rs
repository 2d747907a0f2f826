//! Memory that is written from and read into.

use vdrive::random::mix;

/// Longest read or write that is submitted at once in real time.
pub const LENGTH_BYTES_MAX: usize = 1 << 20;

const PAGE_BYTES: usize = 4096;
const WORDS: usize = PAGE_BYTES / size_of::<u64>();

/// From one count to the next: odd, so that all words are visited (Steele, Lea and Flood, OOPSLA 2014).
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Memory that begins where a page does, as direct I/O asks.
pub(super) struct Aligned {
    bytes: Vec<u8>,
    begin: usize,
}

impl Aligned {
    /// Zeros.
    pub(super) fn new(length_bytes: usize) -> Self {
        let bytes = vec![0; length_bytes + PAGE_BYTES];
        Self {
            begin: bytes.as_ptr().align_offset(PAGE_BYTES),
            bytes,
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        let length_bytes = self.bytes.len() - PAGE_BYTES;
        &mut self.bytes[self.begin..][..length_bytes]
    }
}

/// What is written: no part of it comes twice, so that no drive can compress it or keep it once for several places.
///
/// Each page is made of the same random words, all changed by a word of its own (exclusive or), the image of a counter (splitmix64), which
/// begins where the seed says and counts on from page to page. Two words are alike as rarely as two random ones are.
pub(super) struct Payload {
    counter: u64,
    words: [u64; WORDS],
}

impl Payload {
    pub(super) fn new(seed: u64) -> Self {
        let mut counter = mix(seed);
        let words = std::array::from_fn(|_| next(&mut counter));
        Self { counter, words }
    }

    /// Puts the data of the next write there.
    pub(super) fn fill(&mut self, target: &mut [u8]) {
        for page in target.chunks_mut(PAGE_BYTES) {
            let of_page = next(&mut self.counter);
            let (whole, rest) = page.as_chunks_mut::<{ size_of::<u64>() }>();
            for (into, word) in whole.iter_mut().zip(&self.words) {
                *into = (word ^ of_page).to_ne_bytes();
            }
            rest.copy_from_slice(&next(&mut self.counter).to_ne_bytes()[..rest.len()]);
        }
    }
}

fn next(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(STEP);
    mix(*counter)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn written(seed: u64) -> Vec<u8> {
        let (mut payload, mut bytes) = (Payload::new(seed), vec![0; 16 << 20]);
        for data in bytes.chunks_exact_mut(4096) {
            payload.fill(data);
        }
        bytes
    }

    #[test]
    fn no_word_is_written_twice_whatever_the_write_and_the_seed() {
        let (one, other) = (written(1), written(2));
        let words: HashSet<&[u8]> = one.chunks_exact(8).chain(other.chunks_exact(8)).collect();
        assert_eq!(words.len(), 2 * (16 << 20) / 8);
    }

    #[test]
    fn every_byte_comes_as_often_as_any_other() {
        let mut counts = [0_u32; 256];
        for byte in written(3) {
            counts[usize::from(byte)] += 1;
        }
        let expected = f64::from(16 << 20) / 256.0;
        let chi_squared: f64 = counts
            .iter()
            .map(|count| (f64::from(*count) - expected).powi(2) / expected)
            .sum();
        // 255 degrees of freedom: six standard deviations either side.
        assert!((120.0..390.0).contains(&chi_squared), "{chi_squared}");
    }

    #[test]
    fn a_length_that_is_no_whole_number_of_words_is_filled_to_its_end() {
        let mut data = [0; 8 * 3 + 7];
        Payload::new(1).fill(&mut data);
        assert!(data[24..].iter().any(|byte| *byte != 0));
    }
}
