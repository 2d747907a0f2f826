//! What has been submitted and is not over.

use std::collections::HashMap;

use load::{Backend, Completion, Outcome};
use vdrive::Command;

use crate::done::Replayed;
use crate::list::{command, parts};
use crate::plan::Planned;

/// I/Os in flight, each in one slot of the back-end or, in parts, in several.
pub(crate) struct Flight {
    /// Whose each slot is.
    slots: Vec<Option<u64>>,
    free: Vec<u32>,
    ios: HashMap<u64, InFlight>,
    /// Parts of the last I/O that found no slot yet.
    unsent: Option<(u64, Box<dyn Iterator<Item = Command>>)>,
}

struct InFlight {
    planned: Planned,
    submitted_ns: Option<u64>,
    parts_left: u64,
    outcome: Outcome,
}

impl Flight {
    pub(crate) fn of(slots: u32) -> Self {
        Self {
            slots: vec![None; slots as usize],
            free: (0..slots).rev().collect(),
            ios: HashMap::new(),
            unsent: None,
        }
    }

    pub(crate) fn has_room(&self) -> bool {
        self.unsent.is_none() && !self.free.is_empty()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ios.is_empty()
    }

    pub(crate) fn ios(&self) -> u32 {
        self.ios.len() as u32
    }

    pub(crate) fn submit<B: Backend>(&mut self, backend: &mut B, planned: Planned) {
        let whole = command(&planned.io);
        let length_bytes_max = backend.length_bytes_max(&whole);
        let in_flight = InFlight {
            planned,
            submitted_ns: None,
            parts_left: planned.io.length_bytes.div_ceil(length_bytes_max).max(1),
            outcome: Outcome::Done,
        };
        self.ios.insert(planned.number, in_flight);
        self.unsent = Some((planned.number, Box::new(parts(whole, length_bytes_max))));
        self.go_on(backend);
    }

    /// Submits the parts for which there was no slot, as far as there are slots now.
    pub(crate) fn go_on<B: Backend>(&mut self, backend: &mut B) {
        while let Some((number, parts)) = &mut self.unsent {
            let Some(slot) = self.free.pop() else {
                return;
            };
            let (number, Some(part)) = (*number, parts.next()) else {
                self.free.push(slot);
                self.unsent = None;
                return;
            };
            let submitted_ns = backend.command(slot, &part);
            self.slots[slot as usize] = Some(number);
            if let Some(io) = self.ios.get_mut(&number) {
                io.submitted_ns.get_or_insert(submitted_ns);
            }
        }
    }

    /// The I/O whose last part that was.
    pub(crate) fn over(&mut self, completion: &Completion) -> Option<Replayed> {
        let number = self.slots[completion.slot as usize].take()?;
        self.free.push(completion.slot);
        let io = self.ios.get_mut(&number)?;
        io.parts_left -= 1;
        if completion.outcome != Outcome::Done {
            io.outcome = completion.outcome;
        }
        if io.parts_left > 0 {
            return None;
        }
        let io = self.ios.remove(&number)?;
        Some(Replayed {
            number,
            io: io.planned.io,
            due_ns: io.planned.due_ns,
            submitted_ns: io.submitted_ns?,
            completed_ns: completion.completed_ns,
            outcome: io.outcome,
        })
    }
}
