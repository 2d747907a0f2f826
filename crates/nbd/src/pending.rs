//! Requests that the drive has accepted and whose completion time has not come yet.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::wire::Errno;
use crate::wire::request::{ExtentLimit, Range};

/// Most requests of one connection that wait at the same time; the socket is not read while there are as many.
pub const PENDING_MAX: usize = 4096;

/// What the reply to a request will hold. Payload and extents are looked up when the reply is due, so that a waiting
/// request costs no memory beyond its entry here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Success, nothing more.
    Done,
    /// The payload of a range.
    Payload(Range),
    /// What is stored in a range.
    Extents(Range, ExtentLimit),
    /// A refusal.
    Refused(Errno),
}

/// Whose time a reply keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// The drive decided the moment; lateness counts.
    Drive,
    /// The server answers by itself at once.
    Server,
}

/// A reply in waiting.
#[derive(Clone, Copy, Debug)]
pub struct Reply {
    /// When the client may have it, in nanoseconds of the drive's clock.
    pub due_ns: u64,
    /// Who decided `due_ns`.
    pub timing: Timing,
    /// The request's name.
    pub cookie: u64,
    /// What it says.
    pub answer: Answer,
}

/// A queue ordered by due time; replies that are due at the same time leave in the order of their requests.
#[derive(Debug, Default)]
pub struct Pending {
    heap: BinaryHeap<Entry>,
    accepted: u64,
}

#[derive(Debug)]
struct Entry {
    sequence: u64,
    reply: Reply,
}

impl Pending {
    /// Adds a reply.
    pub fn push(&mut self, reply: Reply) {
        self.heap.push(Entry {
            sequence: self.accepted,
            reply,
        });
        self.accepted += 1;
    }

    /// Takes the next reply that is due at `now_ns`.
    pub fn pop_due(&mut self, now_ns: u64) -> Option<Reply> {
        let due = self.next_due_ns().is_some_and(|due_ns| due_ns <= now_ns);
        if due {
            self.heap.pop().map(|entry| entry.reply)
        } else {
            None
        }
    }

    /// When the next reply is due.
    pub fn next_due_ns(&self) -> Option<u64> {
        self.heap.peek().map(|entry| entry.reply.due_ns)
    }

    /// Whether no further request may be accepted.
    pub fn is_full(&self) -> bool {
        self.heap.len() >= PENDING_MAX
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
}

impl Ord for Entry {
    /// Reversed, because the heap gives its greatest entry first.
    fn cmp(&self, other: &Self) -> Ordering {
        (other.reply.due_ns, other.sequence).cmp(&(self.reply.due_ns, self.sequence))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn reply(due_ns: u64, cookie: u64) -> Reply {
        Reply {
            due_ns,
            timing: Timing::Drive,
            cookie,
            answer: Answer::Done,
        }
    }

    #[test]
    fn nothing_leaves_early() {
        let mut pending = Pending::default();
        pending.push(reply(100, 1));
        assert!(pending.pop_due(99).is_none());
        assert_eq!(pending.pop_due(100).map(|reply| reply.cookie), Some(1));
        assert!(pending.is_empty());
    }

    #[test]
    fn is_full_at_the_limit() {
        let mut pending = Pending::default();
        (0..PENDING_MAX as u64).for_each(|cookie| pending.push(reply(0, cookie)));
        assert!(pending.is_full());
        pending.pop_due(0);
        assert!(!pending.is_full());
    }

    proptest! {
        #[test]
        fn leaves_by_due_time_then_by_arrival(due in proptest::collection::vec(0..8_u64, 0..100)) {
            let mut pending = Pending::default();
            due.iter().zip(0..).for_each(|(&due_ns, cookie)| pending.push(reply(due_ns, cookie)));
            let mut expected: Vec<(u64, u64)> = due.iter().copied().zip(0..).collect();
            expected.sort_unstable();
            let left: Vec<_> = std::iter::from_fn(|| pending.pop_due(u64::MAX)).collect();
            let left: Vec<_> = left.into_iter().map(|reply| (reply.due_ns, reply.cookie)).collect();
            prop_assert_eq!(left, expected);
        }
    }
}
