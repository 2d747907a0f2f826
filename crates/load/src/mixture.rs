//! Jobs whose I/Os are of several kinds: what each I/O is, and a count of what was done by kind, length and place.

use std::collections::HashMap;

use serde::Deserialize;
use vdrive::random::{Random, mix as mixed};
use vdrive::workload::WorkloadResult;

use crate::request::{Operation, Region, Request};
use crate::source::{Fault, Places, Uniform, Zipf};

/// Classes of places that the I/Os of a part are counted in, by length.
pub const CELLS: usize = 10;

/// One kind of I/O of a mix.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixPart {
    /// Its share of the I/Os in its direction: it comes `weight` times in the sum of their weights.
    pub weight: u32,
    /// What is done.
    pub operation: MixOperation,
    /// Where its region begins on the device.
    pub offset_bytes: u64,
    /// How long the region is.
    pub length_bytes: u64,
    /// In which order it is gone through.
    pub order: Order,
    /// How long its I/Os are.
    pub sizes: Vec<SizeShare>,
}

/// What a part does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MixOperation {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

/// Where the next I/O of a part is.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Where the one before it ended; from the beginning again once the region does not hold it.
    Sequential,
    /// At any whole block of its own length, all alike.
    Uniform,
    /// Likewise, but the block of rank `k` gets a share proportional to `k` to the minus this; ranks lie scattered.
    Zipf(f64),
}

/// A length and its share of the I/Os of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeShare {
    /// Length of each.
    pub block_bytes: u32,
    /// Its share.
    pub weight: u32,
}

/// How many I/Os of a part had a length and went to a class of places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssuedCell {
    /// Number of the part.
    pub part: usize,
    /// Length of each.
    pub block_bytes: u32,
    /// Which tenth of the blocks they went to; of a zipf law the class of the rank, in which `k` holds ranks above 2^(k-1) to 2^k and
    /// the last all others.
    pub cell: usize,
    /// How many.
    pub ios: u64,
}

impl MixPart {
    fn region(&self) -> Region {
        Region {
            offset_bytes: self.offset_bytes,
            length_bytes: self.length_bytes,
        }
    }

    fn is(&self, operation: Operation) -> bool {
        match self.operation {
            MixOperation::Read => operation == Operation::Read,
            MixOperation::Write => operation == Operation::Write,
        }
    }
}

/// Of the generator that draws the places of one length of one part.
fn seed_of(seed: u64, part: usize, size: usize) -> u64 {
    mixed(seed ^ mixed(((part as u64) << 16) | (size as u64 + 1)))
}

/// Draws what a mix does.
pub struct Mixture {
    /// Of reads and of writes.
    sides: [Side; 2],
}

/// All that goes in one direction.
struct Side {
    parts: Vec<LivePart>,
    /// Sums of the weights up to each part.
    ends: Vec<u64>,
    random: Random,
}

struct LivePart {
    number: usize,
    region: Region,
    sizes: Vec<u32>,
    ends: Vec<u64>,
    places: Way,
}

enum Way {
    Sequential { at_bytes: u64 },
    Drawn(Vec<Box<dyn Places + Send>>),
}

impl Mixture {
    /// Every draw has a generator of its own, so that none depends on the others.
    ///
    /// # Errors
    /// A part holds no block of one of its lengths, a length is no whole sectors, or nothing would ever be drawn.
    pub fn new(parts: &[MixPart], seed: u64) -> Result<Self, Fault> {
        let side = |operation| Side::new(parts, operation, seed);
        Ok(Self {
            sides: [side(Operation::Read)?, side(Operation::Write)?],
        })
    }

    /// The next I/O in a direction; `None` if no part goes there.
    #[inline]
    pub fn next(&mut self, operation: Operation) -> Option<Request> {
        let side = match operation {
            Operation::Read => &mut self.sides[0],
            Operation::Write => &mut self.sides[1],
            Operation::Trim => return None,
        };
        side.next(operation)
    }
}

impl Side {
    fn new(parts: &[MixPart], operation: Operation, seed: u64) -> Result<Self, Fault> {
        let own = || {
            parts
                .iter()
                .enumerate()
                .filter(move |(_, part)| part.is(operation) && part.weight > 0)
        };
        Ok(Self {
            parts: own()
                .map(|(number, part)| LivePart::new(part, number, seed))
                .collect::<Result<_, Fault>>()?,
            ends: ends(own().map(|(_, part)| part.weight)),
            random: Random::new(mixed(seed ^ (0x6d69_7875 + operation as u64))),
        })
    }

    #[inline]
    fn next(&mut self, operation: Operation) -> Option<Request> {
        let chosen = choice(&mut self.random, &self.ends)?;
        let part = &mut self.parts[chosen];
        let size = choice(&mut self.random, &part.ends)?;
        let length_bytes = part.sizes[size];
        Some(Request {
            operation,
            offset_bytes: part.region.offset_bytes + part.next_bytes(size),
            length_bytes,
            stream: part.number as u16,
        })
    }
}

impl LivePart {
    fn new(part: &MixPart, number: usize, seed: u64) -> Result<Self, Fault> {
        let mut drawn: Vec<Box<dyn Places + Send>> = Vec::new();
        for (which, size) in part.sizes.iter().enumerate() {
            let block_bytes = size.block_bytes;
            if block_bytes == 0 || !block_bytes.is_multiple_of(512) {
                return Err(Fault::NoSectors { block_bytes });
            }
            let blocks = part.region().blocks(block_bytes);
            if blocks == 0 {
                return Err(Fault::NoBlocks { block_bytes });
            }
            let seed = seed_of(seed, number, which);
            drawn.push(match part.order {
                Order::Sequential => continue,
                Order::Uniform => Box::new(Uniform::new(blocks, seed)),
                Order::Zipf(exponent) => Box::new(Zipf::new(blocks, exponent, seed)?),
            });
        }
        let own = ends(part.sizes.iter().map(|size| size.weight));
        if own.last().is_none_or(|&total| total == 0) {
            return Err(Fault::NoShares);
        }
        Ok(Self {
            number,
            region: part.region(),
            sizes: part.sizes.iter().map(|size| size.block_bytes).collect(),
            ends: own,
            places: match part.order {
                Order::Sequential => Way::Sequential { at_bytes: 0 },
                _ => Way::Drawn(drawn),
            },
        })
    }

    #[inline]
    fn next_bytes(&mut self, size: usize) -> u64 {
        let length_bytes = u64::from(self.sizes[size]);
        match &mut self.places {
            Way::Drawn(places) => places[size].next() * length_bytes,
            Way::Sequential { at_bytes } => {
                let begin = if *at_bytes + length_bytes > self.region.length_bytes {
                    0
                } else {
                    *at_bytes
                };
                *at_bytes = begin + length_bytes;
                begin
            }
        }
    }
}

fn ends(weights: impl Iterator<Item = u32>) -> Vec<u64> {
    weights
        .scan(0, |total, weight| {
            *total += u64::from(weight);
            Some(*total)
        })
        .collect()
}

#[inline]
fn choice(random: &mut Random, ends: &[u64]) -> Option<usize> {
    let total = *ends.last()?;
    if ends.len() == 1 {
        return Some(0);
    }
    let drawn = random.below(total);
    Some(ends.partition_point(|&end| end <= drawn))
}

/// Counts what was done, each I/O by what it was and where it went, whatever was drawn for it.
pub struct Issued {
    parts: Vec<CountedPart>,
    bytes: [u64; 3],
}

struct CountedPart {
    region: Region,
    sizes: Vec<CountedSize>,
}

struct CountedSize {
    block_bytes: u32,
    blocks: u64,
    /// Classes of the blocks that a zipf law asks for most.
    hottest: Option<HashMap<u64, usize>>,
    counts: [u64; CELLS],
}

impl Issued {
    /// Of the parts of a mix with that seed.
    ///
    /// # Errors
    /// As [`Mixture::new`].
    pub fn new(parts: &[MixPart], seed: u64) -> Result<Self, Fault> {
        let counted = |(number, part): (usize, &MixPart)| {
            let sizes = part.sizes.iter().enumerate().map(|(which, size)| {
                let blocks = part.region().blocks(size.block_bytes);
                let hottest = match part.order {
                    Order::Zipf(exponent) => {
                        let zipf = Zipf::new(blocks.max(1), exponent, seed_of(seed, number, which))?;
                        Some(classes(&zipf, blocks))
                    }
                    Order::Sequential | Order::Uniform => None,
                };
                Ok(CountedSize {
                    block_bytes: size.block_bytes,
                    blocks,
                    hottest,
                    counts: [0; CELLS],
                })
            });
            Ok(CountedPart {
                region: part.region(),
                sizes: sizes.collect::<Result<_, Fault>>()?,
            })
        };
        Ok(Self {
            parts: parts.iter().enumerate().map(counted).collect::<Result<_, Fault>>()?,
            bytes: [0; 3],
        })
    }

    /// One more; what is of no part, or outside of it, is in none of the counts and so is missing from their sum.
    #[inline]
    pub fn count(&mut self, request: &Request) {
        self.bytes[request.operation as usize] += u64::from(request.length_bytes);
        let Some(part) = self.parts.get_mut(usize::from(request.stream)) else {
            return;
        };
        let end_bytes = part.region.offset_bytes + part.region.length_bytes;
        let within = request.offset_bytes >= part.region.offset_bytes
            && request.offset_bytes + u64::from(request.length_bytes) <= end_bytes;
        let size = part
            .sizes
            .iter_mut()
            .find(|size| size.block_bytes == request.length_bytes);
        if let (true, Some(size)) = (within, size) {
            let block = (request.offset_bytes - part.region.offset_bytes) / u64::from(size.block_bytes);
            size.counts[size.cell_of(block)] += 1;
        }
    }

    /// What was counted, without what never came.
    pub fn cells(&self) -> Vec<IssuedCell> {
        let mut found = Vec::new();
        for (part, counted) in self.parts.iter().enumerate() {
            for size in &counted.sizes {
                for (cell, &ios) in size.counts.iter().enumerate().filter(|&(_, &ios)| ios > 0) {
                    found.push(IssuedCell {
                        part,
                        block_bytes: size.block_bytes,
                        cell,
                        ios,
                    });
                }
            }
        }
        found
    }

    /// Says in a result how many bytes were moved, which its counter takes to be all of one length.
    pub fn correct(&self, result: &mut WorkloadResult) {
        [result.read.bytes, result.write.bytes, result.trim.bytes] = self.bytes;
    }
}

impl CountedSize {
    #[inline]
    fn cell_of(&self, block: u64) -> usize {
        match &self.hottest {
            None => ((u128::from(block) * CELLS as u128 / u128::from(self.blocks)) as usize).min(CELLS - 1),
            Some(classes) => classes.get(&block).copied().unwrap_or(CELLS - 1),
        }
    }
}

/// Of the ranks above 2^(k-1) to 2^k the class `k`, for all classes but the last.
fn classes(zipf: &Zipf, blocks: u64) -> HashMap<u64, usize> {
    let ranks = (1_u64 << (CELLS - 2)).min(blocks);
    (1..=ranks)
        .map(|rank| (zipf.block_of(rank), rank.next_power_of_two().trailing_zeros() as usize))
        .collect()
}
