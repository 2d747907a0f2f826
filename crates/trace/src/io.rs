//! One I/O.

/// The longest read or write: what a request of NBD and of fio's logs can hold. Discards may be longer.
pub const LENGTH_BYTES_MAX: u64 = u32::MAX as u64;

/// What an I/O does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// Reads.
    Read,
    /// Writes data.
    Write,
    /// Makes what was written durable.
    Flush,
    /// Gives a range back.
    Discard,
    /// Makes a range read as zeros.
    WriteZeroes,
}

impl Op {
    /// Each of them.
    pub const ALL: [Op; 5] = [Op::Read, Op::Write, Op::Flush, Op::Discard, Op::WriteZeroes];

    /// As it stands in the file.
    pub fn name(self) -> &'static str {
        match self {
            Op::Read => "read",
            Op::Write => "write",
            Op::Flush => "flush",
            Op::Discard => "discard",
            Op::WriteZeroes => "write_zeroes",
        }
    }

    /// The one of that name.
    pub fn named(name: &[u8]) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.name().as_bytes() == name)
    }

    /// Whether data is moved.
    pub fn moves_data(self) -> bool {
        matches!(self, Op::Read | Op::Write)
    }
}

/// What a request says beside what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u8);

impl Flags {
    /// Durable before it completes.
    pub const FUA: u8 = 1;
    /// Somebody waits for it.
    pub const SYNC: u8 = 2;
    /// Metadata of a file system.
    pub const META: u8 = 4;
    /// Read before anybody asked.
    pub const AHEAD: u8 = 8;
    /// What was written before is made durable first.
    pub const PREFLUSH: u8 = 16;
    /// All of them.
    pub const ALL: u8 = 31;

    /// Whether one is set.
    pub fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// An I/O of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Io {
    /// When it arrived; in a file from the first one, in a source from wherever its clock begins.
    pub at_ns: Option<u64>,
    /// What it does.
    pub op: Op,
    /// Where it begins; 0 for a flush.
    pub offset_bytes: u64,
    /// How long it is; 0 for a flush.
    pub length_bytes: u64,
    /// What else it says.
    pub flags: Option<Flags>,
    /// How long it took.
    pub latency_ns: Option<u64>,
    /// Whose it is: a process or a queue, numbered in the order of appearance.
    pub stream: Option<u32>,
}

impl Io {
    /// An I/O of which nothing else is known.
    pub fn new(op: Op, offset_bytes: u64, length_bytes: u64) -> Self {
        Io {
            at_ns: None,
            op,
            offset_bytes,
            length_bytes,
            flags: None,
            latency_ns: None,
            stream: None,
        }
    }

    /// The first byte after it.
    pub fn end_bytes(&self) -> u64 {
        self.offset_bytes.saturating_add(self.length_bytes)
    }

    /// Whether a device can have had it, and every number fits into the file.
    pub fn is_possible(&self) -> bool {
        let fits = |value: Option<u64>| value.is_none_or(|value| i64::try_from(value).is_ok());
        let ends = self.offset_bytes.checked_add(self.length_bytes);
        let is_empty = self.length_bytes == 0;
        ends.is_some()
            && fits(ends)
            && fits(self.at_ns)
            && fits(self.latency_ns)
            && fits(self.at_ns.unwrap_or(0).checked_add(self.latency_ns.unwrap_or(0)))
            && self.stream.is_none_or(|stream| i32::try_from(stream).is_ok())
            && (is_empty == (self.op == Op::Flush))
            && (!self.op.moves_data() || self.length_bytes <= LENGTH_BYTES_MAX)
    }
}
