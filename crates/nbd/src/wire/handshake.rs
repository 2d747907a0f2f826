//! The fixed newstyle handshake: greeting, client flags, options.

use super::{
    BLOCK_BYTES_MIN, BLOCK_BYTES_PREFERRED, BlockStatus, CONTEXT_ID, CONTEXT_NAME, FORCED_EXPORT, PAYLOAD_BYTES_MAX,
    Replies, Terms, Violation, Writes, be_u32, be_u64,
};

/// Most data an option may carry: names and queries of 4096 bytes (the protocol's limit for strings) fit several times.
pub const OPTION_BYTES_MAX: u32 = 64 * 1024;

pub(crate) const GREETING_MAGIC: &[u8] = b"NBDMAGIC";
pub(crate) const OPTION_MAGIC: u64 = u64::from_be_bytes(*b"IHAVEOPT");
pub(crate) const REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
const OPTION_HEADER_BYTES: usize = 16;
const CLIENT_FLAGS_BYTES: usize = 4;

pub(crate) const FLAG_FIXED_NEWSTYLE: u16 = 1 << 0;
pub(crate) const FLAG_NO_ZEROES: u16 = 1 << 1;

pub(crate) const OPTION_EXPORT_NAME: u32 = 1;
const OPTION_ABORT: u32 = 2;
const OPTION_LIST: u32 = 3;
const OPTION_INFO: u32 = 6;
pub(crate) const OPTION_GO: u32 = 7;
const OPTION_STRUCTURED_REPLY: u32 = 8;
const OPTION_LIST_META_CONTEXT: u32 = 9;
const OPTION_SET_META_CONTEXT: u32 = 10;

pub(crate) const REPLY_ACK: u32 = 1;
const REPLY_SERVER: u32 = 2;
pub(crate) const REPLY_INFO: u32 = 3;
const REPLY_META_CONTEXT: u32 = 4;
pub(crate) const REPLY_UNSUPPORTED: u32 = (1 << 31) + 1;
const REPLY_INVALID: u32 = (1 << 31) + 3;
const REPLY_UNKNOWN: u32 = (1 << 31) + 6;

pub(crate) const INFO_EXPORT: u16 = 0;
const INFO_BLOCK_SIZE: u16 = 3;

pub(crate) const EXPORT_HAS_FLAGS: u16 = 1 << 0;
pub(crate) const EXPORT_READ_ONLY: u16 = 1 << 1;
pub(crate) const EXPORT_SEND_FLUSH: u16 = 1 << 2;
const EXPORT_SEND_FUA: u16 = 1 << 3;
pub(crate) const EXPORT_SEND_TRIM: u16 = 1 << 5;
const EXPORT_SEND_WRITE_ZEROES: u16 = 1 << 6;
const EXPORT_SEND_DF: u16 = 1 << 7;
const EXPORT_CAN_MULTI_CONN: u16 = 1 << 8;

/// Length of the reserved zeros after the reply to `NBD_OPT_EXPORT_NAME`.
pub(crate) const EXPORT_NAME_PADDING_BYTES: usize = 124;

/// What became of the bytes offered to [`Handshake::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The next message is not complete yet.
    NeedMore,
    /// One message of this many bytes was answered; there may be more.
    Consumed(usize),
    /// The client entered the transmission phase with its message of this many bytes.
    Agreed(usize, Terms),
    /// The client ended the session with its message of this many bytes; the connection closes once the reply is sent.
    Aborted(usize),
}

/// The server's side of the handshake for one client.
#[derive(Debug)]
pub struct Handshake {
    capacity_bytes: u64,
    terms: Terms,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    ClientFlags,
    Options { padding_bytes: usize },
}

/// Data of an option that does not have the form the protocol prescribes.
struct Malformed;

impl Handshake {
    /// Starts the handshake by writing the greeting to `target`.
    pub fn begin(capacity_bytes: u64, target: &mut Vec<u8>) -> Self {
        target.extend_from_slice(GREETING_MAGIC);
        target.extend_from_slice(&OPTION_MAGIC.to_be_bytes());
        target.extend_from_slice(&(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES).to_be_bytes());
        Self {
            capacity_bytes,
            terms: Terms::default(),
            stage: Stage::ClientFlags,
        }
    }

    /// Takes at most one message from the front of `input` and writes its answer to `target`.
    ///
    /// # Errors
    /// A [`Violation`] after which the stream cannot be followed any further.
    pub fn advance(&mut self, input: &[u8], target: &mut Vec<u8>) -> Result<Progress, Violation> {
        match self.stage {
            Stage::ClientFlags => self.take_client_flags(input),
            Stage::Options { padding_bytes } => self.take_option(input, padding_bytes, target),
        }
    }

    fn take_client_flags(&mut self, input: &[u8]) -> Result<Progress, Violation> {
        let Some(flags) = be_u32(input) else {
            return Ok(Progress::NeedMore);
        };
        if flags & !u32::from(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES) != 0 {
            return Err(Violation::ClientFlags(flags));
        }
        let no_zeroes = flags & u32::from(FLAG_NO_ZEROES) != 0;
        self.stage = Stage::Options {
            padding_bytes: if no_zeroes { 0 } else { EXPORT_NAME_PADDING_BYTES },
        };
        Ok(Progress::Consumed(CLIENT_FLAGS_BYTES))
    }

    fn take_option(&mut self, input: &[u8], padding: usize, target: &mut Vec<u8>) -> Result<Progress, Violation> {
        if let Some(magic) = be_u64(input).filter(|&magic| magic != OPTION_MAGIC) {
            return Err(Violation::OptionMagic(magic));
        }
        let Some((header, rest)) = input.split_at_checked(OPTION_HEADER_BYTES) else {
            return Ok(Progress::NeedMore);
        };
        let (Some(option), Some(length_bytes)) = (be_u32(&header[8..]), be_u32(&header[12..])) else {
            return Ok(Progress::NeedMore);
        };
        if length_bytes > OPTION_BYTES_MAX {
            return Err(Violation::OptionLength { option, length_bytes });
        }
        let Some(data) = rest.get(..length_bytes as usize) else {
            return Ok(Progress::NeedMore);
        };
        let consumed = OPTION_HEADER_BYTES + data.len();
        match option {
            OPTION_EXPORT_NAME => {
                self.enter_by_name(data, padding, target)?;
                return Ok(Progress::Agreed(consumed, self.terms));
            }
            OPTION_ABORT => {
                put_reply(target, option, REPLY_ACK, &[]);
                return Ok(Progress::Aborted(consumed));
            }
            _ => {}
        }
        let outcome = self.answer(option, data, target);
        put_reply(target, option, outcome, &[]);
        let entered = option == OPTION_GO && outcome == REPLY_ACK;
        Ok(if entered {
            Progress::Agreed(consumed, self.terms)
        } else {
            Progress::Consumed(consumed)
        })
    }

    fn enter_by_name(&mut self, name: &[u8], padding_bytes: usize, target: &mut Vec<u8>) -> Result<(), Violation> {
        self.terms.writes = Writes::of_export(name).ok_or(Violation::ExportName)?;
        target.extend_from_slice(&self.capacity_bytes.to_be_bytes());
        target.extend_from_slice(&self.export_flags().to_be_bytes());
        target.resize(target.len() + padding_bytes, 0);
        Ok(())
    }

    /// Writes the intermediate replies to an option and returns the type of the final one.
    fn answer(&mut self, option: u32, data: &[u8], target: &mut Vec<u8>) -> u32 {
        let outcome = match option {
            OPTION_LIST => list(data, target),
            OPTION_INFO | OPTION_GO => self.inform(option, data, target),
            OPTION_STRUCTURED_REPLY if data.is_empty() => {
                self.terms.replies = Replies::Structured;
                Ok(REPLY_ACK)
            }
            OPTION_STRUCTURED_REPLY => Err(Malformed),
            OPTION_LIST_META_CONTEXT | OPTION_SET_META_CONTEXT => self.meta_context(option, data, target),
            _ => Ok(REPLY_UNSUPPORTED),
        };
        outcome.unwrap_or(REPLY_INVALID)
    }

    fn inform(&mut self, option: u32, data: &[u8], target: &mut Vec<u8>) -> Result<u32, Malformed> {
        let (name, rest) = take_string(data)?;
        let (count, requests) = rest.split_first_chunk().ok_or(Malformed)?;
        if requests.len() != 2 * usize::from(u16::from_be_bytes(*count)) {
            return Err(Malformed);
        }
        let Some(writes) = Writes::of_export(name) else {
            return Ok(REPLY_UNKNOWN);
        };
        self.terms.writes = writes;
        let mut export = INFO_EXPORT.to_be_bytes().to_vec();
        export.extend_from_slice(&self.capacity_bytes.to_be_bytes());
        export.extend_from_slice(&self.export_flags().to_be_bytes());
        put_reply(target, option, REPLY_INFO, &export);
        let mut block_size = INFO_BLOCK_SIZE.to_be_bytes().to_vec();
        for size_bytes in [BLOCK_BYTES_MIN, BLOCK_BYTES_PREFERRED, PAYLOAD_BYTES_MAX] {
            block_size.extend_from_slice(&size_bytes.to_be_bytes());
        }
        put_reply(target, option, REPLY_INFO, &block_size);
        Ok(REPLY_ACK)
    }

    fn meta_context(&mut self, option: u32, data: &[u8], target: &mut Vec<u8>) -> Result<u32, Malformed> {
        // A failed selection, too, replaces the one before it.
        let is_selection = option == OPTION_SET_META_CONTEXT;
        if is_selection {
            self.terms.block_status = BlockStatus::NotSelected;
        }
        let (name, queries) = take_queries(data)?;
        if self.terms.replies == Replies::Simple {
            return Err(Malformed);
        }
        if Writes::of_export(name).is_none() {
            return Ok(REPLY_UNKNOWN);
        }
        let wildcard = |query: &&[u8]| !is_selection && *query == b"base:";
        let matches = queries.iter().any(|query| *query == CONTEXT_NAME || wildcard(query))
            || (!is_selection && queries.is_empty());
        if matches {
            let id = if is_selection { CONTEXT_ID } else { 0 };
            put_reply(
                target,
                option,
                REPLY_META_CONTEXT,
                &[&id.to_be_bytes(), CONTEXT_NAME].concat(),
            );
        }
        if matches && is_selection {
            self.terms.block_status = BlockStatus::Selected;
        }
        Ok(REPLY_ACK)
    }

    fn export_flags(&self) -> u16 {
        let always = EXPORT_HAS_FLAGS
            | EXPORT_SEND_FLUSH
            | EXPORT_SEND_FUA
            | EXPORT_SEND_TRIM
            | EXPORT_SEND_WRITE_ZEROES
            | EXPORT_CAN_MULTI_CONN;
        match self.terms.replies {
            Replies::Simple => always,
            Replies::Structured => always | EXPORT_SEND_DF,
        }
    }
}

fn list(data: &[u8], target: &mut Vec<u8>) -> Result<u32, Malformed> {
    if !data.is_empty() {
        return Err(Malformed);
    }
    for name in [b"".as_slice(), FORCED_EXPORT] {
        let length = (name.len() as u32).to_be_bytes();
        put_reply(target, OPTION_LIST, REPLY_SERVER, &[&length, name].concat());
    }
    Ok(REPLY_ACK)
}

fn take_u32(data: &[u8]) -> Result<(u32, &[u8]), Malformed> {
    let (bytes, rest) = data.split_first_chunk().ok_or(Malformed)?;
    Ok((u32::from_be_bytes(*bytes), rest))
}

fn take_string(data: &[u8]) -> Result<(&[u8], &[u8]), Malformed> {
    let (length, rest) = take_u32(data)?;
    rest.split_at_checked(length as usize).ok_or(Malformed)
}

fn take_queries(data: &[u8]) -> Result<(&[u8], Vec<&[u8]>), Malformed> {
    let (name, rest) = take_string(data)?;
    let (count, mut rest) = take_u32(rest)?;
    let mut queries = Vec::new();
    // The count is the client's word; the data that really follows ends the loop first if it lies.
    for _ in 0..count {
        let (query, after) = take_string(rest)?;
        queries.push(query);
        rest = after;
    }
    if rest.is_empty() {
        Ok((name, queries))
    } else {
        Err(Malformed)
    }
}

fn put_reply(target: &mut Vec<u8>, option: u32, kind: u32, data: &[u8]) {
    target.extend_from_slice(&REPLY_MAGIC.to_be_bytes());
    target.extend_from_slice(&option.to_be_bytes());
    target.extend_from_slice(&kind.to_be_bytes());
    target.extend_from_slice(&(data.len() as u32).to_be_bytes());
    target.extend_from_slice(data);
}

#[cfg(test)]
mod tests;
