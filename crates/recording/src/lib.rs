//! What a recorder of ours writes down of each command of a drive, byte by byte: one definition for who writes it and who reads it.
//!
//! A header, then records of one length: of a server of ours in the order in which the drive took the commands, of the kernel in
//! that of their ends. Nothing stands at the end, so that a recording that was cut short is good up to its last whole record. All
//! numbers are little-endian.

mod recorder;

pub use recorder::Recorder;

/// Length of the header.
pub const HEADER_BYTES: usize = 64;
/// Length of each record.
pub const RECORD_BYTES: usize = 40;
/// What a recording begins with.
pub const MAGIC: [u8; 8] = *b"SSDLABIO";

/// Of files that are written. Those of version 1 are the same, and all from a server of ours.
const VERSION: u32 = 2;
const VERSIONS_READ: [u32; 2] = [1, VERSION];
/// What each record begins with, so that a hole in the file is no record.
const MARK: u32 = 0x6f69_21a5;
const DEVICE_BYTES: usize = 32;
/// A latency that is not known.
const UNKNOWN: u64 = u64::MAX;

/// What is known before the first command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Size of the drive.
    pub capacity_bytes: u64,
    /// The moment from which the times of the records count, in nanoseconds from 1970 UTC.
    pub started_unix_ns: u64,
    /// What the drive is called; its first 32 bytes are kept.
    pub device: String,
    /// Who wrote it down.
    pub seen_by: SeenBy,
}

/// Who sees the commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenBy {
    /// The drive itself, which is a server of ours.
    Drive,
    /// The kernel, where it gives them to the driver.
    Kernel,
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
    /// How long the drive took; `None` if nobody saw the end.
    pub latency_ns: Option<u64>,
    /// What it was.
    pub what: What,
    /// What else it said: a sum of [`Record::DURABLE`] and the flags that a trace has beside it.
    pub flags: u8,
    /// Where it began.
    pub offset_bytes: u64,
    /// How long it was.
    pub length_bytes: u32,
    /// Whose it was, numbered in the order of appearance.
    pub stream: Option<u32>,
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
        bytes[12] = self.seen_by as u8;
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
        if !VERSIONS_READ
            .iter()
            .any(|version| bytes[8..12] == version.to_le_bytes())
        {
            return Err(Unreadable::Version);
        }
        let name = &bytes[32..];
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
        Ok(Self {
            capacity_bytes: long(bytes, 16),
            started_unix_ns: long(bytes, 24),
            device: String::from_utf8_lossy(&name[..end]).into_owned(),
            seen_by: match bytes[12] {
                0 => SeenBy::Drive,
                1 => SeenBy::Kernel,
                _ => return Err(Unreadable::What),
            },
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
    /// The command had to be durable before its completion.
    pub const DURABLE: u8 = 1;

    /// So many commands are missing here.
    pub fn lost(count: u64, at_ns: u64) -> Self {
        Self {
            at_ns,
            latency_ns: None,
            what: What::Lost,
            flags: 0,
            offset_bytes: 0,
            length_bytes: u32::try_from(count).unwrap_or(u32::MAX),
            stream: None,
        }
    }

    /// As it stands in the file.
    pub fn encoded(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..4].copy_from_slice(&MARK.to_le_bytes());
        bytes[4] = self.what as u8;
        bytes[5] = self.flags;
        for (at, number) in [
            (8, self.at_ns),
            (16, self.latency_ns.unwrap_or(UNKNOWN)),
            (24, self.offset_bytes),
        ] {
            bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        }
        bytes[32..36].copy_from_slice(&self.length_bytes.to_le_bytes());
        // 0 where no stream is known, which is what the upper half of a length was before.
        let stream = self.stream.map_or(0, |stream| stream.saturating_add(1));
        bytes[36..].copy_from_slice(&stream.to_le_bytes());
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
            flags: bytes[5],
            at_ns: long(bytes, 8),
            latency_ns: Some(long(bytes, 16)).filter(|latency| *latency != UNKNOWN),
            offset_bytes: long(bytes, 24),
            length_bytes: word(bytes, 32),
            stream: word(bytes, 36).checked_sub(1),
        })
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[at..at + 4]);
    u32::from_le_bytes(number)
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
            at_ns: u64,
            latency_ns in prop::option::of(0..UNKNOWN),
            what in prop::sample::select(&What::ALL),
            flags: u8,
            offset_bytes: u64,
            length_bytes: u32,
            stream in prop::option::of(0..u32::MAX),
        ) -> Record {
            Record { at_ns, latency_ns, what, flags, offset_bytes, length_bytes, stream }
        }
    }

    proptest! {
        #[test]
        fn a_record_is_read_as_it_was_written(record in records()) {
            prop_assert_eq!(Record::decoded(&record.encoded()), Ok(record));
        }

        #[test]
        fn a_header_is_read_as_it_was_written_but_for_what_is_too_long_of_a_name(
            capacity_bytes: u64, started_unix_ns: u64, device in "[^\\x00]{0,40}",
            seen_by in prop::sample::select(&[SeenBy::Drive, SeenBy::Kernel]),
        ) {
            let header = Header { capacity_bytes, started_unix_ns, device: device.clone(), seen_by };
            let read = Header::decoded(&header.encoded()).unwrap();
            prop_assert!(device.starts_with(&read.device));
            prop_assert!(read.device == device || device.len() > DEVICE_BYTES);
            prop_assert_eq!((read.capacity_bytes, read.started_unix_ns), (capacity_bytes, started_unix_ns));
            prop_assert_eq!(read.seen_by, seen_by);
        }
    }

    #[test]
    fn a_hole_is_neither_a_header_nor_a_record() {
        assert_eq!(Header::decoded(&[0; HEADER_BYTES]), Err(Unreadable::Magic));
        assert_eq!(Record::decoded(&[0; RECORD_BYTES]), Err(Unreadable::Magic));
    }
}
