//! What a trace is like, from one pass over it in bounded memory.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};

use fiolog::{Histogram, Percent};
use parquet::file::reader::ChunkReader;
use serde::Serialize;

use crate::blocks::Blocks;
use crate::fault::TraceError;
use crate::io::{Io, Op};
use crate::reuse::{BLOCK_BYTES, Reuse};
use crate::runs::Runs;
use crate::store::TraceReader;

/// Lengths that are counted each for itself.
const LENGTHS_MAX: usize = 4096;

/// Lengths that are told.
const LENGTHS_TOLD: usize = 8;

/// Windows over time, at most; they begin with a millisecond and double.
const WINDOWS_MAX: usize = 24;
const WINDOW_NS_MIN: u64 = 1_000_000;

/// I/Os and blocks of them between two questions whether to go on.
const ASKED_EVERY: u64 = 1 << 18;

/// Streams that are counted: more are no programs.
const STREAMS_MAX: usize = 1 << 22;

/// I/Os in flight at once that are followed.
const IN_FLIGHT_MAX: usize = 1 << 20;

/// What one operation did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpProfile {
    /// Its name.
    pub op: &'static str,
    /// I/Os.
    pub ios: u64,
    /// Bytes of them.
    pub bytes: u64,
    /// The commonest lengths in bytes, with their I/Os.
    pub lengths: Vec<(u64, u64)>,
    /// I/Os that begin where one of the same operation ended; `None` of what moves no data.
    pub sequential_ios: Option<u64>,
    /// Mean latency; `None` unless all I/Os have one.
    pub latency_ns_mean: Option<u64>,
    /// Median, the middle of its bin, but no more than the longest.
    pub latency_ns_p50: Option<u64>,
    /// 99th percentile, the same.
    pub latency_ns_p99: Option<u64>,
    /// The longest.
    pub latency_ns_max: Option<u64>,
}

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Window {
    /// I/Os that arrived.
    pub ios: u64,
    /// Bytes of them that are read or written.
    pub bytes: u64,
    /// Sum of their latencies.
    pub latency_ns: u64,
}

/// What a trace is like. What needs times, or latencies of all I/Os, is `None` without them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Profile {
    /// I/Os.
    pub ios: u64,
    /// From the first arrival to the last.
    pub arrivals_ns: Option<u64>,
    /// Operations that occur.
    pub ops: Vec<OpProfile>,
    /// Largest power of two of which all places and lengths are multiples; `None` without any.
    pub aligned_bytes: Option<u64>,
    /// Different 4 KiB blocks that were read, in bytes.
    pub read_bytes_distinct: Option<u64>,
    /// Different 4 KiB blocks that were written.
    pub written_bytes_distinct: Option<u64>,
    /// Different 4 KiB blocks that were read or written.
    pub working_set_bytes: Option<u64>,
    /// How many runs of reads or writes have so many I/Os.
    pub run_lengths: BTreeMap<u64, u64>,
    /// Touches of a block touched before, over all touches of blocks.
    pub reused_share: Option<f64>,
    /// Share of the blocks that reuse distances are known of.
    pub reuse_sampled_share: Option<f64>,
    /// Median of the bytes of other blocks between two touches of one.
    pub reuse_bytes_p50: Option<u64>,
    /// 90th percentile of them.
    pub reuse_bytes_p90: Option<u64>,
    /// Distances by the upper end of their bin.
    pub reuse_bytes: Vec<(u64, u64)>,
    /// Mean of the I/Os in flight, from the first arrival to the last completion.
    pub in_flight_mean: Option<f64>,
    /// Most I/Os in flight.
    pub in_flight_max: Option<u64>,
    /// Time with nothing in flight, over all time.
    pub idle_share: Option<f64>,
    /// Arrivals with nothing in flight.
    pub thinks: Option<u64>,
    /// Mean time from the last completion to such an arrival.
    pub think_ns_mean: Option<u64>,
    /// Width of the windows.
    pub window_ns: Option<u64>,
    /// Windows from the first arrival on.
    pub windows: Vec<Window>,
    /// Streams that occur; `None` if the source knows none, or more than can be remembered.
    pub streams: Option<u64>,
}

/// Looks at a whole trace; `keep_going` is asked now and then.
///
/// # Errors
/// The trace is damaged, or `keep_going` says no.
pub fn profile<R: ChunkReader + 'static>(
    trace: &mut TraceReader<R>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Profile, TraceError> {
    let (mut look, mut done) = (Look::new(), 0);
    while let Some(block) = trace.next_block()? {
        for io in block {
            look.take(io);
            done += 1 + io.length_bytes / BLOCK_BYTES;
            if done >= ASKED_EVERY {
                done = 0;
                if !keep_going() {
                    return Err(TraceError::Stopped);
                }
            }
        }
    }
    look.finish()
}

struct Look {
    ios: u64,
    last_ns: Option<u64>,
    ops: BTreeMap<Op, Tally>,
    /// All bits that occur in places and lengths.
    places: u64,
    read: Blocks,
    written: Blocks,
    both: Blocks,
    runs: Runs,
    reuse: Reuse,
    flight: Option<Flight>,
    over_time: OverTime,
    streams: HashSet<u32>,
}

impl Look {
    fn new() -> Self {
        Look {
            ios: 0,
            last_ns: None,
            ops: BTreeMap::new(),
            places: 0,
            read: Blocks::default(),
            written: Blocks::default(),
            both: Blocks::default(),
            runs: Runs::default(),
            reuse: Reuse::default(),
            flight: Some(Flight::default()),
            over_time: OverTime::default(),
            streams: HashSet::new(),
        }
    }

    fn take(&mut self, io: &Io) {
        self.ios += 1;
        self.last_ns = io.at_ns;
        if self.streams.len() <= STREAMS_MAX {
            self.streams.extend(io.stream);
        }
        let is_sequential = self.runs.take(io);
        self.ops.entry(io.op).or_default().take(io, is_sequential);
        if io.op != Op::Flush {
            self.places |= io.offset_bytes | io.length_bytes;
        }
        if io.op.moves_data() {
            let blocks = if io.op == Op::Read {
                &mut self.read
            } else {
                &mut self.written
            };
            blocks.add(io.offset_bytes, io.length_bytes);
            self.both.add(io.offset_bytes, io.length_bytes);
            self.reuse.touch(io.offset_bytes, io.length_bytes);
        }
        if let Some(at_ns) = io.at_ns {
            self.over_time.take(at_ns, io);
        }
        self.flight = self.flight.take().and_then(|flight| flight.taking(io));
    }

    fn finish(self) -> Result<Profile, TraceError> {
        let [half, most, tail] = percents()?;
        let reuse = self.reuse.finish();
        let flight = self.flight.filter(|flight| flight.ios > 0);
        let span_ns = flight.as_ref().map(|flight| flight.last_end_ns.max(1) as f64);
        Ok(Profile {
            ios: self.ios,
            arrivals_ns: self.last_ns,
            ops: self
                .ops
                .into_iter()
                .map(|(op, tally)| tally.finish(op, half, tail))
                .collect(),
            aligned_bytes: (self.places > 0).then(|| 1 << self.places.trailing_zeros()),
            read_bytes_distinct: self.read.bytes(),
            written_bytes_distinct: self.written.bytes(),
            working_set_bytes: self.both.bytes(),
            run_lengths: self.runs.finish(),
            reused_share: reuse.as_ref().map(|reuse| reuse.reused_share),
            reuse_sampled_share: reuse.as_ref().map(|reuse| reuse.sampled_share),
            reuse_bytes_p50: reuse.as_ref().and_then(|reuse| reuse.percentile_bytes(half)),
            reuse_bytes_p90: reuse.as_ref().and_then(|reuse| reuse.percentile_bytes(most)),
            reuse_bytes: reuse.map_or_else(Vec::new, |reuse| {
                let high = |(bin, count)| (fiolog::bins::bin_high_ns(bin), count);
                reuse.bytes.occupied().map(high).collect()
            }),
            in_flight_mean: flight
                .as_ref()
                .zip(span_ns)
                .map(|(flight, span)| flight.latency_ns as f64 / span),
            in_flight_max: flight.as_ref().map(|flight| flight.most),
            idle_share: flight
                .as_ref()
                .zip(span_ns)
                .map(|(flight, span)| flight.idle_ns as f64 / span),
            thinks: flight.as_ref().map(|flight| flight.thinks),
            think_ns_mean: flight
                .as_ref()
                .and_then(|flight| flight.idle_ns.checked_div(flight.thinks)),
            window_ns: self.last_ns.map(|_| self.over_time.window_ns),
            windows: self.over_time.windows,
            streams: Some(self.streams.len())
                .filter(|count| (1..=STREAMS_MAX).contains(count))
                .map(|count| count as u64),
        })
    }
}

fn percents() -> Result<[Percent; 3], TraceError> {
    let percent = |value: f64| Percent::try_from(value).map_err(|_| std::io::Error::other("no percentile"));
    Ok([percent(50.0)?, percent(90.0)?, percent(99.0)?])
}

#[derive(Default)]
struct Tally {
    ios: u64,
    bytes: u64,
    sequential: u64,
    lengths: BTreeMap<u64, u64>,
    latencies: Histogram,
    latency_ns: u128,
    latency_ns_max: u64,
}

impl Tally {
    fn take(&mut self, io: &Io, is_sequential: bool) {
        self.ios += 1;
        self.bytes = self.bytes.saturating_add(io.length_bytes);
        self.sequential += u64::from(is_sequential);
        if self.lengths.len() < LENGTHS_MAX || self.lengths.contains_key(&io.length_bytes) {
            *self.lengths.entry(io.length_bytes).or_default() += 1;
        }
        if let Some(latency_ns) = io.latency_ns {
            self.latencies.record(latency_ns);
            self.latency_ns += u128::from(latency_ns);
            self.latency_ns_max = self.latency_ns_max.max(latency_ns);
        }
    }

    fn finish(self, op: Op, half: Percent, tail: Percent) -> OpProfile {
        let knows_all = self.latencies.count() == self.ios;
        let mut lengths: Vec<(u64, u64)> = self.lengths.into_iter().collect();
        lengths.sort_by_key(|(length, ios)| (Reverse(*ios), *length));
        lengths.truncate(LENGTHS_TOLD);
        let percentile = |percent| {
            let middle_ns = self.latencies.percentile_ns(percent).filter(|_| knows_all)?;
            Some(middle_ns.min(self.latency_ns_max))
        };
        OpProfile {
            op: op.name(),
            ios: self.ios,
            bytes: self.bytes,
            lengths,
            sequential_ios: op.moves_data().then_some(self.sequential),
            latency_ns_mean: knows_all.then(|| (self.latency_ns / u128::from(self.ios)) as u64),
            latency_ns_p50: percentile(half),
            latency_ns_p99: percentile(tail),
            latency_ns_max: knows_all.then_some(self.latency_ns_max),
        }
    }
}

/// What is in flight; it ends at the first I/O without times.
#[derive(Default)]
struct Flight {
    ios: u64,
    ends_ns: BinaryHeap<Reverse<u64>>,
    last_end_ns: u64,
    latency_ns: u128,
    most: u64,
    idle_ns: u64,
    thinks: u64,
}

impl Flight {
    fn taking(mut self, io: &Io) -> Option<Self> {
        let (at_ns, latency_ns) = (io.at_ns?, io.latency_ns?);
        while self.ends_ns.peek().is_some_and(|Reverse(end_ns)| *end_ns <= at_ns) {
            self.ends_ns.pop();
        }
        if self.ends_ns.is_empty() && self.ios > 0 {
            self.thinks += 1;
            self.idle_ns += at_ns - self.last_end_ns;
        }
        if self.ends_ns.len() == IN_FLIGHT_MAX {
            return None;
        }
        self.ios += 1;
        self.ends_ns.push(Reverse(at_ns + latency_ns));
        self.last_end_ns = self.last_end_ns.max(at_ns + latency_ns);
        self.latency_ns += u128::from(latency_ns);
        self.most = self.most.max(self.ends_ns.len() as u64);
        Some(self)
    }
}

struct OverTime {
    window_ns: u64,
    windows: Vec<Window>,
}

impl Default for OverTime {
    fn default() -> Self {
        OverTime {
            window_ns: WINDOW_NS_MIN,
            windows: Vec::new(),
        }
    }
}

impl OverTime {
    fn take(&mut self, at_ns: u64, io: &Io) {
        while at_ns / self.window_ns >= WINDOWS_MAX as u64 {
            self.window_ns *= 2;
            self.windows = self
                .windows
                .chunks(2)
                .map(|pair| pair.iter().copied().reduce(Window::with).unwrap_or_default())
                .collect();
        }
        let index = (at_ns / self.window_ns) as usize;
        if self.windows.len() <= index {
            self.windows.resize(index + 1, Window::default());
        }
        let moved = if io.op.moves_data() { io.length_bytes } else { 0 };
        let one = Window {
            ios: 1,
            bytes: moved,
            latency_ns: io.latency_ns.unwrap_or(0),
        };
        self.windows[index] = self.windows[index].with(one);
    }
}

impl Window {
    fn with(self, other: Window) -> Window {
        Window {
            ios: self.ios + other.ios,
            bytes: self.bytes.saturating_add(other.bytes),
            latency_ns: self.latency_ns.saturating_add(other.latency_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;

    use super::*;
    use crate::store::{Meta, TraceWriter};

    fn trace(ios: &[Io]) -> TraceReader<Bytes> {
        let mut writer = TraceWriter::new(Vec::new()).unwrap();
        for io in ios {
            writer.push(*io).unwrap();
        }
        let meta = Meta::of_test(ios[0].at_ns.map(|_| 1));
        TraceReader::new(Bytes::from(writer.finish(&meta).unwrap())).unwrap()
    }

    #[test]
    fn no_percentile_is_above_the_longest() {
        let one = Io {
            at_ns: Some(0),
            latency_ns: Some(80_000),
            ..Io::new(Op::Read, 0, 4096)
        };
        let found = profile(&mut trace(&vec![one; 1_000]), &mut || true).unwrap();
        let told = &found.ops[0];
        assert_eq!(
            (told.latency_ns_p50, told.latency_ns_p99, told.latency_ns_max),
            (Some(80_000), Some(80_000), Some(80_000))
        );
    }

    #[test]
    fn streams_are_counted_and_not_their_numbers() {
        let of = |streams: [Option<u32>; 3]| {
            let ios = streams.map(|stream| Io {
                stream,
                ..Io::new(Op::Read, 0, 4096)
            });
            profile(&mut trace(&ios), &mut || true).unwrap().streams
        };
        assert_eq!(of([Some(7), None, Some(19)]), Some(2));
        assert_eq!(of([Some(7), Some(7), Some(7)]), Some(1));
        assert_eq!(of([None; 3]), None);
    }

    #[test]
    fn a_few_long_ios_can_be_stopped_between_them() {
        let long = Io::new(Op::Read, 0, ASKED_EVERY * BLOCK_BYTES);
        let mut asked = 0;
        let stopped = profile(&mut trace(&[long; 8]), &mut || {
            asked += 1;
            asked < 2
        });
        assert!(matches!(stopped, Err(TraceError::Stopped)));
        assert_eq!(asked, 2);
    }
}
