//! What the faults of a Spec do to addresses and bytes, as arithmetic: nothing here holds data.

use vdrive::{Chosen, DEFECT_BLOCK_BYTES, DataDefect, FlushEffect};

const BLOCK: u64 = DEFECT_BLOCK_BYTES;

/// A part of a request: which of its bytes, and where on the medium they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Position in the request.
    pub(crate) from: u64,
    /// Address.
    pub(crate) at: u64,
    pub(crate) length: u64,
}

impl Piece {
    /// A whole request.
    pub(crate) fn whole(offset: u64, length: u64) -> Self {
        Self {
            from: 0,
            at: offset,
            length,
        }
    }

    /// Its bytes from the start up to `end` and what is left from there; either may be empty.
    fn split_at(self, end: u64) -> (Self, Self) {
        let length = end.clamp(self.at, self.at + self.length) - self.at;
        let first = Self { length, ..self };
        let rest = Self {
            from: self.from + length,
            at: self.at + length,
            length: self.length - length,
        };
        (first, rest)
    }
}

/// One fault and the number by which it draws.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    pub(crate) defect: DataDefect,
    chosen: Chosen,
    capacity_bytes: u64,
}

impl Damage {
    /// Of the fault with this number among the Spec's.
    pub(crate) fn new(seed: u64, number: usize, defect: &DataDefect, capacity_bytes: u64) -> Self {
        let every = match *defect {
            DataDefect::Swap { every } | DataDefect::Flip { every } | DataDefect::StaleAfterTrim { every } => every,
            DataDefect::Wrap { .. } | DataDefect::TrimIgnored | DataDefect::LostCache { .. } => 1,
        };
        Self {
            defect: defect.clone(),
            chosen: Chosen::new(seed, number, every),
            capacity_bytes,
        }
    }

    /// The volatile cache this fault asks for: its bytes and what a flush does.
    pub(crate) fn cache(&self) -> Option<(u64, FlushEffect)> {
        match self.defect {
            DataDefect::LostCache { cache_bytes, flush } => Some((cache_bytes, flush)),
            _ => None,
        }
    }

    /// Chosen blocks that a range touches, in order; only whole ones of the drive can be chosen.
    pub(crate) fn victims(&self, offset: u64, length: u64) -> Vec<u64> {
        // Nothing touches no block, although rounding to whole blocks would say so.
        if length == 0 {
            return Vec::new();
        }
        let (first, end) = (offset / BLOCK, (offset + length).div_ceil(BLOCK));
        let mut victims: Vec<u64> = self
            .groups(first, end)
            .flat_map(|group| match self.defect {
                DataDefect::Swap { .. } => {
                    let (one, other) = self.chosen.pair_in(group);
                    let both_exist = (one.max(other) + 1) * BLOCK <= self.capacity_bytes;
                    if both_exist {
                        [Some(one), Some(other)]
                    } else {
                        [None, None]
                    }
                }
                DataDefect::Flip { .. } | DataDefect::StaleAfterTrim { .. } => {
                    [Some(self.chosen.block_in(group)), None]
                }
                _ => [None, None],
            })
            .flatten()
            .filter(|block| (first..end).contains(block) && (block + 1) * BLOCK <= self.capacity_bytes)
            .collect();
        victims.sort_unstable();
        victims
    }

    fn groups(&self, first: u64, end: u64) -> std::ops::Range<u64> {
        if first == end {
            return 0..0;
        }
        self.chosen.group_of(first)..self.chosen.group_of(end - 1) + 1
    }

    /// Where a write to a chosen block goes instead.
    fn partner(&self, block: u64) -> u64 {
        let (one, other) = self.chosen.pair_in(self.chosen.group_of(block));
        if block == one { other } else { one }
    }

    /// Flips the bits of `data` that this fault spoils when it is written at `offset`; the blocks in which it did.
    pub(crate) fn spoil(&self, offset: u64, data: &mut [u8]) -> Vec<u64> {
        if !matches!(self.defect, DataDefect::Flip { .. }) {
            return Vec::new();
        }
        let mut spoilt = self.victims(offset, data.len() as u64);
        spoilt.retain(|block| {
            let bit = self.chosen.bit_of(*block);
            let byte = (block * BLOCK + bit / 8).checked_sub(offset);
            let byte = byte.and_then(|at| data.get_mut(at as usize));
            byte.map(|byte| *byte ^= 1 << (bit % 8)).is_some()
        });
        spoilt
    }

    /// Where a write goes: pieces for this fault's victims apart.
    pub(crate) fn redirect(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        match self.defect {
            DataDefect::Swap { .. } => pieces.into_iter().flat_map(|piece| self.swapped(piece)).collect(),
            _ => pieces,
        }
    }

    fn swapped(&self, piece: Piece) -> Vec<Piece> {
        let (mut parts, mut rest) = (Vec::new(), piece);
        for block in self.victims(piece.at, piece.length) {
            let (before, from_block) = rest.split_at(block * BLOCK);
            let (inside, after) = from_block.split_at((block + 1) * BLOCK);
            let at = self.partner(block) * BLOCK + inside.at % BLOCK;
            parts.extend([before, Piece { at, ..inside }]);
            rest = after;
        }
        parts.push(rest);
        parts.retain(|part| part.length > 0);
        parts
    }

    /// Where addresses really are, for reads and for writes.
    pub(crate) fn fold(&self, pieces: Vec<Piece>) -> Vec<Piece> {
        let DataDefect::Wrap { real_bytes } = self.defect else {
            return pieces;
        };
        let mut folded = Vec::new();
        for piece in pieces {
            let mut rest = piece;
            while rest.length > 0 {
                let (inside, after) = rest.split_at((rest.at / real_bytes + 1) * real_bytes);
                folded.push(Piece {
                    at: inside.at % real_bytes,
                    ..inside
                });
                rest = after;
            }
        }
        folded
    }
}

/// Takes blocks, in order, out of a request.
pub(crate) fn without(pieces: Vec<Piece>, blocks: &[u64]) -> Vec<Piece> {
    let cut = |piece: Piece| {
        let from = blocks.partition_point(|block| (block + 1) * BLOCK <= piece.at);
        let inside = blocks[from..]
            .iter()
            .take_while(move |block| **block * BLOCK < piece.at + piece.length);
        let (mut kept, mut rest) = (Vec::new(), piece);
        for block in inside {
            let (before, from_block) = rest.split_at(block * BLOCK);
            kept.push(before);
            rest = from_block.split_at((block + 1) * BLOCK).1;
        }
        kept.push(rest);
        kept
    };
    pieces
        .into_iter()
        .flat_map(cut)
        .filter(|piece| piece.length > 0)
        .collect()
}

#[cfg(test)]
mod tests;
