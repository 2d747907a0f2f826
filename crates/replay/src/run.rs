//! Doing a trace.

use load::{Backend, Stalled};
use trace::{Io, TraceError};

use crate::done::Replayed;
use crate::fault::CannotReplay;
use crate::flight::Flight;
use crate::pace::Pace;
use crate::plan::Plan;

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
