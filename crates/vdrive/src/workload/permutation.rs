//! Every number below a bound exactly once, in a pseudo-random order, without a table.

use crate::random::mix;

const ROUNDS: u64 = 4;

/// A seeded permutation of `0..length`: a Feistel network over the next even power of two, walking along its cycles until
/// the value lies inside (Black & Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
#[derive(Debug, Clone)]
pub struct Permutation {
    length: u64,
    low_bits: u32,
    high_bits: u32,
    keys: [u64; ROUNDS as usize],
}

impl Permutation {
    /// `length` must not be 0.
    pub fn new(length: u64, seed: u64) -> Self {
        let bits = (64 - (length - 1).leading_zeros()).max(2);
        let mut keys = [0; ROUNDS as usize];
        for (round, key) in (1..).zip(&mut keys) {
            *key = mix(seed ^ mix(round));
        }
        Permutation {
            length,
            low_bits: bits / 2,
            high_bits: bits - bits / 2,
            keys,
        }
    }

    /// The number at `position`, which lies in `0..length`.
    pub fn at(&self, position: u64) -> u64 {
        let mut value = position;
        loop {
            value = self.encipher(value);
            // At most half of the domain lies outside, and the cycle of a position inside comes back inside.
            if value < self.length {
                return value;
            }
        }
    }

    fn encipher(&self, value: u64) -> u64 {
        let (mut left_bits, mut right_bits) = (self.high_bits, self.low_bits);
        let mut left = value >> right_bits;
        let mut right = value & mask(right_bits);
        for key in self.keys {
            let mixed = (left ^ mix(right ^ key)) & mask(left_bits);
            (left, right) = (right, mixed);
            (left_bits, right_bits) = (right_bits, left_bits);
        }
        (left << right_bits) | right
    }
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_number_comes_exactly_once(length in 1u64..5000, seed: u64) {
            let permutation = Permutation::new(length, seed);
            let mut seen = vec![0; length as usize];
            for position in 0..length {
                seen[permutation.at(position) as usize] += 1;
            }
            prop_assert!(seen.iter().all(|&times| times == 1));
        }

        #[test]
        fn it_is_a_permutation_of_the_largest_drives_too(length in 1u64 << 40..1 << 41, seed: u64) {
            let permutation = Permutation::new(length, seed);
            let mut drawn: Vec<u64> = (0..1000).map(|position| permutation.at(position)).collect();
            prop_assert!(drawn.iter().all(|&number| number < length));
            drawn.sort_unstable();
            drawn.dedup();
            prop_assert_eq!(drawn.len(), 1000);
        }
    }

    #[test]
    fn neighbours_are_as_far_apart_as_chance_puts_them() {
        let length = 1 << 20;
        let permutation = Permutation::new(length, 1);
        let distance = |position| permutation.at(position).abs_diff(permutation.at(position + 1)) as f64;
        let mean = (0..100_000).map(distance).sum::<f64>() / 1e5;
        assert!((mean / length as f64 - 1.0 / 3.0).abs() < 0.01, "{mean}");
    }

    #[test]
    fn another_seed_is_another_order() {
        let (one, other) = (Permutation::new(1000, 1), Permutation::new(1000, 2));
        let same = (0..1000)
            .filter(|&position| one.at(position) == other.at(position))
            .count();
        assert!(same < 10, "{same} of 1000 at the same place");
    }
}
