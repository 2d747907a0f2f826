//! An NBD export on a unix socket, as a client (the protocol: NetworkBlockDevice/nbd, doc/proto.md).

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::medium::Medium;

const INIT_MAGIC: &[u8; 8] = b"NBDMAGIC";
const OPTION_MAGIC: &[u8; 8] = b"IHAVEOPT";
const OPTION_REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
const REQUEST_MAGIC: u32 = 0x2560_9513;
const REPLY_MAGIC: u32 = 0x6744_6698;
const FIXED_NEWSTYLE: u32 = 1;
const NO_ZEROES: u32 = 2;
const OPTION_GO: u32 = 7;
const REPLY_ACK: u32 = 1;
const REPLY_INFO: u32 = 3;
const INFO_EXPORT: u16 = 0;
const SEND_FLUSH: u16 = 1 << 2;
const READ: u16 = 0;
const WRITE: u16 = 1;
const DISCONNECT: u16 = 2;
const FLUSH: u16 = 3;
const REPLY_BYTES_MAX: u32 = 1 << 16;

/// Bytes of one request, and how many are in flight: what the kernel makes of one large write to a drive.
const REQUEST_BYTES: usize = 1 << 20;
const IN_FLIGHT: usize = 16;

/// Why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NbdError {
    /// The socket.
    #[error("the NBD server cannot be reached: {0}")]
    Io(#[from] io::Error),
    /// The handshake.
    #[error("what answers is no NBD server that ssdlab can use: {0}")]
    Protocol(String),
}

/// A connection.
pub struct Nbd {
    stream: UnixStream,
    size_bytes: u64,
    flags: u16,
}

impl Nbd {
    /// Connects to an export.
    ///
    /// # Errors
    /// Nobody listens, or the export is not there.
    pub fn connect(socket: &Path, export: &str) -> Result<Self, NbdError> {
        let mut stream = UnixStream::connect(socket)?;
        let (size_bytes, flags) = handshake(&mut stream, export)?;
        Ok(Self {
            stream,
            size_bytes,
            flags,
        })
    }

    /// Length of the export.
    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    fn request(&mut self, flags: u16, command: u16, cookie: u64, offset_bytes: u64, length: usize) -> io::Result<()> {
        let mut head = Vec::with_capacity(28);
        head.extend(REQUEST_MAGIC.to_be_bytes());
        head.extend(flags.to_be_bytes());
        head.extend(command.to_be_bytes());
        head.extend(cookie.to_be_bytes());
        head.extend(offset_bytes.to_be_bytes());
        head.extend((length as u32).to_be_bytes());
        self.stream.write_all(&head)
    }

    /// The cookie of the next reply.
    fn reply(&mut self) -> io::Result<u64> {
        let mut head = [0; 16];
        self.stream.read_exact(&mut head)?;
        let (magic, error) = (be_u32(&head[0..4]), be_u32(&head[4..8]));
        if magic != REPLY_MAGIC {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the NBD server sent no simple reply",
            ));
        }
        if error != 0 {
            return Err(io::Error::from_raw_os_error(error.cast_signed()));
        }
        Ok(be_u64(&head[8..16]))
    }
}

impl Medium for Nbd {
    fn write_at(&mut self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        let mut waiting = 0;
        let mut failed = None;
        for (number, part) in data.chunks(REQUEST_BYTES).enumerate() {
            if waiting == IN_FLIGHT {
                failed = failed.or(self.reply().err());
                waiting -= 1;
            }
            let at = offset_bytes + (number * REQUEST_BYTES) as u64;
            self.request(0, WRITE, number as u64, at, part.len())?;
            self.stream.write_all(part)?;
            waiting += 1;
        }
        for _ in 0..waiting {
            failed = failed.or(self.reply().err());
        }
        failed.map_or(Ok(()), Err)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.flags & SEND_FLUSH == 0 {
            return Ok(());
        }
        self.request(0, FLUSH, 0, 0, 0)?;
        self.reply().map(|_| ())
    }

    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()> {
        let length = data.len();
        let count = length.div_ceil(REQUEST_BYTES);
        let part_bytes = |number: usize| REQUEST_BYTES.min(length - number * REQUEST_BYTES);
        let mut asked = 0;
        let mut failed = None;
        for answered in 0..count {
            while asked < count && asked < answered + IN_FLIGHT {
                let at = offset_bytes + (asked * REQUEST_BYTES) as u64;
                self.request(0, READ, asked as u64, at, part_bytes(asked))?;
                asked += 1;
            }
            match self.reply() {
                // A reply to another request than it belongs to would put its data in the wrong place unseen.
                Ok(cookie) if cookie >= asked as u64 => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "the NBD server answered what nobody asked",
                    ));
                }
                Ok(cookie) => {
                    let begin = cookie as usize * REQUEST_BYTES;
                    self.stream
                        .read_exact(&mut data[begin..begin + part_bytes(cookie as usize)])?;
                }
                Err(error) if error.raw_os_error().is_some() => failed = Some(error),
                Err(error) => return Err(error),
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

impl Drop for Nbd {
    fn drop(&mut self) {
        // The server sees the connection end either way; the word only makes it a planned end.
        drop(self.request(0, DISCONNECT, 0, 0, 0));
    }
}

fn handshake(stream: &mut UnixStream, export: &str) -> Result<(u64, u16), NbdError> {
    let mut greeting = [0; 18];
    stream.read_exact(&mut greeting)?;
    if &greeting[0..8] != INIT_MAGIC || &greeting[8..16] != OPTION_MAGIC {
        return Err(NbdError::Protocol("it does not greet as one".into()));
    }
    stream.write_all(&(FIXED_NEWSTYLE | NO_ZEROES).to_be_bytes())?;
    let mut option = Vec::new();
    option.extend(OPTION_MAGIC);
    option.extend(OPTION_GO.to_be_bytes());
    option.extend((export.len() as u32 + 6).to_be_bytes());
    option.extend((export.len() as u32).to_be_bytes());
    option.extend(export.as_bytes());
    option.extend(0_u16.to_be_bytes());
    stream.write_all(&option)?;
    let mut found = None;
    loop {
        let (kind, data) = option_reply(stream)?;
        match kind {
            REPLY_ACK => return found.ok_or_else(|| NbdError::Protocol("it does not tell the size".into())),
            REPLY_INFO if data.len() >= 12 && be_u16(&data[0..2]) == INFO_EXPORT => {
                found = Some((be_u64(&data[2..10]), be_u16(&data[10..12])));
            }
            REPLY_INFO => {}
            _ => {
                let said = String::from_utf8_lossy(&data).into_owned();
                return Err(NbdError::Protocol(format!(
                    "it refuses the export `{export}` ({kind:#x}) {said}"
                )));
            }
        }
    }
}

fn option_reply(stream: &mut UnixStream) -> Result<(u32, Vec<u8>), NbdError> {
    let mut head = [0; 20];
    stream.read_exact(&mut head)?;
    let length = be_u32(&head[16..20]);
    if be_u64(&head[0..8]) != OPTION_REPLY_MAGIC || length > REPLY_BYTES_MAX {
        return Err(NbdError::Protocol("its reply to an option is damaged".into()));
    }
    let mut data = vec![0; length as usize];
    stream.read_exact(&mut data)?;
    Ok((be_u32(&head[12..16]), data))
}

fn be_u16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |value, byte| value << 8 | u16::from(*byte))
}

fn be_u32(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))
}

fn be_u64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
