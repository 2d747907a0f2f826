//! Readers of what others record.
//!
//! A reader takes one line or record at a time and gives I/Os, or events of which I/Os are made, to a [`collect::Collector`], which
//! knows the devices, numbers the streams, and leaves what follows to whoever wants the I/Os.

mod blkparse;
mod blktrace;
mod btrecord;
mod collect;
mod columns;
mod detect;
mod etw;
mod fields;
mod filled;
mod import;
mod iolog;
mod lines;
pub(crate) mod pair;
mod recording;
mod taken;
mod tectonic;

use std::io::Read;

use crate::fault::TraceError;
use crate::io::Io;
use crate::store::CapturedAt;
use collect::Collector;

pub use collect::Told;
pub use detect::detect;
pub use import::{Failed, Import, import};

/// A format of recorded I/Os.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// fio's `write_iolog`, versions 2 and 3.
    FioIolog,
    /// What `blkparse` prints.
    Blkparse,
    /// What `blktrace` writes, and `blkparse -d`.
    Blktrace,
    /// Microsoft Research, Cambridge.
    MsrCambridge,
    /// Traces of the SYSTOR '17 paper on a virtual desktop's storage.
    Systor17,
    /// Alibaba's block traces.
    Alibaba,
    /// Tencent's cloud block storage.
    Tencent,
    /// Florida International University.
    Fiu,
    /// The Storage Performance Council's, as published by the University of Massachusetts.
    Spc,
    /// What `btrecord` makes of the kernel's records.
    Btrecord,
    /// Meta's file system Tectonic.
    Tectonic,
    /// Events of Windows as `xperf -a dumper` prints them.
    Etw,
    /// What our own server of virtual drives writes down, and `ssdlab trace record` meanwhile.
    Recording,
}

impl Format {
    /// Each of them.
    pub const ALL: [Format; 13] = [
        Format::FioIolog,
        Format::Blkparse,
        Format::Blktrace,
        Format::MsrCambridge,
        Format::Systor17,
        Format::Alibaba,
        Format::Tencent,
        Format::Fiu,
        Format::Spc,
        Format::Btrecord,
        Format::Tectonic,
        Format::Etw,
        Format::Recording,
    ];

    /// What it is called on the command line and in a trace.
    pub fn name(self) -> &'static str {
        match self {
            Format::FioIolog => "fio-iolog",
            Format::Blkparse => "blkparse",
            Format::Blktrace => "blktrace",
            Format::MsrCambridge => "msr-cambridge",
            Format::Systor17 => "systor17",
            Format::Alibaba => "alibaba",
            Format::Tencent => "tencent",
            Format::Fiu => "fiu",
            Format::Spc => "spc",
            Format::Btrecord => "btrecord",
            Format::Tectonic => "tectonic",
            Format::Etw => "etw-csv",
            Format::Recording => "ssdlab-recording",
        }
    }

    /// The finest difference of time that it tells.
    fn time_resolution_ns(self) -> u64 {
        match self {
            Format::Blkparse | Format::Blktrace | Format::Fiu | Format::Recording => 1,
            Format::MsrCambridge => 100,
            Format::FioIolog | Format::Systor17 | Format::Alibaba | Format::Spc | Format::Tectonic | Format::Etw => {
                1_000
            }
            Format::Btrecord => btrecord::BUNCH_NS,
            Format::Tencent => 1_000_000_000,
        }
    }

    /// Whether its times are counted from 1970 (those of [`Format::MsrCambridge`] are made so).
    fn knows_date(self) -> bool {
        matches!(
            self,
            Format::MsrCambridge
                | Format::Systor17
                | Format::Alibaba
                | Format::Tencent
                | Format::Tectonic
                | Format::Recording
        )
    }

    /// Where its I/Os were seen, as far as the format alone says it.
    fn captured_at(self) -> CapturedAt {
        match self {
            Format::FioIolog => CapturedAt::Application,
            Format::Recording => CapturedAt::Device,
            Format::Btrecord => CapturedAt::Queue,
            _ => CapturedAt::Unknown,
        }
    }
}

/// Reads one source and gives its I/Os in the order of the source, those of events in the order of their ends.
///
/// # Errors
/// The source is damaged or cannot be read, or `give` says no.
pub fn read_source(
    source: &mut dyn Read,
    format: Format,
    device: Option<&str>,
    give: &mut dyn FnMut(Io) -> Result<(), TraceError>,
) -> Result<Told, TraceError> {
    let mut collector = Collector::new(device, give);
    read_into(source, format, &mut collector)?;
    collector.finish()
}

fn read_into(source: &mut dyn Read, format: Format, collector: &mut Collector<'_>) -> Result<(), TraceError> {
    match format {
        Format::FioIolog => lines::read(source, &mut iolog::Iolog::default(), collector),
        Format::Blkparse => lines::read(source, &mut blkparse::Blkparse, collector),
        Format::Blktrace => blktrace::read(&mut [source], collector).map_err(|(_, error)| error),
        Format::MsrCambridge => lines::read(source, &mut columns::MsrCambridge, collector),
        Format::Systor17 => lines::read(source, &mut columns::Systor17, collector),
        Format::Alibaba => lines::read(source, &mut columns::Alibaba, collector),
        Format::Tencent => lines::read(source, &mut columns::Tencent, collector),
        Format::Fiu => lines::read(source, &mut columns::Fiu, collector),
        Format::Spc => lines::read(source, &mut columns::Spc, collector),
        Format::Btrecord => btrecord::read(source, collector),
        Format::Tectonic => lines::read(source, &mut tectonic::Tectonic::default(), collector),
        Format::Etw => lines::read(source, &mut etw::Etw::default(), collector),
        Format::Recording => recording::read(source, collector),
    }
}

#[cfg(test)]
mod tests;
