//! When I/Os are due.

use serde::Deserialize;

/// How the I/Os of a trace follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pace {
    /// At their recorded times, whatever the drive does.
    Timed,
    /// Likewise, but nothing arrives later than so long after the one before it: pauses are cut.
    Idle {
        /// The longest pause that is left.
        gap_ns_max: u64,
    },
    /// In their order, as soon as fewer than that are in flight.
    AsFast {
        /// I/Os in flight; 0 counts as 1.
        in_flight_max: u32,
    },
    /// When those are over that it waited for, and then as long after them as when it was recorded.
    Dependent,
}

/// Recorded times with pauses cut, if they are.
pub(crate) struct Times {
    gap_ns_max: u64,
    last_ns: Option<u64>,
    due_ns: u64,
}

impl Times {
    pub(crate) fn of(pace: Pace) -> Self {
        Self {
            gap_ns_max: match pace {
                Pace::Idle { gap_ns_max } => gap_ns_max,
                Pace::Timed | Pace::AsFast { .. } | Pace::Dependent => u64::MAX,
            },
            last_ns: None,
            due_ns: 0,
        }
    }

    /// When an I/O is due, counted from the start; the first one keeps its recorded time if no pause is cut.
    pub(crate) fn due_ns(&mut self, at_ns: u64) -> u64 {
        let gap_ns = at_ns.saturating_sub(self.last_ns.unwrap_or(0)).min(self.gap_ns_max);
        self.last_ns = Some(at_ns);
        self.due_ns = self.due_ns.saturating_add(gap_ns);
        self.due_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dues(pace: Pace, at_ns: &[u64]) -> Vec<u64> {
        let mut times = Times::of(pace);
        at_ns.iter().map(|&at_ns| times.due_ns(at_ns)).collect()
    }

    #[test]
    fn recorded_times_are_kept() {
        assert_eq!(dues(Pace::Timed, &[0, 5, 5, 900]), [0, 5, 5, 900]);
    }

    #[test]
    fn a_pause_is_cut_and_all_that_follows_moves_up() {
        assert_eq!(dues(Pace::Idle { gap_ns_max: 10 }, &[0, 5, 905, 910]), [0, 5, 15, 20]);
    }
}
