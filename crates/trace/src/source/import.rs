//! A trace out of files of others.

use std::io::{Read, Write};

use super::collect::{Collector, Told};
use super::{Format, blktrace, read_into};
use crate::fault::TraceError;
use crate::io::Io;
use crate::sort::Sorter;
use crate::store::{Meta, SourceFile, TraceWriter, VERSION};

/// I/Os between two questions whether to go on.
const ASKED_EVERY: u64 = 1 << 16;

/// What an import was told.
pub struct Import<'a> {
    /// The format of all files.
    pub format: Format,
    /// The device whose I/Os are wanted, where a source has several.
    pub device: Option<&'a str>,
    /// Its size, if somebody knows it.
    pub device_bytes: Option<u64>,
    /// Under what the trace may be shared.
    pub licence: Option<String>,
    /// The files as they lie there.
    pub files: Vec<SourceFile>,
}

/// Which source was read, and why that came to an end. [`TraceError::Unwritten`] and [`TraceError::Unsorted`] are of no source.
pub type Failed = (usize, TraceError);

/// Reads the sources and writes a trace; how many I/Os it has, and what is to be known of it.
///
/// # Errors
/// A source is damaged, the trace cannot be written, or `keep_going` says no; with the index of the source.
pub fn import<W: Write + Send>(
    sources: &mut [&mut dyn Read],
    told: &Import<'_>,
    out: W,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(u64, Meta), Failed> {
    let mut sorter = Sorter::new();
    let mut taken = 0_u64;
    let mut give = |io: Io| {
        taken += 1;
        if taken.is_multiple_of(ASKED_EVERY) && !keep_going() {
            return Err(TraceError::Stopped);
        }
        sorter.push(io)
    };
    let known = read_all(sources, told, &mut give)?;
    let write = || {
        let mut writer = TraceWriter::new(out)?;
        let (mut ios, mut first_ns, mut has_times) = (0_u64, None, false);
        sorter.finish(|io| {
            let from_ns = *first_ns.get_or_insert(io.at_ns.unwrap_or(0));
            has_times |= io.at_ns.is_some();
            ios += 1;
            if ios.is_multiple_of(ASKED_EVERY) && !keep_going() {
                return Err(TraceError::Stopped);
            }
            writer.push(Io {
                at_ns: io.at_ns.map(|at_ns| at_ns - from_ns),
                ..io
            })
        })?;
        let meta = Meta {
            version: VERSION,
            format: told.format.name().to_owned(),
            files: told.files.clone(),
            device: known.device,
            device_bytes: told.device_bytes.or(known.device_bytes),
            captured_at: known.captured_at.unwrap_or(told.format.captured_at()),
            time_resolution_ns: has_times.then_some(told.format.time_resolution_ns()),
            started_unix_ns: first_ns.filter(|_| has_times && (told.format.knows_date() || known.counts_from_1970)),
            lost: known.lost,
            left_out: known.left_out,
            licence: told.licence.clone(),
            anonymised: None,
        };
        writer.finish(&meta)?;
        Ok((ios, meta))
    };
    write().map_err(|error| (0, error))
}

fn read_all(
    sources: &mut [&mut dyn Read],
    told: &Import<'_>,
    give: &mut dyn FnMut(Io) -> Result<(), TraceError>,
) -> Result<Told, Failed> {
    let mut collector = Collector::new(told.device, give);
    if told.format == Format::Blktrace {
        blktrace::read(sources, &mut collector)?;
    } else {
        for (index, source) in sources.iter_mut().enumerate() {
            read_into(&mut **source, told.format, &mut collector).map_err(|error| (index, error))?;
        }
    }
    collector.finish().map_err(|error| (0, error))
}
