//! Requests of the transmission phase.

use super::{BLOCK_BYTES_MIN, BlockStatus, Errno, PAYLOAD_BYTES_MAX, Replies, Terms, Violation};

/// Length of a request without its payload.
pub const HEADER_BYTES: usize = 28;

pub(crate) const MAGIC: u32 = 0x2560_9513;

pub(crate) const COMMAND_READ: u16 = 0;
pub(crate) const COMMAND_WRITE: u16 = 1;
pub(crate) const COMMAND_DISCONNECT: u16 = 2;
pub(crate) const COMMAND_FLUSH: u16 = 3;
pub(crate) const COMMAND_TRIM: u16 = 4;
const COMMAND_WRITE_ZEROES: u16 = 6;
const COMMAND_BLOCK_STATUS: u16 = 7;

pub(crate) const FLAG_FUA: u16 = 1 << 0;
const FLAG_NO_HOLE: u16 = 1 << 1;
const FLAG_DONT_FRAGMENT: u16 = 1 << 2;
const FLAG_REQUEST_ONE: u16 = 1 << 3;

/// A request as it stands on the wire, not yet judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    flags: u16,
    command: u16,
    /// Names the request in its reply.
    pub cookie: u64,
    offset_bytes: u64,
    length_bytes: u32,
}

/// A part of the export. Inside the capacity and aligned to the logical block once it is in an [`Action`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// First byte.
    pub offset_bytes: u64,
    /// Number of bytes.
    pub length_bytes: u32,
}

/// Whether the reply must wait until the data is on the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Flush decides later.
    Buffered,
    /// `NBD_CMD_FLAG_FUA`
    Fua,
}

/// What happens to a range that is zeroed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provision {
    /// The drive may deallocate.
    Hole,
    /// `NBD_CMD_FLAG_NO_HOLE`: the drive writes zeros.
    Written,
}

/// How many extents a block status reply may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtentLimit {
    /// `NBD_CMD_FLAG_REQ_ONE`
    One,
    /// As many as the server likes to send.
    Many,
}

/// A request that may be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// `NBD_CMD_READ`
    Read(Range),
    /// `NBD_CMD_WRITE`
    Write(Range, Durability),
    /// `NBD_CMD_FLUSH`
    Flush,
    /// `NBD_CMD_TRIM`
    Trim(Range, Durability),
    /// `NBD_CMD_WRITE_ZEROES`
    Zero(Range, Durability, Provision),
    /// `NBD_CMD_BLOCK_STATUS`
    BlockStatus(Range, ExtentLimit),
    /// `NBD_CMD_DISC`
    Disconnect,
}

impl Header {
    /// Reads the fixed part of a request.
    ///
    /// # Errors
    /// [`Violation::RequestMagic`]: the stream is out of step and nothing after it can be trusted.
    #[expect(
        clippy::missing_panics_doc,
        reason = "an array of this length has room for every field"
    )]
    pub fn decode(bytes: &[u8; HEADER_BYTES]) -> Result<Self, Violation> {
        let (magic, rest) = bytes.split_first_chunk().expect("a header is longer than its magic");
        let magic = u32::from_be_bytes(*magic);
        if magic != MAGIC {
            return Err(Violation::RequestMagic(magic));
        }
        let field = |from: usize| &rest[from..];
        let decoded = || {
            Some(Self {
                flags: super::be_u16(field(0))?,
                command: super::be_u16(field(2))?,
                cookie: super::be_u64(field(4))?,
                offset_bytes: super::be_u64(field(12))?,
                length_bytes: super::be_u32(field(20))?,
            })
        };
        Ok(decoded().expect("a header has room for its fields"))
    }

    /// Bytes that follow this header on the wire, whatever becomes of the request.
    pub fn payload_bytes(&self) -> u32 {
        if self.command == COMMAND_WRITE {
            self.length_bytes
        } else {
            0
        }
    }

    /// The form the reply must have: only reads are bound to structured replies by the protocol.
    pub fn is_read(&self) -> bool {
        self.command == COMMAND_READ
    }

    /// Decides whether the request may be carried out on an export of `capacity_bytes`.
    ///
    /// # Errors
    /// The error the protocol prescribes: a write or zeroing past the end has `NBD_ENOSPC`, a structured read above the
    /// payload limit `NBD_EOVERFLOW`, everything else that is not allowed `NBD_EINVAL`.
    pub fn judge(&self, terms: Terms, capacity_bytes: u64) -> Result<Action, Errno> {
        let range = Range {
            offset_bytes: self.offset_bytes,
            length_bytes: self.length_bytes,
        };
        let durability = if self.flags & FLAG_FUA == 0 {
            Durability::Buffered
        } else {
            Durability::Fua
        };
        let past_the_end = match self.command {
            COMMAND_WRITE | COMMAND_WRITE_ZEROES => Errno::NoSpace,
            _ => Errno::Invalid,
        };
        self.check_flags(terms)?;
        let in_range = || self.check_range(capacity_bytes, past_the_end).map(|()| range);
        match self.command {
            COMMAND_READ => self.check_payload(terms).and_then(|()| in_range()).map(Action::Read),
            COMMAND_WRITE => self
                .check_payload(terms)
                .and_then(|()| in_range())
                .map(|range| Action::Write(range, durability)),
            COMMAND_DISCONNECT => Ok(Action::Disconnect),
            COMMAND_FLUSH if self.offset_bytes == 0 && self.length_bytes == 0 => Ok(Action::Flush),
            COMMAND_TRIM => in_range().map(|range| Action::Trim(range, durability)),
            COMMAND_WRITE_ZEROES => {
                let provision = if self.flags & FLAG_NO_HOLE == 0 {
                    Provision::Hole
                } else {
                    Provision::Written
                };
                in_range().map(|range| Action::Zero(range, durability, provision))
            }
            COMMAND_BLOCK_STATUS if terms.block_status == BlockStatus::Selected && self.length_bytes > 0 => {
                let limit = if self.flags & FLAG_REQUEST_ONE == 0 {
                    ExtentLimit::Many
                } else {
                    ExtentLimit::One
                };
                in_range().map(|range| Action::BlockStatus(range, limit))
            }
            _ => Err(Errno::Invalid),
        }
    }

    fn check_flags(&self, terms: Terms) -> Result<(), Errno> {
        let own = match (self.command, terms.replies) {
            (COMMAND_READ, Replies::Structured) => FLAG_DONT_FRAGMENT,
            (COMMAND_WRITE_ZEROES, _) => FLAG_NO_HOLE,
            (COMMAND_BLOCK_STATUS, _) => FLAG_REQUEST_ONE,
            _ => 0,
        };
        // FUA is valid with every command once the server offers it, even where nothing is written.
        if self.flags & !(FLAG_FUA | own) == 0 {
            Ok(())
        } else {
            Err(Errno::Invalid)
        }
    }

    fn check_payload(&self, terms: Terms) -> Result<(), Errno> {
        match (self.length_bytes <= PAYLOAD_BYTES_MAX, self.command, terms.replies) {
            (true, ..) => Ok(()),
            (false, COMMAND_READ, Replies::Structured) => Err(Errno::Overflow),
            (false, ..) => Err(Errno::Invalid),
        }
    }

    fn check_range(&self, capacity_bytes: u64, past_the_end: Errno) -> Result<(), Errno> {
        let end = self.offset_bytes.checked_add(u64::from(self.length_bytes));
        if end.is_none_or(|end| end > capacity_bytes) {
            return Err(past_the_end);
        }
        let unit = u64::from(BLOCK_BYTES_MIN);
        let aligned = self.offset_bytes.is_multiple_of(unit) && u64::from(self.length_bytes).is_multiple_of(unit);
        if aligned { Ok(()) } else { Err(Errno::Invalid) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writes;

    const CAPACITY: u64 = 1 << 30;
    const STRUCTURED: Terms = Terms {
        replies: Replies::Structured,
        block_status: BlockStatus::Selected,
        writes: Writes::AsAsked,
    };

    fn header(command: u16, flags: u16, offset_bytes: u64, length_bytes: u32) -> Header {
        Header {
            flags,
            command,
            cookie: 0,
            offset_bytes,
            length_bytes,
        }
    }

    fn judge(command: u16, flags: u16, offset_bytes: u64, length_bytes: u32) -> Result<Action, Errno> {
        header(command, flags, offset_bytes, length_bytes).judge(STRUCTURED, CAPACITY)
    }

    #[test]
    fn decodes_each_field_from_its_place() {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..4].copy_from_slice(&MAGIC.to_be_bytes());
        bytes[4..28].copy_from_slice(&[
            0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 2, 0,
        ]);
        let expected = Header {
            flags: 1,
            command: 6,
            cookie: 0x0102_0304_0506_0708,
            offset_bytes: 4096,
            length_bytes: 512,
        };
        assert_eq!(Header::decode(&bytes), Ok(expected));
    }

    #[test]
    fn a_wrong_magic_is_a_violation() {
        assert_eq!(
            Header::decode(&[0x41; HEADER_BYTES]),
            Err(Violation::RequestMagic(0x4141_4141))
        );
    }

    #[test]
    fn past_the_end_is_no_space_for_writers_and_invalid_for_others() {
        for command in [COMMAND_WRITE, COMMAND_WRITE_ZEROES] {
            assert_eq!(judge(command, 0, CAPACITY - 512, 1024), Err(Errno::NoSpace));
        }
        for command in [COMMAND_READ, COMMAND_TRIM, COMMAND_BLOCK_STATUS] {
            assert_eq!(judge(command, 0, CAPACITY - 512, 1024), Err(Errno::Invalid));
        }
        assert_eq!(judge(COMMAND_WRITE, 0, u64::MAX - 511, 512), Err(Errno::NoSpace));
    }

    #[test]
    fn the_last_block_is_inside() {
        let range = Range {
            offset_bytes: CAPACITY - 512,
            length_bytes: 512,
        };
        assert_eq!(judge(COMMAND_READ, 0, CAPACITY - 512, 512), Ok(Action::Read(range)));
    }

    #[test]
    fn parts_of_a_logical_block_are_invalid() {
        assert_eq!(judge(COMMAND_WRITE, 0, 256, 512), Err(Errno::Invalid));
        assert_eq!(judge(COMMAND_WRITE, 0, 512, 256), Err(Errno::Invalid));
    }

    #[test]
    fn only_payload_is_limited_in_length() {
        let too_long = PAYLOAD_BYTES_MAX + 512;
        assert_eq!(judge(COMMAND_READ, 0, 0, too_long), Err(Errno::Overflow));
        assert_eq!(
            header(COMMAND_READ, 0, 0, too_long).judge(Terms::default(), CAPACITY),
            Err(Errno::Invalid)
        );
        assert_eq!(judge(COMMAND_WRITE, 0, 0, too_long), Err(Errno::Invalid));
        assert!(judge(COMMAND_TRIM, 0, 0, too_long).is_ok());
        assert!(judge(COMMAND_WRITE_ZEROES, 0, 0, too_long).is_ok());
    }

    #[test]
    fn flags_count_only_where_they_are_documented() {
        for command in 0..8 {
            for bit in 0..16 {
                let accepted = judge(command, 1 << bit, 0, if command == COMMAND_FLUSH { 0 } else { 512 }).is_ok();
                let documented = match bit {
                    0 => command != 5,
                    1 => command == COMMAND_WRITE_ZEROES,
                    2 => command == COMMAND_READ,
                    3 => command == COMMAND_BLOCK_STATUS,
                    _ => false,
                };
                assert_eq!(accepted, documented, "command {command}, flag bit {bit}");
            }
        }
    }

    #[test]
    fn unknown_commands_are_invalid_and_have_no_payload() {
        for command in [5, 8, 255, u16::MAX] {
            assert_eq!(judge(command, 0, 0, 512), Err(Errno::Invalid));
            assert_eq!(header(command, 0, 0, 512).payload_bytes(), 0);
        }
    }

    #[test]
    fn block_status_needs_its_context() {
        let terms = Terms {
            replies: Replies::Structured,
            block_status: BlockStatus::NotSelected,
            writes: Writes::AsAsked,
        };
        assert_eq!(
            header(COMMAND_BLOCK_STATUS, 0, 0, 512).judge(terms, CAPACITY),
            Err(Errno::Invalid)
        );
        assert_eq!(judge(COMMAND_BLOCK_STATUS, 0, 0, 0), Err(Errno::Invalid));
    }

    #[test]
    fn a_refused_write_still_has_its_payload() {
        assert_eq!(header(COMMAND_WRITE, 0, CAPACITY, 4096).payload_bytes(), 4096);
    }
}
