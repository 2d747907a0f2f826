//! Traces of Meta's Tectonic, published with the papers on `CacheLib` and Baleen: what users asked of blocks of a file system for many hosts.
//!
//! Words between blanks: `block_id io_offset io_size op_time op_name`, and then, in 2019, `pipeline user_namespace user_name`; in
//! 2021 `user_namespace user_name host_name op_count`; in 2023 `user_namespace user_name rs_shard_id op_count host_name`. Lines that
//! begin with `#` are headings. There is no device: blocks get places in the order in which they appear.

use std::collections::HashMap;

use super::collect::Collector;
use super::fields::{Fields, number, seconds_ns};
use super::lines::LineFormat;
use super::taken::{Refused, Taken};
use crate::fault::{Problem, Refusal, TraceError};
use crate::io::{Io, Op};

/// From one block to the next: twice the longest block (8 MiB), so that no run goes on from one into another.
const PLACE_BYTES: u64 = 16 << 20;

/// Blocks that are told apart: 64 TiB of places.
const BLOCKS_MAX: usize = 1 << 22;

/// Columns of the years 2019, 2021 and 2023.
pub(super) const COLUMNS: std::ops::RangeInclusive<usize> = 8..=10;

#[derive(Default)]
pub(super) struct Tectonic {
    places: HashMap<(u64, u64), u64>,
}

impl LineFormat for Tectonic {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        if is_remark(line) {
            return Ok(Taken::More);
        }
        let mut words: [&[u8]; 10] = [b""; 10];
        let mut fields = Fields::new(line);
        let mut columns = 0;
        for word in &mut words {
            *word = fields.word();
            columns += usize::from(!word.is_empty());
        }
        if !COLUMNS.contains(&columns) || !fields.is_empty() {
            return Err(Problem::Columns.into());
        }
        let [block, offset, size, time, op, _, second, third, ..] = words;
        let (user, shard) = match columns {
            8 => (third, 0),
            9 => (second, 0),
            _ => (second, number(third)?),
        };
        let op = match number(op)? {
            1 | 2 | 5 => Op::Read,
            3 | 4 | 6 => Op::Write,
            100 => {
                collector.count_left_out("operation-unnamed");
                return Ok(Taken::More);
            }
            _ => return Err(Problem::Operation.into()),
        };
        let (offset, size, user) = (number(offset)?, number(size)?, number(user)?);
        if offset.checked_add(size).is_none_or(|end| end > PLACE_BYTES) {
            return Err(Problem::Impossible.into());
        }
        let place = self.place((number(block)?, shard))?;
        let io = Io {
            at_ns: Some(seconds_ns(time)?),
            stream: collector.stream(user),
            ..Io::new(op, place * PLACE_BYTES + offset, size)
        };
        collector.io_of_no_name(io)?;
        Ok(Taken::More)
    }
}

impl Tectonic {
    #[inline]
    fn place(&mut self, block: (u64, u64)) -> Result<u64, TraceError> {
        let next = self.places.len();
        if let Some(place) = self.places.get(&block) {
            return Ok(*place);
        }
        if next == BLOCKS_MAX {
            return Err(TraceError::NoTrace(Refusal::TooMuch));
        }
        self.places.insert(block, next as u64);
        Ok(next as u64)
    }
}

/// Whether a line says what the columns are, or the like.
pub(super) fn is_remark(line: &[u8]) -> bool {
    line.first() == Some(&b'#')
}
