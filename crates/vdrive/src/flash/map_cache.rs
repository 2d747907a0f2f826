//! How much of the mapping table the controller holds, and which part.
//!
//! Fully associative with the CLOCK policy: a hashed cache would smear the knee that real drives show at their reach.

use crate::spec::Spec;

/// Units whose mappings share one page of the table: 4 KiB of four-byte entries.
pub(crate) const UNITS_PER_MAP_PAGE: u64 = 1024;

#[derive(Debug, Clone)]
pub(crate) struct MapCache {
    /// Slot of each map page, plus one; 0 if it is in flash only.
    slot_of: Vec<u32>,
    /// Page of each slot, and whether it was used since the hand came by.
    slots: Vec<(u32, bool)>,
    size: usize,
    hand: usize,
}

impl MapCache {
    pub(crate) fn new(spec: &Spec) -> Self {
        let pages = spec.units().div_ceil(UNITS_PER_MAP_PAGE);
        let size = spec
            .map
            .reach_bytes
            .map_or(pages, |reach| reach / spec.map.unit_bytes / UNITS_PER_MAP_PAGE);
        let holds_everything = size >= pages;
        Self {
            slot_of: vec![0; if holds_everything { 0 } else { pages as usize }],
            slots: Vec::with_capacity(if holds_everything { 0 } else { size.max(1) as usize }),
            size: size.max(1) as usize,
            hand: 0,
        }
    }

    #[inline]
    pub(crate) fn holds_everything(&self) -> bool {
        self.slot_of.is_empty()
    }

    /// Uses a unit's map page; the page if it had to be fetched.
    pub(crate) fn touch(&mut self, unit: u64) -> Option<u64> {
        let page = unit / UNITS_PER_MAP_PAGE;
        let slot = self.slot_of[page as usize];
        if slot != 0 {
            self.slots[slot as usize - 1].1 = true;
            return None;
        }
        let slot = self.vacate();
        self.slots[slot] = (page as u32, false);
        self.slot_of[page as usize] = slot as u32 + 1;
        Some(page)
    }

    fn vacate(&mut self) -> usize {
        if self.slots.len() < self.size {
            self.slots.push((0, false));
            return self.slots.len() - 1;
        }
        loop {
            let slot = self.hand;
            self.hand = if slot + 1 == self.size { 0 } else { slot + 1 };
            if !std::mem::take(&mut self.slots[slot].1) {
                self.slot_of[self.slots[slot].0 as usize] = 0;
                return slot;
            }
        }
    }
}
