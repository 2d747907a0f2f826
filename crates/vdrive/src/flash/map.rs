//! The mapping table, exact to the unit, in four bytes a unit.
//!
//! An entry names an *epoch* (a few MiB written one after the other into one superblock), a page type and a die. Moving
//! a superblock's content rewrites one word per epoch, not one per unit, so collection needs no reverse map and the
//! counts of valid units stay exact.

use super::superblock::{Cell, Stage, Superblocks};

const EPOCH_SHIFT: u32 = 10;
/// Twenty-two bits of epoch, two of page type, eight of die.
const EPOCH_IDS_MAX: u64 = 1 << 22;
/// Epochs of one die's worth of randomly overwritten data live on: `H(n)` of them per epoch's worth of capacity for
/// epochs of n units (coupon collector), below 9 for every n used.
const LIVE_EPOCHS_FACTOR: u64 = 9;
/// The usual epoch: 4 MiB of 4 KiB units.
const EPOCH_UNITS: u64 = 1024;

/// Where a unit's data lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The raw entry: equal for units of one epoch on one page type of one die.
    pub(crate) entry: u32,
    pub(crate) die: u32,
    pub(crate) page_type: u32,
    pub(crate) cell: Cell,
}

/// Single units written and not yet entered: their old entries are fetched together, so that the cache misses of
/// random writes overlap.
const BATCH: usize = 32;

#[derive(Debug, Clone)]
pub(crate) struct Map {
    entries: Vec<u32>,
    batch: [(u32, u32); BATCH],
    batched: usize,
    /// Superblock in the upper half, live units in the lower; one word so that a random overwrite misses one line.
    epochs: Vec<u64>,
    /// When each epoch was begun, in units written until then.
    begun: Vec<u64>,
    written: u64,
    next: Vec<u32>,
    free_head: u32,
    fresh: u32,
    pub(crate) epoch_units: u32,
    pub(crate) mapped: u64,
    pub(crate) blocks: Superblocks,
    /// The superblock being emptied.
    pub(crate) victim: Option<u32>,
    /// Times the table was walked to merge epochs.
    pub(crate) renumberings: u64,
    /// Times names of epochs were found again; open epochs may have lost theirs.
    pub(crate) recoveries: u64,
}

/// Packs page type and die for [`Map::write`].
pub(crate) fn tag(page_type: u32, die: u32) -> u32 {
    page_type << 8 | die
}

impl Map {
    pub(crate) fn new(units: u64, superblocks: u32, superblock_units: u64) -> Self {
        let fitting = (units * LIVE_EPOCHS_FACTOR)
            .div_ceil(EPOCH_IDS_MAX * 7 / 8)
            .next_power_of_two();
        let epoch_units = (superblock_units / 16).clamp(1, EPOCH_UNITS.max(fitting));
        let wanted = (units / epoch_units + 1) * 16 + u64::from(superblocks) * 4 + 64;
        Self::with_epochs(units, superblocks, epoch_units as u32, wanted.min(EPOCH_IDS_MAX))
    }

    fn with_epochs(units: u64, superblocks: u32, epoch_units: u32, ids: u64) -> Self {
        Self {
            entries: vec![0; units as usize],
            batch: [(0, 0); BATCH],
            batched: 0,
            epochs: vec![0; ids as usize],
            begun: vec![0; ids as usize],
            written: 0,
            next: vec![0; ids as usize],
            free_head: 0,
            fresh: 1,
            epoch_units,
            mapped: 0,
            blocks: Superblocks::new(superblocks),
            victim: None,
            renumberings: 0,
            recoveries: 0,
        }
    }

    /// The raw entry of a unit; 0 if unmapped.
    #[inline]
    pub(crate) fn entry(&self, unit: u64) -> u32 {
        debug_assert_eq!(self.batched, 0);
        self.entries[unit as usize]
    }

    /// Has what is known of units in the processor's cache before it is asked for: all at once, where one after the other
    /// each would wait for memory by itself.
    pub(crate) fn expect(&self, units: impl Iterator<Item = u64>) {
        let mut seen = 0;
        for unit in units {
            let entry = self.entries.get(unit as usize).copied().unwrap_or(0);
            seen ^= self.epochs.get((entry >> EPOCH_SHIFT) as usize).copied().unwrap_or(0);
        }
        std::hint::black_box(seen);
    }

    /// Decodes a mapped entry.
    #[inline]
    pub(crate) fn place(&self, entry: u32) -> Place {
        let superblock = (self.epochs[(entry >> EPOCH_SHIFT) as usize] >> 32) as usize;
        Place {
            entry,
            die: entry & 0xff,
            page_type: entry >> 8 & 3,
            cell: self.blocks.cell[superblock],
        }
    }

    /// Starts an epoch in an open superblock.
    pub(crate) fn start_epoch(&mut self, superblock: u32) -> u32 {
        self.settle();
        if self.free_head == 0 && self.fresh as usize >= self.epochs.len() {
            self.recover_ids();
        }
        let id = if self.free_head == 0 {
            self.fresh += 1;
            self.fresh - 1
        } else {
            let id = self.free_head;
            self.free_head = self.next[id as usize];
            id
        };
        self.epochs[id as usize] = u64::from(superblock) << 32;
        self.begun[id as usize] = self.written;
        self.enlist(id, superblock);
        id
    }

    fn enlist(&mut self, id: u32, superblock: u32) {
        let first = &mut self.blocks.first_epoch[superblock as usize];
        self.next[id as usize] = *first;
        *first = id;
    }

    fn retire(&mut self, id: u32) {
        self.next[id as usize] = self.free_head;
        self.free_head = id;
    }

    /// Maps `count` units from `first` to an epoch; what they held before is released.
    #[inline]
    pub(crate) fn write(&mut self, first: u64, count: u32, epoch: u32, tag: u32) {
        let entry = epoch << EPOCH_SHIFT | tag;
        if count == 1 {
            if self.batched == BATCH {
                self.settle();
            }
            self.batch[self.batched] = (first as u32, entry);
            self.batched += 1;
        } else {
            self.settle();
            self.replace(first, u64::from(count), entry);
        }
        let word = &mut self.epochs[epoch as usize];
        *word += u64::from(count);
        let superblock = (*word >> 32) as usize;
        self.blocks.valid[superblock] += count;
        self.mapped += u64::from(count);
        self.written += u64::from(count);
    }

    /// Units written since a unit was, to an epoch's length; none if it is not mapped. What is still to be entered is not seen.
    #[inline]
    pub(crate) fn age_units(&self, unit: u64) -> Option<u64> {
        let id = self.entries[unit as usize] >> EPOCH_SHIFT;
        (id != 0).then(|| self.epoch_age_units(id))
    }

    fn epoch_age_units(&self, id: u32) -> u64 {
        self.written - self.begun[id as usize]
    }

    /// Age of the epoch of `victim` that moves next; none if there is none left.
    pub(crate) fn next_age_units(&mut self, victim: u32) -> Option<u64> {
        let id = self.first_live_epoch(victim);
        (id != 0).then(|| self.epoch_age_units(id))
    }

    /// The first epoch of a superblock's list that something maps to, or 0; those before it are retired.
    fn first_live_epoch(&mut self, superblock: u32) -> u32 {
        loop {
            let id = self.blocks.first_epoch[superblock as usize];
            if id == 0 || self.epochs[id as usize] as u32 > 0 {
                return id;
            }
            self.blocks.first_epoch[superblock as usize] = self.next[id as usize];
            self.retire(id);
        }
    }

    /// Enters the units written one by one. Must precede whatever looks at the table or at counts of valid units.
    #[inline]
    pub(crate) fn settle(&mut self) {
        let mut olds = [0; BATCH];
        let batched = std::mem::take(&mut self.batched);
        for (old, (unit, entry)) in olds.iter_mut().zip(&self.batch[..batched]) {
            *old = std::mem::replace(&mut self.entries[*unit as usize], *entry);
        }
        for old in &olds[..batched] {
            self.release(old >> EPOCH_SHIFT, 1);
        }
    }

    /// Unmaps `count` units from `first`.
    pub(crate) fn unmap(&mut self, first: u64, count: u64) {
        self.settle();
        self.replace(first, count, 0);
    }

    /// Stores `new` and releases the old entries, neighbours of one epoch together.
    #[inline]
    fn replace(&mut self, first: u64, count: u64, new: u32) {
        let (mut run, mut length) = (0, 0);
        for index in first as usize..(first + count) as usize {
            let old = std::mem::replace(&mut self.entries[index], new) >> EPOCH_SHIFT;
            if old == run {
                length += 1;
                continue;
            }
            self.release(run, length);
            (run, length) = (old, 1);
        }
        self.release(run, length);
    }

    #[inline]
    fn release(&mut self, epoch: u32, count: u32) {
        if epoch == 0 || count == 0 {
            return;
        }
        let word = &mut self.epochs[epoch as usize];
        *word -= u64::from(count);
        let superblock = (*word >> 32) as usize;
        self.mapped -= u64::from(count);
        let valid = &mut self.blocks.valid[superblock];
        *valid -= count;
        if *valid == 0 && self.blocks.stage[superblock] == Stage::Closed {
            self.free_superblock(superblock as u32);
        }
    }

    /// Closes an open superblock, or frees it at once if nothing in it is valid any more.
    pub(crate) fn close(&mut self, superblock: u32) {
        self.settle();
        self.blocks.stage[superblock as usize] = Stage::Closed;
        if self.blocks.valid[superblock as usize] == 0 {
            self.free_superblock(superblock);
        }
    }

    fn free_superblock(&mut self, superblock: u32) {
        let mut id = std::mem::take(&mut self.blocks.first_epoch[superblock as usize]);
        while id != 0 {
            let following = self.next[id as usize];
            self.retire(id);
            id = following;
        }
        self.blocks.erase(superblock);
        if self.victim == Some(superblock) {
            self.victim = None;
        }
    }

    /// Moves one epoch of `victim` to `target`; how many units that were. Frees the victim once it is empty.
    pub(crate) fn relocate_epoch(&mut self, victim: u32, target: u32) -> u32 {
        let id = self.first_live_epoch(victim);
        if id == 0 {
            return 0;
        }
        self.blocks.first_epoch[victim as usize] = self.next[id as usize];
        let live = self.epochs[id as usize] as u32;
        self.epochs[id as usize] = u64::from(target) << 32 | u64::from(live);
        self.enlist(id, target);
        self.blocks.valid[target as usize] += live;
        self.blocks.valid[victim as usize] -= live;
        if self.blocks.valid[victim as usize] == 0 {
            self.free_superblock(victim);
        }
        live
    }

    /// Finds ids again: first those of epochs nothing maps to, then by merging all epochs of each superblock.
    ///
    /// An open epoch may lose its id, in the first case if nothing maps to it yet: whoever has one starts another when
    /// [`Map::recoveries`] has risen.
    fn recover_ids(&mut self) {
        self.recoveries += 1;
        let mut found = 0;
        for superblock in 0..self.blocks.first_epoch.len() as u32 {
            let mut id = std::mem::take(&mut self.blocks.first_epoch[superblock as usize]);
            while id != 0 {
                let following = self.next[id as usize];
                if self.epochs[id as usize] as u32 == 0 {
                    self.retire(id);
                    found += 1;
                } else {
                    self.enlist(id, superblock);
                }
                id = following;
            }
        }
        if found < self.epochs.len() / 8 {
            self.renumber();
        }
    }

    /// Gives all epochs of one superblock a single id: a walk over the table, rare enough to cost nothing per write.
    fn renumber(&mut self) {
        self.renumberings += 1;
        let begun = self.begun_in_the_mean();
        for entry in &mut self.entries {
            if *entry != 0 {
                let superblock = (self.epochs[(*entry >> EPOCH_SHIFT) as usize] >> 32) as u32;
                *entry = (superblock + 1) << EPOCH_SHIFT | (*entry & ((1 << EPOCH_SHIFT) - 1));
            }
        }
        self.free_head = 0;
        self.fresh = self.blocks.valid.len() as u32 + 1;
        for superblock in 0..self.blocks.valid.len() as u32 {
            let id = superblock + 1;
            self.epochs[id as usize] = u64::from(superblock) << 32 | u64::from(self.blocks.valid[superblock as usize]);
            self.begun[id as usize] = begun[superblock as usize];
            self.blocks.first_epoch[superblock as usize] = 0;
            if self.blocks.stage[superblock as usize] == Stage::Free {
                self.retire(id);
            } else {
                self.enlist(id, superblock);
            }
        }
    }

    /// When the units of each superblock were written.
    fn begun_in_the_mean(&self) -> Vec<u64> {
        let mean = |superblock: usize| {
            let (mut id, mut sum) = (self.blocks.first_epoch[superblock], 0u128);
            while id != 0 {
                let live = u128::from(self.epochs[id as usize] as u32);
                sum += live * u128::from(self.begun[id as usize]);
                id = self.next[id as usize];
            }
            let valid = u128::from(self.blocks.valid[superblock]);
            sum.checked_div(valid).map_or(self.written, |mean| mean as u64)
        };
        (0..self.blocks.valid.len()).map(mean).collect()
    }
}

#[cfg(test)]
impl Map {
    /// A table with few epoch ids, so that they run out.
    pub(crate) fn with_few_epochs(units: u64, superblocks: u32, epoch_units: u32) -> Self {
        Self::with_epochs(units, superblocks, epoch_units, u64::from(superblocks) * 2 + 4)
    }

    /// The first count that differs from a count of the entries themselves.
    pub(crate) fn miscount(&self) -> Option<String> {
        let mut live = vec![0u64; self.epochs.len()];
        for entry in self.entries.iter().filter(|entry| **entry != 0) {
            live[(*entry >> EPOCH_SHIFT) as usize] += 1;
        }
        let mapped: u64 = live.iter().sum();
        if mapped != self.mapped {
            return Some(format!("{mapped} units are mapped, counted {}", self.mapped));
        }
        let mut owner = vec![None; self.epochs.len()];
        for (superblock, first) in self.blocks.first_epoch.iter().enumerate() {
            let (mut id, mut valid) = (*first as usize, 0);
            while id != 0 {
                if owner[id].replace(superblock).is_some() {
                    return Some(format!("epoch {id} is listed twice"));
                }
                valid += live[id];
                id = self.next[id] as usize;
            }
            if valid != u64::from(self.blocks.valid[superblock]) {
                return Some(format!(
                    "superblock {superblock} holds {valid}, counted {}",
                    self.blocks.valid[superblock]
                ));
            }
        }
        (1..self.fresh as usize).find_map(|id| self.epoch_fault(id, live[id], owner[id]))
    }

    fn epoch_fault(&self, id: usize, live: u64, owner: Option<usize>) -> Option<String> {
        let (counted, superblock) = (self.epochs[id] & 0xffff_ffff, (self.epochs[id] >> 32) as usize);
        match owner {
            Some(owner) if owner != superblock => Some(format!("epoch {id} is in {owner}, says {superblock}")),
            Some(_) if counted != live => Some(format!("epoch {id} holds {live}, counted {counted}")),
            None if live > 0 => Some(format!("epoch {id} holds {live} and belongs nowhere")),
            _ => None,
        }
    }

    /// Whether a unit is mapped.
    pub(crate) fn is_mapped(&self, unit: u64) -> bool {
        self.entries[unit as usize] != 0
    }
}
