//! fio's logs of I/Os, versions 2 and 3.
//!
//! Version 2 has no times: its `wait` says when something may follow, not when it did. Version 3 has microseconds.

use super::collect::Collector;
use super::fields::{Fields, number, times};
use super::lines::LineFormat;
use super::taken::{Refused, Taken};
use crate::fault::Problem;
use crate::io::{Io, Op};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Version {
    Two,
    Three,
}

#[derive(Default)]
pub(super) struct Iolog {
    version: Option<Version>,
}

impl LineFormat for Iolog {
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        let Some(version) = self.version else {
            self.version = Some(match line.trim_ascii_end() {
                b"fio version 2 iolog" => Version::Two,
                b"fio version 3 iolog" => Version::Three,
                _ => return Err(Problem::Magic.into()),
            });
            return Ok(Taken::More);
        };
        let mut fields = Fields::new(line);
        let at_ns = match version {
            Version::Two => None,
            Version::Three => Some(times(number(fields.word())?, 1_000)?),
        };
        let (file, action) = (fields.word(), fields.word());
        let op = match action {
            b"read" => Op::Read,
            b"write" => Op::Write,
            b"trim" => Op::Discard,
            b"sync" | b"datasync" => Op::Flush,
            b"add" | b"open" | b"close" if fields.is_empty() => return Ok(Taken::More),
            b"wait" => {
                collector.count_left_out("waits");
                return Ok(Taken::More);
            }
            b"" => return Err(Problem::Columns.into()),
            _ => return Err(Problem::Operation.into()),
        };
        let (offset, length) = (number(fields.word())?, number(fields.word())?);
        if !fields.is_empty() {
            return Err(Problem::Columns.into());
        }
        let (offset, length) = if op == Op::Flush { (0, 0) } else { (offset, length) };
        let io = Io {
            at_ns,
            ..Io::new(op, offset, length)
        };
        collector.io(file, io)
    }
}
