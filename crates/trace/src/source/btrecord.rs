//! What `btrecord` makes of the kernel's records for `btreplay`: bunches of I/Os, each bunch with one time.
//!
//! `btreplay/btrecord.h` of blktrace 1.2.0: a header of version, first time, bunches and I/Os, 8 bytes each; of a bunch the number of
//! its I/Os (512 at most) and its time; of an I/O sector, bytes, and whether it reads. A file is of one processor and one device, which
//! it does not name. The numbers in the header are not used: `btrecord` counts before it writes its last bunch.

use std::io::{BufReader, Read};

use super::collect::Collector;
use super::fields::times;
use super::filled::whole;
use super::taken::Refused;
use crate::fault::{Fault, Problem, TraceError};
use crate::io::{Io, Op};

/// Versions 1.0.0 and, with the same structures, 0.9.3.
const VERSIONS: [u64; 2] = [0x1_0000, 0x0903];

/// Within so long all I/Os of a bunch were queued, unless `btrecord` was told otherwise.
pub(super) const BUNCH_NS: u64 = 10_000_000;

const HEADER_BYTES: usize = 32;
const BUNCH_BYTES: usize = 16;
const IO_BYTES: usize = 24;
const BUNCH_IOS_MAX: u64 = 512;
const SECTOR_BYTES: u64 = 512;

/// Whether a file begins like one of these.
pub(super) fn is_like(beginning: &[u8]) -> bool {
    let Some(header) = beginning.first_chunk::<HEADER_BYTES>() else {
        return false;
    };
    let (bunches, ios) = (long(header, 16), long(header, 24));
    VERSIONS.contains(&long(header, 0)) && bunches <= ios && ios <= bunches.saturating_mul(BUNCH_IOS_MAX)
}

/// Reads one file.
pub(super) fn read(source: &mut dyn Read, collector: &mut Collector<'_>) -> Result<(), TraceError> {
    let mut source = Bunches {
        source: BufReader::with_capacity(1 << 18, source),
        count: 0,
    };
    let header = source.next::<HEADER_BYTES>()?.ok_or(source.fault(Problem::CutOff))?;
    if !VERSIONS.contains(&long(&header, 0)) {
        let is_swapped = VERSIONS.contains(&long(&header, 0).swap_bytes());
        return Err(source.fault(if is_swapped { Problem::ByteOrder } else { Problem::Magic }));
    }
    while let Some(bunch) = source.next::<BUNCH_BYTES>()? {
        let (ios, at_ns) = (long(&bunch, 0), long(&bunch, 8));
        if !(1..=BUNCH_IOS_MAX).contains(&ios) {
            source.count += 1;
            return Err(source.fault(Problem::Number));
        }
        for _ in 0..ios {
            source.count += 1;
            let io = source.next::<IO_BYTES>()?.ok_or(source.fault(Problem::CutOff))?;
            take(&io, at_ns, collector).map_err(|refused| match refused {
                Refused::Line(problem) => source.fault(problem),
                Refused::Other(error) => error,
            })?;
        }
    }
    Ok(())
}

fn take(bytes: &[u8; IO_BYTES], at_ns: u64, collector: &mut Collector<'_>) -> Result<(), Refused> {
    let (sector, length_bytes) = (long(bytes, 0), long(bytes, 8));
    let is_read = match u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]) {
        0 => false,
        1 => true,
        _ => return Err(Problem::Operation.into()),
    };
    let io = match (is_read, length_bytes) {
        // An empty write is how the kernel asks for a flush.
        (false, 0) => Io::new(Op::Flush, 0, 0),
        (false, _) => Io::new(Op::Write, times(sector, SECTOR_BYTES)?, length_bytes),
        (true, _) => Io::new(Op::Read, times(sector, SECTOR_BYTES)?, length_bytes),
    };
    collector.io_of_no_name(Io {
        at_ns: Some(at_ns),
        ..io
    })
}

struct Bunches<R> {
    source: BufReader<R>,
    /// Of I/Os.
    count: u64,
}

impl<R: Read> Bunches<R> {
    /// As many bytes as asked for; `None` at the end of the file.
    fn next<const BYTES: usize>(&mut self) -> Result<Option<[u8; BYTES]>, TraceError> {
        let count = self.count;
        whole(&mut self.source, |problem| fault(count, problem))
    }

    fn fault(&self, problem: Problem) -> TraceError {
        fault(self.count, problem)
    }
}

fn fault(ios: u64, problem: Problem) -> TraceError {
    TraceError::Damaged(Fault::new(ios.max(1), problem, b""))
}

fn long(bytes: &[u8], at: usize) -> u64 {
    bytes[at..]
        .first_chunk::<8>()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}
