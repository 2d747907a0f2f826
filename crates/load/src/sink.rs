//! What becomes of finished I/Os.

mod counts;
mod kept;
mod percentiles;
mod tee;
mod window;

pub use counts::{Counts, OperationCounts};
pub use kept::{Damaged, KeptIo, KeptReader, KeptWriter};
pub use percentiles::exact_percentiles;
pub use tee::Tee;
pub use window::{Series, Window, WindowOf};

use crate::request::Request;

/// How an I/O ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of it was done.
    Done,
    /// It was not.
    Failed {
        /// The system's number of the error.
        errno: i32,
    },
}

/// Which part of a point an I/O belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It was due before the measurement began.
    Ramp,
    /// It is measured.
    Measured,
}

/// An I/O from the time it was due to its completion. Times are the back-end's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finished {
    /// Of which point, counted from 0.
    pub point: u32,
    /// The how-manieth of that point, counted from 0 in the order of submission.
    pub number: u64,
    /// What it was.
    pub request: Request,
    /// Ramp or not.
    pub phase: Phase,
    /// When it was due; in a closed loop, when it was submitted.
    pub due_ns: u64,
    /// When it was due and there was room for it.
    pub ready_ns: u64,
    /// When it was submitted.
    pub submitted_ns: u64,
    /// When it completed.
    pub completed_ns: u64,
    /// How.
    pub outcome: Outcome,
}

impl Finished {
    /// From when it was due to its completion.
    pub fn response_ns(&self) -> u64 {
        self.completed_ns.saturating_sub(self.due_ns)
    }

    /// From its submission to its completion.
    pub fn service_ns(&self) -> u64 {
        self.completed_ns.saturating_sub(self.submitted_ns)
    }

    /// What the host lost: from when it could have been submitted to its submission.
    pub fn lateness_ns(&self) -> u64 {
        self.submitted_ns.saturating_sub(self.ready_ns)
    }
}

/// Takes finished I/Os, in the order of their completion.
pub trait Sink {
    /// One more.
    fn finished(&mut self, io: &Finished);

    /// A window of the point that runs has closed.
    fn window(&mut self, window: &Window) {
        let _ = window;
    }

    /// Whether it can take nothing more, so that the run has to end: its disk is full.
    fn is_broken(&self) -> bool {
        false
    }
}
