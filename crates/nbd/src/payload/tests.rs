use super::*;
use crate::store::Store;
use proptest::prelude::*;

const CAPACITY: usize = 256 * 1024;
const BLOCKS: usize = CAPACITY / 4096;

/// A drive of 256 KiB with these faults.
fn payload(faults: &str) -> Payload {
    let text = format!("{}\n{faults}", Spec::builtin_text("zero").unwrap());
    let spec = Spec::parse(&text).unwrap_or_else(|found| panic!("{found}"));
    let spec = spec.rescaled(CAPACITY as u64).unwrap();
    Payload::new(Medium::Memory(Store::new(CAPACITY as u64)), &spec)
}

fn fault(kind: &str, keys: &str) -> String {
    format!("[[fault]]\nkind = \"{kind}\"\n{keys}\n")
}

fn write(payload: &Payload, block: usize, data: &[u8]) {
    payload
        .write((block * 4096) as u64, data, Durability::Buffered)
        .unwrap();
}

fn contents(payload: &Payload) -> Vec<u8> {
    let mut bytes = Vec::new();
    payload.read_into(&mut bytes, 0, CAPACITY).unwrap();
    bytes
}

/// Every block is filled with its number and a tag.
fn numbered(tag: u8) -> Vec<u8> {
    (0..BLOCKS).flat_map(|block| [tag ^ (block + 1) as u8; 4096]).collect()
}

/// Blocks that differ from what was written.
fn wrong(payload: &Payload, written: &[u8]) -> Vec<usize> {
    let found = contents(payload);
    let differs = |block: &usize| found[block * 4096..][..4096] != written[block * 4096..][..4096];
    (0..BLOCKS).filter(differs).collect()
}

fn reported(payload: &Payload) -> (u64, u64) {
    let report = &payload.reports()[0];
    (report.acted, report.ranges.total_bytes())
}

#[test]
fn a_flip_spoils_one_bit_of_one_block_in_every_group() {
    let payload = payload(&fault("flip", "every = 16"));
    write(&payload, 0, &numbered(0));
    let wrong_bits = contents(&payload)
        .into_iter()
        .zip(numbered(0))
        .map(|(found, put)| (found ^ put).count_ones());
    assert_eq!(wrong_bits.sum::<u32>(), 4);
    assert_eq!(wrong(&payload, &numbered(0)).len(), 4);
    assert_eq!(reported(&payload), (4, 4 * 4096));
}

#[test]
fn a_swap_gives_two_blocks_of_every_group_each_others_data() {
    let payload = payload(&fault("swap", "every = 32"));
    for block in (0..BLOCKS).rev() {
        write(&payload, block, &numbered(0)[block * 4096..][..4096]);
    }
    let wrong = wrong(&payload, &numbered(0));
    let found = contents(&payload);
    assert_eq!(wrong.len(), 4);
    for pair in [&wrong[..2], &wrong[2..]] {
        let byte_of = |block: usize| usize::from(found[block * 4096]) - 1;
        assert_eq!((byte_of(pair[0]), byte_of(pair[1])), (pair[1], pair[0]));
    }
    assert_eq!(reported(&payload), (4, 4 * 4096));
}

#[test]
fn a_fake_capacity_shows_the_data_that_was_written_last() {
    // The Spec speaks of a drive of 1 GiB.
    let payload = payload(&fault("wrap", "real = \"640 MiB\""));
    write(&payload, 0, &numbered(0));
    let found = contents(&payload);
    assert_eq!(found[..24 * 4096], numbered(0)[40 * 4096..]);
    assert_eq!(found[24 * 4096..], numbered(0)[24 * 4096..]);
    assert_eq!(reported(&payload), (1, 24 * 4096));
}

#[test]
fn an_ignored_trim_leaves_the_data_and_so_does_a_purge() {
    let payload = payload(&fault("trim_ignored", ""));
    write(&payload, 0, &numbered(0));
    payload.trim(0, CAPACITY as u64).unwrap();
    payload.purge().unwrap();
    assert!(contents(&payload) == numbered(0));
    payload.zero(0, CAPACITY as u64).unwrap();
    assert!(contents(&payload) == vec![0; CAPACITY], "written zeros are no trim");
}

#[test]
fn a_block_stays_as_it_was_before_the_trim_until_it_is_written_twice() {
    let payload = payload(&fault("stale_after_trim", "every = 32"));
    write(&payload, 0, &numbered(0));
    assert_eq!(wrong(&payload, &numbered(0)), Vec::<usize>::new());
    payload.trim(0, CAPACITY as u64).unwrap();
    let old: Vec<usize> = wrong(&payload, &vec![0; CAPACITY]);
    assert_eq!(old.len(), 2);
    write(&payload, 0, &numbered(0x80));
    assert_eq!(wrong(&payload, &numbered(0x80)), old);
    assert_eq!(wrong(&payload, &numbered(0)).len(), BLOCKS - 2);
    assert_eq!(reported(&payload), (2, 2 * 4096));
    write(&payload, 0, &numbered(0x80));
    assert_eq!(wrong(&payload, &numbered(0x80)), Vec::<usize>::new());
}

#[test]
fn a_power_cut_loses_what_the_cache_held_last() {
    let payload = payload(&fault("lost_cache", "cache = \"40 KiB\""));
    write(&payload, 0, &numbered(0));
    assert!(contents(&payload) == numbered(0));
    assert_eq!(payload.lose_power().total_bytes(), 10 * 4096);
    assert_eq!(wrong(&payload, &numbered(0)), (BLOCKS - 10..BLOCKS).collect::<Vec<_>>());
    assert_eq!(reported(&payload), (1, 10 * 4096));
}

#[test]
fn a_flush_saves_the_cache_if_it_is_obeyed() {
    for (flush, lost_bytes) in [("obeyed", 0), ("ignored", 10 * 4096)] {
        let payload = payload(&fault(
            "lost_cache",
            &format!("cache = \"40 KiB\"\nflush = \"{flush}\""),
        ));
        write(&payload, 0, &numbered(0));
        payload.flush().unwrap();
        assert_eq!(payload.lose_power().total_bytes(), lost_bytes);
        payload.write(0, &[1; 4096], Durability::Fua).unwrap();
        assert_eq!(payload.lose_power().total_bytes(), lost_bytes.min(4096));
    }
}

#[test]
fn an_orderly_end_saves_the_cache_even_of_a_drive_that_ignores_flushes() {
    let payload = payload(&fault("lost_cache", "cache = \"40 KiB\"\nflush = \"ignored\""));
    write(&payload, 0, &numbered(0));
    payload.settle().unwrap();
    payload.lose_power();
    assert!(contents(&payload) == numbered(0));
}

#[test]
fn faults_act_together() {
    let faults = [
        fault("wrap", "real = \"512 MiB\""),
        fault("flip", "every = 64"),
        fault("lost_cache", "cache = \"4 KiB\""),
    ];
    let payload = payload(&faults.concat());
    write(&payload, 0, &numbered(0));
    let victims = wrong(&payload, &numbered(0)).len();
    // The first half shows the second; the one flipped bit is in one of the halves, and both show the second's.
    assert!((32..=33).contains(&victims), "{victims}");
    assert_eq!(payload.lose_power().total_bytes(), 4096);
}

#[derive(Clone, Debug)]
enum Operation {
    Write(usize, usize, u8, Durability),
    Trim(usize, usize),
    Flush,
}

fn operation() -> impl Strategy<Value = Operation> {
    let range =
        (0..CAPACITY / 512, 0..100_usize).prop_map(|(at, length)| (at * 512, (length * 512).min(CAPACITY - at * 512)));
    (range, 0..9_u8, any::<u8>()).prop_map(|((offset, length), kind, fill)| match kind {
        0..=4 => Operation::Write(offset, length, fill, Durability::Buffered),
        5 => Operation::Write(offset, length, fill, Durability::Fua),
        6..=7 => Operation::Trim(offset, length),
        _ => Operation::Flush,
    })
}

proptest! {
    #[test]
    fn a_volatile_cache_is_invisible_until_the_power_is_cut(operations in proptest::collection::vec(operation(), 1..40)) {
        let payload = payload(&fault("lost_cache", "cache = \"32 KiB\""));
        let mut model = vec![0_u8; CAPACITY];
        for operation in operations {
            match operation {
                Operation::Write(offset, length, fill, durability) => {
                    model[offset..offset + length].fill(fill);
                    payload.write(offset as u64, &model[offset..offset + length], durability).unwrap();
                }
                Operation::Trim(offset, length) => {
                    model[offset..offset + length].fill(0);
                    payload.trim(offset as u64, length as u64).unwrap();
                }
                Operation::Flush => payload.flush().unwrap(),
            }
            prop_assert!(contents(&payload) == model);
        }
        payload.flush().unwrap();
        prop_assert_eq!(payload.lose_power().total_bytes(), 0);
        prop_assert!(contents(&payload) == model);
    }
}
