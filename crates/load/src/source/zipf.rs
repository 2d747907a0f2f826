//! Blocks by popularity: the block of rank k is asked for in proportion to k^-exponent.

use vdrive::random::{Random, mix};
use vdrive::workload::Permutation;

use super::{Fault, Places};

/// A zipf law over all blocks, whose ranks lie scattered over the region by a true permutation.
///
/// Drawn by rejection-inversion (Hörmann & Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6(3), 1996): exact for any number of blocks and any exponent, in constant memory.
#[derive(Debug)]
pub struct Zipf {
    law: Law,
    random: Random,
    order: Permutation,
}

impl Zipf {
    /// Over the blocks of a region, of which there is at least one.
    ///
    /// # Errors
    /// The exponent is no finite number from 0 on.
    pub fn new(blocks: u64, exponent: f64, seed: u64) -> Result<Self, Fault> {
        if !(exponent.is_finite() && exponent >= 0.0) {
            return Err(Fault::Exponent { found: exponent });
        }
        Ok(Self {
            law: Law::new(blocks, exponent),
            random: Random::new(seed),
            order: Permutation::new(blocks, mix(seed)),
        })
    }

    /// The block of a rank, counted from 1.
    pub fn block_of(&self, rank: u64) -> u64 {
        self.order.at(rank - 1)
    }
}

impl Places for Zipf {
    #[inline]
    fn next(&mut self) -> u64 {
        let rank = self.law.draw(&mut self.random);
        self.block_of(rank)
    }
}

/// The law of the ranks 1 to `ranks`.
#[derive(Debug)]
struct Law {
    ranks: u64,
    exponent: f64,
    /// The integral of the density up to the right end of the first rank, less its whole weight.
    low: f64,
    /// The integral up to the right end of the last rank.
    high: f64,
    /// A draw nearer than this to the left of its rank is accepted at once.
    sure: f64,
}

impl Law {
    fn new(ranks: u64, exponent: f64) -> Self {
        let mut law = Self {
            ranks,
            exponent,
            low: 0.0,
            high: 0.0,
            sure: 0.0,
        };
        law.low = law.integral(1.5) - 1.0;
        law.high = law.integral(ranks as f64 + 0.5);
        law.sure = 2.0 - law.inverse(law.integral(2.5) - law.density(2.0));
        law
    }

    fn draw(&self, random: &mut Random) -> u64 {
        loop {
            let area = self.high + random.unit() * (self.low - self.high);
            let at = self.inverse(area);
            let rank = ((at + 0.5) as u64).clamp(1, self.ranks);
            let exact = rank as f64;
            if exact - at <= self.sure || area >= self.integral(exact + 0.5) - self.density(exact) {
                return rank;
            }
        }
    }

    fn density(&self, x: f64) -> f64 {
        libm::exp(-self.exponent * libm::log(x))
    }

    /// An antiderivative of the density: `(x^(1-exponent) - 1) / (1-exponent)`, and the logarithm where the exponent is 1.
    fn integral(&self, x: f64) -> f64 {
        let log = libm::log(x);
        let t = (1.0 - self.exponent) * log;
        // Near 0 the quotient loses its digits; the first terms of its series do not.
        let slope = if t.abs() > 1e-8 {
            libm::expm1(t) / t
        } else {
            1.0 + t / 2.0
        };
        slope * log
    }

    fn inverse(&self, area: f64) -> f64 {
        let t = (area * (1.0 - self.exponent)).max(-1.0);
        let slope = if t.abs() > 1e-8 {
            libm::log1p(t) / t
        } else {
            1.0 - t / 2.0
        };
        libm::exp(slope * area)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [u64; 5] = [7, 1000, 12_345, 99_991, 1_000_003];
    const DRAWS: u64 = 400_000;

    /// Chi-square of the counts against the law, with rare ranks gathered so that each cell expects at least ten.
    fn chi_square(blocks: u64, exponent: f64, seed: u64) -> (f64, f64) {
        let law = Law::new(blocks, exponent);
        let mut random = Random::new(seed);
        let mut counts = vec![0_u64; blocks as usize];
        for _ in 0..DRAWS {
            counts[law.draw(&mut random) as usize - 1] += 1;
        }
        let weights: Vec<f64> = (1..=blocks).map(|rank| (rank as f64).powf(-exponent)).collect();
        let total: f64 = weights.iter().sum();
        let (mut sum, mut cells, mut expected, mut found) = (0.0, 0.0, 0.0, 0.0);
        for (weight, count) in weights.iter().zip(&counts) {
            expected += weight / total * DRAWS as f64;
            found += *count as f64;
            if expected >= 10.0 {
                sum += (found - expected) * (found - expected) / expected;
                cells += 1.0;
                (expected, found) = (0.0, 0.0);
            }
        }
        (sum, cells - 1.0)
    }

    #[test]
    fn frequencies_are_those_of_the_law_on_counts_that_are_no_powers_of_two() {
        for blocks in COUNTS {
            for exponent in [0.0, 0.5, 0.99, 1.0, 1.2, 2.0] {
                let (sum, freedom) = chi_square(blocks, exponent, blocks);
                // Five standard deviations of the chi-square distribution.
                let bound = freedom + 5.0 * (2.0 * freedom.max(1.0)).sqrt();
                assert!(sum < bound, "{blocks} blocks, exponent {exponent}: {sum} > {bound}");
            }
        }
    }

    #[test]
    fn every_block_can_be_reached() {
        for blocks in [1, 2, 3, 7, 100, 1000, 4097] {
            let mut zipf = Zipf::new(blocks, 0.9, 5).unwrap();
            let mut seen = vec![false; blocks as usize];
            for _ in 0..100 * blocks * 64 {
                seen[zipf.next() as usize] = true;
            }
            let missed = seen.iter().filter(|seen| !**seen).count();
            assert_eq!(missed, 0, "of {blocks}");
        }
    }

    #[test]
    fn a_drive_of_4_tb_is_reached_to_its_last_block() {
        let blocks = 4_000_000_000_000 / 4096;
        let mut zipf = Zipf::new(blocks, 0.2, 5).unwrap();
        let mut tenths = [0_u32; 10];
        for _ in 0..100_000 {
            tenths[(zipf.next() * 10 / blocks) as usize] += 1;
        }
        // The ranks are scattered: each tenth of the drive gets its share.
        assert!(tenths.iter().all(|&count| count.abs_diff(10_000) < 500), "{tenths:?}");
    }

    #[test]
    fn an_exponent_that_is_no_number_is_refused() {
        for found in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(matches!(Zipf::new(10, found, 1), Err(Fault::Exponent { .. })));
        }
    }
}
