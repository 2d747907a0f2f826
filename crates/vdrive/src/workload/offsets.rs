//! Where the next I/O of one stream goes.

use super::permutation::Permutation;
use super::{Draw, Pattern, Workload};
use crate::random::{Random, mix};

/// Told apart from the generator of directions, which shares the workload's seed.
const OFFSETS_DOMAIN: u64 = 0x006F_6666_7365_7473;

/// One job's part of the region's blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    first: u64,
    pub(super) length: u64,
}

impl Share {
    /// The `stream`-th of equal parts; the first ones take one block more if there is a rest.
    pub(super) fn of(blocks: u64, stream: u64, jobs: u64) -> Self {
        let (each, rest) = (blocks / jobs, blocks % jobs);
        Share {
            first: each * stream + rest.min(stream),
            length: each + u64::from(stream < rest),
        }
    }
}

#[derive(Debug)]
enum Order {
    /// The next block of reads (and trims), the next of writes.
    Sequential {
        share: Share,
        next_read: u64,
        next_write: u64,
    },
    Independent {
        blocks: u64,
        random: Random,
    },
    Permuted {
        share: Share,
        seed: u64,
        pass: u64,
        position: u64,
        permutation: Permutation,
    },
}

fn permutation_of_pass(share: Share, seed: u64, pass: u64) -> Permutation {
    Permutation::new(share.length, seed ^ mix(pass))
}

/// The offsets of one stream, without end.
#[derive(Debug)]
pub(super) struct Offsets {
    order: Order,
    region_offset_bytes: u64,
    block_bytes: u64,
}

/// Which of a stream's two places a sequential I/O takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    OfReads,
    OfWrites,
}

impl Offsets {
    pub(super) fn new(workload: &Workload, stream: u64) -> Self {
        let blocks = workload.blocks();
        let share = Share::of(blocks, stream, u64::from(workload.jobs));
        let seed = mix(workload.seed ^ OFFSETS_DOMAIN).wrapping_add(stream);
        let order = match (workload.pattern, workload.draw) {
            (Pattern::Sequential, _) => Order::Sequential {
                share,
                next_read: 0,
                next_write: 0,
            },
            (Pattern::Random, Draw::Independent) => Order::Independent {
                blocks,
                random: Random::new(seed),
            },
            (Pattern::Random, Draw::Permutation) => {
                let permutation = permutation_of_pass(share, seed, 0);
                Order::Permuted {
                    share,
                    seed,
                    pass: 0,
                    position: 0,
                    permutation,
                }
            }
        };
        Offsets {
            order,
            region_offset_bytes: workload.region_offset_bytes,
            block_bytes: workload.block_bytes,
        }
    }

    #[inline]
    pub(super) fn next_bytes(&mut self, place: Place) -> u64 {
        let block = match &mut self.order {
            Order::Sequential {
                share,
                next_read,
                next_write,
            } => {
                let next = if place == Place::OfReads { next_read } else { next_write };
                let block = share.first + *next;
                *next = if *next + 1 == share.length { 0 } else { *next + 1 };
                block
            }
            Order::Independent { blocks, random } => random.below(*blocks),
            Order::Permuted {
                share,
                seed,
                pass,
                position,
                permutation,
            } => {
                if *position == share.length {
                    *position = 0;
                    *pass += 1;
                    *permutation = permutation_of_pass(*share, *seed, *pass);
                }
                *position += 1;
                share.first + permutation.at(*position - 1)
            }
        };
        self.region_offset_bytes + block * self.block_bytes
    }
}
