//! Drives timed as Ryu & Park describe them: equations (1) and (2), one command at a time, management blocks.
//!
//! Both equations are one function of the pages that lie next to each other on a channel (all pages of a management
//! block for 1-channel placement, k pages for multi-channel placement). Everything is counted in pages, and every
//! channel that is touched after the first of a stripe pays one synchronisation, also in the last, partial stripe.

use super::Reads;
use crate::flash::transfer_ns;
use crate::spec::{Allocation, Legacy};

/// Channels a stripe can touch.
const CHANNELS_MAX: usize = 64;

impl Reads {
    /// How long such a drive works at a read.
    pub(crate) fn legacy_read_ns(&mut self, legacy: &Legacy, offset_bytes: u64, length_bytes: u64) -> u64 {
        let page_bytes = self.spec.geometry.page_bytes;
        let stripe_pages = u64::from(legacy.pages_per_channel) * u64::from(self.spec.geometry.channels);
        let (first, last) = (
            offset_bytes / page_bytes,
            (offset_bytes + length_bytes - 1) / page_bytes,
        );
        let mut read_ns = legacy.read_base_ns;
        let mut page = first;
        while page <= last {
            // Counted from the first page read: neighbours across a stripe's end are on different channels all the same.
            let end = (page + stripe_pages).min(last + 1);
            read_ns += self.stripe_ns(legacy, page, end);
            page = end;
        }
        read_ns
    }

    /// Time for the pages `from..to` of one stripe: the busiest channel's senses and a synchronisation with each other.
    fn stripe_ns(&mut self, legacy: &Legacy, from: u64, to: u64) -> u64 {
        let mut pages_of = [0u64; CHANNELS_MAX];
        for page in from..to {
            if let Some(channel) = self.channel_of(legacy, page) {
                pages_of[channel] += 1;
            }
        }
        let busiest = pages_of.iter().max().copied().unwrap_or(0);
        let touched = pages_of.iter().filter(|pages| **pages > 0).count() as u64;
        busiest * legacy.page_read_ns + touched.saturating_sub(1) * legacy.sync_ns
    }

    /// The channel of a page: by address, or wherever the order of writing put it. None if it was never written.
    fn channel_of(&mut self, legacy: &Legacy, page: u64) -> Option<usize> {
        let channels = u64::from(self.spec.geometry.channels);
        let unit = page * self.spec.geometry.page_bytes / self.spec.map.unit_bytes;
        let entry = self.writes.flash().entry(unit);
        if entry == 0 {
            return None;
        }
        let channel = match self.spec.geometry.allocation {
            Allocation::Address => page / u64::from(legacy.pages_per_channel) % channels,
            Allocation::Order => u64::from(self.writes.flash().place(entry).die) % channels,
        };
        Some(channel as usize)
    }

    /// How long it works at a write: every management block it touches is programmed, the rest of one it covers in part copied first.
    pub(crate) fn legacy_write_ns(
        &mut self,
        legacy: &Legacy,
        start_ns: u64,
        offset_bytes: u64,
        length_bytes: u64,
    ) -> u64 {
        self.ahead.forget(offset_bytes, length_bytes);
        let writes = &mut self.writes;
        writes.flash().settle();
        let unit = self.spec.map.unit_bytes;
        let end = offset_bytes + length_bytes;
        // A write that goes on where the last one ended fills its block without a copy.
        let follows = writes.follows(offset_bytes, end);
        let (first, last) = (offset_bytes / unit, (end - 1) / unit);
        let head = !offset_bytes.is_multiple_of(unit) || (first == last && !end.is_multiple_of(unit));
        let tail = first != last && !end.is_multiple_of(unit);
        let mut written = |at| !follows && writes.flash().entry(at) != 0;
        let copies = u64::from(head && written(first)) + u64::from(tail && written(last));
        writes.count_merged(copies);
        let begun = u64::from(follows && !offset_bytes.is_multiple_of(unit));
        writes.place_units(start_ns, first + begun, last + 1 - first - begun);
        writes.flash().owe_erases();
        legacy.write_base_ns + transfer_ns(length_bytes, legacy.write_ns_per_byte) + copies * legacy.copy_ns
    }
}
