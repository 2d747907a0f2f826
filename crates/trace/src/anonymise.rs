//! A trace without what tells whose it is.
//!
//! Extents of 16 MiB change places by chance: each that is touched gets a place of its own, drawn from the system's random numbers,
//! and the table is gone when the trace is written. Within an extent everything stays, so that alignment, short runs and reuse
//! remain. An I/O that reaches beyond its extent goes with its first byte.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};

use parquet::file::reader::ChunkReader;

use crate::fault::{Refusal, TraceError};
use crate::io::{Io, Op};
use crate::store::{Meta, TraceReader, TraceWriter};

/// What changes places.
pub const EXTENT_BYTES: u64 = 16 << 20;

/// How it was done, as the new trace says.
pub const ANONYMISED_BY: &str =
    "extents of 16 MiB to random places, table not kept; streams renumbered; names and date left out";

/// Extents that may be touched: 64 TiB of addresses at the least.
const EXTENTS_MAX: usize = 1 << 22;

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
        writer.push(Io {
            offset_bytes: places.of(io),
            stream: io.stream.map(|stream| *streams.entry(stream).or_insert(next)),
            ..*io
        })
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
        let (mut touched, mut end_bytes) = (HashSet::new(), trace.meta().device_bytes.unwrap_or(0));
        trace.for_each(|io| {
            if io.op != Op::Flush {
                touched.insert(io.offset_bytes / EXTENT_BYTES);
                end_bytes = end_bytes.max(io.end_bytes());
            }
            if touched.len() > EXTENTS_MAX {
                return Err(TraceError::NoTrace(Refusal::TooMuch));
            }
            Ok(())
        })?;
        let extents = end_bytes.div_ceil(EXTENT_BYTES).max(1);
        let (mut by_extent, mut taken) = (HashMap::new(), HashSet::new());
        for extent in touched {
            // One place is free at the least; where few are, the draws until one is met are as many as there are extents.
            let place = loop {
                let place = below(extents, random)?;
                if taken.insert(place) {
                    break place;
                }
            };
            by_extent.insert(extent, place);
        }
        Ok(Places {
            by_extent,
            device_bytes: extents.saturating_mul(EXTENT_BYTES),
        })
    }

    fn of(&self, io: &Io) -> u64 {
        if io.op == Op::Flush {
            return io.offset_bytes;
        }
        let place = self
            .by_extent
            .get(&(io.offset_bytes / EXTENT_BYTES))
            .copied()
            .unwrap_or(0);
        let offset_bytes = place * EXTENT_BYTES + io.offset_bytes % EXTENT_BYTES;
        offset_bytes.min(self.device_bytes.saturating_sub(io.length_bytes))
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
