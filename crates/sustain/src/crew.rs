//! Making and checking a chunk on several cores: the fastest drives are faster than one.

use std::num::NonZero;
use std::thread;

use pattern::{Finding, Pattern, SECTOR_BYTES};

/// More cores than these the fastest drives do not need.
const CORES_MAX: usize = 4;

/// What is worth a thread of its own.
const SHARE_BYTES_MIN: usize = 4 << 20;

/// Writes what belongs at `offset_bytes` into `data`; both are whole sectors.
pub(crate) fn fill(pattern: Pattern, data: &mut [u8], offset_bytes: u64) {
    let share = share_bytes(data.len());
    let work = |part: &mut [u8], at| pattern.fill(part, at).expect("a chunk is whole sectors");
    thread::scope(|scope| {
        let (own, others) = data.split_at_mut(share.min(data.len()));
        for (number, part) in others.chunks_mut(share).enumerate() {
            scope.spawn(move || work(part, offset_bytes + ((number + 1) * share) as u64));
        }
        work(own, offset_bytes);
    });
}

/// What of `data` is not what belongs at `offset_bytes`, in its order.
pub(crate) fn check(pattern: Pattern, data: &[u8], offset_bytes: u64) -> Vec<Finding> {
    let share = share_bytes(data.len());
    let work = |part: &[u8], at| pattern.check(part, at).expect("a chunk is whole sectors");
    thread::scope(|scope| {
        let (own, others) = data.split_at(share.min(data.len()));
        let helpers: Vec<_> = others
            .chunks(share)
            .enumerate()
            .map(|(number, part)| scope.spawn(move || work(part, offset_bytes + ((number + 1) * share) as u64)))
            .collect();
        let mut found = work(own, offset_bytes);
        for helper in helpers {
            found.extend(helper.join().expect("checking does not panic"));
        }
        found
    })
}

/// Of one core, in whole sectors.
fn share_bytes(length: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get).min(CORES_MAX);
    length
        .div_ceil(cores)
        .next_multiple_of(SECTOR_BYTES)
        .max(SHARE_BYTES_MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: usize = (20 << 20) + 512;
    const OFFSET: u64 = 7 << 20;

    #[test]
    fn many_cores_make_the_data_of_one() {
        let pattern = Pattern::new(3, 1);
        let (mut alone, mut together) = (vec![0; LENGTH], vec![0; LENGTH]);
        pattern.fill(&mut alone, OFFSET).unwrap();
        fill(pattern, &mut together, OFFSET);
        assert!(alone == together);
    }

    #[test]
    fn many_cores_find_every_wrong_sector_in_its_order() {
        let pattern = Pattern::new(3, 1);
        let mut data = vec![0; LENGTH];
        pattern.fill(&mut data, OFFSET).unwrap();
        let wrong = [0, 4 << 20, (10 << 20) - 512, LENGTH - 512];
        for at in wrong {
            data[at..at + 512].fill(0);
        }
        let found: Vec<_> = check(pattern, &data, OFFSET)
            .iter()
            .map(|one| ((one.offset_bytes - OFFSET) as usize, one.length_bytes))
            .collect();
        assert_eq!(found, wrong.map(|at| (at, 512)));
    }
}
