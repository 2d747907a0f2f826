//! Superblocks: which are free, open or closed, how many valid units each holds, and which to empty next.

use std::collections::VecDeque;

/// How a superblock's cells are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    /// One bit a cell: the SLC cache.
    Cache,
    /// All bits a cell holds.
    Native,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Free,
    Open,
    Closed,
}

#[derive(Debug, Clone)]
pub(crate) struct Superblocks {
    /// Valid units of each superblock.
    pub(crate) valid: Vec<u32>,
    pub(crate) stage: Vec<Stage>,
    pub(crate) cell: Vec<Cell>,
    /// First epoch of each superblock's list; 0 ends a list.
    pub(crate) first_epoch: Vec<u32>,
    opened: Vec<u64>,
    free: VecDeque<u32>,
    openings: u64,
    cache_held: u32,
    /// Erases since the drive was new; each costs every die one erase.
    pub(crate) erases: u64,
}

impl Superblocks {
    pub(crate) fn new(count: u32) -> Self {
        let n = count as usize;
        Self {
            valid: vec![0; n],
            stage: vec![Stage::Free; n],
            cell: vec![Cell::Native; n],
            first_epoch: vec![0; n],
            opened: vec![0; n],
            free: (0..count).collect(),
            openings: 0,
            cache_held: 0,
            erases: 0,
        }
    }

    pub(crate) fn free_count(&self) -> u32 {
        self.free.len() as u32
    }

    /// Superblocks in one-bit mode, open or closed.
    pub(crate) fn cache_held(&self) -> u32 {
        self.cache_held
    }

    /// Valid units in one-bit mode.
    pub(crate) fn cache_valid_units(&self) -> u64 {
        let cells = self.valid.iter().zip(&self.cell);
        cells
            .filter(|(_, cell)| **cell == Cell::Cache)
            .map(|(valid, _)| u64::from(*valid))
            .sum()
    }

    /// Opens the superblock that has been free the longest.
    pub(crate) fn open(&mut self, cell: Cell) -> Option<u32> {
        let id = self.free.pop_front()?;
        let index = id as usize;
        self.stage[index] = Stage::Open;
        self.cell[index] = cell;
        self.openings += 1;
        self.opened[index] = self.openings;
        self.cache_held += u32::from(cell == Cell::Cache);
        Some(id)
    }

    /// Returns an empty superblock; its epoch list must have been taken down already.
    pub(crate) fn erase(&mut self, id: u32) {
        let index = id as usize;
        debug_assert_eq!((self.valid[index], self.first_epoch[index]), (0, 0));
        self.stage[index] = Stage::Free;
        self.cache_held -= u32::from(self.cell[index] == Cell::Cache);
        self.free.push_back(id);
        self.erases += 1;
    }

    /// Greedy choice: the closed superblock with the fewest valid units, if emptying it gains anything.
    pub(crate) fn emptiest(&self, units_max: u32) -> Option<u32> {
        let mut best = None;
        let mut least = units_max;
        for (index, (valid, stage)) in self.valid.iter().zip(&self.stage).enumerate() {
            if *valid < least && *stage == Stage::Closed {
                (best, least) = (Some(index as u32), *valid);
            }
        }
        best
    }

    /// By cost and benefit: the closed superblock with the most space to gain for each unit moved, times how long ago it was opened, so
    /// that what is about to be overwritten is left alone. After Kawaguchi et al., "A Flash-Memory Based File System", USENIX 1995.
    pub(crate) fn most_worth_emptying(&self, units_max: u32) -> Option<u32> {
        let mut best = None;
        let mut most = 0.0;
        for (index, (valid, stage)) in self.valid.iter().zip(&self.stage).enumerate() {
            if *valid >= units_max || *stage != Stage::Closed {
                continue;
            }
            let age = (self.openings - self.opened[index]) as f64;
            let worth = f64::from(units_max - valid) / f64::from(*valid) * (age + 1.0);
            if worth > most {
                (best, most) = (Some(index as u32), worth);
            }
        }
        best
    }

    /// First in, first out: the closed cache superblock that was opened the longest ago.
    pub(crate) fn oldest_cache(&self) -> Option<u32> {
        let closed_cache = |index: &usize| self.stage[*index] == Stage::Closed && self.cell[*index] == Cell::Cache;
        let oldest = (0..self.stage.len())
            .filter(closed_cache)
            .min_by_key(|index| self.opened[*index]);
        oldest.map(|index| index as u32)
    }
}

#[cfg(test)]
impl Superblocks {
    /// The first count that differs from a count of the superblocks themselves.
    pub(crate) fn miscount(&self) -> Option<String> {
        let free = self.stage.iter().filter(|stage| **stage == Stage::Free).count();
        if free != self.free_count() as usize {
            return Some(format!(
                "{free} superblocks are free, the list holds {}",
                self.free_count()
            ));
        }
        let in_use = |index: &usize| self.stage[*index] != Stage::Free;
        let held = (0..self.stage.len())
            .filter(in_use)
            .filter(|index| self.cell[*index] == Cell::Cache)
            .count();
        if held != self.cache_held() as usize {
            return Some(format!("{held} superblocks are cache, counted {}", self.cache_held()));
        }
        for (index, stage) in self.stage.iter().enumerate() {
            let valid = self.valid[index];
            if (*stage == Stage::Free && valid > 0) || (*stage == Stage::Closed && valid == 0) {
                return Some(format!("superblock {index} is {stage:?} with {valid} valid units"));
            }
        }
        None
    }
}
