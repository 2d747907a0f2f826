//! Doing a trace.

use load::{Backend, CannotPerform, Outcome, Stalled};
use trace::{Io, TraceError};
use vdrive::workload::WorkloadFault;

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
    /// Not a single extent fits.
    #[error("a drive of {capacity_bytes} bytes is too small for a trace")]
    NoExtent {
        /// Its size.
        capacity_bytes: u64,
    },
    /// It is no job.
    #[error(transparent)]
    Workload(#[from] WorkloadFault),
    /// A job that is no replay.
    #[error(transparent)]
    Job(#[from] CannotPerform),
    /// The device does not go on.
    #[error(transparent)]
    Device(#[from] Stalled),
}

/// Who hears of a replay.
pub trait Listener {
    /// An I/O is over.
    fn over(&mut self, io: &Replayed);

    /// So late is it; what becomes of the rest.
    fn goes_on(&mut self, now_ns: u64) -> GoesOn;

    /// When it wants to be asked again, whatever happens.
    fn asks_at_ns(&self) -> Option<u64>;
}

/// What becomes of the I/Os that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoesOn {
    /// They are done.
    All,
    /// None of them is: what is in flight is waited for, and that is the end.
    InFlight,
    /// Not even that is waited for.
    Nothing,
}

/// Whoever only hears.
impl<F: FnMut(&Replayed)> Listener for F {
    fn over(&mut self, io: &Replayed) {
        self(io);
    }

    fn goes_on(&mut self, _: u64) -> GoesOn {
        GoesOn::All
    }

    fn asks_at_ns(&self) -> Option<u64> {
        None
    }
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
    listener: &mut dyn Listener,
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
        let wanted = listener.goes_on(backend.now_ns());
        if wanted == GoesOn::Nothing && !flight.is_empty() {
            let in_flight = flight.ios();
            return Err(Stalled::GivenUp { in_flight }.into());
        }
        flight.go_on(backend);
        while wanted == GoesOn::All && flight.has_room() {
            plan.read_ahead(backend.now_ns())?;
            let Some(next) = plan.next(backend.now_ns()) else {
                break;
            };
            flight.submit(backend, next);
        }
        if flight.is_empty() && (wanted != GoesOn::All || plan.is_over()) {
            return Ok(backend.now_ns() - plan.start_ns);
        }
        let due_ns = (wanted == GoesOn::All && flight.has_room())
            .then(|| plan.due_ns())
            .flatten();
        let wakes_ns = [due_ns, listener.asks_at_ns()].into_iter().flatten().min();
        backend.wait(wakes_ns, &mut done)?;
        for replayed in done.drain(..).filter_map(|completion| flight.over(&completion)) {
            plan.over(replayed.number, replayed.completed_ns);
            listener.over(&replayed);
        }
    }
}
