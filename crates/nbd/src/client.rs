//! A client of an NBD export on a unix socket: the handshake, requests, and simple replies.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::wire::handshake::{
    EXPORT_SEND_FLUSH, FLAG_FIXED_NEWSTYLE, FLAG_NO_ZEROES, GREETING_MAGIC, INFO_EXPORT, OPTION_BYTES_MAX, OPTION_GO,
    OPTION_MAGIC, REPLY_ACK, REPLY_INFO, REPLY_MAGIC,
};
use crate::wire::reply::SIMPLE_MAGIC;
use crate::wire::request::{COMMAND_DISCONNECT, COMMAND_FLUSH, COMMAND_READ, COMMAND_WRITE, HEADER_BYTES, MAGIC};
use crate::wire::{be_u16, be_u32, be_u64};

/// Why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The socket.
    #[error("the NBD server cannot be reached: {0}")]
    Io(#[from] io::Error),
    /// The handshake.
    #[error("what answers is no NBD server that ssdlab can use: {0}")]
    Protocol(String),
}

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// The reply is followed by the payload.
    Read,
    /// The request is followed by the payload.
    Write,
    /// All that was answered before becomes durable.
    Flush,
}

impl Command {
    fn number(self) -> u16 {
        match self {
            Self::Read => COMMAND_READ,
            Self::Write => COMMAND_WRITE,
            Self::Flush => COMMAND_FLUSH,
        }
    }
}

/// Whether an export has a cache that can be emptied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flushing {
    /// `NBD_FLAG_SEND_FLUSH`
    Offered,
    /// There is no such command.
    Unknown,
}

/// A connection, past its handshake; its end is told to the server.
pub struct Client {
    stream: UnixStream,
    size_bytes: u64,
    flushing: Flushing,
}

impl Client {
    /// Connects to an export.
    ///
    /// # Errors
    /// Nobody listens, or the export is not there.
    pub fn connect(socket: &Path, export: &str) -> Result<Self, ConnectError> {
        let mut stream = UnixStream::connect(socket)?;
        let (size_bytes, flags) = handshake(&mut stream, export)?;
        let flushing = if flags & EXPORT_SEND_FLUSH == 0 {
            Flushing::Unknown
        } else {
            Flushing::Offered
        };
        Ok(Self {
            stream,
            size_bytes,
            flushing,
        })
    }

    /// Length of the export.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// Whether it can be flushed.
    pub fn flushing(&self) -> Flushing {
        self.flushing
    }

    /// Sends a request; `payload` is that of a write.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over.
    pub fn send(
        &mut self,
        command: Command,
        cookie: u64,
        offset_bytes: u64,
        length_bytes: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        let head = header(command.number(), cookie, offset_bytes, length_bytes);
        self.stream
            .write_all(&head)
            .and_then(|()| self.stream.write_all(payload))
            .map_err(over)
    }

    /// The next reply.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over. `InvalidData`: what came is no simple reply.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let mut head = [0; 16];
        self.stream.read_exact(&mut head).map_err(over)?;
        let (Some(magic), Some(error), Some(cookie)) = (be_u32(&head), be_u32(&head[4..]), be_u64(&head[8..])) else {
            unreachable!("a reply has room for its fields")
        };
        match (magic, error) {
            (SIMPLE_MAGIC, 0) => Ok(Reply::Done { cookie }),
            (SIMPLE_MAGIC, _) => Ok(Reply::Refused(io::Error::from_raw_os_error(error.cast_signed()))),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the NBD server sent no simple reply",
            )),
        }
    }

    /// The payload that follows the reply to a read.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over.
    pub fn payload(&mut self, target: &mut [u8]) -> io::Result<()> {
        self.stream.read_exact(target).map_err(over)
    }
}

/// What a server answered.
#[derive(Debug)]
pub enum Reply {
    /// It did what was asked.
    Done {
        /// Of the request.
        cookie: u64,
    },
    /// It did not, and says why.
    Refused(io::Error),
}

#[allow(clippy::needless_pass_by_value)] // What maps errors is given them.
fn over(error: io::Error) -> io::Error {
    io::Error::new(
        io::ErrorKind::NotConnected,
        format!("the connection to the NBD server is over: {error}"),
    )
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server sees the connection end either way; the word only makes it a planned end.
        drop(self.stream.write_all(&header(COMMAND_DISCONNECT, 0, 0, 0)));
    }
}

fn header(command: u16, cookie: u64, offset_bytes: u64, length_bytes: u32) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEADER_BYTES);
    head.extend(MAGIC.to_be_bytes());
    head.extend(0_u16.to_be_bytes());
    head.extend(command.to_be_bytes());
    head.extend(cookie.to_be_bytes());
    head.extend(offset_bytes.to_be_bytes());
    head.extend(length_bytes.to_be_bytes());
    head
}

fn handshake(stream: &mut UnixStream, export: &str) -> Result<(u64, u16), ConnectError> {
    let mut greeting = [0; 18];
    stream.read_exact(&mut greeting)?;
    if &greeting[0..8] != GREETING_MAGIC || be_u64(&greeting[8..]) != Some(OPTION_MAGIC) {
        return Err(ConnectError::Protocol("it does not greet as one".into()));
    }
    stream.write_all(&u32::from(FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES).to_be_bytes())?;
    stream.write_all(&go(export))?;
    let mut found = None;
    loop {
        let (kind, data) = option_reply(stream)?;
        match kind {
            REPLY_ACK => return found.ok_or_else(|| ConnectError::Protocol("it does not tell the size".into())),
            REPLY_INFO => found = export_info(&data).or(found),
            _ => {
                let said = String::from_utf8_lossy(&data).into_owned();
                return Err(ConnectError::Protocol(format!(
                    "it refuses the export `{export}` ({kind:#x}) {said}"
                )));
            }
        }
    }
}

/// The option that enters an export, without any wish for information.
fn go(export: &str) -> Vec<u8> {
    let mut option = OPTION_MAGIC.to_be_bytes().to_vec();
    option.extend(OPTION_GO.to_be_bytes());
    option.extend((export.len() as u32 + 6).to_be_bytes());
    option.extend((export.len() as u32).to_be_bytes());
    option.extend(export.as_bytes());
    option.extend(0_u16.to_be_bytes());
    option
}

/// Size and flags of the export, where that is what the reply tells.
fn export_info(data: &[u8]) -> Option<(u64, u16)> {
    let (INFO_EXPORT, rest) = (be_u16(data)?, &data[2..]) else {
        return None;
    };
    Some((be_u64(rest)?, be_u16(rest.get(8..)?)?))
}

fn option_reply(stream: &mut UnixStream) -> Result<(u32, Vec<u8>), ConnectError> {
    let mut head = [0; 20];
    stream.read_exact(&mut head)?;
    let (Some(magic), Some(kind), Some(length)) = (be_u64(&head), be_u32(&head[12..]), be_u32(&head[16..])) else {
        unreachable!("a reply to an option has room for its fields")
    };
    if magic != REPLY_MAGIC || length > OPTION_BYTES_MAX {
        return Err(ConnectError::Protocol("its reply to an option is damaged".into()));
    }
    let mut data = vec![0; length as usize];
    stream.read_exact(&mut data)?;
    Ok((kind, data))
}
