//! A block device, or files of one length in a row.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::medium::Medium;

/// Parts of one linear range, each `part_bytes` long; the last may be shorter.
pub struct Files {
    parts: Vec<File>,
    part_bytes: u64,
    /// Parts with data that may not be durable yet: to sync a file costs the drive a flush, even where there is nothing to sync.
    written: BTreeSet<usize>,
}

impl Files {
    /// Opens files that exist, past all caches of the host.
    ///
    /// # Errors
    /// One cannot be opened, such as on a file system without direct I/O.
    pub fn open(paths: &[PathBuf], part_bytes: u64) -> io::Result<Self> {
        let parts = paths.iter().map(|path| open(path)).collect::<io::Result<_>>()?;
        Ok(Self {
            parts,
            part_bytes,
            written: BTreeSet::new(),
        })
    }

    /// Opens a block device.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn device(path: &Path) -> io::Result<Self> {
        Ok(Self {
            parts: vec![open(path)?],
            part_bytes: u64::MAX,
            written: BTreeSet::new(),
        })
    }

    /// Which part holds a byte, where in it, and how many bytes follow in the same part.
    fn locate(&self, offset_bytes: u64, length: usize) -> io::Result<(usize, u64, usize)> {
        let number = usize::try_from(offset_bytes / self.part_bytes).unwrap_or(usize::MAX);
        let within = offset_bytes % self.part_bytes;
        if number >= self.parts.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let left = usize::try_from(self.part_bytes - within).unwrap_or(usize::MAX);
        Ok((number, within, length.min(left)))
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(OFlags::DIRECT.bits().cast_signed())
        .open(path)
}

impl Medium for Files {
    fn write_at(&mut self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < data.len() {
            let (number, within, length) = self.locate(offset_bytes + done as u64, data.len() - done)?;
            self.written.insert(number);
            self.parts[number].write_all_at(&data[done..done + length], within)?;
            done += length;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        for number in &self.written {
            self.parts[*number].sync_data()?;
        }
        self.written.clear();
        Ok(())
    }

    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < data.len() {
            let (number, within, length) = self.locate(offset_bytes + done as u64, data.len() - done)?;
            self.parts[number].read_exact_at(&mut data[done..done + length], within)?;
            done += length;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory_file() -> File {
        rustix::fs::memfd_create("part", rustix::fs::MemfdFlags::CLOEXEC)
            .unwrap()
            .into()
    }

    #[test]
    fn only_what_was_written_since_the_last_flush_is_synced() {
        let parts = (0..3).map(|_| memory_file()).collect();
        let mut files = Files {
            parts,
            part_bytes: 8192,
            written: BTreeSet::new(),
        };
        files.write_at(12288, &[1; 8192]).unwrap();
        assert_eq!(files.written, BTreeSet::from([1, 2]));
        files.flush().unwrap();
        assert!(files.written.is_empty());
        files.write_at(0, &[1; 4096]).unwrap();
        assert_eq!(files.written, BTreeSet::from([0]));
    }

    #[test]
    fn a_sync_that_fails_is_due_again() {
        let readable = File::open("/dev/null").unwrap();
        let mut files = Files {
            parts: vec![readable],
            part_bytes: 8192,
            written: BTreeSet::from([0]),
        };
        assert!(files.flush().is_err());
        assert_eq!(files.written, BTreeSet::from([0]));
    }
}
