//! What a reader says after a line or a record.

use crate::fault::{Problem, TraceError};

/// Whether there is more.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    /// The next line is to be read.
    More,
    /// What follows is no part of the trace.
    Last,
}

/// Why a line ends the reading.
pub(super) enum Refused {
    /// It is damaged.
    Line(Problem),
    /// Something else happened.
    Other(TraceError),
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Self {
        Refused::Line(problem)
    }
}

impl From<TraceError> for Refused {
    fn from(error: TraceError) -> Self {
        Refused::Other(error)
    }
}
