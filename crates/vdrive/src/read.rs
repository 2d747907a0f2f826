//! The read path: mapping, senses, transfer.

use crate::drive::VDrive;
use crate::media::transfer_ns;

impl VDrive {
    pub(crate) fn read(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        self.map.settle();
        self.counters.host_read(length_bytes);
        self.heat.read(length_bytes);
        let data_ns = if self.spec.legacy.is_some() {
            self.legacy_read(start_ns, offset_bytes, length_bytes)
        } else if self.read_ahead.is_on() {
            self.streamed_read(start_ns, offset_bytes, length_bytes)
        } else {
            self.fetch(start_ns, offset_bytes, length_bytes)
        };
        let moved_ns = transfer_ns(
            length_bytes,
            self.spec.timing.link_read_ns_per_byte * self.heat.slowdown,
        );
        self.link_read_end_ns = self.link_read_end_ns.max(start_ns) + moved_ns;
        data_ns.max(self.link_read_end_ns)
    }

    /// When the bytes are in the controller, its own overhead included.
    pub(crate) fn fetch(&mut self, start_ns: u64, offset_bytes: u64, length_bytes: u64) -> u64 {
        let unit_bytes = self.spec.map.unit_bytes;
        let page_bytes = self.spec.geometry.page_bytes;
        let end_bytes = offset_bytes + length_bytes;
        let mut ready_ns = start_ns;
        let mut done_ns = start_ns + self.spec.timing.unmapped_read_ns;
        let mut at = offset_bytes;
        while at < end_bytes {
            let page = at / page_bytes;
            let page_end = ((page + 1) * page_bytes).min(end_bytes);
            let entry = self.map.entry(at / unit_bytes);
            let mut piece_end = page_end.min((at / unit_bytes + 1) * unit_bytes);
            while piece_end < page_end && self.map.entry(piece_end / unit_bytes) == entry {
                piece_end = page_end.min(piece_end + unit_bytes);
            }
            ready_ns = self.look_up(ready_ns, at / unit_bytes);
            if entry != 0 && self.is_buffered(at / unit_bytes, start_ns) {
                done_ns = done_ns.max(ready_ns + self.spec.timing.read_overhead_ns);
            } else if entry != 0 {
                let place = self.map.place(entry);
                let fetched = self.media.read(ready_ns, place, page, piece_end - at, &mut self.random);
                done_ns = done_ns.max(fetched + self.spec.timing.read_overhead_ns);
            }
            at = piece_end;
        }
        done_ns
    }

    /// Finds a mapping; when it is in flash, one sense of a map page is paid first.
    #[inline]
    pub(crate) fn look_up(&mut self, start_ns: u64, unit: u64) -> u64 {
        if self.map_cache.holds_everything() {
            return start_ns;
        }
        let found_ns = start_ns + self.spec.map.hit_ns;
        match self.map_cache.touch(unit) {
            None => found_ns,
            Some(map_page) => {
                self.counters.map_misses += 1;
                let die = (crate::random::mix(map_page) % u64::from(self.spec.geometry.dies)) as u32;
                self.media.sense(found_ns, die, map_page, self.spec.timing.sense_slc_ns)
            }
        }
    }
}
