//! The loop that keeps a drive busy in virtual time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use fiolog::log::Direction;

use super::arrivals::Due;
use super::beside::Paced;
use super::offsets::{Offsets, Place, Share};
use super::result::{FinishedIo, Tally};
use super::{Action, BlockDevice, Durability, Workload, WorkloadFault, WorkloadResult};
use crate::random::{Random, mix};
use crate::{Command, Sync, VDrive};

/// Told apart from the generator of offsets, which shares the workload's seed.
const DIRECTIONS_DOMAIN: u64 = 0x6469_7265_6374_696F;

/// Completions at one instant after which a run that only time can end is given up.
const STALLED_IOS_MAX: u64 = 4_000_000;

/// I/Os that are drawn at once: as many waits for memory as a processor has under way at one time.
const AHEAD: usize = 16;

/// I/Os that found no room are drawn one by one to count them, up to so many.
const DRAWS_MAX: u64 = 10_000_000;

/// Whether a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do.
    Running,
    /// Everything issued has completed.
    Done,
}

/// How far a run goes before it looks up: whichever comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// I/Os more.
    pub ios: u64,
    /// Windows since the start.
    pub windows: u64,
}

impl Limit {
    /// Nothing but the end of the workload.
    pub const NONE: Limit = Limit {
        ios: u64::MAX,
        windows: u64::MAX,
    };

    /// That many I/Os more.
    pub fn of_ios(ios: u64) -> Self {
        Limit { ios, ..Limit::NONE }
    }
}

/// One of the workload's jobs.
#[derive(Debug)]
pub(super) struct Stream {
    offsets: Offsets,
    directions: Random,
    /// I/Os still to be issued.
    left: u64,
    /// Drawn in advance: what a device does hangs on none of its answers.
    ahead: [(Direction, u64); AHEAD],
    /// How many of them have been taken.
    taken: usize,
}

#[derive(Debug, Clone, Copy)]
struct InFlight {
    stream: u32,
    direction: Direction,
    offset_bytes: u64,
    due_ns: u64,
    submitted_ns: u64,
}

/// A workload that is being run, slice by slice.
#[derive(Debug)]
pub struct Run {
    workload: Workload,
    start_ns: u64,
    deadline_ns: u64,
    streams: Vec<Stream>,
    slots: Vec<InFlight>,
    /// Streams beside the job; in the heap their slots follow those of the job.
    paced: Vec<Paced>,
    /// Earliest completion first; slots tell equal times apart, so that the order never depends on the heap.
    completions: BinaryHeap<Reverse<(u64, u32)>>,
    /// When I/Os are due, in an open loop.
    arrivals: Option<Due>,
    /// The stream whose turn it is then.
    turn: u32,
    unsubmitted: u64,
    now_ns: u64,
    stalled_ios: u64,
    completed_ios: u64,
    tally: Tally,
}

impl Run {
    /// Prepares a workload for a device of this size; nothing is submitted yet.
    ///
    /// # Errors
    /// The workload does not fit the device.
    pub fn new(capacity_bytes: u64, start_ns: u64, workload: &Workload) -> Result<Self, WorkloadFault> {
        workload.check(capacity_bytes)?;
        let deadline_ns = workload
            .duration_ns
            .map_or(u64::MAX, |duration| start_ns.saturating_add(duration));
        let slot_count = workload.slots() as usize;
        Ok(Run {
            start_ns,
            deadline_ns,
            streams: (0..workload.jobs)
                .map(|stream| Stream::new(workload, u64::from(stream)))
                .collect(),
            slots: Vec::with_capacity(slot_count),
            paced: (0..workload.beside.len())
                .map(|number| Paced::new(workload, number, start_ns, deadline_ns))
                .collect(),
            completions: BinaryHeap::with_capacity(slot_count + workload.beside.len()),
            arrivals: workload.due(),
            turn: 0,
            unsubmitted: 0,
            now_ns: start_ns,
            stalled_ios: 0,
            completed_ios: 0,
            tally: Tally::new(start_ns, workload),
            workload: workload.clone(),
        })
    }

    /// Goes on to the limit, or to the end. It stops at a limit of windows with the first I/O past the last of them, so
    /// that where it stops depends on nothing but the workload.
    ///
    /// # Errors
    /// No time passes on the device and nothing else ends the workload.
    pub fn advance<D: BlockDevice>(&mut self, device: &mut D, limit: Limit) -> Result<Progress, WorkloadFault> {
        if self.slots.is_empty() {
            self.fill_slots(device);
        }
        for _ in 0..limit.ios {
            if self.windows_done() >= limit.windows {
                return Ok(Progress::Running);
            }
            let Some(&Reverse((completed_ns, slot))) = self.completions.peek() else {
                return Ok(Progress::Done);
            };
            let next = match self.slots.get(slot as usize) {
                Some(&InFlight { stream, .. }) => {
                    self.complete(completed_ns, slot)?;
                    self.issue(device, stream, slot)
                }
                None => self.go_on_beside(device, completed_ns, slot as usize - self.slots.len()),
            };
            match (self.completions.peek_mut(), next) {
                (Some(mut top), Some(next_ns)) => *top = Reverse((next_ns, slot)),
                (Some(top), None) => {
                    PeekMut::pop(top);
                }
                (None, _) => return Ok(Progress::Done),
            }
        }
        Ok(Progress::Running)
    }

    /// The same on a virtual drive: compiled with this crate, whose code is optimised in every build.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub fn advance_drive(&mut self, drive: &mut VDrive, limit: Limit) -> Result<Progress, WorkloadFault> {
        self.advance(drive, limit)
    }

    /// Issues nothing more: the run is done when what is in flight has completed, and its result is a result like any other.
    pub fn stop(&mut self) {
        self.deadline_ns = self.now_ns;
    }

    /// Windows since the start to which nothing will be added.
    #[inline]
    pub fn windows_done(&self) -> u64 {
        self.tally.windows_done()
    }

    /// I/Os of all directions in each finished window from the given one on.
    pub fn ios_of_windows(&self, from: u64) -> Vec<u64> {
        self.tally.ios_of_windows(from)
    }

    /// Virtual time reached.
    pub fn now_ns(&self) -> u64 {
        self.now_ns
    }

    /// Share of the workload that is done, 0 to 1: of the amount or of the time, whichever is further.
    pub fn share_done(&self) -> f64 {
        let of = |done: u64, all: u64| {
            if all == 0 {
                0.0
            } else {
                (done as f64 / all as f64).min(1.0)
            }
        };
        let ios = self
            .workload
            .amount_bytes
            .map_or(0.0, |bytes| of(self.completed_ios, bytes / self.workload.block_bytes));
        let time = match self.workload.duration_ns {
            Some(_) => of(self.now_ns - self.start_ns, self.deadline_ns - self.start_ns),
            None => 0.0,
        };
        ios.max(time)
    }

    /// What was counted.
    pub fn finish(mut self) -> WorkloadResult {
        self.count_waiting();
        WorkloadResult {
            unsubmitted: self.unsubmitted,
            ..self.tally.finish(self.now_ns)
        }
    }

    /// Counts what else was due before the end; beyond so many draws, what comes in the mean.
    fn count_waiting(&mut self) {
        if self.deadline_ns == u64::MAX {
            return;
        }
        for _ in 0..DRAWS_MAX {
            match self.next_arrival() {
                Some((_, due_ns)) if due_ns < self.deadline_ns => self.unsubmitted += 1,
                _ => return,
            }
        }
        let after_start_ns = self.deadline_ns - self.start_ns;
        self.unsubmitted += self
            .arrivals
            .as_ref()
            .map_or(0, |arrivals| arrivals.mean_ios(after_start_ns).round() as u64);
    }

    fn fill_slots<D: BlockDevice>(&mut self, device: &mut D) {
        for slot in 0..self.workload.slots() as u32 {
            let stream = slot % self.workload.jobs;
            let empty = InFlight {
                stream,
                direction: Direction::Read,
                offset_bytes: 0,
                due_ns: 0,
                submitted_ns: 0,
            };
            self.slots.push(empty);
            if let Some(completed_ns) = self.issue(device, stream, slot) {
                self.completions.push(Reverse((completed_ns, slot)));
            }
        }
        let after = self.slots.len()..self.slots.len() + self.paced.len();
        self.completions
            .extend(after.map(|slot| Reverse((self.start_ns, slot as u32))));
    }

    #[cold]
    fn go_on_beside<D: BlockDevice>(&mut self, device: &mut D, now_ns: u64, number: usize) -> Option<u64> {
        self.now_ns = now_ns;
        self.paced[number].go_on(device, now_ns, &mut self.tally)
    }

    #[inline]
    fn complete(&mut self, completed_ns: u64, slot: u32) -> Result<(), WorkloadFault> {
        let InFlight {
            direction,
            offset_bytes,
            due_ns,
            submitted_ns,
            ..
        } = self.slots[slot as usize];
        self.tally.count(FinishedIo {
            direction,
            offset_bytes,
            due_ns,
            submitted_ns,
            completed_ns,
        });
        self.completed_ios += 1;
        self.stalled_ios = if completed_ns == self.now_ns {
            self.stalled_ios + 1
        } else {
            0
        };
        self.now_ns = completed_ns;
        if self.stalled_ios > STALLED_IOS_MAX && self.workload.amount_bytes.is_none() {
            let message = "no time passes on this drive, so a duration never ends: give an amount".to_owned();
            return Err(WorkloadFault {
                field: "duration_ns",
                message,
            });
        }
        Ok(())
    }

    /// Submits the next I/O into a free slot: when it will complete, or `None` if nothing more is to be issued.
    #[inline]
    fn issue<D: BlockDevice>(&mut self, device: &mut D, stream: u32, slot: u32) -> Option<u64> {
        let (stream, due_ns) = match self.arrivals {
            None => (stream, self.now_ns),
            Some(_) => self.next_arrival()?,
        };
        let submitted_ns = due_ns.max(self.now_ns);
        let job = &mut self.streams[stream as usize];
        if submitted_ns >= self.deadline_ns || job.left == 0 {
            self.unsubmitted += u64::from(due_ns < self.deadline_ns && self.arrivals.is_some());
            return None;
        }
        let (direction, offset_bytes) = job.next(&self.workload, |ahead| device.expect(ahead))?;
        match device.submit(submitted_ns, command(&self.workload, direction, offset_bytes)) {
            Ok(completed_ns) => {
                self.slots[slot as usize] = InFlight {
                    stream,
                    direction,
                    offset_bytes,
                    due_ns,
                    submitted_ns,
                };
                Some(completed_ns.max(submitted_ns))
            }
            Err(rejected) => {
                self.tally.count_error(direction, rejected);
                job.left = 0;
                None
            }
        }
    }

    /// The stream and the time of the next I/O that is due. Streams take turns; one that has ended is passed over.
    fn next_arrival(&mut self) -> Option<(u32, u64)> {
        let jobs = self.workload.jobs;
        let stream = (0..jobs)
            .map(|after| (self.turn + after) % jobs)
            .find(|&stream| self.streams[stream as usize].left > 0)?;
        let due_ns = self.start_ns.saturating_add(self.arrivals.as_mut()?.next_ns());
        self.turn = (stream + 1) % jobs;
        Some((stream, due_ns))
    }
}

impl Stream {
    pub(super) fn new(workload: &Workload, stream: u64) -> Self {
        Stream {
            offsets: Offsets::new(workload, stream),
            directions: Random::new(mix(workload.seed ^ DIRECTIONS_DOMAIN).wrapping_add(stream)),
            left: workload
                .ios()
                .map_or(u64::MAX, |ios| ios_of_stream(ios, workload, stream)),
            ahead: [(Direction::Read, 0); AHEAD],
            taken: AHEAD,
        }
    }

    /// What it does next, and where; `None` if that was all. Every few I/Os `expect` is told of all that are next.
    #[inline]
    pub(super) fn next(
        &mut self,
        workload: &Workload,
        expect: impl FnOnce(&[(Direction, u64)]),
    ) -> Option<(Direction, u64)> {
        self.left = self.left.checked_sub(1)?;
        if self.taken == AHEAD {
            self.ahead = std::array::from_fn(|_| self.draw(workload));
            self.taken = 0;
            expect(&self.ahead);
        }
        self.taken += 1;
        Some(self.ahead[self.taken - 1])
    }

    #[inline]
    fn draw(&mut self, workload: &Workload) -> (Direction, u64) {
        let direction = self.next_direction(workload);
        let place = if direction == Direction::Write {
            Place::OfWrites
        } else {
            Place::OfReads
        };
        (direction, self.offsets.next_bytes(place))
    }

    #[inline]
    fn next_direction(&mut self, workload: &Workload) -> Direction {
        match (workload.action, workload.read_percent) {
            (Action::Trim, _) => Direction::Trim,
            (Action::ReadWrite, 0) => Direction::Write,
            (Action::ReadWrite, 100) => Direction::Read,
            (Action::ReadWrite, percent) if self.directions.below(100) < u64::from(percent) => Direction::Read,
            (Action::ReadWrite, _) => Direction::Write,
        }
    }
}

/// A stream's part of all I/Os: whole passes by its share of the region, so that each covers the region once, and an even
/// part of what is left.
fn ios_of_stream(ios: u64, workload: &Workload, stream: u64) -> u64 {
    let (blocks, jobs) = (workload.blocks(), u64::from(workload.jobs));
    (ios / blocks) * Share::of(blocks, stream, jobs).length + Share::of(ios % blocks, stream, jobs).length
}

#[inline]
fn command(workload: &Workload, direction: Direction, offset_bytes: u64) -> Command {
    let length_bytes = workload.block_bytes;
    match (direction, workload.sync) {
        (Direction::Read, _) => Command::Read {
            offset_bytes,
            length_bytes,
        },
        (Direction::Write, Durability::None) => Command::Write {
            offset_bytes,
            length_bytes,
            sync: Sync::Buffered,
        },
        (Direction::Write, Durability::Sync) => Command::Write {
            offset_bytes,
            length_bytes,
            sync: Sync::Fua,
        },
        (Direction::Trim, _) => Command::Trim {
            offset_bytes,
            length_bytes,
        },
    }
}
