//! Which units are still in the write buffer, so that reading them back needs no flash.

/// Smallest and largest number of units that are remembered.
const TAGS: std::ops::RangeInclusive<u64> = 64..=1 << 16;

/// One tag per remembered unit: the unit, and the buffer stripe that took it. Direct-mapped by address: a unit whose tag
/// was overwritten is read from flash, as it would be a moment later anyway.
#[derive(Debug, Clone)]
pub(crate) struct BufferTags {
    tags: Vec<(u32, u32)>,
    /// Stripes begun so far.
    begun: u64,
}

impl BufferTags {
    /// Tags for a buffer of `units`.
    pub(crate) fn new(units: u64) -> Self {
        let size = (2 * units).clamp(*TAGS.start(), *TAGS.end()).next_power_of_two();
        Self {
            tags: vec![(0, 0); size as usize],
            begun: 0,
        }
    }

    /// A stripe takes a slot of the buffer; its number.
    #[inline]
    pub(crate) fn begin(&mut self) -> u32 {
        self.begun += 1;
        self.begun as u32
    }

    /// Units from `first` on are in the stripe.
    #[inline]
    pub(crate) fn put(&mut self, first: u64, count: u32, stripe: u32) {
        let mask = self.tags.len() as u64 - 1;
        for unit in first..first + u64::from(count) {
            self.tags[(unit & mask) as usize] = (unit as u32, stripe);
        }
    }

    /// How many stripes ago the unit was taken, at least 1; none if that is not known.
    #[inline]
    pub(crate) fn age(&self, unit: u64) -> Option<u64> {
        let (tagged, stripe) = self.tags[(unit & (self.tags.len() as u64 - 1)) as usize];
        let age = u64::from((self.begun as u32).wrapping_sub(stripe)) + 1;
        (tagged == unit as u32 && stripe != 0 && age <= self.begun).then_some(age)
    }
}

#[cfg(test)]
mod tests {
    use super::BufferTags;

    #[test]
    fn a_unit_is_known_by_the_stripe_that_took_it_last() {
        let mut tags = BufferTags::new(64);
        assert_eq!(tags.age(0), None);
        let first = tags.begin();
        tags.put(0, 4, first);
        let second = tags.begin();
        tags.put(2, 1, second);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|unit| tags.age(unit)),
            [Some(2), Some(2), Some(1), Some(2), None]
        );
    }

    #[test]
    fn a_tag_is_lost_to_another_unit_of_the_same_place() {
        let mut tags = BufferTags::new(64);
        let stripe = tags.begin();
        tags.put(5, 1, stripe);
        tags.put(5 + 128, 1, stripe);
        assert_eq!((tags.age(5), tags.age(5 + 128)), (None, Some(1)));
    }
}
