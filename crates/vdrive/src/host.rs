//! Where the host's data goes: write buffer, open superblock, dies in turn, pads.

use crate::buffer::BufferTags;
use crate::drive::VDrive;
use crate::map::tag;
use crate::spec::{Allocation, Spec};
use crate::superblock::Cell;

/// Marks a buffer slot whose data has not been programmed yet; the lower bits name its die.
const UNPROGRAMMED: u64 = 1 << 63;

/// What one die has received and not programmed.
#[derive(Debug, Clone, Default)]
struct DieBuffer {
    /// Units in the stripe being filled.
    filling_units: u32,
    filling_slot: u32,
    filling_stripe: u32,
    /// Full stripes waiting until all page types of a one-shot program are there.
    waiting: u32,
    waiting_slots: [u32; 4],
    /// Stripes taken so far; gives cache data the page type it will have once folded.
    stripes: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Host {
    pub(crate) superblock: Option<u32>,
    /// A native superblock left for the cache, and the units it still takes.
    pub(crate) parked: Option<(u32, u32)>,
    pub(crate) cell: Cell,
    pub(crate) room_units: u32,
    pub(crate) epoch: u32,
    pub(crate) epoch_room_units: u32,
    die: u32,
    dies: Vec<DieBuffer>,
    pub(crate) stripe_units: u32,
    /// Completion times of the programs that free each slot of the buffer, used round and round.
    slots: Vec<u64>,
    next_slot: usize,
    tags: BufferTags,
    /// Units received and not programmed.
    pub(crate) dirty_units: u64,
    /// Read-modify-write: the old content arrives no earlier.
    pub(crate) merged_ns: u64,
    pub(crate) last_write_end_bytes: u64,
    /// Written, and not yet covered by a flush.
    pub(crate) unflushed: bool,
    /// The cache was left for native cells and stays closed until it is reclaimed.
    pub(crate) past_cache: bool,
    /// Latest end of a program issued for the current command, and for any.
    pub(crate) issued_end_ns: u64,
    pub(crate) program_end_ns: u64,
}

impl Host {
    pub(crate) fn new(spec: &Spec) -> Self {
        let geometry = &spec.geometry;
        Self {
            superblock: None,
            parked: None,
            cell: Cell::Native,
            room_units: 0,
            epoch: 0,
            epoch_room_units: 0,
            die: 0,
            dies: vec![DieBuffer::default(); geometry.dies as usize],
            stripe_units: (geometry.stripe_unit_bytes / spec.map.unit_bytes) as u32,
            slots: vec![0; (spec.buffer.size_bytes / geometry.stripe_unit_bytes).max(1) as usize],
            next_slot: 0,
            tags: BufferTags::new(spec.buffer.size_bytes / spec.map.unit_bytes),
            dirty_units: 0,
            merged_ns: 0,
            last_write_end_bytes: u64::MAX,
            unflushed: false,
            past_cache: false,
            issued_end_ns: 0,
            program_end_ns: 0,
        }
    }
}

impl VDrive {
    /// Places a write of any sectors; returns when the buffer has taken all of it.
    pub(crate) fn place_bytes(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        let unit = self.spec.map.unit_bytes;
        let end = offset_bytes + length_bytes;
        let follows = self.host.last_write_end_bytes == offset_bytes;
        self.host.last_write_end_bytes = end;
        let mut accepted_ns = start_ns;
        let mut at = offset_bytes;
        if !at.is_multiple_of(unit) {
            let first = at / unit;
            // The rest of a unit whose head is still in the buffer is merged there.
            if !follows {
                self.merge(start_ns, first);
                accepted_ns = self.place_units(accepted_ns, first, 1);
            }
            at = ((first + 1) * unit).min(end);
        }
        let whole = (end - at) / unit;
        if whole > 0 {
            accepted_ns = self.place_units(accepted_ns, at / unit, whole);
            at += whole * unit;
        }
        if at < end {
            // A tail that continues a sequential write is expected to be completed; a lone one is not.
            if !follows {
                self.merge(start_ns, at / unit);
            }
            accepted_ns = self.place_units(accepted_ns, at / unit, 1);
        }
        self.media.erases = self.map.blocks.erases;
        accepted_ns
    }

    /// Reads the old content of a unit that is written in part.
    fn merge(&mut self, start_ns: u64, unit: u64) {
        self.map.settle();
        let entry = self.map.entry(unit);
        if entry == 0 || self.is_buffered(unit, start_ns) {
            return;
        }
        let found_ns = self.look_up(start_ns, unit);
        let place = self.map.place(entry);
        let unit_bytes = self.spec.map.unit_bytes;
        let page_bytes = self.spec.geometry.page_bytes;
        let mut at = 0;
        while at < unit_bytes {
            let page = (unit * unit_bytes + at) / page_bytes;
            let read_ns = self
                .media
                .read(found_ns, place, page, page_bytes.min(unit_bytes), &mut self.random);
            self.host.merged_ns = self.host.merged_ns.max(read_ns);
            at += page_bytes;
        }
        self.counters.merged_bytes += unit_bytes;
    }

    pub(crate) fn place_units(&mut self, start_ns: u64, first: u64, count: u64) -> u64 {
        let mut now = self.look_up_all(start_ns, first, count);
        let (mut unit, mut left) = (first, count);
        while left > 0 {
            if self.host.room_units == 0 {
                now = self.open_superblock(now);
            }
            let die = self.die_for(unit);
            now = self.take_slot(die, now);
            // Taking a slot may have padded the superblock to its end.
            if self.host.room_units == 0 {
                now = self.open_superblock(now);
            }
            if self.host.epoch_room_units == 0 {
                self.open_epoch();
            }
            let host = &mut self.host;
            let buffer = &mut host.dies[die as usize];
            let mut fitting = host
                .room_units
                .min(host.epoch_room_units)
                .min(host.stripe_units - buffer.filling_units);
            if self.spec.geometry.allocation == Allocation::Address {
                fitting = fitting.min(host.stripe_units - (unit % u64::from(host.stripe_units)) as u32);
            }
            let n = u64::from(fitting).min(left) as u32;
            let page_type = if host.cell == Cell::Native {
                buffer.waiting
            } else {
                buffer.stripes
            } % self.spec.geometry.bits_per_cell;
            buffer.filling_units += n;
            host.tags.put(unit, n, buffer.filling_stripe);
            host.room_units -= n;
            host.epoch_room_units -= n;
            host.dirty_units += u64::from(n);
            let filled = buffer.filling_units == host.stripe_units;
            self.map.write(unit, n, host.epoch, tag(page_type, die));
            if filled {
                self.stripe_filled(die, now);
            }
            unit += u64::from(n);
            left -= u64::from(n);
        }
        self.counters.placed_bytes += count * self.spec.map.unit_bytes;
        now
    }

    fn look_up_all(&mut self, start_ns: u64, first: u64, count: u64) -> u64 {
        let mut now = start_ns;
        if !self.map_cache.holds_everything() {
            let mut unit = first;
            while unit < first + count {
                now = self.look_up(now, unit);
                unit = (unit / 1024 + 1) * 1024;
            }
        }
        now
    }

    #[inline]
    fn die_for(&self, unit: u64) -> u32 {
        match self.spec.geometry.allocation {
            Allocation::Order => self.host.die,
            Allocation::Address => {
                (unit / u64::from(self.host.stripe_units) % u64::from(self.spec.geometry.dies)) as u32
            }
        }
    }

    /// Whether a unit can be read from the write buffer: until its program has ended.
    #[inline]
    pub(crate) fn is_buffered(&self, unit: u64, now_ns: u64) -> bool {
        let count = self.host.slots.len();
        let age = self.host.tags.age(unit).filter(|age| *age <= count as u64);
        age.is_some_and(|age| self.host.slots[(self.host.next_slot + count - age as usize) % count] > now_ns)
    }

    /// A stripe takes a slot of the write buffer with its first unit; when is one free?
    #[inline]
    fn take_slot(&mut self, die: u32, now_ns: u64) -> u64 {
        if self.host.dies[die as usize].filling_units > 0 {
            return now_ns;
        }
        let slot = self.host.next_slot;
        self.host.next_slot = if slot + 1 == self.host.slots.len() { 0 } else { slot + 1 };
        if self.host.slots[slot] & UNPROGRAMMED != 0 {
            let holder = (self.host.slots[slot] & !UNPROGRAMMED) as u32;
            self.pad_die(holder, now_ns);
        }
        let free_ns = self.host.slots[slot];
        self.host.slots[slot] = UNPROGRAMMED | u64::from(die);
        let stripe = self.host.tags.begin();
        let buffer = &mut self.host.dies[die as usize];
        (buffer.filling_slot, buffer.filling_stripe) = (slot as u32, stripe);
        now_ns.max(free_ns)
    }

    fn stripe_filled(&mut self, die: u32, now_ns: u64) {
        let host = &mut self.host;
        let buffer = &mut host.dies[die as usize];
        buffer.filling_units = 0;
        buffer.stripes = buffer.stripes.wrapping_add(1);
        if self.spec.geometry.allocation == Allocation::Order {
            host.die = if die + 1 == self.spec.geometry.dies { 0 } else { die + 1 };
        }
        if host.cell == Cell::Cache {
            let slot = buffer.filling_slot as usize;
            let end_ns = self.program_host(die, now_ns, 1, self.spec.timing.program_slc_ns);
            self.host.slots[slot] = end_ns;
            self.host.dirty_units -= u64::from(self.host.stripe_units);
        } else {
            buffer.waiting_slots[buffer.waiting as usize] = buffer.filling_slot;
            buffer.waiting += 1;
            if buffer.waiting == self.spec.geometry.bits_per_cell {
                self.program_waiting(die, now_ns);
            }
        }
        let stripe_units = self.host.stripe_units;
        self.work_behind(stripe_units, now_ns);
    }

    /// Programs all page types of a die's row at once.
    fn program_waiting(&mut self, die: u32, now_ns: u64) {
        let waiting = std::mem::take(&mut self.host.dies[die as usize].waiting);
        let slots = self.host.dies[die as usize].waiting_slots;
        let end_ns = self.program_host(
            die,
            now_ns,
            self.spec.geometry.bits_per_cell,
            self.spec.timing.program_ns,
        );
        for slot in &slots[..waiting as usize] {
            self.host.slots[*slot as usize] = end_ns;
        }
        self.host.dirty_units -= u64::from(waiting * self.host.stripe_units);
    }

    fn program_host(&mut self, die: u32, now_ns: u64, stripes: u32, program_ns: u64) -> u64 {
        let bytes = u64::from(stripes) * self.spec.geometry.stripe_unit_bytes;
        let start_ns = now_ns.max(std::mem::take(&mut self.host.merged_ns));
        let end_ns = self.media.program(start_ns, die, bytes, program_ns);
        self.counters.programmed_bytes += bytes;
        self.host.issued_end_ns = self.host.issued_end_ns.max(end_ns);
        self.host.program_end_ns = self.host.program_end_ns.max(end_ns);
        end_ns
    }

    /// Programs everything the buffer holds, filling up with pads.
    pub(crate) fn pad_out(&mut self, now_ns: u64) {
        if self.host.dirty_units == 0 {
            return;
        }
        for die in 0..self.spec.geometry.dies {
            self.pad_die(die, now_ns);
        }
    }

    fn pad_die(&mut self, die: u32, now_ns: u64) {
        let host = &mut self.host;
        let buffer = &mut host.dies[die as usize];
        if buffer.filling_units == 0 && buffer.waiting == 0 {
            return;
        }
        let mut padded_units = 0;
        if buffer.filling_units > 0 {
            let pad = host.stripe_units - buffer.filling_units;
            padded_units += pad;
            host.dirty_units += u64::from(pad);
            self.stripe_filled(die, now_ns);
        }
        let waiting = self.host.dies[die as usize].waiting;
        if waiting > 0 {
            padded_units += (self.spec.geometry.bits_per_cell - waiting) * self.host.stripe_units;
            self.program_waiting(die, now_ns);
        }
        self.host.room_units = self.host.room_units.saturating_sub(padded_units);
        self.host.epoch_room_units = self.host.epoch_room_units.min(self.host.room_units);
        self.counters.pad_bytes += u64::from(padded_units) * self.spec.map.unit_bytes;
    }
}
