//! I/Os of a drive out of the pages of several ring buffers.

use std::collections::HashMap;

use super::event::request;
use super::layout::{EventLayout, PageLayout};
use super::page;
use crate::fault::{Fault, Problem, TraceError};
use crate::io::Io;
use crate::source::pair::{Event, Happened, Pairing};

/// Processes that are told apart; those of more are unknown.
const STREAMS_MAX: usize = 1 << 20;

/// Takes pages and gives I/Os, in the order of their ends.
pub struct KernelEvents {
    page: PageLayout,
    layouts: Vec<EventLayout>,
    device: u64,
    /// With their times; in the order of no clock but each buffer's.
    waiting: Vec<(u64, Event)>,
    pairing: Pairing,
    streams: HashMap<u64, u32>,
    pages: u64,
}

impl KernelEvents {
    /// Of the drive with this number, as the kernel has it within: the major one times 2^20, and the minor one.
    pub fn new(page: PageLayout, layouts: Vec<EventLayout>, device: u64) -> Self {
        KernelEvents {
            page,
            layouts,
            device,
            waiting: Vec::new(),
            pairing: Pairing::default(),
            streams: HashMap::new(),
            pages: 0,
        }
    }

    /// Bytes that are read at once.
    pub fn page_bytes(&self) -> usize {
        self.page.page_bytes()
    }

    /// Takes a page of any of the buffers; the time of its last event.
    ///
    /// # Errors
    /// It is damaged, and told by its number.
    pub fn take_page(&mut self, page: &[u8]) -> Result<u64, Fault> {
        self.pages += 1;
        let KernelEvents {
            layouts,
            device,
            waiting,
            streams,
            ..
        } = self;
        let take = |at_ns: u64, bytes: &[u8]| {
            if let Some((event, pid)) = request(layouts, *device, at_ns, bytes)? {
                waiting.push((at_ns, numbered(event, pid, streams)));
            }
            Ok::<(), Problem>(())
        };
        page::events(&self.page, page, take).map_err(|problem| Fault::new(self.pages, problem, b""))
    }

    /// Gives what ended up to a time before which no page has anything more to tell.
    ///
    /// # Errors
    /// What `give` says.
    pub fn settle(
        &mut self,
        until_ns: u64,
        give: &mut dyn FnMut(Io) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        self.waiting.sort_by_key(|(at_ns, _)| *at_ns);
        let settled = self.waiting.partition_point(|(at_ns, _)| *at_ns <= until_ns);
        for (_, event) in self.waiting.drain(..settled) {
            self.pairing.take(event, give)?;
        }
        Ok(())
    }

    /// Gives the rest; what has no end yet has no latency.
    ///
    /// # Errors
    /// What `give` says.
    pub fn finish(&mut self, give: &mut dyn FnMut(Io) -> Result<(), TraceError>) -> Result<(), TraceError> {
        self.settle(u64::MAX, give)?;
        self.pairing.finish(give)
    }
}

fn numbered(event: Event, pid: u64, streams: &mut HashMap<u64, u32>) -> Event {
    if event.happened == Happened::Completed {
        return event;
    }
    let next = streams.len();
    let stream = match streams.get(&pid) {
        Some(number) => Some(*number),
        None => (next < STREAMS_MAX).then(|| *streams.entry(pid).or_insert(next as u32)),
    };
    Event {
        io: Io { stream, ..event.io },
        ..event
    }
}
