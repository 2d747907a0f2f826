//! A trace of a large drive on a smaller one.

use trace::Io;

/// Places move by whole extents, so that what lay together still does.
pub const EXTENT_BYTES: u64 = 16 << 20;

/// Puts I/Os that lie beyond the end of a drive onto extents of it.
#[derive(Debug, Clone, Copy)]
pub struct Fold {
    capacity_bytes: u64,
    /// Bytes asked for, and those of them that were moved.
    asked: u64,
    moved: u64,
}

impl Fold {
    /// Onto a drive of that size; `None` if it does not hold an extent.
    pub fn onto(capacity_bytes: u64) -> Option<Self> {
        (capacity_bytes >= EXTENT_BYTES).then_some(Self {
            capacity_bytes,
            asked: 0,
            moved: 0,
        })
    }

    /// The same I/O on the drive: where it was if that exists, else in the extent of that number in turn. One that is longer than what is
    /// left behind its place begins earlier, and one longer than the drive is cut to it.
    #[must_use]
    pub fn placed(&mut self, io: &Io) -> Io {
        self.asked = self.asked.saturating_add(io.length_bytes);
        if io.end_bytes() <= self.capacity_bytes {
            return *io;
        }
        self.moved = self.moved.saturating_add(io.length_bytes);
        let extents = self.capacity_bytes / EXTENT_BYTES;
        let (extent, within_bytes) = (io.offset_bytes / EXTENT_BYTES, io.offset_bytes % EXTENT_BYTES);
        let length_bytes = io.length_bytes.min(self.capacity_bytes);
        Io {
            offset_bytes: (extent % extents * EXTENT_BYTES + within_bytes).min(self.capacity_bytes - length_bytes),
            length_bytes,
            ..*io
        }
    }

    /// Share of the bytes that lie elsewhere than in the trace.
    pub fn moved_share(&self) -> f64 {
        if self.asked == 0 {
            return 0.0;
        }
        self.moved as f64 / self.asked as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use trace::Op;

    use super::*;

    #[test]
    fn what_fits_stays_and_the_rest_goes_round_by_extents() {
        let mut fold = Fold::onto(4 * EXTENT_BYTES).unwrap();
        let placed = |fold: &mut Fold, offset_bytes| fold.placed(&Io::new(Op::Read, offset_bytes, 4096)).offset_bytes;
        assert_eq!(placed(&mut fold, 8192), 8192);
        assert_eq!(placed(&mut fold, 9 * EXTENT_BYTES + 512), EXTENT_BYTES + 512);
        assert!((fold.moved_share() - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_drive_without_an_extent_is_none_to_fold_onto() {
        assert!(Fold::onto(EXTENT_BYTES - 1).is_none());
    }

    proptest! {
        #[test]
        fn every_io_ends_within_the_drive_on_a_whole_sector(
            capacity_sectors in 32_768_u64..1_000_000,
            offset_sectors in 0_u64..1_000_000_000,
            sectors in 0_u64..2_000_000,
        ) {
            let mut fold = Fold::onto(capacity_sectors * 512).unwrap();
            let placed = fold.placed(&Io::new(Op::Discard, offset_sectors * 512, sectors * 512));
            prop_assert!(placed.end_bytes() <= capacity_sectors * 512);
            prop_assert_eq!(placed.offset_bytes % 512, 0);
            prop_assert!(sectors == 0 || placed.length_bytes > 0);
        }
    }
}
