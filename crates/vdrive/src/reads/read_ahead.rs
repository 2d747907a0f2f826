//! Read-ahead: a sequential reader finds its next data already in the controller.

use super::Reads;
use crate::spec::Spec;

/// Sequential readers recognised at the same time.
const STREAMS: usize = 8;
/// Read-ahead is fetched, and remembered, in pieces of this size.
const PIECE_BYTES: u64 = 64 << 10;

#[derive(Debug, Clone, Default)]
struct Stream {
    next_bytes: u64,
    /// Consecutive reads so far; 0 for an unused stream.
    length: u32,
    /// Fetched up to here.
    fetched_bytes: u64,
    /// When each remembered piece is in the controller, by piece number modulo the length.
    ready_ns: Vec<u64>,
    used: u64,
}

#[derive(Debug, Clone)]
pub(super) struct ReadAhead {
    streams: Vec<Stream>,
    reads: u64,
    window_bytes: u64,
    trigger: u32,
}

impl ReadAhead {
    pub(super) fn new(spec: &Spec) -> Self {
        let window_bytes = spec.read_ahead.window_bytes;
        let pieces = (2 * window_bytes / PIECE_BYTES + 2) as usize;
        let stream = Stream {
            ready_ns: vec![0; pieces],
            ..Stream::default()
        };
        let streams = if window_bytes == 0 {
            Vec::new()
        } else {
            vec![stream; STREAMS]
        };
        Self {
            streams,
            reads: 0,
            window_bytes,
            trigger: spec.read_ahead.trigger,
        }
    }

    #[inline]
    pub(super) fn is_on(&self) -> bool {
        !self.streams.is_empty()
    }

    /// Changed data must not be answered from what was fetched before.
    #[inline]
    pub(super) fn forget(&mut self, offset_bytes: u64, length_bytes: u64) {
        for stream in &mut self.streams {
            let reach = stream.fetched_bytes.max(stream.next_bytes);
            if offset_bytes < reach && offset_bytes + length_bytes > stream.next_bytes {
                stream.length = 0;
            }
        }
    }

    /// The stream this read continues, or the one longest unused, started anew.
    fn stream_for(&mut self, offset_bytes: u64, length_bytes: u64) -> usize {
        self.reads += 1;
        let end = offset_bytes + length_bytes;
        let continued = self
            .streams
            .iter()
            .position(|s| s.length > 0 && s.next_bytes == offset_bytes);
        let index = continued.unwrap_or_else(|| {
            let oldest = (0..STREAMS).min_by_key(|index| self.streams[*index].used).unwrap_or(0);
            self.streams[oldest].length = 0;
            self.streams[oldest].fetched_bytes = end;
            oldest
        });
        let stream = &mut self.streams[index];
        stream.length = stream.length.saturating_add(1);
        stream.next_bytes = end;
        stream.used = self.reads;
        index
    }
}

impl Reads {
    /// A read on a drive with read-ahead.
    pub(super) fn streamed_read(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        let index = self.ahead.stream_for(offset_bytes, length_bytes);
        let end = offset_bytes + length_bytes;
        let stream = &self.ahead.streams[index];
        let held_end = stream.fetched_bytes.min(end);
        let mut done_ns = start_ns + self.spec.timing.unmapped_read_ns;
        if stream.length <= self.ahead.trigger || held_end <= offset_bytes {
            done_ns = self.fetch(start_ns, offset_bytes, length_bytes);
            let stream = &mut self.ahead.streams[index];
            stream.fetched_bytes = stream.fetched_bytes.max(end);
        } else {
            let pieces = stream.ready_ns.len() as u64;
            for piece in offset_bytes / PIECE_BYTES..held_end.div_ceil(PIECE_BYTES) {
                done_ns = done_ns.max(stream.ready_ns[(piece % pieces) as usize]);
            }
            if held_end < end {
                done_ns = done_ns.max(self.fetch(start_ns, held_end, end - held_end));
                self.ahead.streams[index].fetched_bytes = end;
            }
        }
        if self.ahead.streams[index].length >= self.ahead.trigger {
            self.fetch_ahead(start_ns, index, end);
        }
        done_ns
    }

    /// Fetches whole pieces until the window ahead of the reader is full.
    fn fetch_ahead(&mut self, start_ns: u64, index: usize, end_bytes: u64) {
        let limit = (end_bytes + self.ahead.window_bytes).min(self.spec.geometry.capacity_bytes);
        let pieces = self.ahead.streams[index].ready_ns.len() as u64;
        loop {
            let from = self.ahead.streams[index].fetched_bytes;
            let piece = from / PIECE_BYTES;
            let to = (piece + 1) * PIECE_BYTES;
            if to > limit {
                return;
            }
            let ready_ns = self.fetch(start_ns, from, to - from);
            let stream = &mut self.ahead.streams[index];
            let known = &mut stream.ready_ns[(piece % pieces) as usize];
            *known = if from.is_multiple_of(PIECE_BYTES) {
                ready_ns
            } else {
                ready_ns.max(*known)
            };
            stream.fetched_bytes = to;
        }
    }
}
