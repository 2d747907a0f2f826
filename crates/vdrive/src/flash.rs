//! Flash behind a mapping table: where each unit lies, when a page is sensed or a row programmed, and what is moved to make room.
//!
//! The lowest layer: it knows units, superblocks and dies, nothing of the host's commands or of the write buffer.

mod map;
mod map_cache;
mod media;
mod refresh;
mod relocation;
mod streams;
mod superblock;

pub(crate) use map::Place;
pub(crate) use media::transfer_ns;
pub(crate) use streams::Stream;
pub(crate) use superblock::Cell;

use crate::random::Random;
use crate::spec::Spec;
use map::Map;
use map_cache::{MapCache, UNITS_PER_MAP_PAGE};
use media::Media;
use refresh::Refresh;
use relocation::Relocation;
use std::sync::Arc;
use streams::Intervals;

#[derive(Debug, Clone)]
pub(crate) struct Flash {
    spec: Arc<Spec>,
    map: Map,
    media: Media,
    map_cache: MapCache,
    relocation: Relocation,
    intervals: Intervals,
    refresh: Refresh,
    random: Random,
    counts: FlashCounts,
}

/// Totals since the last purge.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FlashCounts {
    pub(crate) folded_bytes: u64,
    pub(crate) collected_bytes: u64,
    pub(crate) refreshed_bytes: u64,
    pub(crate) programmed_bytes: u64,
    pub(crate) map_misses: u64,
}

/// What the flash knows of itself at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlashAccount {
    pub(crate) counts: FlashCounts,
    pub(crate) mapped_units: u64,
    pub(crate) free_superblocks: u32,
    pub(crate) cache_superblocks: u32,
    pub(crate) cache_valid_units: u64,
    pub(crate) erases: u64,
    pub(crate) renumberings: u64,
    pub(crate) senses: u64,
    pub(crate) retries: u64,
    /// Free superblocks are so few that collection works for the host's writes.
    pub(crate) is_short: bool,
    pub(crate) is_collecting: bool,
    #[cfg(test)]
    pub(crate) owed_units: u64,
}

impl Flash {
    pub(crate) fn new(spec: &Arc<Spec>, random: Random) -> Self {
        let superblock_units = spec.superblock_bytes() / spec.map.unit_bytes;
        Self {
            map: Map::new(spec.units(), spec.superblocks(), superblock_units),
            media: Media::new(spec),
            map_cache: MapCache::new(spec),
            relocation: Relocation::new(spec),
            intervals: Intervals::new(spec),
            refresh: Refresh::default(),
            random,
            counts: FlashCounts::default(),
            spec: Arc::clone(spec),
        }
    }

    /// The drive's one source of chance.
    pub(crate) fn random(&mut self) -> &mut Random {
        &mut self.random
    }

    /// See [`Map::settle`].
    #[inline]
    pub(crate) fn settle(&mut self) {
        self.map.settle();
    }

    /// The raw entry of a unit: 0 if unmapped, equal for units of one epoch on one page type of one die.
    #[inline]
    pub(crate) fn entry(&self, unit: u64) -> u32 {
        self.map.entry(unit)
    }

    /// See [`Map::expect`].
    #[inline]
    pub(crate) fn expect(&self, units: impl Iterator<Item = u64>) {
        self.map.expect(units);
    }

    /// Decodes a mapped entry.
    #[inline]
    pub(crate) fn place(&self, entry: u32) -> Place {
        self.map.place(entry)
    }

    /// Finds a mapping; when it is in flash, one sense of a map page is paid first.
    #[inline]
    pub(crate) fn look_up(&mut self, start_ns: u64, unit: u64) -> u64 {
        if self.map_cache.holds_everything() {
            return start_ns;
        }
        let found_ns = start_ns + self.spec.map.hit_ns;
        match self.map_cache.touch(unit) {
            None => found_ns,
            Some(map_page) => {
                self.counts.map_misses += 1;
                let die = (crate::random::mix(map_page) % u64::from(self.spec.geometry.dies)) as u32;
                let sense_ns = self.spec.timing.sense_slc_ns;
                self.media.sense(found_ns, die, map_page, sense_ns, &mut self.random)
            }
        }
    }

    /// Finds the mappings of neighbours, a page of the table at a time.
    pub(crate) fn look_up_all(&mut self, start_ns: u64, first: u64, count: u64) -> u64 {
        let mut now = start_ns;
        if !self.map_cache.holds_everything() {
            let mut unit = first;
            while unit < first + count {
                now = self.look_up(now, unit);
                unit = (unit / UNITS_PER_MAP_PAGE + 1) * UNITS_PER_MAP_PAGE;
            }
        }
        now
    }

    /// Senses one page and moves `bytes` of it to the controller.
    #[inline]
    pub(crate) fn read(&mut self, start_ns: u64, place: Place, page: u64, bytes: u64) -> u64 {
        self.media.read(start_ns, place, page, bytes, &mut self.random)
    }

    /// Moves `bytes` of the host's to a die and programs them.
    pub(crate) fn program(&mut self, start_ns: u64, die: u32, bytes: u64, program_ns: u64) -> u64 {
        self.counts.programmed_bytes += bytes;
        self.media.program(start_ns, die, bytes, program_ns, &mut self.random)
    }

    /// Maps `count` units from `first` to an epoch; what they held before is released.
    #[inline]
    pub(crate) fn map(&mut self, first: u64, count: u32, epoch: u32, page_type: u32, die: u32) {
        self.map.write(first, count, epoch, map::tag(page_type, die));
    }

    /// Unmaps units; how many of them were mapped.
    pub(crate) fn unmap(&mut self, first: u64, count: u64) -> u64 {
        self.map.settle();
        let before = self.map.mapped;
        self.map.unmap(first, count);
        self.owe_erases();
        before - self.map.mapped
    }

    /// The stream that a write of `count` units from `first` on belongs to, by the age of what the first of them replaces.
    #[inline]
    pub(crate) fn stream_of_write(&mut self, first: u64, count: u64) -> Stream {
        if self.intervals.has_one_stream() {
            return Stream::Main;
        }
        let Some(age_units) = self.map.age_units(first) else {
            return Stream::Main;
        };
        let stream = self.intervals.stream(age_units);
        self.intervals.note(age_units, count);
        stream
    }

    /// Rises when open epochs may have lost their names.
    pub(crate) fn recoveries(&self) -> u64 {
        self.map.recoveries
    }

    /// Starts an epoch in an open superblock; its name, and the units it takes.
    pub(crate) fn start_epoch(&mut self, superblock: u32) -> (u32, u32) {
        (self.map.start_epoch(superblock), self.map.epoch_units)
    }

    /// Opens a free superblock, if there is one.
    pub(crate) fn open(&mut self, cell: Cell) -> Option<u32> {
        self.map.blocks.open(cell)
    }

    /// Closes an open superblock, or frees it at once if nothing in it is valid any more.
    pub(crate) fn close(&mut self, superblock: u32) {
        self.map.close(superblock);
    }

    pub(crate) fn free_superblocks(&self) -> u32 {
        self.map.blocks.free_count()
    }

    pub(crate) fn cache_superblocks(&self) -> u32 {
        self.map.blocks.cache_held()
    }

    /// Whether the cache takes one more superblock.
    pub(crate) fn admits_cache(&self) -> bool {
        self.spec
            .admits_cache(self.cache_superblocks(), self.free_superblocks())
    }

    /// Superblocks freed so far are erased before their dies program again.
    pub(crate) fn owe_erases(&mut self) {
        self.media.erases = self.map.blocks.erases;
    }

    /// See [`Media::settle_erases`].
    pub(crate) fn settle_erases(&mut self) {
        self.media.settle_erases();
    }

    pub(crate) fn programmed_bytes(&self) -> u64 {
        self.counts.programmed_bytes
    }

    /// Latest end of any program.
    pub(crate) fn program_end_ns_max(&self) -> u64 {
        self.media.program_end_ns_max
    }

    pub(crate) fn account(&self) -> FlashAccount {
        let blocks = &self.map.blocks;
        FlashAccount {
            counts: self.counts,
            mapped_units: self.map.mapped,
            free_superblocks: blocks.free_count(),
            cache_superblocks: blocks.cache_held(),
            cache_valid_units: blocks.cache_valid_units(),
            erases: blocks.erases,
            renumberings: self.map.renumberings,
            senses: self.media.senses,
            retries: self.media.retries,
            is_short: self.is_short(),
            is_collecting: self.is_collecting(),
            #[cfg(test)]
            owed_units: self.relocation.owed_units(),
        }
    }
}

#[cfg(test)]
impl Flash {
    /// So few names of epochs that they run out.
    pub(crate) fn forget_epoch_names(&mut self) {
        self.map = Map::with_few_epochs(self.spec.units(), self.spec.superblocks(), self.map.epoch_units);
    }

    pub(crate) fn is_mapped(&self, unit: u64) -> bool {
        self.map.is_mapped(unit)
    }

    /// The first count of the tables that is wrong.
    pub(crate) fn miscount(&self) -> Option<String> {
        self.map.miscount().or_else(|| self.map.blocks.miscount())
    }
}
