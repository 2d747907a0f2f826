//! Which superblock the host's data goes to next, and with how many bits a cell.

use super::Writes;
use crate::flash::{Cell, Stream};
use crate::spec::AfterCache;

impl Writes {
    pub(crate) fn open_epoch(&mut self, stream: Stream) {
        let superblock = self.open[stream as usize].superblock.unwrap_or_default();
        let recoveries = self.flash.recoveries();
        let (epoch, room_units) = self.flash.start_epoch(superblock);
        if self.flash.recoveries() > recoveries {
            // Other open epochs may have lost their names.
            self.open.iter_mut().for_each(|open| open.epoch_room_units = 0);
        }
        let open = &mut self.open[stream as usize];
        (open.epoch, open.epoch_room_units) = (epoch, room_units);
    }

    /// Closes the superblock of a stream and opens the next in the mode the cache policy asks for.
    pub(crate) fn open_superblock(&mut self, stream: Stream, now_ns: u64) -> u64 {
        self.flash.settle();
        self.flash.make_room(now_ns);
        let open = &mut self.open[stream as usize];
        open.epoch_room_units = 0;
        if let Some(full) = open.superblock {
            if self.flash.free_superblocks() == 0 {
                open.room_units = self.stripe_units;
                return now_ns;
            }
            self.flash.close(full);
        }
        let cell = self.choose_cell(now_ns);
        if cell != self.cell {
            self.pad_out(now_ns);
            self.cell = cell;
        }
        let (superblock, room_units) = self.next_superblock(cell);
        debug_assert!(superblock.is_some(), "room was made before");
        let open = &mut self.open[stream as usize];
        (open.superblock, open.room_units) = (superblock, room_units);
        let written_bytes = self.counts.host_written_bytes;
        self.amplification.follow(
            written_bytes,
            self.flash.programmed_bytes(),
            self.spec.geometry.capacity_bytes,
        );
        self.flash.owe_erases();
        now_ns
    }

    /// A superblock of this mode and the units it takes: the parked one, or a free one.
    fn next_superblock(&mut self, cell: Cell) -> (Option<u32>, u32) {
        let bytes = match cell {
            Cell::Cache => self.spec.cache_superblock_bytes(),
            Cell::Native => self.spec.superblock_bytes(),
        };
        if cell == Cell::Native
            && let Some((parked, room_units)) = self.parked.take()
        {
            return (Some(parked), room_units);
        }
        (self.flash.open(cell), (bytes / self.spec.map.unit_bytes) as u32)
    }

    /// After a silence the cache takes writes again at once, not only when the native superblock is full.
    pub(crate) fn return_to_cache(&mut self, now_ns: u64) {
        self.past_cache = false;
        let is_full = self.open[Stream::Main as usize].room_units == 0;
        if self.cell == Cell::Cache || is_full || !self.flash.admits_cache() {
            return;
        }
        self.pad_out(now_ns);
        let open = &mut self.open[Stream::Main as usize];
        if open.room_units > 0 {
            self.parked = open.superblock.take().map(|native| (native, open.room_units));
            open.room_units = 0;
            open.epoch_room_units = 0;
        }
    }

    fn choose_cell(&mut self, now_ns: u64) -> Cell {
        if self.spec.slc.max_bytes == 0 {
            return Cell::Native;
        }
        if self.spec.slc.after == AfterCache::CacheOnly {
            self.flash.fold_until_admitted(now_ns);
            self.flash.make_room(now_ns);
        }
        if self.past_cache && self.spec.slc.after == AfterCache::Refill {
            let low = self.spec.cache_superblocks(self.spec.slc.refill_below_bytes);
            self.past_cache = self.flash.cache_superblocks() > low;
        }
        if !self.past_cache && self.flash.admits_cache() {
            return Cell::Cache;
        }
        self.past_cache = self.spec.slc.after != AfterCache::CacheOnly;
        Cell::Native
    }
}
