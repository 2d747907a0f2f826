//! What is asked of a device.

use vdrive::{Command, Sync};

/// What an I/O does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Reads.
    Read,
    /// Writes; the device may keep it in its volatile buffer.
    Write,
    /// Tells that the data is not needed any more.
    Trim,
}

impl Operation {
    /// All of them, in the order of their discriminants.
    pub const ALL: [Self; 3] = [Self::Read, Self::Write, Self::Trim];
}

/// One I/O; lengths and offsets in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// What it does.
    pub operation: Operation,
    /// Where it begins on the device.
    pub offset_bytes: u64,
    /// How long it is.
    pub length_bytes: u32,
    /// Which part of the mix, or stream of a list, it belongs to.
    pub stream: u16,
}

impl From<&Request> for Command {
    fn from(request: &Request) -> Self {
        let (offset_bytes, length_bytes) = (request.offset_bytes, u64::from(request.length_bytes));
        match request.operation {
            Operation::Read => Command::Read {
                offset_bytes,
                length_bytes,
            },
            Operation::Write => Command::Write {
                offset_bytes,
                length_bytes,
                sync: Sync::Buffered,
            },
            Operation::Trim => Command::Trim {
                offset_bytes,
                length_bytes,
            },
        }
    }
}

/// A part of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// Where it begins.
    pub offset_bytes: u64,
    /// How long it is; what is left of it after whole blocks is never touched.
    pub length_bytes: u64,
}

impl Region {
    /// How many whole blocks it holds.
    pub fn blocks(self, block_bytes: u32) -> u64 {
        self.length_bytes / u64::from(block_bytes)
    }
}
