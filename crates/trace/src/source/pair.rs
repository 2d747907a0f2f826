//! I/Os out of events: what began somewhere ends at the completion of the same kind at the same place.

use std::collections::{HashMap, VecDeque};

use crate::fault::TraceError;
use crate::io::{Io, Op};
use crate::store::CapturedAt;

/// Events that are kept until it is clear whether requests are issued to a driver, or enter the block layer and are never issued, as
/// those of a device made of others.
const UNDECIDED_MAX: usize = 10_000;

/// I/Os in flight at once; of more, the oldest are given without their latency.
const IN_FLIGHT_MAX: usize = 1 << 18;

/// What can happen to an I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happened {
    /// It entered the block layer.
    Queued,
    /// It was given to the driver.
    Issued,
    /// The driver gave it back, and will get it again.
    Requeued,
    /// It is done.
    Completed,
}

/// Something that happened to an I/O.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) happened: Happened,
    /// With the time of the event.
    pub(crate) io: Io,
}

/// What has begun and not yet ended.
#[derive(Default)]
pub(crate) struct Pairing {
    begins: Option<Happened>,
    undecided: Vec<Event>,
    in_flight: HashMap<(u64, Op), VecDeque<Io>>,
    count: usize,
    ends_alone: u64,
    begun_alone: u64,
}

pub(crate) type Give<'a> = dyn FnMut(Io) -> Result<(), TraceError> + 'a;

impl Pairing {
    pub(crate) fn take(&mut self, event: Event, give: &mut Give<'_>) -> Result<(), TraceError> {
        if self.begins.is_some() {
            return self.pair(event, give);
        }
        self.undecided.push(event);
        if event.happened == Happened::Issued || self.undecided.len() == UNDECIDED_MAX {
            self.decide(give)?;
        }
        Ok(())
    }

    /// Gives what has no end.
    pub(crate) fn finish(&mut self, give: &mut Give<'_>) -> Result<(), TraceError> {
        self.decide(give)?;
        let mut left: Vec<Io> = self.in_flight.drain().flat_map(|(_, ios)| ios).collect();
        left.sort_by_key(|io| (io.at_ns, io.offset_bytes, io.op));
        self.begun_alone += left.len() as u64;
        left.into_iter().try_for_each(give)
    }

    /// Where the I/Os were seen; `None` if there were none.
    pub(crate) fn captured_at(&self) -> Option<CapturedAt> {
        match self.begins? {
            Happened::Issued => Some(CapturedAt::Issue),
            _ => Some(CapturedAt::Queue),
        }
    }

    /// What has no other half. Those that only began are in the trace, without a latency.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = (&'static str, u64)> {
        [
            ("completions-without-begin", self.ends_alone),
            ("latencies-without-completion", self.begun_alone),
        ]
        .into_iter()
        .filter(|(_, count)| *count > 0)
    }

    fn decide(&mut self, give: &mut Give<'_>) -> Result<(), TraceError> {
        if self.undecided.is_empty() {
            return Ok(());
        }
        let is_issued = self.undecided.iter().any(|event| event.happened == Happened::Issued);
        self.begins = Some(if is_issued { Happened::Issued } else { Happened::Queued });
        for event in std::mem::take(&mut self.undecided) {
            self.pair(event, give)?;
        }
        Ok(())
    }

    fn pair(&mut self, event: Event, give: &mut Give<'_>) -> Result<(), TraceError> {
        let io = event.io;
        let place = (io.offset_bytes, io.op);
        match event.happened {
            Happened::Completed => match self.take_oldest(place) {
                Some(begun) => give(Io {
                    latency_ns: io
                        .at_ns
                        .zip(begun.at_ns)
                        .and_then(|(end, begin)| end.checked_sub(begin)),
                    ..begun
                })?,
                None => self.ends_alone += 1,
            },
            Happened::Requeued if self.begins == Some(Happened::Issued) => {
                self.take_oldest(place);
            }
            begun if Some(begun) == self.begins => {
                if self.count == IN_FLIGHT_MAX {
                    self.begun_alone += self.count as u64;
                    self.count = 0;
                    self.in_flight
                        .drain()
                        .flat_map(|(_, ios)| ios)
                        .try_for_each(&mut *give)?;
                }
                self.in_flight.entry(place).or_default().push_back(io);
                self.count += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn take_oldest(&mut self, place: (u64, Op)) -> Option<Io> {
        let ios = self.in_flight.get_mut(&place)?;
        let io = ios.pop_front();
        if ios.is_empty() {
            self.in_flight.remove(&place);
        }
        self.count -= usize::from(io.is_some());
        io
    }
}
