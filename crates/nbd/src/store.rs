//! The payload of a drive: sparse, in memory, shared by all connections.
//!
//! The drive model decides about time and never sees a byte; this is where the bytes are. A drive's capacity is cut into
//! chunks of 64 KiB which exist only while they hold a byte other than zero, and each chunk knows which of its 4 KiB
//! blocks do. Both facts are exact after every operation, so that memory follows the data and `base:allocation` can be
//! answered without looking at the payload.
//!
//! Memory never exceeds the capacity plus 24 bytes a chunk for the table. Each chunk has its own lock: a request that
//! spans chunks is not atomic, as on a real drive, where only a logical block is.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What one lock protects and one allocation holds.
pub const CHUNK_BYTES: usize = 64 * 1024;

/// The granularity at which zeros are recognised.
pub const BLOCK_BYTES: usize = 4096;

/// All blocks of a chunk hold data.
const FULL: u16 = u16::MAX;
const _: () = assert!(CHUNK_BYTES / BLOCK_BYTES == u16::BITS as usize);

/// A chunk that is stored. Invariant: bit `i` of `occupied` is set exactly if block `i` has a byte other than zero, and
/// at least one is.
struct Chunk {
    occupied: u16,
    bytes: Box<[u8; CHUNK_BYTES]>,
}

/// Whether a range of the drive holds data or reads as zeros without being stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupancy {
    /// Some byte of each block is not zero.
    Data,
    /// Every byte is zero; nothing is stored.
    Hole,
}

/// A run of bytes with one occupancy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Length of the run, never 0.
    pub length_bytes: u64,
    /// What the run holds.
    pub occupancy: Occupancy,
}

/// A sparse byte array of fixed size, zero at first.
///
/// Ranges are the caller's promise: every method panics on a range that passes the capacity.
pub struct Store {
    chunks: Box<[Mutex<Option<Chunk>>]>,
    capacity_bytes: u64,
}

/// The part of a request that falls into one chunk.
struct Piece {
    chunk: usize,
    start: usize,
    length: usize,
}

impl Store {
    /// An empty store: every byte reads as zero and no chunk is allocated.
    pub fn new(capacity_bytes: u64) -> Self {
        let chunk_count = capacity_bytes.div_ceil(CHUNK_BYTES as u64) as usize;
        Self {
            chunks: (0..chunk_count).map(|_| Mutex::new(None)).collect(),
            capacity_bytes,
        }
    }

    /// Memory in bytes that a store of this capacity takes when every byte is written.
    pub fn memory_bytes_max(capacity_bytes: u64) -> u64 {
        let chunk_count = capacity_bytes.div_ceil(CHUNK_BYTES as u64);
        chunk_count * (CHUNK_BYTES + size_of::<Mutex<Option<Chunk>>>()) as u64
    }

    /// Bytes held in allocated chunks at this moment.
    pub fn stored_bytes(&self) -> u64 {
        let stored = (0..self.chunks.len())
            .filter(|&chunk| self.lock(chunk).is_some())
            .count();
        (stored * CHUNK_BYTES) as u64
    }

    /// Appends `length_bytes` of payload from `offset_bytes` to `target`.
    pub fn read_into(&self, target: &mut Vec<u8>, offset_bytes: u64, length_bytes: usize) {
        target.reserve(length_bytes);
        for piece in self.pieces(offset_bytes, length_bytes as u64) {
            match &*self.lock(piece.chunk) {
                Some(chunk) => target.extend_from_slice(&chunk.bytes[piece.start..piece.start + piece.length]),
                None => target.resize(target.len() + piece.length, 0),
            }
        }
    }

    /// Stores `data` at `offset_bytes`. Zeros cost no memory.
    pub fn write(&self, offset_bytes: u64, mut data: &[u8]) {
        for piece in self.pieces(offset_bytes, data.len() as u64) {
            let (part, rest) = data.split_at(piece.length);
            write_piece(&mut self.lock(piece.chunk), piece.start, part);
            data = rest;
        }
    }

    /// Makes a range read as zeros and gives back the chunks it empties.
    pub fn zero(&self, offset_bytes: u64, length_bytes: u64) {
        for piece in self.pieces(offset_bytes, length_bytes) {
            zero_piece(&mut self.lock(piece.chunk), piece.start, piece.length);
        }
    }

    /// Makes the whole store read as zeros and gives back all chunks.
    pub fn clear(&self) {
        self.zero(0, self.capacity_bytes);
    }

    /// What is stored from `offset_bytes` on: consecutive runs of alternating occupancy which cover `length_bytes`, cut
    /// short after `extents_max` runs.
    pub fn extents(&self, offset_bytes: u64, length_bytes: u64, extents_max: usize) -> Vec<Extent> {
        let mut extents: Vec<Extent> = Vec::new();
        for piece in self.pieces(offset_bytes, length_bytes) {
            let occupied = self.lock(piece.chunk).as_ref().map_or(0, |chunk| chunk.occupied);
            if !append_runs(&mut extents, occupied, &piece, extents_max) {
                break;
            }
        }
        extents
    }

    fn lock(&self, chunk: usize) -> MutexGuard<'_, Option<Chunk>> {
        // A panic while a chunk is held can leave wrong payload in that chunk, never broken memory.
        self.chunks[chunk].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pieces(&self, offset_bytes: u64, length_bytes: u64) -> impl Iterator<Item = Piece> + use<> {
        let end = offset_bytes
            .checked_add(length_bytes)
            .filter(|&end| end <= self.capacity_bytes);
        let end = end.expect("the caller checked the range against the capacity");
        let mut position = offset_bytes;
        std::iter::from_fn(move || {
            let start = (position % CHUNK_BYTES as u64) as usize;
            let length = (end - position).min((CHUNK_BYTES - start) as u64) as usize;
            let piece = Piece {
                chunk: (position / CHUNK_BYTES as u64) as usize,
                start,
                length,
            };
            position += length as u64;
            (length > 0).then_some(piece)
        })
    }
}

fn write_piece(slot: &mut Option<Chunk>, start: usize, data: &[u8]) {
    if slot.is_none() {
        if is_zero(data) {
            return;
        }
        *slot = Some(Chunk {
            occupied: 0,
            bytes: zeroed_chunk(),
        });
    }
    let Some(chunk) = slot else { return };
    chunk.bytes[start..start + data.len()].copy_from_slice(data);
    refresh_occupancy(slot, start, data.len());
}

fn zero_piece(slot: &mut Option<Chunk>, start: usize, length: usize) {
    if length == CHUNK_BYTES {
        *slot = None;
        return;
    }
    let Some(chunk) = slot else { return };
    chunk.bytes[start..start + length].fill(0);
    refresh_occupancy(slot, start, length);
}

/// Restores the invariant of a chunk after the bytes in a range changed.
fn refresh_occupancy(slot: &mut Option<Chunk>, start: usize, length: usize) {
    let Some(chunk) = slot else { return };
    for block in start / BLOCK_BYTES..(start + length).div_ceil(BLOCK_BYTES) {
        let block_start = block * BLOCK_BYTES;
        let zero = is_zero(&chunk.bytes[block_start..block_start + BLOCK_BYTES]);
        chunk.occupied = (chunk.occupied & !(1 << block)) | (u16::from(!zero) << block);
    }
    if chunk.occupied == 0 {
        *slot = None;
    }
}

fn zeroed_chunk() -> Box<[u8; CHUNK_BYTES]> {
    let bytes: Box<[u8]> = vec![0; CHUNK_BYTES].into_boxed_slice();
    bytes.try_into().expect("the vector has the length of a chunk")
}

/// Whether all bytes are zero.
pub(crate) fn is_zero(bytes: &[u8]) -> bool {
    // Words of a cache line are joined without a branch so that the compiler can use vector registers.
    bytes
        .chunks(64)
        .all(|line| line.iter().fold(0, |joined, byte| joined | byte) == 0)
}

/// Appends the runs of one piece; false once there would be more than `extents_max`.
fn append_runs(extents: &mut Vec<Extent>, occupied: u16, piece: &Piece, extents_max: usize) -> bool {
    let end = piece.start + piece.length;
    let mut position = piece.start;
    while position < end {
        let run_end = if occupied == 0 || occupied == FULL {
            end
        } else {
            ((position / BLOCK_BYTES + 1) * BLOCK_BYTES).min(end)
        };
        let is_data = occupied & (1 << (position / BLOCK_BYTES)) != 0;
        let occupancy = if is_data { Occupancy::Data } else { Occupancy::Hole };
        let length_bytes = (run_end - position) as u64;
        let count = extents.len();
        match extents.last_mut() {
            Some(last) if last.occupancy == occupancy => last.length_bytes += length_bytes,
            _ if count == extents_max => return false,
            _ => extents.push(Extent {
                length_bytes,
                occupancy,
            }),
        }
        position = run_end;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CAPACITY: usize = 3 * CHUNK_BYTES + 1536;

    fn read(store: &Store, offset: u64, length: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        store.read_into(&mut bytes, offset, length);
        bytes
    }

    #[test]
    fn an_untouched_store_reads_as_zeros_and_holds_nothing() {
        let store = Store::new(CAPACITY as u64);
        assert_eq!(read(&store, 0, CAPACITY), vec![0; CAPACITY]);
        assert_eq!(store.stored_bytes(), 0);
    }

    #[test]
    fn zeros_are_not_stored_however_they_arrive() {
        let store = Store::new(CAPACITY as u64);
        store.write(0, &vec![0; CAPACITY]);
        assert_eq!(store.stored_bytes(), 0);

        store.write(4096, &[7; 512]);
        assert_eq!(store.stored_bytes(), CHUNK_BYTES as u64);
        store.write(4096, &[0; 512]);
        assert_eq!(store.stored_bytes(), 0);
    }

    #[test]
    fn clearing_gives_all_memory_back() {
        let store = Store::new(CAPACITY as u64);
        store.write(0, &vec![1; CAPACITY]);
        assert_eq!(store.stored_bytes(), 4 * CHUNK_BYTES as u64);
        store.clear();
        assert_eq!(store.stored_bytes(), 0);
    }

    #[test]
    fn extents_alternate_and_stop_at_the_limit() {
        let store = Store::new(CAPACITY as u64);
        store.write(8192, &[1; 4096]);
        let hole = |length_bytes| Extent {
            length_bytes,
            occupancy: Occupancy::Hole,
        };
        let data = Extent {
            length_bytes: 4096,
            occupancy: Occupancy::Data,
        };
        assert_eq!(
            store.extents(512, 20_000, 9),
            [hole(7680), data, hole(20_000 - 7680 - 4096)]
        );
        assert_eq!(store.extents(512, 20_000, 2), [hole(7680), data]);
    }

    #[test]
    #[should_panic(expected = "the caller checked the range")]
    fn a_range_past_the_end_is_the_callers_bug() {
        Store::new(512).write(512, &[1]);
    }

    #[derive(Clone, Debug)]
    enum Operation {
        Write { offset: usize, length: usize, fill: u8 },
        Zero { offset: usize, length: usize },
        Read { offset: usize, length: usize },
    }

    fn operation() -> impl Strategy<Value = Operation> {
        let range = (0..=CAPACITY, 0..=2 * CHUNK_BYTES);
        // Half of the ranges are aligned so that whole blocks and chunks are filled and emptied.
        let range = (range, prop_oneof![Just(1), Just(BLOCK_BYTES)]).prop_map(|((offset, length), unit)| {
            let offset = offset / unit * unit;
            (offset, (length / unit * unit).min(CAPACITY - offset))
        });
        (range, 0..4_u8, 0..2_u8).prop_map(|((offset, length), kind, fill)| match kind {
            0 | 1 => Operation::Write { offset, length, fill },
            2 => Operation::Zero { offset, length },
            _ => Operation::Read { offset, length },
        })
    }

    /// Holds each extent against the payload: a hole is all zero, a block of data is not.
    fn check_extents(extents: &[Extent], model: &[u8]) {
        let mut position = 0;
        for extent in extents {
            let bytes = &model[position..position + extent.length_bytes as usize];
            match extent.occupancy {
                Occupancy::Hole => assert!(bytes.iter().all(|byte| *byte == 0)),
                Occupancy::Data => {
                    assert!(
                        bytes
                            .chunks(BLOCK_BYTES)
                            .all(|block| block.iter().any(|byte| *byte != 0))
                    );
                }
            }
            position += bytes.len();
        }
        assert_eq!(position, model.len());
    }

    proptest! {
        #[test]
        fn behaves_like_a_plain_vector(operations in proptest::collection::vec(operation(), 1..40)) {
            let store = Store::new(CAPACITY as u64);
            let mut model = vec![0_u8; CAPACITY];
            for operation in operations {
                match operation {
                    Operation::Write { offset, length, fill } => {
                        model[offset..offset + length].fill(fill);
                        store.write(offset as u64, &model[offset..offset + length]);
                    }
                    Operation::Zero { offset, length } => {
                        model[offset..offset + length].fill(0);
                        store.zero(offset as u64, length as u64);
                    }
                    Operation::Read { offset, length } => {
                        prop_assert_eq!(&read(&store, offset as u64, length), &model[offset..offset + length]);
                    }
                }
            }
            prop_assert_eq!(&read(&store, 0, CAPACITY), &model);
            check_extents(&store.extents(0, CAPACITY as u64, usize::MAX), &model);
            let stored = model.chunks(CHUNK_BYTES).filter(|chunk| chunk.iter().any(|byte| *byte != 0)).count();
            prop_assert_eq!(store.stored_bytes(), (stored * CHUNK_BYTES) as u64);
        }
    }
}
