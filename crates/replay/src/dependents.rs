//! I/Os that cannot begin yet.

use std::collections::{HashMap, HashSet};

use trace::Io;

use crate::fault::CannotReplay;
use crate::waits::Waits;

/// I/Os that wait for others.
#[derive(Default)]
pub(crate) struct Dependents {
    waits: Waits,
    /// By number, with how many it still waits for.
    held: HashMap<u64, Held>,
    /// Of each that is not over, those that wait for it.
    waited_for: HashMap<u64, Vec<u64>>,
    /// When those were over that somebody may still wait for.
    ended_ns: HashMap<u64, u64>,
    /// Those that are not over and nobody else will wait for.
    forgotten: HashSet<u64>,
}

struct Held {
    io: Io,
    think_ns: u64,
    left: usize,
    latest_ns: u64,
}

impl Dependents {
    /// When it is due, if what it waits for is over.
    pub(crate) fn take(&mut self, number: u64, io: &Io, start_ns: u64) -> Result<Option<u64>, CannotReplay> {
        let inferred = self.waits.infer(number, io).ok_or(CannotReplay::NoLatency { number })?;
        for &one in inferred.forgotten.iter() {
            if self.ended_ns.remove(&one).is_none() {
                self.forgotten.insert(one);
            }
        }
        let mut held = Held {
            io: *io,
            think_ns: inferred.after.think_ns,
            left: 0,
            latest_ns: start_ns,
        };
        for one in inferred.after.ios.iter() {
            if let Some(&ended_ns) = self.ended_ns.get(one) {
                held.latest_ns = held.latest_ns.max(ended_ns);
            } else {
                held.left += 1;
                self.waited_for.entry(*one).or_default().push(number);
            }
        }
        if held.left == 0 {
            return Ok(Some(held.latest_ns.saturating_add(held.think_ns)));
        }
        self.held.insert(number, held);
        Ok(None)
    }

    /// Those that waited for nothing else any more, and when they are due.
    pub(crate) fn over(&mut self, number: u64, completed_ns: u64) -> Vec<(u64, u64, Io)> {
        if !self.forgotten.remove(&number) {
            self.ended_ns.insert(number, completed_ns);
        }
        let mut free = Vec::new();
        for waiting in self.waited_for.remove(&number).unwrap_or_default() {
            let Some(held) = self.held.get_mut(&waiting) else {
                continue;
            };
            held.latest_ns = held.latest_ns.max(completed_ns);
            held.left -= 1;
            if held.left == 0 {
                free.push((held.latest_ns.saturating_add(held.think_ns), waiting, held.io));
                self.held.remove(&waiting);
            }
        }
        free
    }
}
