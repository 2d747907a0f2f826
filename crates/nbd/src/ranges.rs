//! Sets of byte ranges that grow and merge.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

/// Most separate ranges that are kept; what comes after is counted and forgotten.
const RANGES_MAX: usize = 100_000;

/// Disjoint ranges of bytes, in order; serialised as `[[offset, length], ...]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// Start to end.
    ends: BTreeMap<u64, u64>,
}

impl Ranges {
    /// Adds a range, which joins all that it touches.
    pub fn add(&mut self, offset_bytes: u64, length_bytes: u64) {
        if length_bytes == 0 || self.ends.len() >= RANGES_MAX {
            return;
        }
        let (mut start, mut end) = (offset_bytes, offset_bytes + length_bytes);
        while let Some((&other_start, &other_end)) = self.ends.range(..=end).next_back()
            && other_end >= start
        {
            self.ends.remove(&other_start);
            (start, end) = (start.min(other_start), end.max(other_end));
        }
        self.ends.insert(start, end);
    }

    /// Bytes in all ranges.
    pub fn total_bytes(&self) -> u64 {
        self.ends.iter().map(|(start, end)| end - start).sum()
    }
}

impl Serialize for Ranges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.ends.iter().map(|(start, end)| [*start, end - start]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn holds_every_byte_that_was_added_once(added in proptest::collection::vec((0..60_u64, 0..9_u64), 0..30)) {
            let mut ranges = Ranges::default();
            let mut expected = [false; 80];
            for (offset, length) in added {
                ranges.add(offset, length);
                expected[offset as usize..(offset + length) as usize].fill(true);
            }
            let mut found = [false; 80];
            let mut last_end = None;
            for (&start, &end) in &ranges.ends {
                prop_assert!(last_end.is_none_or(|last| start > last), "ranges that touch are one");
                found[start as usize..end as usize].fill(true);
                last_end = Some(end);
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(ranges.total_bytes() as usize, expected.iter().filter(|byte| **byte).count());
        }
    }
}
