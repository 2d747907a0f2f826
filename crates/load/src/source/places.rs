//! Which block is next.

use vdrive::random::Random;
use vdrive::workload::Permutation;

use super::Fault;

/// An endless series of blocks, as numbers from 0 on.
pub trait Places {
    /// The next block.
    fn next(&mut self) -> u64;
}

/// `blocks`, if there are any.
pub(super) fn at_least_one(blocks: u64, block_bytes: u32) -> Result<u64, Fault> {
    if blocks == 0 {
        return Err(Fault::NoBlocks { block_bytes });
    }
    Ok(blocks)
}

/// One block after the other, and from the first again.
#[derive(Debug)]
pub struct Sequential {
    blocks: u64,
    next: u64,
}

impl Sequential {
    /// Over the blocks of a region, of which there is at least one.
    pub fn new(blocks: u64) -> Self {
        Self { blocks, next: 0 }
    }
}

impl Places for Sequential {
    #[inline]
    fn next(&mut self) -> u64 {
        let block = self.next;
        self.next = if block + 1 == self.blocks { 0 } else { block + 1 };
        block
    }
}

/// Each block drawn anew.
#[derive(Debug)]
pub struct Uniform {
    blocks: u64,
    random: Random,
}

impl Uniform {
    /// Over the blocks of a region, of which there is at least one.
    pub fn new(blocks: u64, seed: u64) -> Self {
        Self {
            blocks,
            random: Random::new(seed),
        }
    }
}

impl Places for Uniform {
    #[inline]
    fn next(&mut self) -> u64 {
        self.random.below(self.blocks)
    }
}

/// Every block once a pass, in another pseudo-random order each pass.
#[derive(Debug)]
pub struct Permuted {
    blocks: u64,
    next: u64,
    seeds: Random,
    order: Permutation,
}

impl Permuted {
    /// Over the blocks of a region, of which there is at least one.
    pub fn new(blocks: u64, seed: u64) -> Self {
        let mut seeds = Random::new(seed);
        let order = Permutation::new(blocks, seeds.next_u64());
        Self {
            blocks,
            next: 0,
            seeds,
            order,
        }
    }
}

impl Places for Permuted {
    #[inline]
    fn next(&mut self) -> u64 {
        if self.next == self.blocks {
            self.next = 0;
            self.order = Permutation::new(self.blocks, self.seeds.next_u64());
        }
        self.next += 1;
        self.order.at(self.next - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_pass_in_any_order_has_each_block_once(blocks in 1_u64..3000, seed: u64, passes in 1..4_u32) {
            let mut permuted = Permuted::new(blocks, seed);
            for _ in 0..passes {
                let mut found: Vec<u64> = (0..blocks).map(|_| permuted.next()).collect();
                found.sort_unstable();
                prop_assert!(found.into_iter().eq(0..blocks));
            }
        }

        #[test]
        fn blocks_in_a_row_wrap(blocks in 1_u64..100, count in 1_usize..500) {
            let mut sequential = Sequential::new(blocks);
            for number in 0..count as u64 {
                prop_assert_eq!(sequential.next(), number % blocks);
            }
        }

        #[test]
        fn a_drawn_block_is_one_of_them(blocks in 1_u64..1 << 50, seed: u64) {
            let mut uniform = Uniform::new(blocks, seed);
            prop_assert!((0..100).all(|_| uniform.next() < blocks));
        }
    }

    #[test]
    fn passes_differ() {
        let mut permuted = Permuted::new(1000, 1);
        let pass = |from: &mut Permuted| (0..1000).map(|_| from.next()).collect::<Vec<u64>>();
        assert_ne!(pass(&mut permuted), pass(&mut permuted));
    }
}
