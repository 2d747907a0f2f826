//! What is done next, and when.

use std::collections::BTreeMap;

use trace::{Io, TraceError};

use crate::dependents::Dependents;
use crate::fault::CannotReplay;
use crate::pace::{Pace, Times};

/// I/Os that are read ahead of those that are over: one that would depend on nothing in flight still waits while so many before it do.
pub const AHEAD_IOS_MAX: usize = 1 << 16;

/// An I/O that can be submitted at a time.
#[derive(Clone, Copy)]
pub(crate) struct Planned {
    pub(crate) number: u64,
    pub(crate) io: Io,
    pub(crate) due_ns: u64,
}

/// What is to be done, and when.
pub(crate) struct Plan<I> {
    ios: I,
    pace: Pace,
    pub(crate) start_ns: u64,
    count: u64,
    exhausted: bool,
    times: Times,
    /// By when they are due, and in the order of the trace.
    ready: BTreeMap<(u64, u64), Io>,
    held: Dependents,
    /// Read and not over.
    ahead: usize,
}

impl<I: Iterator<Item = Result<Io, TraceError>>> Plan<I> {
    pub(crate) fn new(ios: I, pace: Pace, start_ns: u64) -> Self {
        Self {
            ios,
            pace,
            start_ns,
            count: 0,
            exhausted: false,
            times: Times::of(pace),
            ready: BTreeMap::new(),
            held: Dependents::default(),
            ahead: 0,
        }
    }

    /// Reads as far as something may be due: by time no further than the next that is not.
    pub(crate) fn read_ahead(&mut self, now_ns: u64) -> Result<(), CannotReplay> {
        while !self.exhausted && self.ahead < AHEAD_IOS_MAX && !self.knows_enough(now_ns) {
            let Some(io) = self.ios.next().transpose()? else {
                self.exhausted = true;
                break;
            };
            let number = self.count;
            self.count += 1;
            self.ahead += 1;
            self.take(number, io, now_ns)?;
        }
        Ok(())
    }

    fn knows_enough(&self, now_ns: u64) -> bool {
        match self.pace {
            Pace::Dependent => false,
            Pace::Timed | Pace::Idle { .. } => self.ready.last_key_value().is_some_and(|(key, _)| key.0 > now_ns),
            Pace::AsFast { .. } => !self.ready.is_empty(),
        }
    }

    fn take(&mut self, number: u64, io: Io, now_ns: u64) -> Result<(), CannotReplay> {
        let at_ns = io.at_ns.ok_or(CannotReplay::NoTime { number });
        let due_ns = match self.pace {
            Pace::AsFast { .. } => Some(now_ns),
            Pace::Timed | Pace::Idle { .. } => Some(self.start_ns.saturating_add(self.times.due_ns(at_ns?))),
            Pace::Dependent => {
                at_ns?;
                self.held.take(number, &io, self.start_ns)?
            }
        };
        if let Some(due_ns) = due_ns {
            self.ready.insert((due_ns, number), io);
        }
        Ok(())
    }

    /// The first that is due.
    pub(crate) fn next(&mut self, now_ns: u64) -> Option<Planned> {
        let entry = self.ready.first_entry()?;
        let (due_ns, number) = *entry.key();
        (due_ns <= now_ns).then(|| Planned {
            number,
            io: entry.remove(),
            due_ns,
        })
    }

    pub(crate) fn due_ns(&self) -> Option<u64> {
        self.ready.first_key_value().map(|(key, _)| key.0)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.exhausted && self.ahead == 0
    }

    pub(crate) fn over(&mut self, number: u64, completed_ns: u64) {
        self.ahead -= 1;
        if self.pace == Pace::Dependent {
            for (due_ns, number, io) in self.held.over(number, completed_ns) {
                self.ready.insert((due_ns, number), io);
            }
        }
    }
}
