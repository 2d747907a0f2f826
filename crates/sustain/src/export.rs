//! An NBD export on a unix socket.

use std::io;
use std::path::Path;

use nbd::client::{Client, Command, ConnectError, Patience, Reply};

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
        Client::connect(socket, export, Patience::Endless).map(Self)
    }

    /// Length of the export.
    pub fn size_bytes(&self) -> u64 {
        self.0.export().size_bytes
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
        if !self.0.export().flushes() {
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
        let mut is_filled = vec![false; count];
        for answered in 0..count {
            while asked < count && asked < answered + IN_FLIGHT {
                let at = offset_bytes + (asked * REQUEST_BYTES) as u64;
                self.0
                    .send(Command::Read, asked as u64, at, part_bytes(asked) as u32, &[])?;
                asked += 1;
            }
            match self.0.reply()? {
                // A reply to another request than it belongs to, or a second one to the same, would put its data in the wrong
                // place unseen, and leave in another what was read before.
                Reply::Done { cookie } => {
                    let number = usize::try_from(cookie)
                        .ok()
                        .filter(|number| *number < asked && !is_filled[*number])
                        .ok_or_else(|| {
                            io::Error::new(io::ErrorKind::InvalidData, "the NBD server answered what nobody asked")
                        })?;
                    let begin = number * REQUEST_BYTES;
                    self.0.payload(&mut data[begin..begin + part_bytes(number)])?;
                    is_filled[number] = true;
                }
                Reply::Refused(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        refused.map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::PathBuf;
    use std::thread;

    use super::*;

    const MIB: usize = 1 << 20;

    /// The way of a server past the handshake of an export of 4 MiB.
    fn greet(stream: &mut UnixStream) -> io::Result<()> {
        stream.write_all(b"NBDMAGICIHAVEOPT")?;
        stream.write_all(&3_u16.to_be_bytes())?;
        let mut option = [0; 20];
        stream.read_exact(&mut option)?;
        let length = u32::from_be_bytes([option[16], option[17], option[18], option[19]]);
        stream.read_exact(&mut vec![0; length as usize])?;
        let mut info = 0_u16.to_be_bytes().to_vec();
        info.extend((4 * MIB as u64).to_be_bytes());
        info.extend(1_u16.to_be_bytes());
        for (kind, data) in [(3_u32, &info[..]), (1, &[])] {
            stream.write_all(&0x0003_e889_0455_65a9_u64.to_be_bytes())?;
            stream.write_all(&7_u32.to_be_bytes())?;
            stream.write_all(&kind.to_be_bytes())?;
            stream.write_all(&(data.len() as u32).to_be_bytes())?;
            stream.write_all(data)?;
        }
        Ok(())
    }

    /// A server that answers the first reads with these cookies, each with a payload of its place in the list.
    fn answering(cookies: &'static [u64]) -> PathBuf {
        let name = format!("ssdlab-export-{}-{cookies:?}", std::process::id());
        let socket = std::env::temp_dir().join(name);
        // A test of the same number may have been killed.
        drop(std::fs::remove_file(&socket));
        let listener = UnixListener::bind(&socket).unwrap();
        thread::spawn(move || -> io::Result<()> {
            let (mut stream, _) = listener.accept()?;
            greet(&mut stream)?;
            stream.read_exact(&mut vec![0; 28 * cookies.len()])?;
            for (number, cookie) in cookies.iter().enumerate() {
                stream.write_all(&0x6744_6698_u32.to_be_bytes())?;
                stream.write_all(&0_u32.to_be_bytes())?;
                stream.write_all(&cookie.to_be_bytes())?;
                stream.write_all(&vec![number as u8 + 1; MIB])?;
            }
            stream.read_to_end(&mut Vec::new())?;
            Ok(())
        });
        socket
    }

    fn read_from(cookies: &'static [u64]) -> (io::Result<()>, Vec<u8>) {
        let socket = answering(cookies);
        let mut export = Nbd::connect(&socket, "").unwrap();
        std::fs::remove_file(socket).unwrap();
        let mut data = vec![0; cookies.len() * MIB];
        (export.read_at(0, &mut data), data)
    }

    #[test]
    fn replies_in_any_order_are_put_where_they_belong() {
        let (done, data) = read_from(&[1, 2, 0]);
        done.unwrap();
        assert_eq!([data[0], data[MIB], data[2 * MIB]], [3, 1, 2]);
    }

    #[test]
    fn a_second_reply_to_one_request_is_not_taken_for_that_to_another() {
        let (done, _) = read_from(&[0, 0]);
        assert_eq!(done.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_reply_to_what_nobody_asked_is_none() {
        let (done, _) = read_from(&[0, 7]);
        assert_eq!(done.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
