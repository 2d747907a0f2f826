//! What became of an I/O.

use load::Outcome;
use trace::Io;

/// An I/O that was done again; times are those of the back-end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// Counted from 0 in the order of the trace.
    pub number: u64,
    /// As it was recorded.
    pub io: Io,
    /// When it was to be submitted.
    pub due_ns: u64,
    /// When it was.
    pub submitted_ns: u64,
    /// When it was over.
    pub completed_ns: u64,
    /// How.
    pub outcome: Outcome,
}

impl Replayed {
    /// From when it was due to its submission: what the host lost, or room that was missing.
    pub fn lateness_ns(&self) -> u64 {
        self.submitted_ns.saturating_sub(self.due_ns)
    }

    /// From when it was due to its end.
    pub fn response_ns(&self) -> u64 {
        self.completed_ns.saturating_sub(self.due_ns)
    }
}
