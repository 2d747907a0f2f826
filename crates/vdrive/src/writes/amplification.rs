//! Write amplification over fixed amounts of the host's data.

/// It is followed over this share of the capacity.
const PHASE_SHARE: u64 = 16;

#[derive(Debug, Clone, Default)]
pub(super) struct Amplification {
    host_bytes: u64,
    programmed_bytes: u64,
    recent: Option<f64>,
    before: Option<f64>,
}

impl Amplification {
    /// Over the last share of the capacity; None before the first is full.
    pub(super) fn recent(&self) -> Option<f64> {
        self.recent
    }

    /// Whether the last two shares of the capacity agree within 5 %.
    pub(super) fn is_settled(&self) -> bool {
        matches!((self.recent, self.before), (Some(now), Some(then)) if (now - then).abs() <= 0.05 * then)
    }

    /// Closes the present share if the host has written it.
    pub(super) fn follow(&mut self, host_bytes: u64, programmed_bytes: u64, capacity_bytes: u64) {
        let written = host_bytes - self.host_bytes;
        if written < capacity_bytes / PHASE_SHARE {
            return;
        }
        self.before = self.recent;
        self.recent = Some((programmed_bytes - self.programmed_bytes) as f64 / written as f64);
        self.host_bytes = host_bytes;
        self.programmed_bytes = programmed_bytes;
    }
}
