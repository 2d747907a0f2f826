use super::*;
use proptest::prelude::*;

const CAPACITY: u64 = 200 * BLOCK + 1536;

fn damage(defect: &DataDefect) -> Damage {
    Damage::new(7, 0, defect, CAPACITY)
}

fn range() -> impl Strategy<Value = (u64, u64)> {
    (0..CAPACITY / 512, 0..60 * 8_u64)
        .prop_map(|(offset, length)| (offset * 512, (length * 512).min(CAPACITY - offset * 512)))
}

/// Where each byte of a request goes.
fn places(pieces: &[Piece], length: u64) -> Vec<Option<u64>> {
    let mut places = vec![None; length as usize];
    for piece in pieces {
        for position in 0..piece.length {
            let place = &mut places[(piece.from + position) as usize];
            assert_eq!(*place, None, "a byte goes to one place");
            *place = Some(piece.at + position);
        }
    }
    places
}

#[test]
fn a_swap_exchanges_one_pair_in_each_whole_group() {
    let swap = damage(&DataDefect::Swap { every: 50 });
    let victims = swap.victims(0, CAPACITY);
    assert_eq!(victims.len(), 8);
    for block in &victims {
        assert_eq!(swap.partner(swap.partner(*block)), *block);
        assert_ne!(swap.partner(*block), *block);
        assert_eq!(swap.partner(*block) / 50, block / 50);
    }
}

#[test]
fn another_seed_or_number_chooses_other_blocks() {
    let of = |seed, number| Damage::new(seed, number, &DataDefect::Flip { every: 50 }, CAPACITY).victims(0, CAPACITY);
    assert_eq!(of(1, 0), of(1, 0));
    assert_ne!(of(1, 0), of(2, 0));
    assert_ne!(of(1, 0), of(1, 1));
}

proptest! {
    #[test]
    fn a_part_of_a_range_has_the_victims_of_the_whole_in_it((offset, length) in range()) {
        for defect in [DataDefect::Flip { every: 9 }, DataDefect::Swap { every: 7 }, DataDefect::StaleAfterTrim { every: 1 }] {
            let damage = damage(&defect);
            let inside = |block: &u64| block * BLOCK < offset + length && (block + 1) * BLOCK > offset && length > 0;
            let expected: Vec<u64> = damage.victims(0, CAPACITY).into_iter().filter(inside).collect();
            prop_assert_eq!(damage.victims(offset, length), expected);
        }
    }

    #[test]
    fn a_swap_moves_the_bytes_of_its_victims_and_no_others((offset, length) in range()) {
        let swap = damage(&DataDefect::Swap { every: 7 });
        let victims = swap.victims(0, CAPACITY);
        let found = places(&swap.redirect(vec![Piece::whole(offset, length)]), length);
        for (address, place) in (offset..).zip(found) {
            let block = address / BLOCK;
            let expected = if victims.contains(&block) {
                swap.partner(block) * BLOCK + address % BLOCK
            } else {
                address
            };
            prop_assert_eq!(place, Some(expected));
        }
    }

    #[test]
    fn a_fake_capacity_is_the_address_modulo_what_is_there((offset, length) in range(), real_blocks in 1..200_u64) {
        let real_bytes = real_blocks * BLOCK;
        let found = places(&damage(&DataDefect::Wrap { real_bytes }).fold(vec![Piece::whole(offset, length)]), length);
        for (address, place) in (offset..).zip(found) {
            prop_assert_eq!(place, Some(address % real_bytes));
        }
    }

    #[test]
    fn a_bit_flips_wherever_its_byte_is_written_and_nowhere_else((offset, length) in range()) {
        let flip = damage(&DataDefect::Flip { every: 5 });
        let mut whole = vec![0; CAPACITY as usize];
        prop_assert_eq!(flip.spoil(0, &mut whole), flip.victims(0, CAPACITY));
        prop_assert_eq!(whole.iter().map(|byte| byte.count_ones()).sum::<u32>(), 40);
        let mut part = vec![0; length as usize];
        flip.spoil(offset, &mut part);
        prop_assert_eq!(&part[..], &whole[offset as usize..(offset + length) as usize]);
    }

    #[test]
    fn blocks_are_taken_out_of_a_request_whole((offset, length) in range(), blocks in proptest::collection::btree_set(0..201_u64, 0..20)) {
        let blocks: Vec<u64> = blocks.into_iter().collect();
        let found = places(&without(vec![Piece::whole(offset, length)], &blocks), length);
        for (address, place) in (offset..).zip(found) {
            let expected = (!blocks.contains(&(address / BLOCK))).then_some(address);
            prop_assert_eq!(place, expected);
        }
    }
}
