//! Doing a trace.

use load::{Backend, Outcome, Stalled};
use trace::{Io, TraceError};

use crate::flight::Flight;
use crate::pace::Pace;
use crate::plan::Plan;

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

/// A trace that was not done to its end.
#[derive(Debug, thiserror::Error)]
pub enum CannotReplay {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The pace needs to know when each I/O arrived.
    #[error("I/O {number} has no time")]
    NoTime {
        /// Counted from 0.
        number: u64,
    },
    /// The pace needs to know how long each I/O took.
    #[error("I/O {number} has no latency")]
    NoLatency {
        /// Counted from 0.
        number: u64,
    },
    /// The device does not go on.
    #[error(transparent)]
    Device(#[from] Stalled),
}

/// Does all I/Os, at most `in_flight_max` at once, and tells of each when it is over; one that fails holds up nothing. One that is longer
/// than the back-end takes is done in parts beside each other. Returns when the last was over, counted from the first moment.
///
/// # Errors
/// The trace lacks what the pace needs, cannot be read, or the device does not go on.
pub fn replay<B: Backend>(
    backend: &mut B,
    ios: impl Iterator<Item = Result<Io, TraceError>>,
    pace: Pace,
    in_flight_max: u32,
    told: &mut dyn FnMut(&Replayed),
) -> Result<u64, CannotReplay> {
    backend.begins();
    let room = match pace {
        Pace::AsFast { in_flight_max: own } => own.min(in_flight_max),
        Pace::Timed | Pace::Idle { .. } | Pace::Dependent => in_flight_max,
    }
    .max(1);
    let mut plan = Plan::new(ios, pace, backend.now_ns());
    let mut flight = Flight::of(room);
    let mut done = Vec::new();
    loop {
        flight.go_on(backend);
        plan.read_ahead(backend.now_ns())?;
        while let Some(next) = flight.has_room().then(|| plan.next(backend.now_ns())).flatten() {
            flight.submit(backend, next);
            plan.read_ahead(backend.now_ns())?;
        }
        if plan.is_over() && flight.is_empty() {
            return Ok(backend.now_ns() - plan.start_ns);
        }
        let wakes_ns = if flight.has_room() { plan.due_ns() } else { None };
        backend.wait(wakes_ns, &mut done)?;
        for replayed in done.drain(..).filter_map(|completion| flight.over(&completion)) {
            plan.over(replayed.number, replayed.completed_ns);
            told(&replayed);
        }
    }
}
