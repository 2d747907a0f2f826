//! Points, one after the other, without a gap.

mod stage;

use crate::backend::{Backend, Completion, Stalled};
use crate::point::Point;
use crate::schedule::Schedule;
use crate::sink::{Finished, Outcome, Sink, Window};
use stage::Stage;

/// Completions at so many waits of one instant, and a point that ends by time is given up.
const TIMELESS_PASSES: u64 = 1 << 20;

/// So many I/Os that found no room are drawn to count them, which takes less than a second.
const DRAWS_MAX: u64 = 10_000_000;

/// Length of a window of the series.
pub const WINDOW_NS: u64 = 100_000_000;

/// What a judge says of a point that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Go on as planned.
    GoOn,
    /// It knows enough.
    End,
    /// It ends so much later, if it ends by time.
    Extend {
        /// How much.
        by_ns: u64,
    },
}

/// Sees each window as it closes.
pub trait Judge {
    /// What becomes of the point.
    fn window(&mut self, window: &Window) -> Verdict;

    /// Whether what is still in flight after the last point is not waited for; asked in each [`WINDOW_NS`] of it.
    fn gives_up(&mut self) -> bool {
        false
    }
}

/// Lets every point run as planned.
pub struct NoJudge;

impl Judge for NoJudge {
    fn window(&mut self, _: &Window) -> Verdict {
        Verdict::GoOn
    }
}

/// Why a point ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Because {
    /// Its time was up or all its I/Os were done.
    AsPlanned,
    /// The judge knew enough.
    Judged,
    /// A sink could take nothing more: the points after it were not begun.
    SinkBroken,
    /// An I/O failed: the points after it were not begun.
    Failed {
        /// The system's number of the error.
        errno: i32,
    },
}

/// When a point ran and why it ended; times are the back-end's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ending {
    /// When its first I/O could be submitted.
    pub start_ns: u64,
    /// When it submitted nothing more.
    pub end_ns: u64,
    /// Its I/Os, with those of the ramp.
    pub submitted: u64,
    /// I/Os of an open loop that were due before it ended, found no room and were never submitted; no latency tells of them.
    /// Beyond ten million of all points they are not counted one by one, but what comes in the mean.
    pub unsubmitted: u64,
    /// Why it ended.
    pub because: Because,
}

/// Runs points one after the other; those that were in flight when a point ended complete beside the next one, and count for their own.
///
/// # Errors
/// The device does not go on; what completed before is in the sink.
pub fn run<B: Backend>(
    backend: &mut B,
    points: Vec<Point>,
    sink: &mut dyn Sink,
    judge: &mut dyn Judge,
) -> Result<Vec<Ending>, Stalled> {
    backend.begins();
    let slots = points.iter().map(|point| limit(&point.schedule)).max().unwrap_or(0);
    let mut host = Host {
        backend,
        slots: vec![None; slots as usize],
        free: (0..slots).rev().collect(),
        done: Vec::new(),
        room_since_ns: 0,
        failed: None,
    };
    let mut endings = Vec::with_capacity(points.len());
    let mut full = Vec::new();
    for (number, point) in (0..).zip(points) {
        let (ending, stage) = host.point(number, point, sink, judge)?;
        full.extend(stage.map(|stage| (endings.len(), stage)));
        endings.push(ending);
        if !matches!(ending.because, Because::AsPlanned | Because::Judged) {
            break;
        }
    }
    host.drain(sink, judge)?;
    // Only now: what was in flight would have waited for it.
    let mut draws = DRAWS_MAX;
    for (at, stage) in full {
        let ending = &mut endings[at];
        ending.unsubmitted = stage.left_waiting(ending.end_ns, &mut draws);
    }
    Ok(endings)
}

/// Nothing would ever be submitted with room for none.
fn limit(schedule: &Schedule) -> u32 {
    match schedule {
        Schedule::Closed { queue_depth } => *queue_depth.max(&1),
        Schedule::Open { in_flight_max, .. } => *in_flight_max.max(&1),
    }
}

/// What is in flight.
struct Host<'a, B> {
    backend: &'a mut B,
    slots: Vec<Option<Finished>>,
    free: Vec<u32>,
    done: Vec<Completion>,
    /// When the last I/O completed that made room where there was none.
    room_since_ns: u64,
    failed: Option<i32>,
}

impl<B: Backend> Host<'_, B> {
    fn in_flight(&self) -> u32 {
        (self.slots.len() - self.free.len()) as u32
    }

    /// Runs it; the stage is that of a point that ended without room, whose I/Os may wait still.
    fn point(
        &mut self,
        number: u32,
        point: Point,
        sink: &mut dyn Sink,
        judge: &mut dyn Judge,
    ) -> Result<(Ending, Option<Stage>), Stalled> {
        let limit = limit(&point.schedule);
        let mut stage = Stage::begin(number, point, self.backend.now_ns());
        let mut instant = (0, 0);
        loop {
            self.issue(&mut stage, limit);
            let now_ns = self.backend.now_ns();
            if stage.has_closed(now_ns) {
                self.backend.release();
                stage.roll(now_ns, sink, judge);
            }
            let broken = sink.is_broken().then_some(Because::SinkBroken);
            let because = self.failed.map(|errno| Because::Failed { errno }).or(broken);
            if let Some(ending) = stage.ending(now_ns, self.in_flight() < limit, because) {
                stage.close(now_ns, sink);
                return Ok((ending, (self.in_flight() >= limit).then_some(stage)));
            }
            self.backend
                .wait(Some(stage.wakes_ns(self.in_flight() < limit)), &mut self.done)?;
            self.finish(limit, Some(&mut stage), sink);
            let now_ns = self.backend.now_ns();
            let passes = if instant.0 == now_ns { instant.1 + 1 } else { 0 };
            if passes > TIMELESS_PASSES && !stage.ends_by_count() {
                return Err(Stalled::Timeless { at_ns: now_ns });
            }
            instant = (now_ns, passes);
        }
    }

    /// Submits what is due and has room.
    #[inline]
    fn issue(&mut self, stage: &mut Stage, limit: u32) {
        while self.in_flight() < limit && self.failed.is_none() {
            let Some(next) = stage.next(self.backend.now_ns(), self.room_since_ns) else {
                return;
            };
            let Some(slot) = self.free.pop() else {
                unreachable!("as many slots as the largest limit")
            };
            let submitted_ns = self.backend.submit(slot, &next.request);
            self.slots[slot as usize] = Some(Finished {
                due_ns: next.due_ns.unwrap_or(submitted_ns),
                ready_ns: next.ready_ns,
                submitted_ns,
                completed_ns: submitted_ns,
                outcome: Outcome::Done,
                point: stage.number,
                number: next.number,
                request: next.request,
                phase: next.phase,
            });
        }
    }

    /// Hands on what has completed.
    #[inline]
    fn finish(&mut self, limit: u32, mut stage: Option<&mut Stage>, sink: &mut dyn Sink) {
        for at in 0..self.done.len() {
            let completion = self.done[at];
            let Some(mut io) = self.slots[completion.slot as usize].take() else {
                continue;
            };
            if self.in_flight() == limit {
                self.room_since_ns = completion.completed_ns;
            }
            self.free.push(completion.slot);
            io.completed_ns = completion.completed_ns;
            io.outcome = completion.outcome;
            if let Outcome::Failed { errno } = io.outcome {
                self.failed.get_or_insert(errno);
            }
            if let Some(stage) = &mut stage {
                stage.count(&io, sink);
            }
            sink.finished(&io);
        }
        self.done.clear();
    }

    fn drain(&mut self, sink: &mut dyn Sink, judge: &mut dyn Judge) -> Result<(), Stalled> {
        let mut look_ns = self.backend.now_ns().saturating_add(WINDOW_NS);
        while self.in_flight() > 0 {
            self.backend.wait(Some(look_ns), &mut self.done)?;
            self.finish(0, None, sink);
            let now_ns = self.backend.now_ns();
            if now_ns < look_ns {
                continue;
            }
            look_ns = now_ns.saturating_add(WINDOW_NS);
            if self.in_flight() > 0 && judge.gives_up() {
                return Err(Stalled::GivenUp {
                    in_flight: self.in_flight(),
                });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
