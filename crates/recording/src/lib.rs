//! What a server of ours writes down of each command it serves, byte by byte: one definition for who writes it and who reads it.
//!
//! A header, then records of one length in the order in which the drive took the commands. Nothing stands at the end, so that a
//! recording that was cut short is good up to its last whole record. All numbers are little-endian.

/// Length of the header.
pub const HEADER_BYTES: usize = 64;
/// Length of each record.
pub const RECORD_BYTES: usize = 40;
/// What a recording begins with.
pub const MAGIC: [u8; 8] = *b"SSDLABIO";

const VERSION: u32 = 1;
/// What each record begins with, so that a hole in the file is no record.
const MARK: u32 = 0x6f69_21a5;
const DEVICE_BYTES: usize = 32;
const DURABLE: u8 = 1;

/// What is known before the first command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Size of the drive.
    pub capacity_bytes: u64,
    /// The moment from which the times of the records count, in nanoseconds from 1970 UTC.
    pub started_unix_ns: u64,
    /// What the drive is called; its first 32 bytes are kept.
    pub device: String,
}

/// What a record tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A read.
    Read,
    /// A write.
    Write,
    /// What was written before is made durable.
    Flush,
    /// A range is given back.
    Trim,
    /// A range is to read as zeros.
    WriteZeroes,
    /// No command: as many as the length says found no room in memory and are missing here.
    Lost,
}

/// A command, or what is missing in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// When the drive took it, from [`Header::started_unix_ns`].
    pub at_ns: u64,
    /// How long the drive took.
    pub latency_ns: u64,
    /// What it was.
    pub what: What,
    /// Whether it had to be durable before its completion.
    pub is_durable: bool,
    /// Where it began.
    pub offset_bytes: u64,
    /// How long it was.
    pub length_bytes: u64,
}

/// Why bytes are none of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// They do not begin as they must.
    Magic,
    /// Another version wrote them.
    Version,
    /// They tell of something that this version does not know.
    What,
}

impl Header {
    /// As it stands in the file.
    pub fn encoded(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.capacity_bytes.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.started_unix_ns.to_le_bytes());
        let whole = (0..=DEVICE_BYTES.min(self.device.len())).rev();
        let end = whole
            .into_iter()
            .find(|&end| self.device.is_char_boundary(end))
            .unwrap_or(0);
        bytes[32..32 + end].copy_from_slice(&self.device.as_bytes()[..end]);
        bytes
    }

    /// What stands in the file.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn decoded(bytes: &[u8; HEADER_BYTES]) -> Result<Self, Unreadable> {
        if bytes[..8] != MAGIC {
            return Err(Unreadable::Magic);
        }
        if bytes[8..12] != VERSION.to_le_bytes() {
            return Err(Unreadable::Version);
        }
        let name = &bytes[32..];
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
        Ok(Self {
            capacity_bytes: long(bytes, 16),
            started_unix_ns: long(bytes, 24),
            device: String::from_utf8_lossy(&name[..end]).into_owned(),
        })
    }
}

impl What {
    const ALL: [Self; 6] = [
        Self::Read,
        Self::Write,
        Self::Flush,
        Self::Trim,
        Self::WriteZeroes,
        Self::Lost,
    ];
}

impl Record {
    /// As it stands in the file.
    pub fn encoded(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&MARK.to_le_bytes());
        bytes[4] = self.what as u8;
        bytes[5] = if self.is_durable { DURABLE } else { 0 };
        for (at, number) in [
            (8, self.at_ns),
            (16, self.latency_ns),
            (24, self.offset_bytes),
            (32, self.length_bytes),
        ] {
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// What stands in the file.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn decoded(bytes: &[u8; RECORD_BYTES]) -> Result<Self, Unreadable> {
        if bytes[..4] != MARK.to_le_bytes() {
            return Err(Unreadable::Magic);
        }
        let known = What::ALL.into_iter().find(|what| *what as u8 == bytes[4]);
        Ok(Self {
            what: known.ok_or(Unreadable::What)?,
            is_durable: bytes[5] & DURABLE != 0,
            at_ns: long(bytes, 8),
            latency_ns: long(bytes, 16),
            offset_bytes: long(bytes, 24),
            length_bytes: long(bytes, 32),
        })
    }
}

fn long(bytes: &[u8], at: usize) -> u64 {
    let mut number = [0; 8];
    number.copy_from_slice(&bytes[at..at + 8]);
    u64::from_le_bytes(number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn records()(
            numbers: [u64; 4],
            what in prop::sample::select(&What::ALL),
            is_durable: bool,
        ) -> Record {
            let [at_ns, latency_ns, offset_bytes, length_bytes] = numbers;
            Record { at_ns, latency_ns, what, is_durable, offset_bytes, length_bytes }
        }
    }

    proptest! {
        #[test]
        fn a_record_is_read_as_it_was_written(record in records()) {
            prop_assert_eq!(Record::decoded(&record.encoded()), Ok(record));
        }

        #[test]
        fn a_header_is_read_as_it_was_written_but_for_what_is_too_long_of_a_name(
            capacity_bytes: u64, started_unix_ns: u64, device in "[^\\x00]{0,40}"
        ) {
            let header = Header { capacity_bytes, started_unix_ns, device: device.clone() };
            let read = Header::decoded(&header.encoded()).unwrap();
            prop_assert!(device.starts_with(&read.device));
            prop_assert!(read.device == device || device.len() > DEVICE_BYTES);
            prop_assert_eq!((read.capacity_bytes, read.started_unix_ns), (capacity_bytes, started_unix_ns));
        }
    }

    #[test]
    fn a_hole_is_neither_a_header_nor_a_record() {
        assert_eq!(Header::decoded(&[0; HEADER_BYTES]), Err(Unreadable::Magic));
        assert_eq!(Record::decoded(&[0; RECORD_BYTES]), Err(Unreadable::Magic));
    }
}
