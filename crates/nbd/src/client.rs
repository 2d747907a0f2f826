//! A client of an NBD export on a unix socket: the handshake, requests, and simple replies.

mod pipeline;

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::net::sockopt::{Timeout, set_socket_timeout};
use rustix::net::{AddressFamily, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, send, socket_with};

use crate::wire::handshake::{
    EXPORT_HAS_FLAGS, EXPORT_NAME_PADDING_BYTES, EXPORT_READ_ONLY, EXPORT_SEND_FLUSH, EXPORT_SEND_TRIM,
    FLAG_FIXED_NEWSTYLE, FLAG_NO_ZEROES, GREETING_MAGIC, INFO_EXPORT, OPTION_BYTES_MAX, OPTION_EXPORT_NAME, OPTION_GO,
    OPTION_MAGIC, REPLY_ACK, REPLY_INFO, REPLY_MAGIC, REPLY_UNSUPPORTED,
};
use crate::wire::reply::SIMPLE_MAGIC;
use crate::wire::request::{
    COMMAND_DISCONNECT, COMMAND_FLUSH, COMMAND_READ, COMMAND_TRIM, COMMAND_WRITE, FLAG_FUA, HEADER_BYTES, MAGIC,
};
use crate::wire::{be_u16, be_u32, be_u64};

/// A server that says nothing for so long during the handshake is given up.
const HANDSHAKE_LIMIT: Duration = Duration::from_secs(60);

pub use pipeline::{Answered, Pipeline};

/// How often a wait with a limit looks up.
const LOOK_UP: Duration = Duration::from_millis(200);

/// Replies to the one option: a server has a handful of facts to tell of an export.
const OPTION_REPLIES_MAX: usize = 1000;

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
    /// Likewise, and it is durable before its reply.
    DurableWrite,
    /// All that was answered before becomes durable.
    Flush,
    /// The data is not needed any more, which the server may ignore.
    Trim,
}

impl Command {
    fn number(self) -> u16 {
        match self {
            Self::Read => COMMAND_READ,
            Self::Write | Self::DurableWrite => COMMAND_WRITE,
            Self::Flush => COMMAND_FLUSH,
            Self::Trim => COMMAND_TRIM,
        }
    }

    fn flags(self) -> u16 {
        match self {
            Self::DurableWrite => FLAG_FUA,
            Self::Read | Self::Write | Self::Flush | Self::Trim => 0,
        }
    }
}

/// What a server says of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// Its length.
    pub size_bytes: u64,
    flags: u16,
}

impl Export {
    /// Whether it has a cache that can be emptied.
    pub fn flushes(self) -> bool {
        self.flags & EXPORT_SEND_FLUSH != 0
    }

    /// Whether it takes writes.
    pub fn is_writable(self) -> bool {
        self.flags & EXPORT_READ_ONLY == 0
    }

    /// Whether it takes trims.
    pub fn trims(self) -> bool {
        self.flags & EXPORT_HAS_FLAGS != 0 && self.flags & EXPORT_SEND_TRIM != 0
    }
}

/// Asked several times a second while a server says nothing; its error ends the wait.
pub type LookUp = Box<dyn FnMut() -> io::Result<()> + Send>;

/// How long a client waits, after the handshake, for a server that says nothing.
pub enum Patience {
    /// For ever: a drive may stall for minutes.
    Endless,
    /// So long.
    Limited(Duration, LookUp),
}

impl Patience {
    /// In the handshake, and after it.
    fn limits(&self) -> (Duration, Option<Duration>) {
        match self {
            Self::Endless => (HANDSHAKE_LIMIT, None),
            Self::Limited(limit, _) => (*limit, Some(*limit)),
        }
    }
}

/// A connection, past its handshake; its end is told to the server.
pub struct Client {
    stream: Stream,
    export: Export,
}

impl Client {
    /// Connects to an export.
    ///
    /// # Errors
    /// Nobody listens, the export is not there, or the server says nothing for too long.
    pub fn connect(socket: &Path, export: &str, patience: Patience) -> Result<Self, ConnectError> {
        let (limit, _) = patience.limits();
        Self::greeted(Stream::connected(socket, limit)?, export, patience)
    }

    /// The same on a socket that is connected already.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub fn greeted(socket: UnixStream, export: &str, patience: Patience) -> Result<Self, ConnectError> {
        let (limit, after) = patience.limits();
        let look_up: LookUp = match patience {
            Patience::Endless => Box::new(|| Ok(())),
            Patience::Limited(_, look_up) => look_up,
        };
        let mut stream = Stream {
            socket,
            limit: None,
            look_up,
        };
        stream.limit_to(Some(limit))?;
        let export = handshake(&mut stream, export)?;
        stream.limit_to(after)?;
        Ok(Self { stream, export })
    }

    /// What it is connected to.
    pub fn export(&self) -> Export {
        self.export
    }

    /// One request and its answer; `data` is the payload of a write, or what a read fills.
    ///
    /// # Errors
    /// The server refused, answered something else, or the connection is over.
    pub fn ask(&mut self, command: Command, offset_bytes: u64, length_bytes: u32, data: &mut [u8]) -> io::Result<()> {
        let (sent, filled): (&[u8], &mut [u8]) = match command {
            Command::Write | Command::DurableWrite => (data, &mut []),
            _ => (&[], data),
        };
        self.send(command, offset_bytes, offset_bytes, length_bytes, sent)?;
        match self.reply()? {
            Reply::Done { cookie } if cookie == offset_bytes => self.payload(filled),
            Reply::Done { .. } => Err(io::Error::new(
                ErrorKind::InvalidData,
                "the NBD server answered what nobody asked",
            )),
            Reply::Refused(error) => Err(error),
        }
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
        let head = header(command, cookie, offset_bytes, length_bytes);
        self.stream
            .send(&head)
            .and_then(|()| self.stream.send(payload))
            .map_err(over)
    }

    /// The next reply.
    ///
    /// # Errors
    /// `NotConnected`: the connection is over. `InvalidData`: what came is no simple reply.
    pub fn reply(&mut self) -> io::Result<Reply> {
        let mut head = [0; 16];
        self.stream.receive(&mut head).map_err(over)?;
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
        self.stream.receive(target).map_err(over)
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

fn over(error: io::Error) -> io::Error {
    if error.kind() == ErrorKind::Interrupted {
        return error;
    }
    io::Error::new(
        ErrorKind::NotConnected,
        format!("the connection to the NBD server is over: {error}"),
    )
}

impl Drop for Client {
    fn drop(&mut self) {
        // The server sees the connection end either way; the word only makes it a planned end, and nobody waits for a server
        // that reads nothing.
        let flags = SendFlags::DONTWAIT | SendFlags::NOSIGNAL;
        let _ = send(&self.stream.socket, &raw_header(0, COMMAND_DISCONNECT, 0, 0, 0), flags);
    }
}

/// A socket that is waited for with a limit.
struct Stream {
    socket: UnixStream,
    limit: Option<Duration>,
    look_up: LookUp,
}

impl Stream {
    fn connected(path: &Path, limit: Duration) -> io::Result<UnixStream> {
        // Made by hand because a server whose queue is full would hold up `UnixStream::connect` for ever.
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        set_socket_timeout(&socket, Timeout::Send, Some(limit))?;
        connect(&socket, &SocketAddrUnix::new(path)?)?;
        Ok(socket.into())
    }

    fn limit_to(&mut self, limit: Option<Duration>) -> io::Result<()> {
        self.limit = limit;
        self.socket.set_write_timeout(limit)?;
        self.socket.set_read_timeout(limit.map(|limit| limit.min(LOOK_UP)))
    }

    fn send(&mut self, data: &[u8]) -> io::Result<()> {
        self.socket.write_all(data)
    }

    /// Fills `target`; the limit is that of a silence.
    fn receive(&mut self, target: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        let mut heard = Instant::now();
        while filled < target.len() {
            match self.socket.read(&mut target[filled..]) {
                Ok(0) => {
                    return Err(io::Error::new(
                        ErrorKind::UnexpectedEof,
                        "the server closed the connection",
                    ));
                }
                Ok(count) => {
                    filled += count;
                    heard = Instant::now();
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                    (self.look_up)()?;
                    if self.limit.is_some_and(|limit| heard.elapsed() >= limit) {
                        return Err(io::Error::new(ErrorKind::TimedOut, "the server says nothing"));
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

fn header(command: Command, cookie: u64, offset_bytes: u64, length_bytes: u32) -> Vec<u8> {
    raw_header(command.flags(), command.number(), cookie, offset_bytes, length_bytes)
}

fn raw_header(flags: u16, number: u16, cookie: u64, offset_bytes: u64, length_bytes: u32) -> Vec<u8> {
    let mut head = Vec::with_capacity(HEADER_BYTES);
    head.extend(MAGIC.to_be_bytes());
    head.extend(flags.to_be_bytes());
    head.extend(number.to_be_bytes());
    head.extend(cookie.to_be_bytes());
    head.extend(offset_bytes.to_be_bytes());
    head.extend(length_bytes.to_be_bytes());
    head
}

fn handshake(stream: &mut Stream, export: &str) -> Result<Export, ConnectError> {
    let mut greeting = [0; 18];
    stream.receive(&mut greeting)?;
    let offered = be_u16(&greeting[16..]).unwrap_or_default();
    if &greeting[0..8] != GREETING_MAGIC || be_u64(&greeting[8..]) != Some(OPTION_MAGIC) {
        return Err(ConnectError::Protocol("it does not greet as one".into()));
    }
    if offered & FLAG_FIXED_NEWSTYLE == 0 {
        return Err(ConnectError::Protocol("it does not speak fixed newstyle NBD".into()));
    }
    let flags = offered & (FLAG_FIXED_NEWSTYLE | FLAG_NO_ZEROES);
    stream.send(&u32::from(flags).to_be_bytes())?;
    stream.send(&go(export))?;
    let mut found = None;
    for _ in 0..OPTION_REPLIES_MAX {
        let (kind, data) = option_reply(stream)?;
        match kind {
            REPLY_ACK => return found.ok_or_else(|| ConnectError::Protocol("it does not tell the size".into())),
            REPLY_INFO => found = export_info(&data).or(found),
            REPLY_UNSUPPORTED => return entered_by_name(stream, export, flags),
            _ => {
                let said = String::from_utf8_lossy(&data).into_owned();
                return Err(ConnectError::Protocol(format!(
                    "it refuses the export `{export}` ({kind:#x}) {said}"
                )));
            }
        }
    }
    Err(ConnectError::Protocol("it does not come to an end".into()))
}

/// The way into an export that servers know which are older than `NBD_OPT_GO`; they hang up if they have no such export.
fn entered_by_name(stream: &mut Stream, export: &str, flags: u16) -> Result<Export, ConnectError> {
    stream.send(&option(OPTION_EXPORT_NAME, export.as_bytes()))?;
    let padding_bytes = if flags & FLAG_NO_ZEROES == 0 {
        EXPORT_NAME_PADDING_BYTES
    } else {
        0
    };
    let mut said = vec![0; 10 + padding_bytes];
    stream.receive(&mut said)?;
    described(&said).ok_or_else(|| ConnectError::Protocol("it does not tell the size".into()))
}

fn option(number: u32, data: &[u8]) -> Vec<u8> {
    let mut option = OPTION_MAGIC.to_be_bytes().to_vec();
    option.extend(number.to_be_bytes());
    option.extend((data.len() as u32).to_be_bytes());
    option.extend(data);
    option
}

/// The option that enters an export, without any wish for information.
fn go(export: &str) -> Vec<u8> {
    let mut data = (export.len() as u32).to_be_bytes().to_vec();
    data.extend(export.as_bytes());
    data.extend(0_u16.to_be_bytes());
    option(OPTION_GO, &data)
}

/// The export, where that is what the reply tells.
fn export_info(data: &[u8]) -> Option<Export> {
    (be_u16(data)? == INFO_EXPORT).then(|| described(&data[2..]))?
}

fn described(data: &[u8]) -> Option<Export> {
    Some(Export {
        size_bytes: be_u64(data)?,
        flags: be_u16(data.get(8..)?)?,
    })
}

fn option_reply(stream: &mut Stream) -> Result<(u32, Vec<u8>), ConnectError> {
    let mut head = [0; 20];
    stream.receive(&mut head)?;
    let (Some(magic), Some(kind), Some(length)) = (be_u64(&head), be_u32(&head[12..]), be_u32(&head[16..])) else {
        unreachable!("a reply to an option has room for its fields")
    };
    if magic != REPLY_MAGIC || length > OPTION_BYTES_MAX {
        return Err(ConnectError::Protocol("its reply to an option is damaged".into()));
    }
    let mut data = vec![0; length as usize];
    stream.receive(&mut data)?;
    Ok((kind, data))
}

#[cfg(test)]
mod tests;
