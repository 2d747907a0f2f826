//! The NBD protocol as bytes: fixed newstyle handshake, requests and replies.
//!
//! Nothing here reads a socket, knows a clock or touches payload: functions take bytes and give values, or the other way
//! round. Names and numbers follow the protocol text of the NBD project (`doc/proto.md`, public domain).

pub mod handshake;
pub mod reply;
pub mod request;

/// Smallest unit of offset and length, in bytes: the logical block of the virtual drives.
pub const BLOCK_BYTES_MIN: u32 = 512;

/// Unit at which a drive works best, in bytes.
pub const BLOCK_BYTES_PREFERRED: u32 = 4096;

/// Largest payload of one request or reply, in bytes: what the protocol tells clients to assume without being told.
pub const PAYLOAD_BYTES_MAX: u32 = 32 * 1024 * 1024;

/// The only metadata context offered.
pub const CONTEXT_NAME: &[u8] = b"base:allocation";

/// The number under which [`CONTEXT_NAME`] appears in replies.
pub const CONTEXT_ID: u32 = 1;

/// A second name of the drive: through it every write is carried out with force unit access, for clients that cannot set
/// `NBD_CMD_FLAG_FUA` (fio's nbd engine ignores `sync=1`).
pub const FORCED_EXPORT: &[u8] = b"forced";

/// What a client did that ends its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A handshake flag that this server never offered.
    #[error("unknown client flags {0:#x}; bits 0 and 1 are defined")]
    ClientFlags(u32),
    /// An option did not begin with `IHAVEOPT`.
    #[error("an option began with {0:#018x} in place of IHAVEOPT")]
    OptionMagic(u64),
    /// An option announced more data than any option of this server needs.
    #[error("option {option} announced {length_bytes} bytes of data; at most {max} are read", max = handshake::OPTION_BYTES_MAX)]
    OptionLength {
        /// The option's number.
        option: u32,
        /// What it announced.
        length_bytes: u32,
    },
    /// `NBD_OPT_EXPORT_NAME` named an export that is not there; the protocol has no reply for that.
    #[error("there is no such export; the drive has the empty name and `forced`")]
    ExportName,
    /// A request did not begin with `NBD_REQUEST_MAGIC`.
    #[error("a request began with {0:#010x} in place of 0x25609513")]
    RequestMagic(u32),
}

/// What both sides agreed on during the handshake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// How reads and errors are answered.
    pub replies: Replies,
    /// Whether the client may ask which ranges hold data.
    pub block_status: BlockStatus,
    /// Which writes are durable before they are answered.
    pub writes: Writes,
}

/// Which writes are carried out with force unit access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writes {
    /// Those whose request says so.
    #[default]
    AsAsked,
    /// All: the client chose [`FORCED_EXPORT`].
    Forced,
}

impl Writes {
    /// What the export of that name does; `None` if there is none.
    pub(crate) fn of_export(name: &[u8]) -> Option<Self> {
        match name {
            b"" => Some(Self::AsAsked),
            FORCED_EXPORT => Some(Self::Forced),
            _ => None,
        }
    }
}

/// The form of replies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replies {
    /// A fixed header, followed by the payload of a read.
    #[default]
    Simple,
    /// Typed chunks, as negotiated by `NBD_OPT_STRUCTURED_REPLY`.
    Structured,
}

/// Whether `base:allocation` was selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockStatus {
    /// `NBD_CMD_BLOCK_STATUS` is refused.
    #[default]
    NotSelected,
    /// `NBD_CMD_BLOCK_STATUS` is answered.
    Selected,
}

/// Error numbers of the protocol. They are part of the wire format and independent of the host's `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Errno {
    /// `NBD_EPERM`
    Permission = 1,
    /// `NBD_EIO`
    Io = 5,
    /// `NBD_EINVAL`
    Invalid = 22,
    /// `NBD_ENOSPC`
    NoSpace = 28,
    /// `NBD_EOVERFLOW`
    Overflow = 75,
}

pub(crate) fn be_u16(bytes: &[u8]) -> Option<u16> {
    bytes.first_chunk().map(|chunk| u16::from_be_bytes(*chunk))
}

pub(crate) fn be_u32(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().map(|chunk| u32::from_be_bytes(*chunk))
}

pub(crate) fn be_u64(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|chunk| u64::from_be_bytes(*chunk))
}
