//! Several kinds of I/O, each with its share.

use vdrive::random::{Random, mix as mixed};

use super::places::at_least_one;
use super::{Fault, Permuted, Places, Sequential, Source, Uniform};
use crate::request::{Operation, Region, Request};

/// One kind of I/O of a mix.
pub struct Part {
    /// Its share: it comes `weight` times in the sum of all weights.
    pub weight: u32,
    /// What is done.
    pub operation: Operation,
    /// How long each is.
    pub block_bytes: u32,
    /// Where.
    pub region: Region,
    /// In which order.
    pub places: Box<dyn Places + Send>,
}

impl Part {
    /// One block after the other.
    ///
    /// # Errors
    /// The region holds no block, or a block is no whole sectors.
    pub fn sequential(operation: Operation, block_bytes: u32, region: Region) -> Result<Self, Fault> {
        Self::placed(operation, block_bytes, region, |blocks| {
            Ok(Box::new(Sequential::new(blocks)))
        })
    }

    /// Each block drawn anew, uniformly.
    ///
    /// # Errors
    /// As [`Part::sequential`].
    pub fn uniform(operation: Operation, block_bytes: u32, region: Region, seed: u64) -> Result<Self, Fault> {
        Self::placed(operation, block_bytes, region, |blocks| {
            Ok(Box::new(Uniform::new(blocks, seed)))
        })
    }

    /// Every block once a pass, in random order.
    ///
    /// # Errors
    /// As [`Part::sequential`].
    pub fn permuted(operation: Operation, block_bytes: u32, region: Region, seed: u64) -> Result<Self, Fault> {
        Self::placed(operation, block_bytes, region, |blocks| {
            Ok(Box::new(Permuted::new(blocks, seed)))
        })
    }

    /// In the order that `places` makes for a number of blocks.
    ///
    /// # Errors
    /// As [`Part::sequential`], and what `places` refuses.
    pub fn placed(
        operation: Operation,
        block_bytes: u32,
        region: Region,
        places: impl FnOnce(u64) -> Result<Box<dyn Places + Send>, Fault>,
    ) -> Result<Self, Fault> {
        if block_bytes == 0 || !block_bytes.is_multiple_of(512) {
            return Err(Fault::NoSectors { block_bytes });
        }
        let blocks = at_least_one(region.blocks(block_bytes), block_bytes)?;
        Ok(Self {
            weight: 1,
            operation,
            block_bytes,
            region,
            places: places(blocks)?,
        })
    }

    /// The same with another weight.
    #[must_use]
    pub fn weighing(self, weight: u32) -> Self {
        Self { weight, ..self }
    }
}

/// I/Os of several kinds, each drawn by its weight.
pub struct Mix {
    parts: Vec<Part>,
    /// Sums of the weights up to each part.
    ends: Vec<u64>,
    random: Random,
}

impl Mix {
    /// Parts that are to be independent have seeds of their own.
    ///
    /// Which part comes next is drawn with a generator of its own, so that the places of a part do not depend on the others.
    ///
    /// # Errors
    /// Nothing would ever be drawn.
    pub fn new(parts: Vec<Part>, seed: u64) -> Result<Self, Fault> {
        let mut total = 0;
        let ends: Vec<u64> = parts
            .iter()
            .map(|part| {
                total += u64::from(part.weight);
                total
            })
            .collect();
        if total == 0 {
            return Err(Fault::NoShares);
        }
        Ok(Self {
            parts,
            ends,
            random: Random::new(mixed(seed ^ 0x006d_6978)),
        })
    }
}

impl Source for Mix {
    #[inline]
    fn next(&mut self) -> Option<Request> {
        let number = if self.parts.len() == 1 {
            0
        } else {
            let drawn = self.random.below(self.ends[self.ends.len() - 1]);
            self.ends.partition_point(|&end| end <= drawn)
        };
        let part = &mut self.parts[number];
        Some(Request {
            operation: part.operation,
            offset_bytes: part.region.offset_bytes + part.places.next() * u64::from(part.block_bytes),
            length_bytes: part.block_bytes,
            stream: number as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGION: Region = Region {
        offset_bytes: 1 << 20,
        length_bytes: 10 << 20,
    };

    fn parts() -> Vec<Part> {
        vec![
            Part::uniform(Operation::Read, 4096, REGION, 1).unwrap().weighing(70),
            Part::uniform(Operation::Write, 8192, REGION, 2).unwrap().weighing(30),
        ]
    }

    #[test]
    fn shares_are_kept_and_nothing_leaves_the_region() {
        let mut mix = Mix::new(parts(), 9).unwrap();
        let found: Vec<Request> = (0..100_000).filter_map(|_| mix.next()).collect();
        let reads = found.iter().filter(|one| one.operation == Operation::Read).count() as f64;
        assert!((reads - 70_000.0).abs() < 5.0 * (21_000.0_f64).sqrt(), "{reads}");
        let end_bytes = REGION.offset_bytes + REGION.length_bytes;
        assert!(found.iter().all(|one| one.offset_bytes >= REGION.offset_bytes
            && one.offset_bytes + u64::from(one.length_bytes) <= end_bytes));
        assert!(
            found
                .iter()
                .all(|one| (one.stream == 0) == (one.operation == Operation::Read))
        );
    }

    #[test]
    fn the_places_of_a_part_do_not_depend_on_the_others() {
        let alone = || {
            let mut mix = Mix::new(vec![parts().remove(0)], 9).unwrap();
            (0..1000)
                .filter_map(|_| mix.next())
                .map(|one| one.offset_bytes)
                .collect::<Vec<u64>>()
        };
        let mut mix = Mix::new(parts(), 4).unwrap();
        let among: Vec<u64> = std::iter::repeat_with(|| mix.next())
            .flatten()
            .filter(|one| one.stream == 0)
            .map(|one| one.offset_bytes)
            .take(1000)
            .collect();
        assert_eq!(alone(), among);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused() {
        let small = Region {
            offset_bytes: 0,
            length_bytes: 4095,
        };
        let fault = |block_bytes, region| Part::sequential(Operation::Read, block_bytes, region).err();
        assert_eq!(fault(4096, small), Some(Fault::NoBlocks { block_bytes: 4096 }));
        assert_eq!(fault(1000, REGION), Some(Fault::NoSectors { block_bytes: 1000 }));
        assert_eq!(fault(0, REGION), Some(Fault::NoSectors { block_bytes: 0 }));
        let nothing = vec![Part::sequential(Operation::Read, 512, REGION).unwrap().weighing(0)];
        assert_eq!(Mix::new(nothing, 1).err(), Some(Fault::NoShares));
        assert_eq!(Mix::new(vec![], 1).err(), Some(Fault::NoShares));
    }
}
