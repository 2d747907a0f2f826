//! Who a sector is, in 16 bytes that look random: a permutation of (number, generation, mark) that the seed chooses.

/// Tells an identity of this seed from any other 16 bytes: one in 2^32 of those passes by chance.
const MARK: u64 = u32::from_be_bytes(*b"ssdl") as u64;

/// Rounds of the Feistel network; four give a permutation that a distinguisher with few queries cannot tell from a random
/// one (Luby and Rackoff, "How to construct pseudorandom permutations from pseudorandom functions", SIAM J. Comput. 17(2), 1988).
const ROUNDS: usize = 4;

/// The first two words of a sector.
pub(crate) type Identity = [u64; 2];

/// What a seed makes of identities, and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cipher {
    keys: [u64; ROUNDS],
}

impl Cipher {
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = seed;
        Self {
            keys: std::array::from_fn(|_| {
                key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
                mix(key)
            }),
        }
    }

    /// The identity of a sector.
    #[inline]
    pub(crate) fn identity(&self, number: u64, generation: u32) -> Identity {
        let (mut left, mut right) = (number, u64::from(generation) << 32 | MARK);
        for key in self.keys {
            (left, right) = (right, left ^ mix(right ^ key));
        }
        [left, right]
    }

    /// The sector number and generation that an identity stands for; none if it is not of this seed.
    pub(crate) fn read(&self, identity: Identity) -> Option<(u64, u32)> {
        let [mut left, mut right] = identity;
        for key in self.keys.iter().rev() {
            (left, right) = (right ^ mix(left ^ key), left);
        }
        (right & 0xFFFF_FFFF == MARK).then_some((left, (right >> 32) as u32))
    }
}

/// The finaliser of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
#[inline]
fn mix(value: u64) -> u64 {
    let mut z = value;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_identity_is_read_back_with_its_seed_and_no_other(
            seed: u64, other: u64, number: u64, generation: u32
        ) {
            let identity = Cipher::new(seed).identity(number, generation);
            prop_assert_eq!(Cipher::new(seed).read(identity), Some((number, generation)));
            prop_assert!(seed == other || Cipher::new(other).read(identity) != Some((number, generation)));
        }
    }
}
