//! Where the host's data goes: write buffer, open superblock, dies in turn, pads.
//!
//! The layer above the flash: it takes bytes, cuts them into units, and says when the buffer has them and when they are safe.

mod amplification;
mod buffer;
mod opening;

use crate::command::Sync;
use crate::flash::{Cell, Flash, Stream};
use crate::spec::{Allocation, BufferKind, Spec};
use crate::spread::spread;
use amplification::Amplification;
use buffer::BufferTags;
use std::sync::Arc;

/// Marks a buffer slot whose data has not been programmed yet; the lower bits name its stream and die.
const UNPROGRAMMED: u64 = 1 << 63;
const STREAM_SHIFT: u32 = 8;

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

/// Where data of one stream goes.
#[derive(Debug, Clone)]
struct Open {
    superblock: Option<u32>,
    room_units: u32,
    epoch: u32,
    epoch_room_units: u32,
    die: u32,
    dies: Vec<DieBuffer>,
}

impl Open {
    fn new(dies: u32) -> Self {
        Self {
            superblock: None,
            room_units: 0,
            epoch: 0,
            epoch_room_units: 0,
            die: 0,
            dies: vec![DieBuffer::default(); dies as usize],
        }
    }
}

/// Totals since the last purge.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WriteCounts {
    pub(crate) host_written_bytes: u64,
    pub(crate) writes: u64,
    /// Whole units given to the host's writes.
    pub(crate) placed_bytes: u64,
    pub(crate) merged_bytes: u64,
    pub(crate) pad_bytes: u64,
}

/// What is known of the host's writes at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WriteAccount {
    pub(crate) counts: WriteCounts,
    /// Units received and not programmed.
    pub(crate) dirty_units: u64,
    pub(crate) cell: Cell,
    pub(crate) is_folding: bool,
    /// Write amplification over the last share of the capacity; None before the first is full.
    pub(crate) amplification_recent: Option<f64>,
    pub(crate) is_settled: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct Writes {
    spec: Arc<Spec>,
    flash: Flash,
    /// By stream.
    open: Vec<Open>,
    /// A native superblock left for the cache, and the units it still takes.
    parked: Option<(u32, u32)>,
    cell: Cell,
    stripe_units: u32,
    /// Completion times of the programs that free each slot of the buffer, used round and round.
    slots: Vec<u64>,
    next_slot: usize,
    /// The slots of as many stripes that were begun last, and where the next is entered.
    stripe_slots: Vec<u32>,
    next_stripe: usize,
    tags: BufferTags,
    /// Units received and not programmed.
    dirty_units: u64,
    /// Read-modify-write: the old content arrives no earlier.
    merged_ns: u64,
    last_write_end_bytes: u64,
    /// Written, and not yet covered by a flush.
    unflushed: bool,
    /// The cache was left for native cells and stays closed until it is reclaimed.
    past_cache: bool,
    /// Latest end of a program issued for the current command, and for any.
    issued_end_ns: u64,
    program_end_ns: u64,
    amplification: Amplification,
    counts: WriteCounts,
}

impl Writes {
    pub(crate) fn new(spec: &Arc<Spec>, flash: Flash) -> Self {
        let geometry = &spec.geometry;
        let slots = (spec.buffer.size_bytes / geometry.stripe_unit_bytes).max(1) as usize;
        Self {
            spec: Arc::clone(spec),
            flash,
            open: vec![Open::new(geometry.dies); spec.collection.streams as usize],
            parked: None,
            cell: Cell::Native,
            stripe_units: (geometry.stripe_unit_bytes / spec.map.unit_bytes) as u32,
            slots: vec![0; slots],
            next_slot: 0,
            stripe_slots: vec![0; slots],
            next_stripe: 0,
            tags: BufferTags::new(spec.buffer.size_bytes / spec.map.unit_bytes),
            dirty_units: 0,
            merged_ns: 0,
            last_write_end_bytes: u64::MAX,
            unflushed: false,
            past_cache: false,
            issued_end_ns: 0,
            program_end_ns: 0,
            amplification: Amplification::default(),
            counts: WriteCounts::default(),
        }
    }
}

impl Writes {
    /// The layer below.
    #[inline]
    pub(crate) fn flash(&mut self) -> &mut Flash {
        &mut self.flash
    }

    /// What the host has written since the last purge, and the bytes programmed since then.
    pub(crate) fn written(&self) -> (WriteCounts, u64) {
        (self.counts, self.flash.programmed_bytes())
    }

    pub(crate) fn account(&self) -> WriteAccount {
        WriteAccount {
            counts: self.counts,
            dirty_units: self.dirty_units,
            cell: self.cell,
            is_folding: self.flash.is_folding(self.cell),
            amplification_recent: self.amplification.recent(),
            is_settled: self.amplification.is_settled(),
        }
    }

    /// Counts a write of the host's.
    #[inline]
    pub(crate) fn count(&mut self, bytes: u64) {
        self.counts.host_written_bytes += bytes;
        self.counts.writes += 1;
    }

    /// Takes a write of any sectors; when the host is answered, whose link was busy with it until `moved_ns`.
    pub(crate) fn write(
        &mut self,
        start_ns: u64,
        offset_bytes: u64,
        length_bytes: u64,
        sync: Sync,
        moved_ns: u64,
    ) -> u64 {
        self.issued_end_ns = 0;
        let accepted_ns = self.place_bytes(start_ns, offset_bytes, length_bytes).max(moved_ns);
        let answered_ns = accepted_ns + self.overhead_ns();
        let durable_at_once = match self.spec.buffer.kind {
            BufferKind::Protected => false,
            BufferKind::Volatile => sync == Sync::Fua,
            BufferKind::WriteThrough => true,
        };
        self.unflushed = true;
        if !durable_at_once {
            return answered_ns;
        }
        self.pad_out(accepted_ns);
        let programmed_ns = self.issued_end_ns.max(answered_ns);
        if self.spec.buffer.kind == BufferKind::Volatile {
            programmed_ns + self.spec.buffer.flush_metadata_ns
        } else {
            self.unflushed = false;
            programmed_ns
        }
    }

    fn overhead_ns(&mut self) -> u64 {
        let sigma = self.spec.spread.controller_sigma;
        spread(self.spec.timing.write_overhead_ns, sigma, self.flash.random())
    }

    /// When everything written before is safe.
    pub(crate) fn flush(&mut self, start_ns: u64) -> u64 {
        let answered_ns = start_ns + self.spec.buffer.flush_ns;
        if self.spec.buffer.kind != BufferKind::Volatile || !self.unflushed {
            return answered_ns;
        }
        self.unflushed = false;
        self.pad_out(start_ns);
        self.program_end_ns.max(answered_ns) + self.spec.timing.program_slc_ns + self.spec.buffer.flush_metadata_ns
    }

    /// Unmaps whole units; how many of them were mapped. A write that follows continues nothing.
    pub(crate) fn trim(&mut self, first: u64, end: u64) -> u64 {
        self.last_write_end_bytes = u64::MAX;
        if end > first {
            self.flash.unmap(first, end - first)
        } else {
            0
        }
    }

    /// Whether a write goes on where the last one ended, and now ends at `end_bytes`.
    pub(crate) fn follows(&mut self, offset_bytes: u64, end_bytes: u64) -> bool {
        std::mem::replace(&mut self.last_write_end_bytes, end_bytes) == offset_bytes
    }

    /// Counts units whose old content was read back or copied.
    pub(crate) fn count_merged(&mut self, units: u64) {
        self.counts.merged_bytes += units * self.spec.map.unit_bytes;
    }

    /// Places a write of any sectors; returns when the buffer has taken all of it.
    fn place_bytes(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        let unit = self.spec.map.unit_bytes;
        let end = offset_bytes + length_bytes;
        let follows = self.follows(offset_bytes, end);
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
        self.flash.owe_erases();
        accepted_ns
    }

    /// Reads the old content of a unit that is written in part.
    fn merge(&mut self, start_ns: u64, unit: u64) {
        self.flash.settle();
        let entry = self.flash.entry(unit);
        if entry == 0 || self.is_buffered(unit, start_ns) {
            return;
        }
        let found_ns = self.flash.look_up(start_ns, unit);
        let place = self.flash.place(entry);
        let unit_bytes = self.spec.map.unit_bytes;
        let page_bytes = self.spec.geometry.page_bytes;
        let mut at = 0;
        while at < unit_bytes {
            let page = (unit * unit_bytes + at) / page_bytes;
            let read_ns = self.flash.read(found_ns, place, page, page_bytes.min(unit_bytes));
            self.merged_ns = self.merged_ns.max(read_ns);
            at += page_bytes;
        }
        self.count_merged(1);
    }

    pub(crate) fn place_units(&mut self, start_ns: u64, first: u64, count: u64) -> u64 {
        let mut now = self.flash.look_up_all(start_ns, first, count);
        let stream = self.flash.stream_of_write(first, count);
        let (mut unit, mut left) = (first, count);
        while left > 0 {
            if self.open[stream as usize].room_units == 0 {
                now = self.open_superblock(stream, now);
            }
            let die = self.die_for(stream, unit);
            now = self.take_slot(stream, die, now);
            // Taking a slot may have padded the superblock to its end.
            if self.open[stream as usize].room_units == 0 {
                now = self.open_superblock(stream, now);
            }
            if self.open[stream as usize].epoch_room_units == 0 {
                self.open_epoch(stream);
            }
            let open = &mut self.open[stream as usize];
            let buffer = &mut open.dies[die as usize];
            let mut fitting = open
                .room_units
                .min(open.epoch_room_units)
                .min(self.stripe_units - buffer.filling_units);
            if self.spec.geometry.allocation == Allocation::Address {
                fitting = fitting.min(self.stripe_units - (unit % u64::from(self.stripe_units)) as u32);
            }
            let n = u64::from(fitting).min(left) as u32;
            let page_type = if self.cell == Cell::Native {
                buffer.waiting
            } else {
                buffer.stripes
            } % self.spec.geometry.bits_per_cell;
            buffer.filling_units += n;
            self.tags.put(unit, n, buffer.filling_stripe);
            open.room_units -= n;
            open.epoch_room_units -= n;
            self.dirty_units += u64::from(n);
            let filled = buffer.filling_units == self.stripe_units;
            self.flash.map(unit, n, open.epoch, page_type, die);
            if filled {
                self.stripe_filled(stream, die, now);
            }
            unit += u64::from(n);
            left -= u64::from(n);
        }
        self.counts.placed_bytes += count * self.spec.map.unit_bytes;
        now
    }

    #[inline]
    fn die_for(&self, stream: Stream, unit: u64) -> u32 {
        match self.spec.geometry.allocation {
            Allocation::Order => self.open[stream as usize].die,
            Allocation::Address => (unit / u64::from(self.stripe_units) % u64::from(self.spec.geometry.dies)) as u32,
        }
    }

    /// Whether a unit can be read from the write buffer: until its program has ended.
    #[inline]
    pub(crate) fn is_buffered(&self, unit: u64, now_ns: u64) -> bool {
        let count = self.slots.len();
        let age = self.tags.age(unit).filter(|age| *age <= count as u64);
        age.is_some_and(|age| {
            let slot = self.stripe_slots[(self.next_stripe + count - age as usize) % count];
            self.slots[slot as usize] > now_ns
        })
    }

    /// A stripe takes a slot of the write buffer with its first unit; when is one free?
    #[inline]
    fn take_slot(&mut self, stream: Stream, die: u32, now_ns: u64) -> u64 {
        if self.open[stream as usize].dies[die as usize].filling_units > 0 {
            return now_ns;
        }
        let slot = self.slot_for(stream, now_ns);
        let free_ns = self.slots[slot];
        self.slots[slot] = UNPROGRAMMED | (stream as u64) << STREAM_SHIFT | u64::from(die);
        self.stripe_slots[self.next_stripe] = slot as u32;
        self.next_stripe = self.after(self.next_stripe);
        let stripe = self.tags.begin();
        let buffer = &mut self.open[stream as usize].dies[die as usize];
        (buffer.filling_slot, buffer.filling_stripe) = (slot as u32, stripe);
        now_ns.max(free_ns)
    }

    /// The next slot. What holds it is programmed at once, unless it is of the other stream, which may be much slower: that is passed over.
    #[inline]
    fn slot_for(&mut self, stream: Stream, now_ns: u64) -> usize {
        loop {
            let slot = self.next_slot;
            self.next_slot = self.after(slot);
            if self.slots[slot] & UNPROGRAMMED == 0 {
                return slot;
            }
            let holder = self.slots[slot] & !UNPROGRAMMED;
            if holder >> STREAM_SHIFT == stream as u64 {
                self.pad_die(stream, (holder & 0xff) as u32, now_ns);
                return slot;
            }
        }
    }

    /// The slot that follows, round and round.
    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    fn stripe_filled(&mut self, stream: Stream, die: u32, now_ns: u64) {
        let open = &mut self.open[stream as usize];
        if self.spec.geometry.allocation == Allocation::Order {
            open.die = if die + 1 == self.spec.geometry.dies { 0 } else { die + 1 };
        }
        let buffer = &mut open.dies[die as usize];
        buffer.filling_units = 0;
        buffer.stripes = buffer.stripes.wrapping_add(1);
        if self.cell == Cell::Cache {
            let slot = buffer.filling_slot as usize;
            let end_ns = self.program_host(die, now_ns, 1, self.spec.timing.program_slc_ns);
            self.slots[slot] = end_ns;
            self.dirty_units -= u64::from(self.stripe_units);
        } else {
            buffer.waiting_slots[buffer.waiting as usize] = buffer.filling_slot;
            buffer.waiting += 1;
            if buffer.waiting == self.spec.geometry.bits_per_cell {
                self.program_waiting(stream, die, now_ns);
            }
        }
        let stripe_units = self.stripe_units;
        self.flash.work_behind(stripe_units, self.cell, now_ns);
    }

    /// Programs all page types of a die's row at once.
    fn program_waiting(&mut self, stream: Stream, die: u32, now_ns: u64) {
        let buffer = &mut self.open[stream as usize].dies[die as usize];
        let waiting = std::mem::take(&mut buffer.waiting);
        let slots = buffer.waiting_slots;
        let end_ns = self.program_host(
            die,
            now_ns,
            self.spec.geometry.bits_per_cell,
            self.spec.timing.program_ns,
        );
        for slot in &slots[..waiting as usize] {
            self.slots[*slot as usize] = end_ns;
        }
        self.dirty_units -= u64::from(waiting * self.stripe_units);
    }

    fn program_host(&mut self, die: u32, now_ns: u64, stripes: u32, program_ns: u64) -> u64 {
        let bytes = u64::from(stripes) * self.spec.geometry.stripe_unit_bytes;
        let start_ns = now_ns.max(std::mem::take(&mut self.merged_ns));
        let end_ns = self.flash.program(start_ns, die, bytes, program_ns);
        self.issued_end_ns = self.issued_end_ns.max(end_ns);
        self.program_end_ns = self.program_end_ns.max(end_ns);
        end_ns
    }

    /// Programs everything the buffer holds, filling up with pads.
    pub(crate) fn pad_out(&mut self, now_ns: u64) {
        if self.dirty_units == 0 {
            return;
        }
        for stream in Stream::ALL.into_iter().take(self.open.len()) {
            for die in 0..self.spec.geometry.dies {
                self.pad_die(stream, die, now_ns);
            }
        }
    }

    fn pad_die(&mut self, stream: Stream, die: u32, now_ns: u64) {
        let buffer = &mut self.open[stream as usize].dies[die as usize];
        if buffer.filling_units == 0 && buffer.waiting == 0 {
            return;
        }
        let mut padded_units = 0;
        if buffer.filling_units > 0 {
            let pad = self.stripe_units - buffer.filling_units;
            padded_units += pad;
            self.dirty_units += u64::from(pad);
            self.stripe_filled(stream, die, now_ns);
        }
        let waiting = self.open[stream as usize].dies[die as usize].waiting;
        if waiting > 0 {
            padded_units += (self.spec.geometry.bits_per_cell - waiting) * self.stripe_units;
            self.program_waiting(stream, die, now_ns);
        }
        let open = &mut self.open[stream as usize];
        open.room_units = open.room_units.saturating_sub(padded_units);
        open.epoch_room_units = open.epoch_room_units.min(open.room_units);
        self.counts.pad_bytes += u64::from(padded_units) * self.spec.map.unit_bytes;
    }
}
