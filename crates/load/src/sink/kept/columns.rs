//! The columns of a block, and their planes of bytes.

use super::super::{Finished, Outcome, Phase};
use super::{BLOCK_IOS, KeptIo};
use crate::request::Operation;

/// Columns of a block.
const COLUMNS: usize = 7;

/// Bytes of an I/O before compression.
pub(super) const IO_BYTES: usize = COLUMNS * 8;

/// I/Os of a block, column by column, as differences from what is to be expected.
pub(super) struct Columns {
    values: [Vec<u64>; COLUMNS],
    /// What the next I/O is told against.
    before: Before,
    planes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Before {
    point: u32,
    number: u64,
    completed_ns: u64,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            values: std::array::from_fn(|_| Vec::with_capacity(BLOCK_IOS)),
            before: Before::default(),
            planes: Vec::new(),
        }
    }
}

impl Columns {
    pub(super) fn ios(&self) -> usize {
        self.values[0].len()
    }

    /// Each block is told from nothing, so that it can be read alone.
    pub(super) fn clear(&mut self) {
        self.values.iter_mut().for_each(Vec::clear);
        self.before = Before::default();
    }

    #[inline]
    pub(super) fn push(&mut self, io: &Finished) {
        let errno = match io.outcome {
            Outcome::Done => 0,
            Outcome::Failed { errno } => errno,
        };
        let kind = io.request.operation as u64
            | u64::from(io.phase == Phase::Measured) << 2
            | u64::from(io.request.stream) << 3
            | u64::from(errno.cast_unsigned()) << 19;
        let expected = self.before.number.wrapping_add(1);
        let row = [
            u64::from(io.point.wrapping_sub(self.before.point)) << 32 | u64::from(io.request.length_bytes),
            kind,
            zigzag(io.number.wrapping_sub(expected)),
            io.completed_ns.wrapping_sub(self.before.completed_ns),
            io.service_ns(),
            io.response_ns().wrapping_sub(io.service_ns()),
            io.lateness_ns(),
        ];
        for (column, value) in self.values.iter_mut().zip(row) {
            column.push(value);
        }
        self.before = Before {
            point: io.point,
            number: io.number,
            completed_ns: io.completed_ns,
        };
    }

    /// All planes of all columns.
    pub(super) fn planes(&mut self) -> &[u8] {
        let ios = self.ios();
        self.planes.resize(ios * IO_BYTES, 0);
        for (column, planes) in self.values.iter().zip(self.planes.chunks_exact_mut(ios * 8)) {
            for (byte, plane) in planes.chunks_exact_mut(ios).enumerate() {
                for (to, value) in plane.iter_mut().zip(column) {
                    *to = (value >> (8 * byte)) as u8;
                }
            }
        }
        &self.planes
    }
}

/// The I/Os of a block of that many; `None` if they make no sense.
pub(super) fn ios_of(planes: &[u8], ios: usize) -> Option<Vec<KeptIo>> {
    let value = |column: usize, at: usize| {
        (0..8).fold(0, |value, byte| {
            value | u64::from(planes[(column * 8 + byte) * ios + at]) << (8 * byte)
        })
    };
    let mut before = Before::default();
    (0..ios)
        .map(|at| {
            let (shape, kind) = (value(0, at), value(1, at));
            before = Before {
                point: before.point.wrapping_add((shape >> 32) as u32),
                number: before.number.wrapping_add(1).wrapping_add(unzigzag(value(2, at))),
                completed_ns: before.completed_ns.wrapping_add(value(3, at)),
            };
            let service_ns = value(4, at);
            Some(KeptIo {
                point: before.point,
                number: before.number,
                operation: *Operation::ALL.get((kind & 3) as usize)?,
                length_bytes: shape as u32,
                stream: (kind >> 3) as u16,
                is_measured: kind & 4 != 0,
                errno: ((kind >> 19) as u32).cast_signed(),
                completed_ns: before.completed_ns,
                response_ns: service_ns.wrapping_add(value(5, at)),
                service_ns,
                lateness_ns: value(6, at),
            })
        })
        .collect()
}

/// Small differences of either sign as small numbers.
fn zigzag(difference: u64) -> u64 {
    let signed = difference.cast_signed();
    ((signed << 1) ^ (signed >> 63)).cast_unsigned()
}

fn unzigzag(value: u64) -> u64 {
    (value >> 1) ^ (value & 1).wrapping_neg()
}
