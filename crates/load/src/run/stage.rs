//! A point that runs.

use super::{Because, Ending, Judge, Verdict, WINDOW_NS};
use crate::point::Point;
use crate::request::Request;
use crate::schedule::Schedule;
use crate::sink::{Finished, Outcome, Phase, Sink, Window, WindowOf};

/// An I/O that can be submitted now.
pub(super) struct Next {
    pub(super) request: Request,
    pub(super) number: u64,
    pub(super) phase: Phase,
    /// `None` in a closed loop: it is due when it is submitted.
    pub(super) due_ns: Option<u64>,
    pub(super) ready_ns: u64,
}

pub(super) struct Stage {
    pub(super) number: u32,
    point: Point,
    start_ns: u64,
    measured_ns: u64,
    /// Nothing is due from then on.
    end_ns: Option<u64>,
    /// In an open loop, when the next I/O is due.
    due_ns: Option<u64>,
    submitted: u64,
    measured: u64,
    exhausted: bool,
    judged: bool,
    window: Window,
    /// Windows that the judge has not seen.
    closed: Vec<Window>,
}

impl Stage {
    pub(super) fn begin(number: u32, mut point: Point, start_ns: u64) -> Self {
        let measured_ns = start_ns.saturating_add(point.length.ramp_ns);
        let due_ns = match &mut point.schedule {
            Schedule::Closed { .. } => None,
            Schedule::Open { arrivals, .. } => Some(start_ns.saturating_add(arrivals.next_ns())),
        };
        Self {
            number,
            start_ns,
            measured_ns,
            end_ns: point
                .length
                .duration_ns
                .map(|duration_ns| measured_ns.saturating_add(duration_ns)),
            due_ns,
            submitted: 0,
            measured: 0,
            exhausted: false,
            judged: false,
            window: empty_window(number, 0),
            closed: Vec::new(),
            point,
        }
    }

    /// The next I/O, if one is due.
    #[inline]
    pub(super) fn next(&mut self, now_ns: u64, room_since_ns: u64) -> Option<Next> {
        let at_ns = self.due_ns.unwrap_or(now_ns);
        if self.exhausted || at_ns > now_ns {
            return None;
        }
        if self.judged || self.end_ns.is_some_and(|end_ns| at_ns >= end_ns) {
            return None;
        }
        let phase = if at_ns < self.measured_ns {
            Phase::Ramp
        } else {
            Phase::Measured
        };
        let enough = phase == Phase::Measured && self.point.length.ios.is_some_and(|ios| self.measured >= ios);
        let request = if enough { None } else { self.point.source.next() };
        let Some(request) = request else {
            self.exhausted = true;
            return None;
        };
        let due_ns = self.due_ns;
        if let Schedule::Open { arrivals, .. } = &mut self.point.schedule {
            self.due_ns = Some(self.start_ns.saturating_add(arrivals.next_ns()));
        }
        self.measured += u64::from(phase == Phase::Measured);
        self.submitted += 1;
        Some(Next {
            request,
            number: self.submitted - 1,
            phase,
            due_ns,
            ready_ns: due_ns.unwrap_or(self.start_ns).max(room_since_ns),
        })
    }

    /// When something has to be looked at even if nothing completes.
    #[inline]
    pub(super) fn wakes_ns(&self, has_room: bool) -> u64 {
        let mut wakes_ns = self.start_ns + self.window.begin_ns + WINDOW_NS;
        if has_room && !self.exhausted {
            wakes_ns = wakes_ns.min(self.due_ns.unwrap_or(u64::MAX));
        }
        wakes_ns.min(self.end_ns.unwrap_or(u64::MAX))
    }

    /// Whether it ends although its I/Os take no time.
    pub(super) fn ends_by_count(&self) -> bool {
        self.end_ns.is_none() && self.point.length.ramp_ns == 0
    }

    /// Why it is over, if it is.
    #[inline]
    pub(super) fn ending(&mut self, now_ns: u64, has_room: bool, broken: Option<Because>) -> Option<Ending> {
        let by_time = self.end_ns.is_some_and(|end_ns| now_ns >= end_ns);
        let because = match broken {
            Some(because) => because,
            None if self.judged => Because::Judged,
            // One that fell due a moment ago and has room is still submitted; what has none is left at the end.
            None if by_time && !(has_room && self.is_waiting()) => Because::AsPlanned,
            None if self.exhausted => Because::AsPlanned,
            None => return None,
        };
        Some(Ending {
            start_ns: self.start_ns,
            end_ns: now_ns,
            submitted: self.submitted,
            unsubmitted: 0,
            because,
        })
    }

    /// Whether an I/O of an open loop that is due before the end is not submitted yet.
    fn is_waiting(&self) -> bool {
        !self.exhausted
            && self
                .due_ns
                .is_some_and(|due_ns| self.end_ns.is_none_or(|end_ns| due_ns < end_ns))
    }

    /// How many of an open loop were due before it ended and found no room: they are drawn, as long as there are draws left.
    /// What remains then is what comes in the mean, from a source that is taken to go on.
    pub(super) fn left_waiting(mut self, ended_ns: u64, draws: &mut u64) -> u64 {
        let until_ns = self.end_ns.map_or(ended_ns, |end_ns| end_ns.min(ended_ns));
        let Schedule::Open { arrivals, .. } = &mut self.point.schedule else {
            return 0;
        };
        let mut waiting = 0;
        let ios_max = self.point.length.ios.unwrap_or(u64::MAX);
        while let Some(due_ns) = self.due_ns.filter(|&due_ns| due_ns < until_ns) {
            let is_measured = due_ns >= self.measured_ns;
            let enough = is_measured && self.measured >= ios_max;
            if self.exhausted || enough || self.point.source.next().is_none() {
                break;
            }
            waiting += 1;
            self.measured += u64::from(is_measured);
            if *draws == 0 {
                let mean_ios = |until_ns: u64| arrivals.mean_ios(until_ns - self.start_ns);
                let ramp = mean_ios(self.measured_ns.min(until_ns));
                let measured = (mean_ios(until_ns) - ramp).round() as u64;
                return waiting + ramp.round() as u64 + measured.min(ios_max - self.measured);
            }
            *draws -= 1;
            self.due_ns = Some(self.start_ns.saturating_add(arrivals.next_ns()));
        }
        waiting
    }

    /// Counts a completion in the window it lies in.
    #[inline]
    pub(super) fn count(&mut self, io: &Finished, sink: &mut dyn Sink) {
        let at_ns = io.completed_ns.saturating_sub(self.start_ns);
        while at_ns > self.window.begin_ns + WINDOW_NS {
            self.turn(sink);
        }
        if io.outcome == Outcome::Done {
            let of = &mut self.window.operations[io.request.operation as usize];
            of.ios += 1;
            of.bytes += u64::from(io.request.length_bytes);
            of.response_ns_sum += io.response_ns();
            of.response_ns_max = of.response_ns_max.max(io.response_ns());
        }
    }

    /// Whether a window is over that the judge has not seen.
    #[inline]
    pub(super) fn has_closed(&self, now_ns: u64) -> bool {
        !self.closed.is_empty() || now_ns.saturating_sub(self.start_ns) >= self.window.begin_ns + WINDOW_NS
    }

    /// Closes the windows that are over, and asks the judge.
    #[inline]
    pub(super) fn roll(&mut self, now_ns: u64, sink: &mut dyn Sink, judge: &mut dyn Judge) {
        let at_ns = now_ns.saturating_sub(self.start_ns);
        while at_ns >= self.window.begin_ns + WINDOW_NS {
            self.turn(sink);
        }
        for closed in self.closed.drain(..) {
            match judge.window(&closed) {
                Verdict::GoOn => {}
                Verdict::End => self.judged = true,
                Verdict::Extend { by_ns } => self.end_ns = self.end_ns.map(|end_ns| end_ns.saturating_add(by_ns)),
            }
        }
    }

    fn turn(&mut self, sink: &mut dyn Sink) {
        let end_ns = self.window.begin_ns + WINDOW_NS;
        let closed = Window { end_ns, ..self.window };
        sink.window(&closed);
        self.closed.push(closed);
        self.window = empty_window(self.number, end_ns);
    }

    /// The last window, which may be shorter.
    pub(super) fn close(&mut self, now_ns: u64, sink: &mut dyn Sink) {
        let end_ns = now_ns.saturating_sub(self.start_ns);
        if end_ns > self.window.begin_ns {
            sink.window(&Window { end_ns, ..self.window });
        }
    }
}

fn empty_window(point: u32, begin_ns: u64) -> Window {
    Window {
        point,
        begin_ns,
        end_ns: begin_ns,
        operations: [WindowOf::default(); 3],
    }
}
