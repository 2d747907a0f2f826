//! I/Os that cannot begin yet.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use trace::Io;

use crate::fault::CannotReplay;
use crate::waits::Waits;

/// I/Os that wait for others. Those of a burst wait for the same, which is kept once for all of them: their number may be that of what they
/// wait for.
#[derive(Default)]
pub(crate) struct Dependents {
    waits: Waits,
    /// Of each stream, what its next I/O waits for if nothing else is over by then.
    latest: HashMap<Option<u32>, SharedSet>,
    /// Of each that is not over and is waited for, where it belongs; no I/O belongs to two sets.
    set_of: HashMap<u64, SharedSet>,
    /// When those were over that belong to no set yet.
    ended_ns: HashMap<u64, u64>,
}

type SharedSet = Rc<RefCell<Set>>;

/// I/Os that are waited for together.
struct Set {
    ios: Rc<[u64]>,
    /// How many of them are not over.
    left: usize,
    /// When the last of the others was.
    latest_ns: u64,
    waiting: Vec<Held>,
}

struct Held {
    number: u64,
    io: Io,
    think_ns: u64,
}

impl Set {
    fn due_ns(&self, think_ns: u64) -> u64 {
        self.latest_ns.saturating_add(think_ns)
    }
}

impl Dependents {
    /// When it is due, if what it waits for is over.
    pub(crate) fn take(&mut self, number: u64, io: &Io, start_ns: u64) -> Result<Option<u64>, CannotReplay> {
        let after = self.waits.next(number, io).ok_or(CannotReplay::NoLatency { number })?;
        let think_ns = after.think_ns;
        let shared = self.set(io.stream, &after.ios, start_ns);
        let mut set = shared.borrow_mut();
        if set.left == 0 {
            return Ok(Some(set.due_ns(think_ns)));
        }
        let io = *io;
        set.waiting.push(Held { number, io, think_ns });
        Ok(None)
    }

    fn set(&mut self, stream: Option<u32>, ios: &Rc<[u64]>, start_ns: u64) -> SharedSet {
        if let Some(latest) = self.latest.get(&stream)
            && Rc::ptr_eq(&latest.borrow().ios, ios)
        {
            return Rc::clone(latest);
        }
        let mut set = Set {
            ios: Rc::clone(ios),
            left: 0,
            latest_ns: start_ns,
            waiting: Vec::new(),
        };
        let mut left = Vec::new();
        for &one in ios.iter() {
            match self.ended_ns.remove(&one) {
                Some(ended_ns) => set.latest_ns = set.latest_ns.max(ended_ns),
                None => left.push(one),
            }
        }
        set.left = left.len();
        let set = Rc::new(RefCell::new(set));
        self.set_of.extend(left.into_iter().map(|one| (one, Rc::clone(&set))));
        self.latest.insert(stream, Rc::clone(&set));
        set
    }

    /// Those that waited for nothing else any more, and when they are due.
    pub(crate) fn over(&mut self, number: u64, completed_ns: u64) -> Vec<(u64, u64, Io)> {
        let Some(shared) = self.set_of.remove(&number) else {
            self.ended_ns.insert(number, completed_ns);
            return Vec::new();
        };
        let mut set = shared.borrow_mut();
        set.latest_ns = set.latest_ns.max(completed_ns);
        set.left -= 1;
        if set.left > 0 {
            return Vec::new();
        }
        let waiting = std::mem::take(&mut set.waiting);
        let free = |held: Held| (set.due_ns(held.think_ns), held.number, held.io);
        waiting.into_iter().map(free).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Op;

    fn io(at_ns: u64, latency_ns: u64) -> Io {
        Io {
            at_ns: Some(at_ns),
            latency_ns: Some(latency_ns),
            ..Io::new(Op::Read, 0, 4096)
        }
    }

    #[test]
    fn a_burst_after_a_burst_is_kept_once_and_freed_by_the_last_it_waits_for() {
        const EACH: u64 = 5000;
        let mut dependents = Dependents::default();
        for number in 0..EACH {
            assert_eq!(dependents.take(number, &io(0, 10), 0).unwrap(), Some(0));
        }
        for number in EACH..2 * EACH {
            assert_eq!(dependents.take(number, &io(15, 10), 0).unwrap(), None);
        }
        assert_eq!((dependents.latest.len(), dependents.set_of.len()), (1, EACH as usize));
        for number in 0..EACH - 1 {
            assert!(dependents.over(number, 100 + number).is_empty());
        }
        let free = dependents.over(EACH - 1, 7000);
        assert_eq!(free.len(), EACH as usize);
        assert!(free.iter().all(|(due_ns, ..)| *due_ns == 7005));
        assert_eq!(dependents.take(2 * EACH, &io(15, 10), 0).unwrap(), Some(7005));
        assert!(dependents.set_of.is_empty() && dependents.ended_ns.is_empty());
    }

    #[test]
    fn one_that_waits_for_what_was_over_before_is_due_after_the_last_of_them() {
        let mut dependents = Dependents::default();
        for number in 0..2 {
            dependents.take(number, &io(0, 10), 0).unwrap();
            assert!(dependents.over(number, 40 + number).is_empty());
        }
        assert_eq!(dependents.take(2, &io(12, 10), 0).unwrap(), Some(43));
        assert!(dependents.ended_ns.is_empty());
    }
}
