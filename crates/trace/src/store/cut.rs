//! A part of a trace.

use std::io::Write;
use std::ops::Range;

use parquet::file::reader::ChunkReader;

use super::meta::Meta;
use super::read::TraceReader;
use super::write::TraceWriter;
use crate::fault::{Refusal, TraceError};

/// Writes the I/Os that arrived within a span of time, which begins at 0 from then on; how many those are.
///
/// # Errors
/// The trace is damaged, has no times, or the new one cannot be written.
pub fn cut<R: ChunkReader + 'static, W: Write + Send>(
    trace: &mut TraceReader<R>,
    span_ns: Range<u64>,
    out: W,
) -> Result<u64, TraceError> {
    let mut writer = TraceWriter::new(out)?;
    let (mut first_ns, mut ios) = (None, 0);
    trace.for_each(|io| {
        let Some(at_ns) = io.at_ns else {
            return Err(TraceError::NoTrace(Refusal::NoTimes));
        };
        if span_ns.contains(&at_ns) {
            let from_ns = *first_ns.get_or_insert(at_ns);
            ios += 1;
            writer.push(crate::io::Io {
                at_ns: Some(at_ns - from_ns),
                ..*io
            })?;
        }
        Ok(())
    })?;
    let started_unix_ns = trace
        .meta()
        .started_unix_ns
        .zip(first_ns)
        .map(|(unix, at)| unix.saturating_add(at));
    let meta = Meta {
        started_unix_ns,
        ..trace.meta().clone()
    };
    writer.finish(&meta)?;
    Ok(ios)
}
