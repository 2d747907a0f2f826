//! What was made is recognised; what happened to it is told apart and placed exactly.

use std::collections::HashSet;

use pattern::{Finding, Kind, Misaligned, Pattern, SECTOR_BYTES};
use proptest::prelude::*;

const SECTOR: u64 = SECTOR_BYTES as u64;

fn made(pattern: Pattern, offset_bytes: u64, sectors: usize) -> Vec<u8> {
    let mut buffer = vec![0; sectors * SECTOR_BYTES];
    pattern.fill(&mut buffer, offset_bytes).unwrap();
    buffer
}

fn sector(buffer: &mut [u8], number: usize) -> &mut [u8] {
    &mut buffer[number * SECTOR_BYTES..][..SECTOR_BYTES]
}

/// What the check says of a buffer at offset 0 that was changed after it had been filled.
fn findings(change: impl FnOnce(&mut [u8])) -> Vec<(u64, u64, Kind)> {
    let pattern = Pattern::new(7, 2);
    let mut buffer = made(pattern, 0, 16);
    change(&mut buffer);
    let found = pattern.check(&buffer, 0).unwrap();
    found
        .iter()
        .map(|one| (one.offset_bytes / SECTOR, one.length_bytes / SECTOR, one.kind))
        .collect()
}

#[test]
fn the_data_of_a_seed_never_changes() {
    let words: Vec<u64> = made(Pattern::new(1, 1), 4096, 1)
        .chunks_exact(8)
        .map(|cell| u64::from_le_bytes(cell.try_into().unwrap()))
        .collect();
    // Data that is verified weeks later is made by another version of this program.
    assert_eq!(
        [words[0], words[1], words[2], words[63]],
        [
            6_445_152_395_498_828_942,
            9_490_524_824_434_271_473,
            11_454_401_299_725_904_414,
            2_779_542_070_554_886_192,
        ]
    );
}

#[test]
fn neighbours_of_one_kind_are_one_finding() {
    let found = findings(|buffer| buffer[2 * SECTOR_BYTES..5 * SECTOR_BYTES].fill(0));
    assert_eq!(found, [(2, 3, Kind::Zero)]);
}

#[test]
fn swapped_sectors_say_where_they_belong() {
    let found = findings(|buffer| {
        let third = sector(buffer, 3).to_vec();
        let ninth = sector(buffer, 9).to_vec();
        sector(buffer, 3).copy_from_slice(&ninth);
        sector(buffer, 9).copy_from_slice(&third);
    });
    let from = |number: u64| Kind::Elsewhere {
        offset_bytes: number * SECTOR,
        generation: 2,
    };
    assert_eq!(found, [(3, 1, from(9)), (9, 1, from(3))]);
}

#[test]
fn a_wrapped_range_is_one_finding_with_its_origin() {
    let later = made(Pattern::new(7, 2), 1 << 30, 8);
    let found = findings(|buffer| buffer[..8 * SECTOR_BYTES].copy_from_slice(&later));
    let from = Kind::Elsewhere {
        offset_bytes: 1 << 30,
        generation: 2,
    };
    assert_eq!(found, [(0, 8, from)]);
}

#[test]
fn an_earlier_generation_is_stale() {
    let earlier = made(Pattern::new(7, 1), 0, 16);
    let found = findings(|buffer| sector(buffer, 5).copy_from_slice(&earlier[5 * SECTOR_BYTES..][..SECTOR_BYTES]));
    assert_eq!(found, [(5, 1, Kind::Stale { generation: 1 })]);
}

#[test]
fn wrong_bits_are_counted_wherever_they_are() {
    for byte in [0, 7, 16, SECTOR_BYTES - 1] {
        let found = findings(|buffer| sector(buffer, 4)[byte] ^= 0b101);
        assert_eq!(found, [(4, 1, Kind::Corrupted { wrong_bits: 2 })]);
    }
}

#[test]
fn a_line_that_is_stuck_is_corruption() {
    let found = findings(|buffer| sector(buffer, 4).iter_mut().for_each(|byte| *byte |= 1));
    assert!(
        matches!(found[..], [(4, 1, Kind::Corrupted { wrong_bits: 150..350 })]),
        "{found:?}"
    );
}

#[test]
fn half_a_sector_of_an_earlier_generation_is_corruption() {
    let earlier = made(Pattern::new(7, 1), 0, 16);
    for half in [0..256, 256..512] {
        let found =
            findings(|buffer| sector(buffer, 5)[half.clone()].copy_from_slice(&earlier[5 * SECTOR_BYTES..][half]));
        assert!(matches!(found[..], [(5, 1, Kind::Corrupted { .. })]), "{found:?}");
    }
}

#[test]
fn data_of_another_seed_or_of_nobody_is_foreign() {
    let other = made(Pattern::new(8, 2), 0, 16);
    let found = findings(|buffer| sector(buffer, 5).copy_from_slice(&other[5 * SECTOR_BYTES..][..SECTOR_BYTES]));
    assert_eq!(found, [(5, 1, Kind::Foreign)]);
    for byte in [0xff, 0xaa, b'x'] {
        assert_eq!(findings(|buffer| sector(buffer, 5).fill(byte)), [(5, 1, Kind::Foreign)]);
    }
}

#[test]
fn parts_of_sectors_are_refused() {
    let refused = |offset_bytes, length_bytes| {
        Err(Misaligned {
            offset_bytes,
            length_bytes,
        })
    };
    let pattern = Pattern::new(0, 0);
    assert_eq!(pattern.fill(&mut [0; 100], 0), refused(0, 100));
    assert_eq!(
        pattern.check(&[0; 512], 256),
        Err(Misaligned {
            offset_bytes: 256,
            length_bytes: 512
        })
    );
}

#[test]
fn a_compressor_gains_nothing() {
    let data = made(Pattern::new(3, 1), 1 << 40, 4096);
    for level in [1, 19] {
        let packed = zstd::bulk::compress(&data, level).unwrap();
        assert!(
            packed.len() > data.len(),
            "level {level}: {} of {}",
            packed.len(),
            data.len()
        );
    }
}

#[test]
fn no_word_comes_twice_and_all_bits_are_balanced() {
    // Places and generations that differ in few bits are where a weak mixture would show.
    let mut seen = HashSet::new();
    let mut ones = [0_u32; 64];
    let mut count = 0;
    for (seed, generation, offset_bytes) in [(0, 0, 0), (0, 1, 0), (1, 0, 0), (0, 0, 1 << 30), (0, 0, 1 << 50)] {
        for cell in made(Pattern::new(seed, generation), offset_bytes, 1024).chunks_exact(8) {
            let word = u64::from_le_bytes(cell.try_into().unwrap());
            assert!(seen.insert(word), "{word:#x} again");
            ones.iter_mut()
                .enumerate()
                .for_each(|(bit, ones)| *ones += u32::from(word >> bit & 1 == 1));
            count += 1;
        }
    }
    // Six standard deviations of a fair coin.
    let slack = 3.0 * f64::from(count).sqrt();
    assert!(
        ones.iter()
            .all(|ones| (f64::from(*ones) - f64::from(count) / 2.0).abs() < slack),
        "{ones:?} of {count}"
    );
}

#[derive(Clone, Debug)]
enum Fate {
    Well,
    Zeroed,
    Stale(u32),
    Moved(u64, u32),
    Flipped(Vec<usize>),
    Foreign(u64),
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        4 => Just(Fate::Well),
        1 => Just(Fate::Zeroed),
        1 => any::<u32>().prop_map(Fate::Stale),
        1 => (0..1_u64 << 50, any::<u32>()).prop_map(|(number, generation)| Fate::Moved(number, generation)),
        1 => prop::collection::btree_set(0..8 * SECTOR_BYTES, 1..200).prop_map(|bits| Fate::Flipped(bits.into_iter().collect())),
        1 => any::<u64>().prop_map(Fate::Foreign),
    ]
}

/// Does it to a sector; what the check is to say of it.
fn suffer(fate: &Fate, seed: u64, generation: u32, number: u64, bytes: &mut [u8]) -> Option<Kind> {
    match fate {
        Fate::Well => None,
        Fate::Zeroed => {
            bytes.fill(0);
            Some(Kind::Zero)
        }
        Fate::Stale(other) => {
            Pattern::new(seed, *other).fill(bytes, number * SECTOR).unwrap();
            (*other != generation).then_some(Kind::Stale { generation: *other })
        }
        Fate::Moved(other, their_generation) => {
            Pattern::new(seed, *their_generation)
                .fill(bytes, other * SECTOR)
                .unwrap();
            Some(Kind::Elsewhere {
                offset_bytes: other * SECTOR,
                generation: *their_generation,
            })
        }
        Fate::Flipped(bits) => {
            for bit in bits {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
            Some(Kind::Corrupted {
                wrong_bits: bits.len() as u64,
            })
        }
        Fate::Foreign(other) => {
            Pattern::new(*other, generation).fill(bytes, number * SECTOR).unwrap();
            (*other != seed).then_some(Kind::Foreign)
        }
    }
}

/// Findings sector by sector, with the bits of a corrupted run as one number on its first sector.
fn by_sector(findings: &[Finding]) -> Vec<(u64, Kind)> {
    let each = |finding: &Finding| {
        let finding = *finding;
        (0..finding.length_bytes / SECTOR).map(move |index| {
            let kind = match finding.kind {
                Kind::Elsewhere {
                    offset_bytes,
                    generation,
                } => Kind::Elsewhere {
                    offset_bytes: offset_bytes + index * SECTOR,
                    generation,
                },
                Kind::Corrupted { .. } if index > 0 => Kind::Corrupted { wrong_bits: 0 },
                kind => kind,
            };
            (finding.offset_bytes + index * SECTOR, kind)
        })
    };
    findings.iter().flat_map(each).collect()
}

/// The same of what is expected of each sector.
fn joined(expected: Vec<(u64, Kind)>) -> Vec<(u64, Kind)> {
    let mut joined: Vec<(u64, Kind)> = Vec::new();
    let mut run = None;
    for (offset_bytes, kind) in expected {
        let goes_on = joined.last().is_some_and(|last| last.0 + SECTOR == offset_bytes);
        match (kind, run) {
            (Kind::Corrupted { wrong_bits }, Some(first)) if goes_on => {
                if let (_, Kind::Corrupted { wrong_bits: sum }) = &mut joined[first] {
                    *sum += wrong_bits;
                }
                joined.push((offset_bytes, Kind::Corrupted { wrong_bits: 0 }));
            }
            _ => {
                run = matches!(kind, Kind::Corrupted { .. }).then_some(joined.len());
                joined.push((offset_bytes, kind));
            }
        }
    }
    joined
}

proptest! {
    #[test]
    fn any_part_of_the_data_is_made_alike(seed: u64, generation: u32, first in 0..1_u64 << 50, from in 0..20_usize, length in 0..20_usize) {
        let pattern = Pattern::new(seed, generation);
        let whole = made(pattern, first * SECTOR, 40);
        let part = made(pattern, (first + from as u64) * SECTOR, length);
        prop_assert_eq!(&part[..], &whole[from * SECTOR_BYTES..][..length * SECTOR_BYTES]);
        prop_assert_eq!(pattern.check(&whole, first * SECTOR), Ok(vec![]));
    }

    #[test]
    fn every_fate_is_told_apart_and_placed_exactly(
        seed: u64, generation: u32, first in 0..1_u64 << 50, fates in prop::collection::vec(fate(), 1..40)
    ) {
        let pattern = Pattern::new(seed, generation);
        let mut buffer = made(pattern, first * SECTOR, fates.len());
        let mut expected = Vec::new();
        for (number, (fate, bytes)) in (first..).zip(fates.iter().zip(buffer.chunks_exact_mut(SECTOR_BYTES))) {
            let kind = suffer(fate, seed, generation, number, bytes);
            expected.extend(kind.map(|kind| (number * SECTOR, kind)));
        }
        let found = pattern.check(&buffer, first * SECTOR).unwrap();
        prop_assert_eq!(by_sector(&found), joined(expected));
    }
}
