//! What readers give their I/Os to.

use std::collections::{BTreeMap, HashMap};

use super::pair::{Event, Pairing};
use super::taken::{Refused, Taken};
use crate::fault::{Fault, Problem, TraceError};
use crate::io::Io;
use crate::store::CapturedAt;

/// Streams that are told apart; those of more processes are unknown.
const STREAMS_MAX: usize = 1 << 20;

/// What is known of a source after it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Told {
    /// The device, as the source calls it; `None` if it has no I/O.
    pub device: Option<String>,
    /// Where the I/Os were seen, if the source says more than its format.
    pub captured_at: Option<CapturedAt>,
    /// Lines and records that are not in the trace, by their kind.
    pub left_out: BTreeMap<String, u64>,
    /// What the recorder lost, if it can be told.
    pub lost: Option<u64>,
    /// The size of the device, if the source tells it.
    pub device_bytes: Option<u64>,
    /// Whether its times are counted from 1970, though those of its format need not be.
    pub counts_from_1970: bool,
}

/// Takes I/Os of one device.
pub(super) struct Collector<'a> {
    give: &'a mut dyn FnMut(Io) -> Result<(), TraceError>,
    /// The device that is wanted, or the first that was met.
    device: Option<Vec<u8>>,
    is_chosen: bool,
    other: Vec<u8>,
    streams: HashMap<u64, u32>,
    left_out: BTreeMap<&'static str, u64>,
    pairing: Pairing,
    lost: Option<u64>,
    device_bytes: Option<u64>,
    captured_at: Option<CapturedAt>,
    met: bool,
    counts_from_1970: bool,
    /// Whether the first I/O has a time; all have one, or none.
    has_times: Option<bool>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(device: Option<&str>, give: &'a mut dyn FnMut(Io) -> Result<(), TraceError>) -> Self {
        Collector {
            give,
            device: device.map(|name| name.as_bytes().to_vec()),
            is_chosen: device.is_some(),
            other: Vec::new(),
            streams: HashMap::new(),
            left_out: BTreeMap::new(),
            pairing: Pairing::default(),
            lost: None,
            device_bytes: None,
            captured_at: None,
            met: false,
            counts_from_1970: false,
            has_times: None,
        }
    }

    /// Takes an I/O of a device.
    #[inline]
    pub(super) fn io(&mut self, device: &[u8], io: Io) -> Result<Taken, Refused> {
        if self.is_wanted(device)? {
            self.give(io)?;
        }
        Ok(Taken::More)
    }

    /// Takes an I/O of a source that has one device and does not name it.
    #[inline]
    pub(super) fn io_of_no_name(&mut self, io: Io) -> Result<(), Refused> {
        if !self.is_chosen {
            self.give(io)?;
        }
        Ok(())
    }

    /// Takes an I/O of a device that has two numbers.
    #[inline]
    pub(super) fn io_of_pair(&mut self, major: &[u8], minor: &[u8], io: Io) -> Result<Taken, Refused> {
        let mut name = [0; 32];
        let length = major.len() + 1 + minor.len();
        let Some(room) = name.get_mut(..length) else {
            return Err(Problem::Number.into());
        };
        room[..major.len()].copy_from_slice(major);
        room[major.len()] = b',';
        room[major.len() + 1..].copy_from_slice(minor);
        self.io(&name[..length], io)
    }

    /// Takes what happened to an I/O of a device.
    pub(super) fn event(&mut self, device: &[u8], event: Event) -> Result<(), Refused> {
        if !self.is_wanted(device)? {
            return Ok(());
        }
        if !event.io.is_possible() {
            return Err(Problem::Impossible.into());
        }
        self.pairing.take(event, &mut *self.give)?;
        Ok(())
    }

    /// Counts a line that is no I/O of a trace.
    pub(super) fn left_out(&mut self, device: &[u8], kind: &'static str) -> Result<Taken, Refused> {
        if self.is_wanted(device)? {
            self.count_left_out(kind);
        }
        Ok(Taken::More)
    }

    /// Counts what belongs to no device.
    pub(super) fn count_left_out(&mut self, kind: &'static str) {
        *self.left_out.entry(kind).or_default() += 1;
    }

    /// Counts what the recorder lost.
    pub(super) fn count_lost(&mut self, lost: u64) {
        *self.lost.get_or_insert(0) += lost;
    }

    /// The source tells how large its device is.
    pub(super) fn device_bytes(&mut self, bytes: u64) {
        self.device_bytes = Some(bytes);
    }

    /// The source tells when it began.
    pub(super) fn counts_from_1970(&mut self) {
        self.counts_from_1970 = true;
    }

    /// The source tells where its I/Os were seen.
    pub(super) fn captured_at(&mut self, place: CapturedAt) {
        self.captured_at = Some(place);
    }

    /// The number of a process.
    #[inline]
    pub(super) fn stream(&mut self, process: u64) -> Option<u32> {
        let next = self.streams.len();
        if let Some(number) = self.streams.get(&process) {
            return Some(*number);
        }
        (next < STREAMS_MAX).then(|| *self.streams.entry(process).or_insert(next as u32))
    }

    /// A line or record of a device that is not the first.
    pub(super) fn second_device(&self, at: u64) -> TraceError {
        let first = self.device.as_deref().unwrap_or_default();
        TraceError::Damaged(Fault::second_device(at, &self.other, first))
    }

    /// What is known now, after the last line.
    pub(super) fn finish(mut self) -> Result<Told, TraceError> {
        self.pairing.finish(&mut *self.give)?;
        let mut left_out: BTreeMap<String, u64> = self
            .left_out
            .into_iter()
            .map(|(kind, count)| (kind.to_owned(), count))
            .collect();
        for (kind, count) in self.pairing.left_out() {
            left_out.insert(kind.to_owned(), count);
        }
        Ok(Told {
            device: self
                .device
                .filter(|_| self.met)
                .map(|name| String::from_utf8_lossy(&name).into_owned()),
            captured_at: self.captured_at.or(self.pairing.captured_at()),
            left_out,
            lost: self.lost,
            device_bytes: self.device_bytes,
            counts_from_1970: self.counts_from_1970,
        })
    }

    #[inline]
    fn give(&mut self, io: Io) -> Result<(), Refused> {
        if !io.is_possible() {
            return Err(Problem::Impossible.into());
        }
        if *self.has_times.get_or_insert(io.at_ns.is_some()) != io.at_ns.is_some() {
            return Err(Problem::Times.into());
        }
        Ok((self.give)(io)?)
    }

    #[inline]
    fn is_wanted(&mut self, device: &[u8]) -> Result<bool, Problem> {
        match &self.device {
            Some(known) if known == device => {
                self.met = true;
                Ok(true)
            }
            Some(_) if self.is_chosen => Ok(false),
            Some(_) => {
                self.other = device.to_vec();
                Err(Problem::SecondDevice)
            }
            None => {
                self.device = Some(device.to_vec());
                self.met = true;
                Ok(true)
            }
        }
    }
}
