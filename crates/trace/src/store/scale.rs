//! A trace at another speed.

use std::io::Write;

use parquet::file::reader::ChunkReader;

use super::meta::Meta;
use super::read::TraceReader;
use super::write::TraceWriter;
use crate::fault::{Refusal, TraceError};
use crate::io::Io;

/// Writes a trace whose I/Os arrive in `1 / speed` of the time. How long they took is not known of that speed and left out.
///
/// # Errors
/// The trace is damaged, has no times, or would last longer than a file can tell; or the new one cannot be written.
pub fn scale<R: ChunkReader + 'static, W: Write + Send>(
    trace: &mut TraceReader<R>,
    speed: f64,
    out: W,
) -> Result<u64, TraceError> {
    let mut writer = TraceWriter::new(out)?;
    let mut ios = 0;
    trace.for_each(|io| {
        let at_ns = io.at_ns.ok_or(TraceError::NoTrace(Refusal::NoTimes))?;
        let scaled = Io {
            at_ns: Some(scaled_ns(at_ns, speed)),
            latency_ns: None,
            ..*io
        };
        if !scaled.is_possible() {
            return Err(TraceError::NoTrace(Refusal::TooMuch));
        }
        ios += 1;
        writer.push(scaled)
    })?;
    let meta = Meta {
        time_resolution_ns: trace.meta().time_resolution_ns.map(|ns| scaled_ns(ns, speed).max(1)),
        ..trace.meta().clone()
    };
    writer.finish(&meta)?;
    Ok(ios)
}

/// Exact to the nanosecond up to 104 days.
fn scaled_ns(ns: u64, speed: f64) -> u64 {
    (ns as f64 / speed).round() as u64
}
