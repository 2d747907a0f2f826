//! A drive's volatile cache: what was written last is not on the medium yet, and a power cut loses it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use vdrive::{DEFECT_BLOCK_BYTES, FlushEffect};

use crate::medium::Medium;
use crate::ranges::Ranges;

const BLOCK: u64 = DEFECT_BLOCK_BYTES;

/// Blocks in front of a [`Medium`]; the oldest moves there when there are too many.
pub struct VolatileCache {
    held: Mutex<Held>,
    blocks_max: usize,
    capacity_bytes: u64,
    flush: FlushEffect,
}

#[derive(Default)]
struct Held {
    blocks: BTreeMap<u64, Vec<u8>>,
    order: VecDeque<u64>,
}

impl VolatileCache {
    /// An empty cache of this many bytes, at least one block, in front of a medium of `capacity_bytes`.
    pub fn new(capacity_bytes: u64, cache_bytes: u64, flush: FlushEffect) -> Self {
        Self {
            held: Mutex::default(),
            blocks_max: (cache_bytes / BLOCK).max(1) as usize,
            capacity_bytes,
            flush,
        }
    }

    /// As [`Medium::read_into`], through the cache.
    ///
    /// # Errors
    /// The medium's, here and below.
    pub fn read_into(&self, medium: &Medium, target: &mut Vec<u8>, offset: u64, length: usize) -> io::Result<()> {
        let held = self.lock();
        let start = target.len();
        medium.read_into(target, offset, length)?;
        for part in parts(offset, length as u64) {
            if let Some(bytes) = held.blocks.get(&part.block) {
                let at = start + (part.offset() - offset) as usize;
                target[at..at + part.length].copy_from_slice(&bytes[part.from..part.from + part.length]);
            }
        }
        Ok(())
    }

    /// Takes data in and moves the oldest out.
    ///
    /// # Errors
    /// As above.
    pub fn write(&self, medium: &Medium, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut held = self.lock();
        for part in parts(offset, data.len() as u64) {
            let Held { blocks, order } = &mut *held;
            let bytes = match blocks.entry(part.block) {
                Entry::Occupied(entry) => entry.into_mut(),
                Entry::Vacant(entry) => {
                    let mut bytes = Vec::new();
                    medium.read_into(&mut bytes, part.block * BLOCK, self.block_bytes(part.block) as usize)?;
                    order.push_back(part.block);
                    entry.insert(bytes)
                }
            };
            let at = (part.offset() - offset) as usize;
            bytes[part.from..part.from + part.length].copy_from_slice(&data[at..at + part.length]);
            if held.blocks.len() > self.blocks_max {
                held.let_oldest_go(medium)?;
            }
        }
        Ok(())
    }

    /// Makes a range zero, in the cache and on the medium.
    ///
    /// # Errors
    /// As above.
    pub fn zero(&self, medium: &Medium, offset: u64, length: u64) -> io::Result<()> {
        let mut held = self.lock();
        let touched: Vec<u64> = held
            .blocks
            .range(offset / BLOCK..(offset + length).div_ceil(BLOCK))
            .map(|(block, _)| *block)
            .collect();
        for block in touched {
            let (from, to) = (offset.max(block * BLOCK), (offset + length).min((block + 1) * BLOCK));
            if let Some(bytes) = held.blocks.get_mut(&block) {
                bytes[(from - block * BLOCK) as usize..(to - block * BLOCK) as usize].fill(0);
            }
        }
        medium.zero(offset, length)
    }

    /// What the drive does on a flush or a write with force unit access.
    ///
    /// # Errors
    /// As above.
    pub fn flush(&self, medium: &Medium) -> io::Result<()> {
        match self.flush {
            FlushEffect::Obeyed => self.write_back(medium),
            FlushEffect::Ignored => Ok(()),
        }
    }

    /// Moves everything to the medium, as a drive does that is told in time.
    ///
    /// # Errors
    /// As above.
    pub fn write_back(&self, medium: &Medium) -> io::Result<()> {
        let mut held = self.lock();
        while !held.blocks.is_empty() {
            held.let_oldest_go(medium)?;
        }
        Ok(())
    }

    /// Forgets everything, and says what that was.
    pub fn lose(&self) -> Ranges {
        let mut held = self.lock();
        let mut lost = Ranges::default();
        for block in held.blocks.keys() {
            lost.add(block * BLOCK, self.block_bytes(*block));
        }
        *held = Held::default();
        lost
    }

    /// A block's length: the last one of the drive may be shorter.
    fn block_bytes(&self, block: u64) -> u64 {
        BLOCK.min(self.capacity_bytes - block * BLOCK)
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        // A panic while blocks are moved can lose payload, never break memory.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn let_oldest_go(&mut self, medium: &Medium) -> io::Result<()> {
        let Some(block) = self.order.pop_front() else {
            return Ok(());
        };
        match self.blocks.remove(&block) {
            Some(bytes) => medium.write(block * BLOCK, &bytes),
            None => Ok(()),
        }
    }
}

/// The part of a range that lies in one block.
struct Part {
    block: u64,
    from: usize,
    length: usize,
}

impl Part {
    fn offset(&self) -> u64 {
        self.block * BLOCK + self.from as u64
    }
}

fn parts(offset: u64, length: u64) -> impl Iterator<Item = Part> {
    let end = offset + length;
    (offset / BLOCK..end.div_ceil(BLOCK)).map(move |block| {
        let (from, to) = (offset.max(block * BLOCK), end.min((block + 1) * BLOCK));
        Part {
            block,
            from: (from - block * BLOCK) as usize,
            length: (to - from) as usize,
        }
    })
}
