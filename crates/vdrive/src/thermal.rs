//! Temperature and what it does to the link: first-order lag towards a target set by the load, two levels with hysteresis.

use crate::random::exp;
use crate::spec::{Spec, Thermal};

#[derive(Debug, Clone)]
pub(crate) struct Heat {
    thermal: Option<Thermal>,
    pub(crate) temperature_c: f64,
    /// Factor on the link's nanoseconds a byte.
    pub(crate) slowdown: f64,
    /// 0 none, 1 mild, 2 severe.
    pub(crate) level: usize,
    read_bytes: u64,
    written_bytes: u64,
    seen_ns: u64,
    pub(crate) warning_ns: u64,
    pub(crate) throttled_ns: u64,
    pub(crate) throttlings: u64,
}

impl Heat {
    pub(crate) fn new(spec: &Spec) -> Self {
        let temperature_c = spec
            .thermal
            .as_ref()
            .map_or(40.0, |thermal| thermal.ambient_c + thermal.idle_c);
        Self {
            thermal: spec.thermal.clone(),
            temperature_c,
            slowdown: 1.0,
            level: 0,
            read_bytes: 0,
            written_bytes: 0,
            seen_ns: 0,
            warning_ns: 0,
            throttled_ns: 0,
            throttlings: 0,
        }
    }

    pub(crate) fn is_modelled(&self) -> bool {
        self.thermal.is_some()
    }

    #[inline]
    pub(crate) fn read(&mut self, bytes: u64) {
        self.read_bytes += bytes;
    }

    #[inline]
    pub(crate) fn wrote(&mut self, bytes: u64) {
        self.written_bytes += bytes;
    }

    /// Lets `now_ns` come with the load since the last time.
    pub(crate) fn advance(&mut self, now_ns: u64) {
        let Some(thermal) = &self.thermal else { return };
        let elapsed_ns = now_ns.saturating_sub(self.seen_ns);
        if elapsed_ns == 0 {
            return;
        }
        self.seen_ns = now_ns;
        let (written, read) = (
            std::mem::take(&mut self.written_bytes),
            std::mem::take(&mut self.read_bytes),
        );
        let per_s = 1.0 / elapsed_ns as f64;
        let load_c = thermal.write_c_per_gb_s * written as f64 * per_s + thermal.read_c_per_gb_s * read as f64 * per_s;
        let target_c = thermal.ambient_c + thermal.idle_c + load_c;
        let lag = exp(-(elapsed_ns as f64 / thermal.time_constant_ns as f64).min(60.0));
        self.temperature_c = target_c + (self.temperature_c - target_c) * lag;
        if self.temperature_c >= thermal.warning_c {
            self.warning_ns += elapsed_ns;
        }
        if self.level > 0 {
            self.throttled_ns += elapsed_ns;
        }
        self.decide();
    }

    fn decide(&mut self) {
        let Some(thermal) = &self.thermal else { return };
        while self.level < 2 && self.temperature_c >= thermal.levels[self.level].on_c {
            self.level += 1;
            self.throttlings += 1;
        }
        while self.level > 0 && self.temperature_c < thermal.levels[self.level - 1].off_c {
            self.level -= 1;
        }
        self.slowdown = if self.level == 0 {
            1.0
        } else {
            1.0 / thermal.levels[self.level - 1].speed
        };
    }
}
