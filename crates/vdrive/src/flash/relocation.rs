//! Folding and garbage collection: moving valid data out of superblocks so that they can be erased.
//!
//! Work is tied to the host's writes: each stripe the host fills pays for some moved units, in proportion to what the
//! policy or the shortage of free superblocks asks for. That makes steady-state dips and tails appear by themselves.

use super::Flash;
use super::media::transfer_ns;
use super::streams::Stream;
use super::superblock::Cell;
use crate::spec::{AfterCache, Spec};

/// Free superblocks below which the host waits: one for it, one for the collector.
const FREE_FLOOR: u32 = 2;
/// Collection may run ahead of the balance by this factor when free superblocks fall below the hard limit.
const RAMP_MAX: f64 = 1.3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A superblock of the cache becomes part of a native one.
    Fold,
    /// A native superblock's rest is gathered.
    Collect,
}

/// Who pays for moved data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Charge {
    /// Dies are busy with it from now on.
    Dies,
    /// It happened in a silence.
    Silence,
}

/// Where moved data of one stream goes.
#[derive(Debug, Clone, Copy, Default)]
struct Target {
    superblock: Option<u32>,
    /// Units that still fit; below 0 what the last epoch put on top, carried into the next superblock.
    room_units: i64,
}

#[derive(Debug, Clone)]
pub(super) struct Relocation {
    /// By stream.
    targets: [Target; 2],
    superblock_units: i64,
    /// Units that may be moved before the host writes more.
    credit_units: f64,
    /// Moved but not yet charged as programs.
    owed_units: u64,
    row_units: u64,
    purpose: Purpose,
    /// Units moved for each unit gained by the present victim.
    cost: f64,
    next_die: u32,
}

impl Relocation {
    pub(super) fn new(spec: &Spec) -> Self {
        let unit = spec.map.unit_bytes;
        Self {
            targets: [Target::default(); 2],
            superblock_units: (spec.superblock_bytes() / unit) as i64,
            credit_units: 0.0,
            owed_units: 0,
            row_units: u64::from(spec.geometry.bits_per_cell) * spec.geometry.stripe_unit_bytes / unit,
            purpose: Purpose::Collect,
            cost: 0.0,
            next_die: 0,
        }
    }

    #[cfg(test)]
    pub(super) fn owed_units(&self) -> u64 {
        self.owed_units
    }
}

impl Flash {
    /// The share of background work that `units` of host data, written to `cell`, pay for.
    #[inline]
    pub(crate) fn work_behind(&mut self, units: u32, cell: Cell, now_ns: u64) {
        let free = self.map.blocks.free_count();
        if free > self.spec.collection.start && self.map.blocks.cache_held() == 0 {
            return;
        }
        let rate = self.relocation_rate(free, cell);
        if rate <= 0.0 {
            return;
        }
        self.relocation.credit_units += rate * f64::from(units);
        while self.relocation.credit_units >= 1.0 {
            let moved = self.relocate(now_ns, Charge::Dies);
            if moved == 0 {
                self.relocation.credit_units = 0.0;
                break;
            }
            self.relocation.credit_units -= f64::from(moved);
        }
    }

    /// Units to move per unit the host writes.
    fn relocation_rate(&mut self, free: u32, cell: Cell) -> f64 {
        let wanted = self.policy_rate(cell);
        let (start, hard) = (self.spec.collection.start, self.spec.collection.hard);
        if free > start || self.victim().is_none() {
            return wanted;
        }
        let ramp = f64::from(start - free + 1) / f64::from(start - hard);
        wanted.max(self.relocation.cost * ramp.min(RAMP_MAX))
    }

    /// What the post-cache policy folds while there is no shortage.
    fn policy_rate(&self, cell: Cell) -> f64 {
        let slc = &self.spec.slc;
        let held = self.map.blocks.cache_held();
        let fixed = self.spec.cache_superblocks(slc.static_bytes);
        match slc.after {
            AfterCache::Direct => 0.0,
            // The static part is left for the next silence.
            AfterCache::Fold | AfterCache::Refill if held <= fixed => 0.0,
            AfterCache::Fold | AfterCache::Refill if cell == Cell::Cache => 0.0,
            AfterCache::Fold | AfterCache::Refill => {
                let above_knee = u64::from(held) * self.spec.cache_superblock_bytes() > slc.knee_bytes;
                if above_knee { slc.fold_high } else { slc.fold_low }
            }
            AfterCache::CacheOnly => {
                let full = !self.spec.admits_cache(held + 1, self.map.blocks.free_count());
                if full { slc.fold_high.max(1.0) } else { 0.0 }
            }
        }
    }

    /// Whether the host's writes to `cell` are slowed by emptying the cache.
    pub(crate) fn is_folding(&self, cell: Cell) -> bool {
        let gathers = self.is_short() && self.relocation.purpose == Purpose::Fold;
        self.map.blocks.cache_held() > 0 && (self.policy_rate(cell) > 0.0 || gathers)
    }

    pub(super) fn is_short(&self) -> bool {
        self.map.blocks.free_count() <= self.spec.collection.start
    }

    pub(super) fn is_collecting(&self) -> bool {
        self.relocation.purpose == Purpose::Collect && self.counts.collected_bytes > 0
    }

    /// The superblock being emptied, or a new one: greedy under shortage, or by cost and benefit where streams make
    /// superblocks differ; the oldest of the cache otherwise.
    fn victim(&mut self) -> Option<u32> {
        if self.map.victim.is_some() {
            return self.map.victim;
        }
        self.map.settle();
        let blocks = &self.map.blocks;
        let short = self.is_short();
        let units_max = self.relocation.superblock_units as u32;
        let chosen = match (short, self.intervals.has_one_stream()) {
            (true, true) => blocks.emptiest(units_max),
            (true, false) => blocks.most_worth_emptying(units_max),
            (false, _) => blocks.oldest_cache(),
        };
        self.adopt(chosen)
    }

    fn adopt(&mut self, chosen: Option<u32>) -> Option<u32> {
        let victim = chosen?;
        let index = victim as usize;
        let valid = f64::from(self.map.blocks.valid[index]);
        let gained = (self.relocation.superblock_units as f64 - valid).max(1.0);
        self.relocation.cost = valid / gained;
        self.relocation.purpose = match self.map.blocks.cell[index] {
            Cell::Cache => Purpose::Fold,
            Cell::Native => Purpose::Collect,
        };
        self.map.victim = chosen;
        chosen
    }

    /// Moves one epoch of the victim; how many units that were, 0 if there is nothing to gain anywhere.
    fn relocate(&mut self, now_ns: u64, charge: Charge) -> u32 {
        self.map.settle();
        let Some(victim) = self.victim() else { return 0 };
        let Some(age_units) = self.map.next_age_units(victim) else {
            return 0;
        };
        let Some((stream, target)) = self.target(self.intervals.stream(age_units)) else {
            return 0;
        };
        let purpose = self.relocation.purpose;
        let moved = self.map.relocate_epoch(victim, target);
        self.relocation.targets[stream as usize].room_units -= i64::from(moved);
        self.relocation.owed_units += u64::from(moved);
        let bytes = u64::from(moved) * self.spec.map.unit_bytes;
        match purpose {
            Purpose::Fold => self.counts.folded_bytes += bytes,
            Purpose::Collect => self.counts.collected_bytes += bytes,
        }
        self.owe_erases();
        self.charge(now_ns, purpose, charge);
        moved
    }

    /// The superblock that takes moved data of a stream, and whose it is. With nothing free the present one is filled beyond its size,
    /// or else that of the other stream.
    fn target(&mut self, stream: Stream) -> Option<(Stream, u32)> {
        let target = &mut self.relocation.targets[stream as usize];
        if let Some(open) = target.superblock {
            if target.room_units > 0 || self.map.blocks.free_count() == 0 {
                return Some((stream, open));
            }
            target.superblock = None;
            self.map.close(open);
        }
        let Some(opened) = self.map.blocks.open(Cell::Native) else {
            return Stream::ALL
                .into_iter()
                .find_map(|other| Some((other, self.relocation.targets[other as usize].superblock?)));
        };
        target.superblock = Some(opened);
        target.room_units += self.relocation.superblock_units;
        Some((stream, opened))
    }

    fn charge(&mut self, now_ns: u64, purpose: Purpose, charge: Charge) {
        let busy_ns = self.charged_ns(purpose);
        let bytes = self.relocation.row_units * self.spec.map.unit_bytes;
        while self.relocation.owed_units >= self.relocation.row_units {
            self.relocation.owed_units -= self.relocation.row_units;
            self.counts.programmed_bytes += bytes;
            if charge == Charge::Dies {
                let die = self.relocation.next_die;
                self.relocation.next_die = if die + 1 == self.spec.geometry.dies { 0 } else { die + 1 };
                self.media.program(now_ns, die, bytes, busy_ns, &mut self.random);
            }
        }
    }

    /// Die time for a row that the host's writes pay for.
    fn charged_ns(&self, purpose: Purpose) -> u64 {
        let busy_ns = self.relocation_ns(purpose);
        if purpose == Purpose::Fold && self.is_short() {
            (busy_ns as f64 * self.spec.slc.fold_when_short) as u64
        } else {
            busy_ns
        }
    }

    /// Die time for reading one row's worth of old data and programming it.
    pub(super) fn relocation_ns(&self, purpose: Purpose) -> u64 {
        let timing = &self.spec.timing;
        let bits = u64::from(self.spec.geometry.bits_per_cell);
        match purpose {
            Purpose::Fold => bits * timing.sense_slc_ns + timing.program_ns,
            Purpose::Collect => timing.collect_ns(),
        }
    }

    /// Waits, if it must, until the host and the collector can both open a superblock.
    pub(crate) fn make_room(&mut self, now_ns: u64) {
        while self.map.blocks.free_count() < FREE_FLOOR && self.relocate(now_ns, Charge::Dies) > 0 {}
    }

    /// Without direct writing the host waits until the cache takes more, unless folding gains nothing.
    pub(crate) fn fold_until_admitted(&mut self, now_ns: u64) {
        while !self.admits_cache() {
            if self.map.blocks.oldest_cache().is_none() || self.relocate(now_ns, Charge::Dies) == 0 {
                return;
            }
        }
    }

    /// What a silence of `silence_ns` is used for: folding first, then collecting to twice the usual start.
    pub(crate) fn reclaim(&mut self, now_ns: u64, silence_ns: u64) {
        let row_bytes = self.relocation.row_units * self.spec.map.unit_bytes;
        let moved_ns = transfer_ns(row_bytes, self.spec.timing.channel_ns_per_byte);
        let row_ns = (self.relocation_ns(Purpose::Fold) + moved_ns).max(1);
        let rows = silence_ns as f64 / row_ns as f64 * f64::from(self.spec.geometry.dies);
        let mut units = rows * self.relocation.row_units as f64;
        while units >= 1.0 {
            if self.map.victim.is_none() {
                let chosen = self.idle_victim();
                if self.adopt(chosen).is_none() {
                    return;
                }
            }
            let moved = self.relocate(now_ns, Charge::Silence);
            if moved == 0 {
                return;
            }
            units -= f64::from(moved);
        }
        self.media.interrupt(now_ns, row_ns, &mut self.random);
    }

    fn idle_victim(&self) -> Option<u32> {
        let blocks = &self.map.blocks;
        if let Some(oldest) = blocks.oldest_cache() {
            return Some(oldest);
        }
        let enough = blocks.free_count() > 2 * self.spec.collection.start;
        let worth_moving = (self.relocation.superblock_units * 7 / 8) as u32;
        if enough { None } else { blocks.emptiest(worth_moving) }
    }
}
