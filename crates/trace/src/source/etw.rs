//! What `xperf -a dumper` prints of the kernel's events of Windows (ETW): a table of each kind of event.
//!
//! Between `BeginHeader` and `EndHeader` a line a kind names its columns, which differ between versions of Windows; then a line says
//! when the trace began and how many events were lost; then comes a line an event. `DiskRead`, `DiskWrite` and `DiskFlush` are written at
//! the end of an I/O, with microseconds since the beginning of the trace and how many of them it took; all other kinds are passed over.

use super::collect::Collector;
use super::columns::UNIX_EPOCH_FILETIME;
use super::fields::{Fields, number, times};
use super::lines::LineFormat;
use super::taken::{Refused, Taken};
use crate::fault::Problem;
use crate::io::{Io, Op};

/// The first line.
pub(super) const BEGINNING: &[u8] = b"BeginHeader";

/// The latest column that can be wanted.
const COLUMNS_MAX: usize = 24;

/// Where a trace begins that does not say when: late enough for I/Os that began before it.
const BEGINS_NS: u64 = 1 << 50;

/// What a column says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Time,
    Thread,
    Offset,
    Size,
    Elapsed,
    Disk,
}

impl Column {
    const ALL: [Column; 6] = [
        Column::Time,
        Column::Thread,
        Column::Offset,
        Column::Size,
        Column::Elapsed,
        Column::Disk,
    ];

    /// A flush is of no place.
    fn is_of(self, op: Op) -> bool {
        op != Op::Flush || !matches!(self, Column::Offset | Column::Size)
    }

    fn name(self) -> &'static [u8] {
        match self {
            Column::Time => b"TimeStamp",
            Column::Thread => b"ThreadID",
            Column::Offset => b"ByteOffset",
            Column::Size => b"IOSize",
            Column::Elapsed => b"ElapsedTime",
            Column::Disk => b"DiskNum",
        }
    }
}

/// The columns of one kind of event after its name, up to the last that is wanted.
#[derive(Clone, Copy)]
struct Layout {
    columns: [Option<Column>; COLUMNS_MAX],
    count: usize,
}

impl Layout {
    /// Of the line that names them; `None` where one that is needed is missing.
    fn named(mut names: Fields<'_>, needed: &[Column]) -> Option<Layout> {
        let mut columns = [None; COLUMNS_MAX];
        let mut count = 0;
        for (index, column) in columns.iter_mut().enumerate() {
            let name = names.until(b',').trim_ascii();
            *column = Column::ALL.into_iter().find(|column| column.name() == name);
            if column.is_some() {
                count = index + 1;
            }
        }
        let has = |column: &Column| columns.contains(&Some(*column));
        needed.iter().all(has).then_some(Layout { columns, count })
    }
}

enum Part {
    Beginning,
    Header,
    Events,
}

/// Where reading has come to.
pub(super) struct Etw {
    part: Part,
    read: Option<Layout>,
    write: Option<Layout>,
    flush: Option<Layout>,
    begins_ns: u64,
}

impl Default for Etw {
    fn default() -> Self {
        Etw {
            part: Part::Beginning,
            read: None,
            write: None,
            flush: None,
            begins_ns: BEGINS_NS,
        }
    }
}

impl LineFormat for Etw {
    #[inline]
    fn take(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<Taken, Refused> {
        match self.part {
            Part::Events => self.event(line, collector)?,
            Part::Header => self.heading(line),
            Part::Beginning if line.trim_ascii() == BEGINNING => self.part = Part::Header,
            Part::Beginning => return Err(Problem::Magic.into()),
        }
        Ok(Taken::More)
    }
}

impl Etw {
    fn heading(&mut self, line: &[u8]) {
        const NEEDED: [Column; 5] = [
            Column::Time,
            Column::Elapsed,
            Column::Disk,
            Column::Offset,
            Column::Size,
        ];
        let mut fields = Fields::new(line);
        match fields.until(b',').trim_ascii() {
            b"DiskRead" => self.read = Layout::named(fields, &NEEDED),
            b"DiskWrite" => self.write = Layout::named(fields, &NEEDED),
            b"DiskFlush" => self.flush = Layout::named(fields, &NEEDED[..3]),
            b"EndHeader" => self.part = Part::Events,
            _ => {}
        }
    }

    #[inline]
    fn event(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<(), Refused> {
        let mut fields = Fields::new(line);
        let (op, layout) = match fields.until(b',').trim_ascii() {
            b"DiskRead" => (Op::Read, &self.read),
            b"DiskWrite" => (Op::Write, &self.write),
            b"DiskFlush" => (Op::Flush, &self.flush),
            name if name.starts_with(b"OS Version:") => return self.beginning(line, collector),
            _ => return Ok(()),
        };
        let layout = layout.as_ref().ok_or(Problem::Columns)?;
        let (mut ended_ns, mut latency_ns, mut thread) = (0, 0, None);
        let (mut disk, mut io): (&[u8], _) = (b"", Io::new(op, 0, 0));
        for column in &layout.columns[..layout.count] {
            let text = fields.until(b',');
            match column.filter(|column| column.is_of(op)) {
                None => {}
                Some(Column::Time) => ended_ns = times(number(text)?, 1_000)?,
                Some(Column::Thread) => thread = Some(number(text)?),
                Some(Column::Offset) => io.offset_bytes = number_of_base(text)?,
                Some(Column::Size) => io.length_bytes = number_of_base(text)?,
                Some(Column::Elapsed) => latency_ns = times(number(text)?, 1_000)?,
                Some(Column::Disk) => disk = text.trim_ascii(),
            }
        }
        if disk.is_empty() {
            return Err(Problem::Columns.into());
        }
        let since_ns = self.begins_ns.checked_add(ended_ns).ok_or(Problem::Number)?;
        io.at_ns = Some(since_ns.checked_sub(latency_ns).ok_or(Problem::Number)?);
        io.latency_ns = Some(latency_ns);
        io.stream = thread.and_then(|thread| collector.stream(thread));
        collector.io(disk, io)?;
        Ok(())
    }

    /// When the trace began, and what is missing.
    fn beginning(&mut self, line: &[u8], collector: &mut Collector<'_>) -> Result<(), Refused> {
        let mut fields = Fields::new(line);
        loop {
            let mut field = Fields::new(fields.until(b',').trim_ascii());
            let (name, value) = (field.until(b':'), field.until(b','));
            match name {
                b"" => return Ok(()),
                b"Events Lost" => collector.count_lost(number(value)?),
                b"Trace Start" => {
                    let since_1970 = number(value)?.checked_sub(UNIX_EPOCH_FILETIME);
                    self.begins_ns = times(since_1970.ok_or(Problem::Number)?, 100)?;
                    collector.counts_from_1970();
                }
                _ => {}
            }
        }
    }
}

/// A whole number, to the base of 16 after `0x`, with blanks around it or none.
#[inline]
fn number_of_base(text: &[u8]) -> Result<u64, Problem> {
    let text = text.trim_ascii();
    let Some(digits) = text.strip_prefix(b"0x") else {
        return number(text);
    };
    if digits.is_empty() || digits.len() > 16 {
        return Err(Problem::Number);
    }
    digits.iter().try_fold(0, |value, digit| {
        let digit = char::from(*digit).to_digit(16).ok_or(Problem::Number)?;
        Ok(value << 4 | u64::from(digit))
    })
}
