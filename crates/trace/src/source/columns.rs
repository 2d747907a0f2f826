//! Published traces whose lines are columns: an I/O a line.

use super::collect::Collector;
use super::fields::{Fields, number, seconds_ns, times};
use super::lines::LineFormat;
use super::taken::{Refused, Taken};
use crate::fault::Problem;
use crate::io::{Io, Op};

/// Bytes of a sector, in which some count.
const SECTOR_BYTES: u64 = 512;

/// From 1601, where Windows begins, to 1970, in 100 ns.
pub(super) const UNIX_EPOCH_FILETIME: u64 = 116_444_736_000_000_000;

/// `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`
pub(super) struct MsrCambridge;

/// `Timestamp,Response,IOType,LUN,Offset,Size`
pub(super) struct Systor17;

/// `device_id,opcode,offset,length,timestamp`
pub(super) struct Alibaba;

/// `Timestamp,Offset,Size,IOType,VolumeID`
pub(super) struct Tencent;

/// `ts_ns pid process lba size {W,R} major minor MD5`
pub(super) struct Fiu;

/// `ASU,LBA,Size,Opcode,Timestamp`, and more columns that nobody needs.
pub(super) struct Spc;

impl LineFormat for MsrCambridge {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let filetime = fields.until(b',');
        let device_from = filetime.len() + 1;
        let (host, disk) = (fields.until(b','), fields.until(b','));
        // The device is what stands in two columns, with the comma between them.
        let device = line.get(device_from..device_from + host.len() + 1 + disk.len());
        let op = match fields.until(b',') {
            b"Read" => Op::Read,
            b"Write" => Op::Write,
            other => return Err(wrong_operation(other)),
        };
        let (offset, size, response) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let since_1970 = number(filetime)?
            .checked_sub(UNIX_EPOCH_FILETIME)
            .ok_or(Problem::Number)?;
        let io = Io {
            at_ns: Some(times(since_1970, 100)?),
            latency_ns: Some(times(number(response)?, 100)?),
            ..Io::new(op, number(offset)?, number(size)?)
        };
        end(fields)?;
        collector.io(device.ok_or(Problem::Columns)?, io)
    }

    fn is_heading(&self, line: &[u8]) -> bool {
        line.starts_with(b"Timestamp,")
    }
}

impl LineFormat for Systor17 {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let (time, response, op) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let (lun, offset, size) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let op = match op {
            b"R" => Op::Read,
            b"W" => Op::Write,
            // Commands of which the authors do not say what they did.
            b"" => return collector.left_out(lun, "operation-unnamed"),
            other => return Err(wrong_operation(other)),
        };
        let io = Io {
            at_ns: Some(seconds_ns(time)?),
            latency_ns: if response.is_empty() {
                None
            } else {
                Some(seconds_ns(response)?)
            },
            ..Io::new(op, number(offset)?, number(size)?)
        };
        end(fields)?;
        collector.io(lun, io)
    }

    fn is_heading(&self, line: &[u8]) -> bool {
        line.starts_with(b"Timestamp,")
    }
}

impl LineFormat for Alibaba {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let device = fields.until(b',');
        let op = read_or_write(fields.until(b','))?;
        let (offset, length, time) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let io = Io {
            at_ns: Some(times(number(time)?, 1_000)?),
            ..Io::new(op, number(offset)?, number(length)?)
        };
        end(fields)?;
        collector.io(device, io)
    }

    fn is_heading(&self, line: &[u8]) -> bool {
        line.starts_with(b"device_id,")
    }
}

impl LineFormat for Tencent {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let (time, offset, size) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let op = match fields.until(b',') {
            b"0" => Op::Read,
            b"1" => Op::Write,
            other => return Err(wrong_operation(other)),
        };
        let volume = fields.until(b',');
        let io = Io {
            at_ns: Some(times(number(time)?, 1_000_000_000)?),
            ..Io::new(
                op,
                times(number(offset)?, SECTOR_BYTES)?,
                times(number(size)?, SECTOR_BYTES)?,
            )
        };
        end(fields)?;
        collector.io(volume, io)
    }

    fn is_heading(&self, line: &[u8]) -> bool {
        line.starts_with(b"Timestamp,")
    }
}

impl LineFormat for Fiu {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let (time, pid, _process) = (fields.word(), fields.word(), fields.word());
        let (lba, size, op) = (fields.word(), fields.word(), fields.word());
        let (major, minor, hash) = (fields.word(), fields.word(), fields.word());
        if hash.is_empty() || !fields.is_empty() {
            return Err(Problem::Columns.into());
        }
        let io = Io {
            at_ns: Some(number(time)?),
            stream: collector.stream(number(pid)?),
            ..Io::new(
                read_or_write(op)?,
                times(number(lba)?, SECTOR_BYTES)?,
                times(number(size)?, SECTOR_BYTES)?,
            )
        };
        collector.io_of_pair(major, minor, io)
    }
}

impl LineFormat for Spc {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let mut fields = Fields::new(line);
        let (asu, lba, size) = (fields.until(b','), fields.until(b','), fields.until(b','));
        let op = match fields.until(b',') {
            b"R" | b"r" => Op::Read,
            b"W" | b"w" => Op::Write,
            other => return Err(wrong_operation(other)),
        };
        let io = Io {
            at_ns: Some(seconds_ns(fields.until(b','))?),
            ..Io::new(op, times(number(lba)?, SECTOR_BYTES)?, number(size)?)
        };
        collector.io(asu, io)
    }
}

fn read_or_write(text: &[u8]) -> Result<Op, Refused> {
    match text {
        b"R" => Ok(Op::Read),
        b"W" => Ok(Op::Write),
        other => Err(wrong_operation(other)),
    }
}

#[cold]
fn wrong_operation(text: &[u8]) -> Refused {
    if text.is_empty() {
        Problem::Columns.into()
    } else {
        Problem::Operation.into()
    }
}

/// That no column is left.
#[inline]
fn end(fields: Fields<'_>) -> Result<(), Problem> {
    if fields.is_empty() {
        Ok(())
    } else {
        Err(Problem::Columns)
    }
}
