//! Traces beside each other.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::io::Write;

use parquet::file::reader::ChunkReader;

use super::meta::{CapturedAt, Meta};
use super::read::TraceReader;
use super::write::TraceWriter;
use crate::fault::{Refusal, TraceError};
use crate::io::Io;

/// Streams that are numbered anew: more are no programs.
const STREAMS_MAX: usize = 1 << 22;

/// Writes the I/Os of all traces as if all had begun at once; how many those are. Each keeps its places. No stream is of two traces, and a
/// trace that tells none becomes one.
///
/// # Errors
/// The number of the trace that is damaged, has no times, or touches too much, or of none if the new one cannot be written.
pub fn merge<R: ChunkReader + 'static, W: Write + Send>(
    traces: Vec<TraceReader<R>>,
    out: W,
) -> Result<u64, (Option<usize>, TraceError)> {
    let meta = meta_of_all(&traces);
    let mut parts: Vec<Part<R>> = traces.into_iter().map(Part::new).collect();
    let mut writer = TraceWriter::new(out).map_err(written)?;
    let mut streams = HashMap::new();
    let mut heads = BinaryHeap::new();
    for (number, part) in parts.iter_mut().enumerate() {
        let read = |error| (Some(number), error);
        heads.extend(part.next_ns().map_err(read)?.map(|at_ns| Reverse((at_ns, number))));
    }
    let mut ios = 0;
    while let Some(Reverse((_, number))) = heads.pop() {
        let read = |error| (Some(number), error);
        let io = parts[number].taken();
        let known = streams.len() as u32;
        let stream = *streams.entry((number, io.stream)).or_insert(known);
        if streams.len() > STREAMS_MAX {
            return Err(read(TraceError::NoTrace(Refusal::TooMuch)));
        }
        let stream = Some(stream);
        writer.push(Io { stream, ..io }).map_err(written)?;
        ios += 1;
        let next_ns = parts[number].next_ns().map_err(read)?;
        heads.extend(next_ns.map(|at_ns| Reverse((at_ns, number))));
    }
    writer.finish(&meta).map_err(written)?;
    Ok(ios)
}

fn written(error: TraceError) -> (Option<usize>, TraceError) {
    (None, error)
}

/// A trace, of which a block is in memory.
struct Part<R: ChunkReader + 'static> {
    trace: TraceReader<R>,
    block: Vec<Io>,
    next: usize,
}

impl<R: ChunkReader + 'static> Part<R> {
    fn new(trace: TraceReader<R>) -> Self {
        Part {
            trace,
            block: Vec::new(),
            next: 0,
        }
    }

    /// When the next I/O arrives; `None` after the last.
    fn next_ns(&mut self) -> Result<Option<u64>, TraceError> {
        if self.next == self.block.len() {
            let Some(block) = self.trace.next_block()? else {
                return Ok(None);
            };
            self.block = block.to_vec();
            self.next = 0;
        }
        match self.block[self.next].at_ns {
            Some(at_ns) => Ok(Some(at_ns)),
            None => Err(TraceError::NoTrace(Refusal::NoTimes)),
        }
    }

    fn taken(&mut self) -> Io {
        self.next += 1;
        self.block[self.next - 1]
    }
}

/// What is the same of all stays; of what differs, the least that is true of all.
fn meta_of_all<R: ChunkReader + 'static>(traces: &[TraceReader<R>]) -> Meta {
    let all: &[&Meta] = &traces.iter().map(TraceReader::meta).collect::<Vec<_>>();
    let with_ios = traces.iter().filter(|trace| trace.ios() > 0);
    // One without I/Os has none that would lack a time.
    let timed: Vec<&Meta> = with_ios.map(TraceReader::meta).collect();
    let mut left_out = BTreeMap::new();
    for (kind, count) in all.iter().flat_map(|meta| &meta.left_out) {
        *left_out.entry(kind.clone()).or_insert(0) += count;
    }
    let lost: Vec<u64> = all.iter().filter_map(|meta| meta.lost).collect();
    Meta {
        version: super::meta::VERSION,
        format: each(all.iter().map(|meta| &meta.format)).join(", "),
        files: all.iter().flat_map(|meta| meta.files.clone()).collect(),
        device: same(all, |meta| meta.device.clone()).flatten(),
        device_bytes: known(all, |meta| meta.device_bytes).and_then(|sizes| sizes.into_iter().max()),
        captured_at: same(all, |meta| meta.captured_at).unwrap_or(CapturedAt::Unknown),
        time_resolution_ns: known(&timed, |meta| meta.time_resolution_ns).and_then(|all| all.into_iter().max()),
        started_unix_ns: same(all, |meta| meta.started_unix_ns).flatten(),
        lost: (!lost.is_empty()).then(|| lost.iter().sum()),
        left_out,
        // As SPDX writes that all of them hold.
        licence: known(all, |meta| meta.licence.clone()).map(|licences| each(licences.iter()).join(" AND ")),
        anonymised: known(all, |meta| meta.anonymised.clone()).map(|ways| each(ways.iter()).join("; ")),
    }
}

/// `None` if one has none.
fn known<T>(all: &[&Meta], of: impl Fn(&Meta) -> Option<T>) -> Option<Vec<T>> {
    all.iter().map(|meta| of(meta)).collect()
}

fn same<T: PartialEq>(all: &[&Meta], of: impl Fn(&Meta) -> T) -> Option<T> {
    let mut found = all.iter().map(|meta| of(meta));
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Each once, in order.
fn each<'a>(words: impl Iterator<Item = &'a String>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for word in words {
        if !found.contains(&word.as_str()) {
            found.push(word);
        }
    }
    found
}
