//! Hot and cold blocks.

use vdrive::random::{Random, mix};
use vdrive::workload::Permutation;

use super::{Fault, Places};

/// A set of blocks that are equally hot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zone {
    /// Share of all blocks, above 0 to 1.
    pub blocks: f64,
    /// Weight of the I/Os that go there.
    pub weight: u32,
}

/// Zones whose blocks lie scattered over the region by a true permutation.
#[derive(Debug)]
pub struct Zones {
    /// Where each zone ends, as a number of blocks and as a sum of weights.
    ends: Vec<(u64, u64)>,
    random: Random,
    order: Permutation,
}

impl Zones {
    /// Over the blocks of a region, of which there is at least one.
    ///
    /// # Errors
    /// The zones do not hold all blocks, one holds none, or nothing is ever drawn.
    pub fn new(blocks: u64, zones: &[Zone], seed: u64) -> Result<Self, Fault> {
        let whole: f64 = zones.iter().map(|zone| zone.blocks).sum();
        // Decimal shares do not add up to the last bit.
        if !((whole - 1.0).abs() < 1e-9 && zones.iter().all(|zone| zone.blocks > 0.0)) {
            return Err(Fault::ZoneBlocks { found: whole });
        }
        let (mut share, mut weight, mut before) = (0.0, 0, 0);
        let mut ends = Vec::with_capacity(zones.len());
        for (number, zone) in zones.iter().enumerate() {
            share += zone.blocks;
            weight += u64::from(zone.weight);
            let end = if number + 1 == zones.len() {
                blocks
            } else {
                (share * blocks as f64).round() as u64
            };
            if end <= before {
                return Err(Fault::EmptyZone { zone: number });
            }
            ends.push((end, weight));
            before = end;
        }
        if weight == 0 {
            return Err(Fault::NoShares);
        }
        Ok(Self {
            ends,
            random: Random::new(seed),
            order: Permutation::new(blocks, mix(seed)),
        })
    }
}

impl Places for Zones {
    #[inline]
    fn next(&mut self) -> u64 {
        let total = self.ends[self.ends.len() - 1].1;
        let drawn = self.random.below(total);
        let zone = self.ends.partition_point(|&(_, weight)| weight <= drawn);
        let begin = if zone == 0 { 0 } else { self.ends[zone - 1].0 };
        self.order.at(begin + self.random.below(self.ends[zone].0 - begin))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOT: [Zone; 3] = [
        Zone {
            blocks: 0.05,
            weight: 50,
        },
        Zone {
            blocks: 0.15,
            weight: 30,
        },
        Zone {
            blocks: 0.8,
            weight: 20,
        },
    ];

    #[test]
    fn each_zone_gets_its_share_and_each_of_its_blocks_the_same() {
        for blocks in [101, 1000, 12_345, 99_991, 250_007] {
            let mut zones = Zones::new(blocks, &HOT, 3).unwrap();
            let ends: Vec<u64> = zones.ends.iter().map(|&(end, _)| end).collect();
            let mut place = vec![0; blocks as usize];
            for rank in 0..blocks {
                place[zones.order.at(rank) as usize] = rank;
            }
            let draws = 300_000;
            let mut counts = [0_u32; 3];
            let mut seen = vec![false; blocks as usize];
            for _ in 0..draws {
                let block = zones.next();
                seen[block as usize] = true;
                counts[ends.partition_point(|&end| end <= place[block as usize])] += 1;
            }
            for (count, zone) in counts.iter().zip(&HOT) {
                let share = f64::from(zone.weight) / 100.0;
                let spread = (f64::from(draws) * share * (1.0 - share)).sqrt();
                let expected = f64::from(draws) * share;
                assert!(
                    (f64::from(*count) - expected).abs() < 5.0 * spread,
                    "{blocks}: {counts:?}"
                );
            }
            if blocks <= 1000 {
                assert!(seen.iter().all(|&seen| seen), "{blocks}");
            }
        }
    }

    #[test]
    fn a_drive_of_4_tb_is_reached_to_its_last_block() {
        let blocks = 4_000_000_000_000 / 4096;
        let mut zones = Zones::new(blocks, &HOT, 3).unwrap();
        let mut tenths = [0_u32; 10];
        for _ in 0..100_000 {
            tenths[(zones.next() * 10 / blocks) as usize] += 1;
        }
        // The zones are scattered: each tenth of the drive gets its share.
        assert!(tenths.iter().all(|&count| count.abs_diff(10_000) < 500), "{tenths:?}");
    }

    #[test]
    fn what_is_no_set_of_zones_is_refused() {
        let zone = |blocks, weight| Zone { blocks, weight };
        let refused = |blocks, zones: &[Zone]| Zones::new(blocks, zones, 1).unwrap_err();
        assert_eq!(refused(100, &[zone(0.5, 1)]), Fault::ZoneBlocks { found: 0.5 });
        assert_eq!(refused(100, &[zone(1.0, 0)]), Fault::NoShares);
        assert_eq!(
            refused(10, &[zone(0.01, 1), zone(0.99, 1)]),
            Fault::EmptyZone { zone: 0 }
        );
        assert!(matches!(refused(10, &[]), Fault::ZoneBlocks { .. }));
        assert!(matches!(refused(10, &[zone(f64::NAN, 1)]), Fault::ZoneBlocks { .. }));
    }
}
