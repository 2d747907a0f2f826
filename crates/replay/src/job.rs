//! A replay in the words of the other jobs of the load engine, and a result of the same shape.

use std::fs::File;
use std::path::PathBuf;

use load::{
    Backend, Counting, Finished, Judge, Operation, Outcome, Performed, Phase, Request, Sink, Verdict, WINDOW_NS,
    Window, WindowOf, Workload,
};
use serde::Deserialize;
use trace::{Op, TraceReader};
use vdrive::workload::WorkloadFault;

use crate::done::Replayed;
use crate::fault::CannotReplay;
use crate::fold::Fold;
use crate::list::{command, of_trace};
use crate::pace::Pace;
use crate::run::{GoesOn, Listener, replay};

/// What of a job is a replay.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replaying {
    /// Where the trace is.
    pub trace: PathBuf,
    /// How its I/Os follow each other.
    pub pace: Pace,
}

/// What became of a replay.
#[derive(Debug)]
pub struct Done {
    /// As of any job; flushes are not among its I/Os.
    pub performed: Performed,
    /// What else is to be told.
    pub aside: Aside,
}

/// What no other job has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aside {
    /// Flushes that were done.
    pub flushes: u64,
    /// Share of the bytes that lay beyond the end of the drive and were done elsewhere.
    pub moved_share: f64,
}

/// A job of the load engine, and what of it is a replay if it is one.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The job; of a replay it says how many I/Os may be in flight.
    pub workload: Workload,
    /// The replay.
    pub replaying: Option<Replaying>,
}

impl Task {
    /// Reads one from JSON, which of a replay has a field `replay`.
    ///
    /// # Errors
    /// Not JSON, or no job.
    pub fn from_json(text: &str) -> Result<Self, WorkloadFault> {
        let unread = |error: serde_json::Error| WorkloadFault {
            field: "json",
            message: error.to_string(),
        };
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).map_err(unread)?;
        let replaying = fields
            .remove("replay")
            .map(serde_json::from_value)
            .transpose()
            .map_err(unread)?;
        let rest = serde_json::to_string(&fields).map_err(unread)?;
        Ok(Self {
            workload: Workload::from_json(&rest)?,
            replaying,
        })
    }
}

/// Does it, until an I/O fails or the judge knows enough. Nothing is in flight when it is over.
///
/// # Errors
/// The trace lacks what the pace needs or cannot be read, the drive is too small, or does not go on.
pub fn perform<B: Backend>(
    backend: &mut B,
    capacity_bytes: u64,
    workload: &Workload,
    replaying: &Replaying,
    judge: &mut dyn Judge,
) -> Result<Done, CannotReplay> {
    let mut fold = Fold::onto(capacity_bytes).ok_or(CannotReplay::NoExtent { capacity_bytes })?;
    let trace = TraceReader::new(File::open(&replaying.trace).map_err(trace::TraceError::from)?)?;
    let ios = of_trace(trace).map(|io| io.map(|io| fold.placed(&io)));
    let start_ns = backend.now_ns();
    let mut watched = Watched {
        counting: Counting::new(start_ns, workload)?,
        judge,
        start_ns,
        window: empty_window(0),
        flushes: 0,
        discarded_bytes: 0,
        wanted: GoesOn::All,
    };
    let in_flight_max = workload.queue_depth * workload.jobs;
    replay(backend, ios, replaying.pace, in_flight_max, &mut watched)?;
    let mut performed = watched.counting.performed(0);
    // A discard may be longer than a request can say.
    performed.result.trim.bytes = watched.discarded_bytes;
    Ok(Done {
        performed,
        aside: Aside {
            flushes: watched.flushes,
            moved_share: fold.moved_share(),
        },
    })
}

/// Counts, and shows the judge each window as it closes.
struct Watched<'a> {
    counting: Counting,
    judge: &'a mut dyn Judge,
    start_ns: u64,
    window: Window,
    flushes: u64,
    discarded_bytes: u64,
    wanted: GoesOn,
}

impl Listener for Watched<'_> {
    fn over(&mut self, io: &Replayed) {
        if let Outcome::Failed { errno } = io.outcome {
            self.wanted = GoesOn::InFlight;
            self.counting.failed(command(&io.io), errno);
        }
        let Some(operation) = operation(io.io.op) else {
            self.counting.lasts_until(io.completed_ns);
            self.flushes += u64::from(io.outcome == Outcome::Done);
            return;
        };
        if io.outcome == Outcome::Done {
            self.count(operation, io);
        }
        self.counting.finished(&Finished {
            point: 0,
            number: io.number,
            request: Request {
                operation,
                offset_bytes: io.io.offset_bytes,
                length_bytes: u32::try_from(io.io.length_bytes).unwrap_or(u32::MAX),
                stream: 0,
            },
            phase: Phase::Measured,
            due_ns: io.due_ns,
            ready_ns: io.due_ns,
            submitted_ns: io.submitted_ns,
            completed_ns: io.completed_ns,
            outcome: io.outcome,
        });
    }

    fn goes_on(&mut self, now_ns: u64) -> GoesOn {
        while now_ns - self.start_ns >= self.window.end_ns {
            let next = empty_window(self.window.end_ns);
            let closed = std::mem::replace(&mut self.window, next);
            if self.wanted == GoesOn::All && self.judge.window(&closed) == Verdict::End {
                self.wanted = GoesOn::InFlight;
            } else if self.wanted == GoesOn::InFlight && self.judge.gives_up() {
                self.wanted = GoesOn::Nothing;
            }
        }
        self.wanted
    }

    fn asks_at_ns(&self) -> Option<u64> {
        Some(self.start_ns + self.window.end_ns)
    }
}

impl Watched<'_> {
    fn count(&mut self, operation: Operation, io: &Replayed) {
        let of = &mut self.window.operations[operation as usize];
        of.ios += 1;
        of.response_ns_sum += io.response_ns();
        of.response_ns_max = of.response_ns_max.max(io.response_ns());
        // How fast it goes is told by what is moved, and a discard of the whole drive moves nothing.
        if operation == Operation::Trim {
            self.discarded_bytes = self.discarded_bytes.saturating_add(io.io.length_bytes);
        } else {
            of.bytes += io.io.length_bytes;
        }
    }
}

fn empty_window(begin_ns: u64) -> Window {
    Window {
        point: 0,
        begin_ns,
        end_ns: begin_ns + WINDOW_NS,
        operations: [WindowOf::default(); 3],
    }
}

fn operation(op: Op) -> Option<Operation> {
    match op {
        Op::Read => Some(Operation::Read),
        Op::Write => Some(Operation::Write),
        Op::Discard | Op::WriteZeroes => Some(Operation::Trim),
        Op::Flush => None,
    }
}
