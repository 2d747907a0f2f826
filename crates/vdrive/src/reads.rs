//! The read path: read-ahead, write buffer, mapping, senses, transfer.
//!
//! The layer above the writes: a read finds its data with a reader that is ahead of it, in the write buffer, or in flash.

mod legacy;
mod read_ahead;

use crate::command::Sync;
use crate::spec::Spec;
use crate::spread::spread;
use crate::writes::{WriteCounts, Writes};
use read_ahead::ReadAhead;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(crate) struct Reads {
    spec: Arc<Spec>,
    writes: Writes,
    ahead: ReadAhead,
}

impl Reads {
    pub(crate) fn new(spec: &Arc<Spec>, writes: Writes) -> Self {
        Self {
            writes,
            ahead: ReadAhead::new(spec),
            spec: Arc::clone(spec),
        }
    }

    /// The layer below.
    #[inline]
    pub(crate) fn writes(&mut self) -> &mut Writes {
        &mut self.writes
    }

    /// See [`Writes::written`].
    pub(crate) fn written(&self) -> (WriteCounts, u64) {
        self.writes.written()
    }

    /// When the bytes are in the controller, its own overhead included.
    pub(crate) fn read(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        if self.ahead.is_on() {
            self.streamed_read(start_ns, offset_bytes, length_bytes)
        } else {
            self.fetch(start_ns, offset_bytes, length_bytes)
        }
    }

    /// See [`Writes::write`]; what was fetched ahead of a reader is not answered from any more.
    pub(crate) fn write(
        &mut self,
        start_ns: u64,
        offset_bytes: u64,
        length_bytes: u64,
        sync: Sync,
        moved_ns: u64,
    ) -> u64 {
        self.ahead.forget(offset_bytes, length_bytes);
        self.writes.write(start_ns, offset_bytes, length_bytes, sync, moved_ns)
    }

    /// Unmaps the whole units of a range, the part of one at the drive's end too; how many bytes of them were mapped.
    pub(crate) fn trim(&mut self, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.ahead.forget(offset_bytes, length_bytes);
        let unit = self.spec.map.unit_bytes;
        let end_bytes = offset_bytes + length_bytes;
        let to_the_end = end_bytes == self.spec.geometry.capacity_bytes;
        let end = if to_the_end {
            end_bytes.div_ceil(unit)
        } else {
            end_bytes / unit
        };
        self.writes.trim(offset_bytes.div_ceil(unit), end) * unit
    }

    fn overhead_ns(&mut self) -> u64 {
        let sigma = self.spec.spread.controller_sigma;
        spread(self.spec.timing.read_overhead_ns, sigma, self.writes.flash().random())
    }

    /// From the write buffer or from flash.
    fn fetch(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        let unit_bytes = self.spec.map.unit_bytes;
        let page_bytes = self.spec.geometry.page_bytes;
        let end_bytes = offset_bytes + length_bytes;
        let mut ready_ns = start_ns;
        let overhead_ns = self.overhead_ns();
        let mut done_ns = start_ns + self.spec.timing.unmapped_read_ns;
        let mut at = offset_bytes;
        while at < end_bytes {
            let page = at / page_bytes;
            let page_end = ((page + 1) * page_bytes).min(end_bytes);
            let entry = self.writes.flash().entry(at / unit_bytes);
            let mut piece_end = page_end.min((at / unit_bytes + 1) * unit_bytes);
            while piece_end < page_end && self.writes.flash().entry(piece_end / unit_bytes) == entry {
                piece_end = page_end.min(piece_end + unit_bytes);
            }
            ready_ns = self.writes.flash().look_up(ready_ns, at / unit_bytes);
            if entry != 0 && self.writes.is_buffered(at / unit_bytes, start_ns) {
                done_ns = done_ns.max(ready_ns + overhead_ns);
            } else if entry != 0 {
                let place = self.writes.flash().place(entry);
                let fetched = self.writes.flash().read(ready_ns, place, page, piece_end - at);
                done_ns = done_ns.max(fetched + overhead_ns);
            }
            at = piece_end;
        }
        done_ns
    }
}
