//! The payload of a drive with its faults between the host's addresses and the medium.
//!
//! Without faults every call goes straight to the [`Medium`]. Faults of data act in the order flip, lost write, swap, wrap,
//! and the volatile cache stands behind them all.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use vdrive::{DEFECT_BLOCK_BYTES, DataDefect, Spec};

use crate::damage::{Damage, Piece, without};
use crate::medium::Medium;
use crate::ranges::Ranges;
use crate::store::{Extent, Occupancy};
use crate::volatile::VolatileCache;
use crate::wire::request::Durability;

const BLOCK: u64 = DEFECT_BLOCK_BYTES;

/// What one fault of data has done so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DataFaultReport {
    /// As the Spec's `kind`.
    pub kind: &'static str,
    /// How often it has acted: on blocks, or on commands where it knows no blocks.
    pub acted: u64,
    /// Bytes of the host it has acted on, `[offset, length]` each. They need not be wrong still: a block may have been
    /// written again.
    pub ranges: Ranges,
}

/// What a [`Medium`] holds, as the drive gives and takes it.
pub struct Payload {
    medium: Medium,
    damages: Vec<Damage>,
    cache: Option<VolatileCache>,
    acts: Mutex<Acts>,
    capacity_bytes: u64,
}

#[derive(Default)]
struct Acts {
    reports: Vec<DataFaultReport>,
    /// Of each fault, the blocks whose next write will be lost.
    stale: Vec<BTreeSet<u64>>,
}

impl Payload {
    /// What `medium` holds, with the faults of `spec`.
    pub fn new(medium: Medium, spec: &Spec) -> Self {
        let capacity_bytes = spec.capacity_bytes();
        let damage = |(number, defect)| Damage::new(spec.seed(), number, defect, capacity_bytes);
        let damages: Vec<Damage> = spec.data_defects().iter().enumerate().map(damage).collect();
        let cache = damages
            .iter()
            .find_map(Damage::cache)
            .map(|(cache_bytes, flush)| VolatileCache::new(capacity_bytes, cache_bytes, flush));
        let report = |damage: &Damage| DataFaultReport {
            kind: damage.defect.kind(),
            acted: 0,
            ranges: Ranges::default(),
        };
        let acts = Acts {
            reports: damages.iter().map(report).collect(),
            stale: vec![BTreeSet::new(); damages.len()],
        };
        Self {
            medium,
            damages,
            cache,
            acts: Mutex::new(acts),
            capacity_bytes,
        }
    }

    /// Appends what the host reads at a range to `target`.
    ///
    /// # Errors
    /// The file system's, if the payload is in a file; the same holds for everything here.
    pub fn read_into(&self, target: &mut Vec<u8>, offset_bytes: u64, length_bytes: usize) -> io::Result<()> {
        if self.damages.is_empty() {
            return self.medium.read_into(target, offset_bytes, length_bytes);
        }
        for piece in self.folded(vec![Piece::whole(offset_bytes, length_bytes as u64)]) {
            match &self.cache {
                Some(cache) => cache.read_into(&self.medium, target, piece.at, piece.length as usize)?,
                None => self.medium.read_into(target, piece.at, piece.length as usize)?,
            }
        }
        Ok(())
    }

    /// Takes what the host writes.
    ///
    /// # Errors
    /// As above.
    pub fn write(&self, offset_bytes: u64, data: &[u8], durability: Durability) -> io::Result<()> {
        if self.damages.is_empty() {
            return self.medium.write(offset_bytes, data);
        }
        let (data, pieces) = self.damaged(offset_bytes, data);
        for piece in pieces {
            let bytes = &data[piece.from as usize..(piece.from + piece.length) as usize];
            match &self.cache {
                Some(cache) => cache.write(&self.medium, piece.at, bytes)?,
                None => self.medium.write(piece.at, bytes)?,
            }
        }
        match durability {
            Durability::Buffered => Ok(()),
            Durability::Fua => self.flush(),
        }
    }

    /// Makes what was written safe against a power cut, if the drive obeys.
    ///
    /// # Errors
    /// As above.
    pub fn flush(&self) -> io::Result<()> {
        self.cache.as_ref().map_or(Ok(()), |cache| cache.flush(&self.medium))
    }

    /// Deallocates a range, which then reads as zeros from a drive that does as it is told.
    ///
    /// # Errors
    /// As above.
    pub fn trim(&self, offset_bytes: u64, length_bytes: u64) -> io::Result<()> {
        let mut pieces = vec![Piece::whole(offset_bytes, length_bytes)];
        for (number, damage) in self.damages.iter().enumerate() {
            match damage.defect {
                DataDefect::TrimIgnored => {
                    self.note(number, 1, [(offset_bytes, length_bytes)]);
                    return Ok(());
                }
                DataDefect::StaleAfterTrim { .. } => {
                    let mut blocks = damage.victims(offset_bytes, length_bytes);
                    blocks.retain(|block| {
                        block * BLOCK >= offset_bytes && (block + 1) * BLOCK <= offset_bytes + length_bytes
                    });
                    pieces = without(pieces, &blocks);
                    self.acts().stale[number].extend(blocks);
                }
                _ => {}
            }
        }
        self.zero_pieces(pieces)
    }

    /// Writes zeros.
    ///
    /// # Errors
    /// As above.
    pub fn zero(&self, offset_bytes: u64, length_bytes: u64) -> io::Result<()> {
        self.zero_pieces(vec![Piece::whole(offset_bytes, length_bytes)])
    }

    /// Erases everything, as a format does.
    ///
    /// # Errors
    /// As above.
    pub fn purge(&self) -> io::Result<()> {
        if self.damages.is_empty() {
            self.medium.clear()
        } else {
            self.trim(0, self.capacity_bytes)
        }
    }

    /// What a power cut takes away.
    pub fn lose_power(&self) -> Ranges {
        let lost = self.cache.as_ref().map(VolatileCache::lose).unwrap_or_default();
        let is_cache = |damage: &Damage| damage.cache().is_some();
        if let Some(number) = self.damages.iter().position(is_cache) {
            let mut acts = self.acts();
            acts.reports[number].acted += 1;
            acts.reports[number].ranges = lost.clone();
        }
        lost
    }

    /// What an orderly end makes safe: everything.
    ///
    /// # Errors
    /// As above.
    pub fn settle(&self) -> io::Result<()> {
        self.cache
            .as_ref()
            .map_or(Ok(()), |cache| cache.write_back(&self.medium))
    }

    /// Bytes that the medium takes at this moment.
    ///
    /// # Errors
    /// As above.
    pub fn stored_bytes(&self) -> io::Result<u64> {
        self.medium.stored_bytes()
    }

    /// See [`crate::store::Store::extents`]. A drive with faults says of everything that it holds data.
    ///
    /// # Errors
    /// As above.
    pub fn extents(&self, offset_bytes: u64, length_bytes: u64, extents_max: usize) -> io::Result<Vec<Extent>> {
        if self.damages.is_empty() {
            return self.medium.extents(offset_bytes, length_bytes, extents_max);
        }
        Ok(vec![Extent {
            length_bytes,
            occupancy: Occupancy::Data,
        }])
    }

    /// What each fault has done, in the order of the Spec.
    pub fn reports(&self) -> Vec<DataFaultReport> {
        self.acts().reports.clone()
    }

    /// A write as the faults make it: its bytes, and where each goes.
    fn damaged<'d>(&self, offset_bytes: u64, data: &'d [u8]) -> (Cow<'d, [u8]>, Vec<Piece>) {
        let mut data = Cow::Borrowed(data);
        let mut pieces = vec![Piece::whole(offset_bytes, data.len() as u64)];
        for (number, damage) in self.damages.iter().enumerate() {
            match damage.defect {
                DataDefect::Flip { .. } => {
                    let spoilt = damage.spoil(offset_bytes, data.to_mut());
                    self.note_blocks(number, &spoilt);
                }
                DataDefect::StaleAfterTrim { .. } => {
                    let lost = self.take_stale(number, &damage.victims(offset_bytes, data.len() as u64));
                    pieces = without(pieces, &lost);
                    self.note_blocks(number, &lost);
                }
                DataDefect::Swap { .. } => self.note_blocks(number, &damage.victims(offset_bytes, data.len() as u64)),
                DataDefect::Wrap { real_bytes } => {
                    let end = offset_bytes + data.len() as u64;
                    let beyond = offset_bytes.max(real_bytes)..end;
                    if !beyond.is_empty() {
                        self.note(number, 1, [(beyond.start, beyond.end - beyond.start)]);
                    }
                }
                DataDefect::TrimIgnored | DataDefect::LostCache { .. } => {}
            }
        }
        pieces = self
            .damages
            .iter()
            .fold(pieces, |pieces, damage| damage.redirect(pieces));
        (data, self.folded(pieces))
    }

    fn folded(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        self.damages.iter().fold(pieces, |pieces, damage| damage.fold(pieces))
    }

    fn zero_pieces(&self, pieces: Vec<Piece>) -> io::Result<()> {
        self.folded(pieces).into_iter().try_for_each(|piece| match &self.cache {
            Some(cache) => cache.zero(&self.medium, piece.at, piece.length),
            None => self.medium.zero(piece.at, piece.length),
        })
    }

    /// Those of the blocks whose write is to be lost; the next one will not be.
    fn take_stale(&self, number: usize, blocks: &[u64]) -> Vec<u64> {
        let mut acts = self.acts();
        let stale = &mut acts.stale[number];
        blocks.iter().copied().filter(|block| stale.remove(block)).collect()
    }

    fn note_blocks(&self, number: usize, blocks: &[u64]) {
        if !blocks.is_empty() {
            self.note(
                number,
                blocks.len() as u64,
                blocks.iter().map(|block| (block * BLOCK, BLOCK)),
            );
        }
    }

    fn note(&self, number: usize, acted: u64, ranges: impl IntoIterator<Item = (u64, u64)>) {
        let mut acts = self.acts();
        let report = &mut acts.reports[number];
        report.acted += acted;
        for (offset_bytes, length_bytes) in ranges {
            report.ranges.add(offset_bytes, length_bytes);
        }
    }

    fn acts(&self) -> MutexGuard<'_, Acts> {
        // Counts may be off by one after a panic; nothing depends on them.
        self.acts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
