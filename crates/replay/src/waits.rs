//! What each I/O waited for, inferred from when the others were over.
//!
//! Whoever submits an I/O that depends on others does so when the last of them is over, or after some thought. So an I/O is taken to have
//! waited for all I/Os of its stream that completed since the arrival before it in that stream; where none did, it belongs to a burst, and
//! waited for the same as the one before it. What completed earlier was waited for by those between. Of a single thread that is its
//! previous I/O; of a loop that keeps several in flight, the one whose completion made room; of bursts, the whole burst before.
//! Where a trace does not tell streams, all of it is one: threads that think look as if they waited for each other.
//!
//! The idea of replaying a partial order found from times alone is that of Haghdoost, He, Fredin and Du, "hfplayer: Scalable replay for
//! intensive block I/O workloads", ACM Transactions on Storage 13(4), 2017; the rule is our own.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use trace::Io;

/// What an I/O waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct After {
    /// Numbers of the I/Os, the same slice for all that waited for the same; none waits from the start.
    pub ios: Rc<[u64]>,
    /// From the last completion of these, or from the start, to its arrival.
    pub think_ns: u64,
}

/// Infers it for I/Os in the order of their arrival, in memory for what is in flight.
#[derive(Default)]
pub struct Waits {
    streams: HashMap<Option<u32>, Stream>,
}

#[derive(Default)]
struct Stream {
    in_flight: BinaryHeap<Reverse<(u64, u64)>>,
    last: Rc<[u64]>,
    last_completed_ns: u64,
}

impl Waits {
    /// What the next I/O waited for; `None` if its arrival or its latency is not known.
    pub fn next(&mut self, number: u64, io: &Io) -> Option<After> {
        let (at_ns, latency_ns) = (io.at_ns?, io.latency_ns?);
        let stream = self.streams.entry(io.stream).or_default();
        let mut completed = Vec::new();
        let mut completed_ns = 0;
        while let Some(&Reverse((done_ns, done))) = stream.in_flight.peek() {
            if done_ns > at_ns {
                break;
            }
            stream.in_flight.pop();
            completed.push(done);
            completed_ns = done_ns;
        }
        if !completed.is_empty() {
            stream.last = completed.into();
            stream.last_completed_ns = completed_ns;
        }
        stream
            .in_flight
            .push(Reverse((at_ns.saturating_add(latency_ns), number)));
        Some(After {
            ios: Rc::clone(&stream.last),
            think_ns: at_ns - stream.last_completed_ns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use trace::Op;

    /// What each of these waited for; each is (arrival, latency, stream).
    fn inferred(ios: &[(u64, u64, u32)]) -> Vec<(Vec<u64>, u64)> {
        let mut waits = Waits::default();
        let found = ios.iter().zip(0..).map(|(&(at_ns, latency_ns, stream), number)| {
            let io = Io {
                at_ns: Some(at_ns),
                latency_ns: Some(latency_ns),
                stream: Some(stream),
                ..Io::new(Op::Read, 0, 4096)
            };
            let after = waits.next(number, &io).unwrap();
            (after.ios.to_vec(), after.think_ns)
        });
        found.collect()
    }

    #[test]
    fn one_after_the_other_waits_for_the_one_before_and_thinks() {
        let found = inferred(&[(0, 10, 0), (15, 10, 0), (25, 10, 0)]);
        assert_eq!(found, [(vec![], 0), (vec![0], 5), (vec![1], 0)]);
    }

    #[test]
    fn a_burst_waits_for_the_whole_burst_before_it() {
        let found = inferred(&[(0, 10, 0), (1, 14, 0), (20, 5, 0), (21, 9, 0)]);
        assert_eq!(found, [(vec![], 0), (vec![], 1), (vec![0, 1], 5), (vec![0, 1], 6)]);
    }

    #[test]
    fn a_loop_with_several_in_flight_waits_for_what_made_room() {
        let found = inferred(&[(0, 10, 0), (0, 30, 0), (10, 10, 0), (20, 15, 0), (30, 9, 0)]);
        let waited: Vec<_> = found.into_iter().map(|(ios, _)| ios).collect();
        assert_eq!(waited, [vec![], vec![], vec![0], vec![2], vec![1]]);
    }

    #[test]
    fn streams_know_nothing_of_each_other() {
        let found = inferred(&[(0, 10, 0), (2, 3, 1), (12, 1, 1), (15, 10, 0)]);
        assert_eq!(found, [(vec![], 0), (vec![], 2), (vec![1], 7), (vec![0], 5)]);
    }

    #[test]
    fn without_a_latency_nothing_is_said() {
        let io = Io {
            at_ns: Some(0),
            ..Io::new(Op::Read, 0, 4096)
        };
        assert_eq!(Waits::default().next(0, &io), None);
    }
}
