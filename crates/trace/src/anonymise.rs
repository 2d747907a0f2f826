//! A trace without what tells whose it is.
//!
//! Extents of 16 MiB that the trace touches change places among each other by chance, drawn from the system's random numbers, and the
//! table is gone when the trace is written. Within an extent everything stays, so that alignment and reuse remain. A read or
//! write that reaches beyond its extent goes with its first byte. Discards and writes of zeros, which may be as long as the device, go where
//! their extents go, and become several at once where these are apart: what was discarded is what is discarded.
//!
//! Two things stay as they were, without which a drive has other work to do. Extents that a sequential run goes through keep together, also where
//! its I/Os come in another order: the run would tell that they were neighbours in any case. And the places that are touched at all are the same: where a
//! drive has put what was written to it before depends on where that was.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::io::{Read, Write};
use std::ops::Range;

use parquet::file::reader::ChunkReader;

use crate::fault::{Refusal, TraceError};
use crate::io::{Io, Op};
use crate::store::{Meta, TraceReader, TraceWriter};

/// What changes places.
pub const EXTENT_BYTES: u64 = 16 << 20;

/// How it was done, as the new trace says.
pub const ANONYMISED_BY: &str =
    "extents of 16 MiB changed places by chance, table not kept; streams renumbered; names and date left out";

/// Extents that may be touched: 64 TiB of addresses at the least.
const EXTENTS_MAX: usize = 1 << 22;

/// So many I/Os apart, two of which one begins where the other ends are of one run: what a system reads ahead comes in any order.
const NEAR_IOS: u64 = 256;

/// Writes the trace anew; `random` gives bytes that nobody can foretell.
///
/// # Errors
/// A trace is damaged, touches too much, or the new one cannot be written.
pub fn anonymise<R: ChunkReader + 'static, W: Write + Send>(
    open: impl Fn() -> Result<TraceReader<R>, TraceError>,
    random: &mut dyn Read,
    out: W,
) -> Result<Meta, TraceError> {
    let mut trace = open()?;
    let places = Places::draw(&mut trace, random)?;
    let mut trace = open()?;
    let mut writer = TraceWriter::new(out)?;
    let mut streams = HashMap::new();
    trace.for_each(|io| {
        let next = streams.len() as u32;
        let stream = io.stream.map(|stream| *streams.entry(stream).or_insert(next));
        let moved = Io { stream, ..*io };
        match io.op {
            Op::Flush => writer.push(moved),
            Op::Read | Op::Write => writer.push(Io {
                offset_bytes: places.of(io),
                ..moved
            }),
            Op::Discard | Op::WriteZeroes => places.of_all(io).into_iter().try_for_each(|place| {
                writer.push(Io {
                    offset_bytes: place.start,
                    length_bytes: place.end - place.start,
                    ..moved
                })
            }),
        }
    })?;
    let meta = Meta {
        files: Vec::new(),
        device: None,
        // What nobody knew of the device stays unknown.
        device_bytes: trace.meta().device_bytes.map(|_| places.device_bytes),
        started_unix_ns: None,
        anonymised: Some(ANONYMISED_BY.to_owned()),
        ..trace.meta().clone()
    };
    writer.finish(&meta)?;
    Ok(meta)
}

/// Where extents went.
struct Places {
    by_extent: HashMap<u64, u64>,
    device_bytes: u64,
}

impl Places {
    fn draw<R: ChunkReader + 'static>(trace: &mut TraceReader<R>, random: &mut dyn Read) -> Result<Self, TraceError> {
        let (mut touched, mut end_bytes) = (BTreeSet::new(), trace.meta().device_bytes.unwrap_or(0));
        let mut together = Together::default();
        trace.for_each(|io| {
            let extents = extents_of(io);
            if extents.end - extents.start > EXTENTS_MAX as u64 {
                return Err(TraceError::NoTrace(Refusal::TooMuch));
            }
            touched.extend(extents);
            end_bytes = end_bytes.max(io.end_bytes());
            together.take(io);
            if touched.len() > EXTENTS_MAX {
                return Err(TraceError::NoTrace(Refusal::TooMuch));
            }
            Ok(())
        })?;
        let extents = end_bytes.div_ceil(EXTENT_BYTES).max(1);
        let mut groups = together.groups(&touched);
        // Each order is as likely (Fisher and Yates).
        for last in (1..groups.len()).rev() {
            groups.swap(last, below(last as u64 + 1, random)? as usize);
        }
        let by_extent = groups.into_iter().flatten().zip(touched).collect();
        Ok(Places {
            by_extent,
            device_bytes: extents.saturating_mul(EXTENT_BYTES),
        })
    }

    /// Where its first byte went.
    fn of(&self, io: &Io) -> u64 {
        let first = io.offset_bytes / EXTENT_BYTES;
        let offset_bytes = self.of_extent(first) + io.offset_bytes % EXTENT_BYTES;
        offset_bytes.min(self.device_bytes.saturating_sub(io.length_bytes))
    }

    /// Where all its bytes went.
    fn of_all(&self, io: &Io) -> Vec<Range<u64>> {
        let mut pieces: Vec<Range<u64>> = extents_of(io)
            .map(|extent| {
                let (begin, place) = (extent * EXTENT_BYTES, self.of_extent(extent));
                let from = io.offset_bytes.max(begin) - begin;
                let to = (io.end_bytes() - begin).min(EXTENT_BYTES);
                place + from..place + to
            })
            .collect();
        pieces.sort_unstable_by_key(|piece| piece.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for piece in pieces {
            match joined.last_mut() {
                Some(before) if before.end == piece.start => before.end = piece.end,
                _ => joined.push(piece),
            }
        }
        joined
    }

    fn of_extent(&self, extent: u64) -> u64 {
        self.by_extent.get(&extent).copied().unwrap_or(0) * EXTENT_BYTES
    }
}

/// Those that an I/O has bytes of.
fn extents_of(io: &Io) -> Range<u64> {
    let end = io.end_bytes().div_ceil(EXTENT_BYTES);
    if io.length_bytes == 0 {
        end..end
    } else {
        io.offset_bytes / EXTENT_BYTES..end
    }
}

/// Where an I/O touches the border between an extent and the one before it.
#[derive(PartialEq, Eq)]
enum Side {
    /// It ends there.
    Before,
    /// It begins there.
    After,
}

struct AtBorder {
    /// Number of the I/O.
    io: u64,
    op: Op,
    /// The extent after the border.
    extent: u64,
    side: Side,
}

/// Which extents a run goes on from into the next.
#[derive(Default)]
struct Together {
    ios: u64,
    /// Of the last I/Os, the oldest first.
    at_borders: VecDeque<AtBorder>,
    goes_on: HashSet<u64>,
}

impl Together {
    fn take(&mut self, io: &Io) {
        if !io.op.moves_data() || io.length_bytes == 0 {
            return;
        }
        self.ios += 1;
        while self.at_borders.front().is_some_and(|one| one.io + NEAR_IOS < self.ios) {
            self.at_borders.pop_front();
        }
        let extents = extents_of(io);
        if io.offset_bytes.is_multiple_of(EXTENT_BYTES) {
            self.reach(io.op, extents.start, Side::After);
        }
        if io.end_bytes().is_multiple_of(EXTENT_BYTES) {
            self.reach(io.op, extents.end, Side::Before);
        }
        self.goes_on.extend(extents.start..extents.end - 1);
    }

    /// Remembers a border that an I/O touches, and whether another of its kind touches it from the other side.
    fn reach(&mut self, op: Op, extent: u64, side: Side) {
        let goes_on = |one: &AtBorder| one.op == op && one.extent == extent && one.side != side;
        if self.at_borders.iter().any(goes_on) {
            self.goes_on.extend(extent.checked_sub(1));
        }
        let io = self.ios;
        self.at_borders.push_back(AtBorder { io, op, extent, side });
    }

    /// Extents that keep together, each with those after it.
    fn groups(&self, touched: &BTreeSet<u64>) -> Vec<Vec<u64>> {
        let mut groups: Vec<Vec<u64>> = Vec::new();
        for extent in touched {
            match groups.last_mut() {
                Some(group) if self.continues(group, *extent) => group.push(*extent),
                _ => groups.push(vec![*extent]),
            }
        }
        groups
    }

    fn continues(&self, group: &[u64], extent: u64) -> bool {
        group
            .last()
            .is_some_and(|last| last + 1 == extent && self.goes_on.contains(last))
    }
}

/// A number below another, each as likely.
fn below(count: u64, random: &mut dyn Read) -> Result<u64, TraceError> {
    let fair = u64::MAX - u64::MAX % count;
    loop {
        let mut bytes = [0; 8];
        random.read_exact(&mut bytes)?;
        let drawn = u64::from_le_bytes(bytes);
        if drawn < fair {
            return Ok(drawn % count);
        }
    }
}
