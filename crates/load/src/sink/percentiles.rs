//! Exact percentiles of what is too much to sort.

use fiolog::Percent;

/// Bits that a pass settles.
const DIGIT_BITS: u32 = 16;

/// A percentile that is being found: the values that agree with it in the digits known so far.
struct Search {
    /// Its rank among these values, counted from 1.
    rank: u64,
    known: u64,
    counts: Vec<u64>,
}

/// Percentiles by nearest rank of values that can be gone through again and again, equal to those of the sorted values: each of four
/// passes settles sixteen bits, from the highest on. `None` where fewer than ten samples lie above.
///
/// # Errors
/// Those of a pass.
pub fn exact_percentiles<E>(
    percents: &[Percent],
    mut pass: impl FnMut(&mut dyn FnMut(u64)) -> Result<(), E>,
) -> Result<Vec<Option<u64>>, E> {
    let highest = u64::BITS - DIGIT_BITS;
    let mut counts = vec![0; 1 << DIGIT_BITS];
    pass(&mut |value| counts[(value >> highest) as usize] += 1)?;
    let count = counts.iter().sum();
    let mut searches: Vec<Option<Search>> = percents
        .iter()
        .map(|percent| {
            let rank = percent.known_rank(count)?;
            let counts = counts.clone();
            Some(Search { rank, known: 0, counts })
        })
        .collect();
    searches.iter_mut().flatten().for_each(Search::settle);
    for shift in (0..highest).step_by(DIGIT_BITS as usize).rev() {
        pass(&mut |value| {
            for search in searches.iter_mut().flatten() {
                let digits = value >> shift;
                if digits >> DIGIT_BITS == search.known {
                    search.counts[(digits & ((1 << DIGIT_BITS) - 1)) as usize] += 1;
                }
            }
        })?;
        searches.iter_mut().flatten().for_each(Search::settle);
    }
    Ok(searches.into_iter().map(|search| Some(search?.known)).collect())
}

impl Search {
    /// Finds the next digit from the counts.
    fn settle(&mut self) {
        let mut digit = 0;
        while digit + 1 < self.counts.len() && self.counts[digit] < self.rank {
            self.rank -= self.counts[digit];
            digit += 1;
        }
        self.known = self.known << DIGIT_BITS | digit as u64;
        self.counts.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_those_of_the_sorted_values(mut values in prop::collection::vec(any::<u64>(), 11..300), share in 0.0..100.0_f64) {
            let percent = Percent::try_from(share).unwrap();
            let found = exact_percentiles(&[percent], |take| {
                for &value in &values {
                    take(value);
                }
                Ok::<(), ()>(())
            })
            .unwrap()[0];
            values.sort_unstable();
            let expected = percent.known_rank(values.len() as u64).map(|rank| values[rank as usize - 1]);
            prop_assert_eq!(found, expected);
        }
    }
}
