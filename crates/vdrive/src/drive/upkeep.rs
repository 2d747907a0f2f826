//! What a drive does when nobody asks: empty its buffer, fold, collect, sleep, cool down.

use super::VDrive;

/// Heat is looked at this often.
const HEAT_STEP_NS: u64 = 50_000_000;

impl VDrive {
    /// Accounts for the time since the last command; returns when the drive is awake.
    pub(super) fn upkeep(&mut self, now_ns: u64) -> u64 {
        self.writes().flash().settle();
        let quiet_ns = self.quiet_since_ns();
        if now_ns > quiet_ns {
            self.quiet(quiet_ns, now_ns);
        }
        if let Some(refresh) = &self.spec.refresh {
            self.reads.writes().flash().refresh(refresh, now_ns);
        }
        if self.heat.is_modelled() {
            self.heat.advance(now_ns);
        }
        let asleep = self
            .spec
            .idle
            .sleep_after_ns
            .is_some_and(|after| now_ns > self.answered_ns + after);
        self.answered_ns = self.answered_ns.max(now_ns);
        self.upkeep_ns = self.next_upkeep_ns(now_ns);
        if asleep {
            now_ns + self.spec.idle.wake_ns
        } else {
            now_ns
        }
    }

    fn quiet_since_ns(&mut self) -> u64 {
        let programmed_ns = self.writes().flash().program_end_ns_max();
        self.answered_ns.max(programmed_ns)
    }

    fn quiet(&mut self, quiet_ns: u64, now_ns: u64) {
        if let Some(window_ns) = self.spec.buffer.flush_window_ns
            && now_ns - quiet_ns > window_ns
        {
            self.writes().pad_out(quiet_ns + window_ns);
        }
        if let Some(after_ns) = self.spec.idle.reclaim_after_ns
            && now_ns - quiet_ns > after_ns
        {
            self.writes().flash().reclaim(now_ns, now_ns - quiet_ns - after_ns);
            self.writes().flash().settle_erases();
            self.writes().return_to_cache(now_ns);
        }
    }

    /// The earliest time at which [`VDrive::upkeep`] could find something, if no command arrives before.
    fn next_upkeep_ns(&self, now_ns: u64) -> u64 {
        let mut wait_ns = if self.heat.is_modelled() {
            HEAT_STEP_NS
        } else {
            u64::MAX
        };
        let idle = &self.spec.idle;
        for after_ns in [
            idle.reclaim_after_ns,
            idle.sleep_after_ns,
            self.spec.buffer.flush_window_ns,
        ] {
            wait_ns = wait_ns.min(after_ns.unwrap_or(u64::MAX));
        }
        if let Some(refresh) = &self.spec.refresh {
            wait_ns = wait_ns.min(refresh.every_ns - now_ns % refresh.every_ns);
        }
        now_ns.saturating_add(wait_ns)
    }
}
