//! An NBD export on a unix socket.

use std::io;
use std::path::Path;

use nbd::client::{Client, Command, ConnectError, Flushing, Reply};

use crate::medium::Medium;

/// Bytes of one request, and how many are in flight: what the kernel makes of one large write to a drive.
const REQUEST_BYTES: usize = 1 << 20;
const IN_FLIGHT: usize = 16;

/// A connection.
pub struct Nbd(Client);

impl Nbd {
    /// Connects to an export.
    ///
    /// # Errors
    /// Nobody listens, or the export is not there.
    pub fn connect(socket: &Path, export: &str) -> Result<Self, ConnectError> {
        Client::connect(socket, export).map(Self)
    }

    /// Length of the export.
    pub fn size_bytes(&self) -> u64 {
        self.0.size_bytes()
    }
}

impl Nbd {
    /// Waits for a reply that has no payload; a refusal is kept, as others are still to come.
    fn answered(&mut self, refused: &mut Option<io::Error>) -> io::Result<()> {
        if let Reply::Refused(error) = self.0.reply()? {
            refused.get_or_insert(error);
        }
        Ok(())
    }
}

impl Medium for Nbd {
    fn write_at(&mut self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        let mut waiting = 0;
        let mut refused = None;
        for (number, part) in data.chunks(REQUEST_BYTES).enumerate() {
            if waiting == IN_FLIGHT {
                self.answered(&mut refused)?;
                waiting -= 1;
            }
            let at = offset_bytes + (number * REQUEST_BYTES) as u64;
            self.0
                .send(Command::Write, number as u64, at, part.len() as u32, part)?;
            waiting += 1;
        }
        for _ in 0..waiting {
            self.answered(&mut refused)?;
        }
        refused.map_or(Ok(()), Err)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.0.flushing() == Flushing::Unknown {
            return Ok(());
        }
        let mut refused = None;
        self.0.send(Command::Flush, 0, 0, 0, &[])?;
        self.answered(&mut refused)?;
        refused.map_or(Ok(()), Err)
    }

    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()> {
        let length = data.len();
        let count = length.div_ceil(REQUEST_BYTES);
        let part_bytes = |number: usize| REQUEST_BYTES.min(length - number * REQUEST_BYTES);
        let mut asked = 0;
        let mut refused = None;
        for answered in 0..count {
            while asked < count && asked < answered + IN_FLIGHT {
                let at = offset_bytes + (asked * REQUEST_BYTES) as u64;
                self.0
                    .send(Command::Read, asked as u64, at, part_bytes(asked) as u32, &[])?;
                asked += 1;
            }
            match self.0.reply()? {
                // A reply to another request than it belongs to would put its data in the wrong place unseen.
                Reply::Done { cookie } if cookie >= asked as u64 => {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "the NBD server answered what nobody asked",
                    ));
                }
                Reply::Done { cookie } => {
                    let begin = cookie as usize * REQUEST_BYTES;
                    self.0.payload(&mut data[begin..begin + part_bytes(cookie as usize)])?;
                }
                Reply::Refused(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        refused.map_or(Ok(()), Err)
    }
}
