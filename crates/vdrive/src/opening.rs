//! Which superblock the host's data goes to next, and with how many bits a cell.

use crate::drive::VDrive;
use crate::spec::AfterCache;
use crate::superblock::Cell;

impl VDrive {
    pub(crate) fn open_epoch(&mut self) {
        let superblock = self.host.superblock.unwrap_or_default();
        self.host.epoch = self.map.start_epoch(superblock);
        self.host.epoch_room_units = self.map.epoch_units;
    }

    /// Closes the host's superblock and opens the next in the mode the cache policy asks for.
    pub(crate) fn open_superblock(&mut self, now_ns: u64) -> u64 {
        self.map.settle();
        self.make_room(now_ns);
        self.host.epoch_room_units = 0;
        if let Some(full) = self.host.superblock {
            if self.map.blocks.free_count() == 0 {
                self.host.room_units = self.host.stripe_units;
                return now_ns;
            }
            self.map.close(full);
        }
        let cell = self.choose_cell(now_ns);
        if cell != self.host.cell {
            self.pad_out(now_ns);
            self.host.cell = cell;
        }
        (self.host.superblock, self.host.room_units) = self.next_superblock(cell);
        self.phase.follow(&self.counters, self.spec.geometry.capacity_bytes);
        debug_assert!(self.host.superblock.is_some(), "room was made before");
        self.media.erases = self.map.blocks.erases;
        now_ns
    }

    /// A superblock of this mode and the units it takes: the parked one, or a free one.
    fn next_superblock(&mut self, cell: Cell) -> (Option<u32>, u32) {
        let bytes = match cell {
            Cell::Cache => self.spec.cache_superblock_bytes(),
            Cell::Native => self.spec.superblock_bytes(),
        };
        if cell == Cell::Native
            && let Some((parked, room_units)) = self.host.parked.take()
        {
            return (Some(parked), room_units);
        }
        (self.map.blocks.open(cell), (bytes / self.spec.map.unit_bytes) as u32)
    }

    /// After a silence the cache takes writes again at once, not only when the native superblock is full.
    pub(crate) fn return_to_cache(&mut self, now_ns: u64) {
        self.host.past_cache = false;
        let (held, free) = (self.map.blocks.cache_held(), self.map.blocks.free_count());
        let room_units = self.host.room_units;
        if self.host.cell == Cell::Cache || room_units == 0 || !self.spec.admits_cache(held, free) {
            return;
        }
        self.pad_out(now_ns);
        if self.host.room_units > 0 {
            self.host.parked = self.host.superblock.take().map(|native| (native, self.host.room_units));
            self.host.room_units = 0;
            self.host.epoch_room_units = 0;
        }
    }

    fn choose_cell(&mut self, now_ns: u64) -> Cell {
        if self.spec.slc.max_bytes == 0 {
            return Cell::Native;
        }
        if self.spec.slc.after == AfterCache::CacheOnly {
            self.fold_until_admitted(now_ns);
            self.make_room(now_ns);
        }
        let (held, free) = (self.map.blocks.cache_held(), self.map.blocks.free_count());
        if self.host.past_cache && self.spec.slc.after == AfterCache::Refill {
            let low = self.spec.cache_superblocks(self.spec.slc.refill_below_bytes);
            self.host.past_cache = held > low;
        }
        if !self.host.past_cache && self.spec.admits_cache(held, free) {
            return Cell::Cache;
        }
        self.host.past_cache = self.spec.slc.after != AfterCache::CacheOnly;
        Cell::Native
    }
}
