//! A block device, or files of one length in a row.

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
}

impl Files {
    /// Opens files that exist, past all caches of the host.
    ///
    /// # Errors
    /// One cannot be opened, such as on a file system without direct I/O.
    pub fn open(paths: &[PathBuf], part_bytes: u64) -> io::Result<Self> {
        let parts = paths.iter().map(|path| open(path)).collect::<io::Result<_>>()?;
        Ok(Self { parts, part_bytes })
    }

    /// Opens a block device.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn device(path: &Path) -> io::Result<Self> {
        Ok(Self {
            parts: vec![open(path)?],
            part_bytes: u64::MAX,
        })
    }

    /// Which part holds a byte, where in it, and how many bytes follow in the same part.
    fn locate(&self, offset_bytes: u64, length: usize) -> io::Result<(&File, u64, usize)> {
        let number = usize::try_from(offset_bytes / self.part_bytes).unwrap_or(usize::MAX);
        let within = offset_bytes % self.part_bytes;
        let file = self
            .parts
            .get(number)
            .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        let left = usize::try_from(self.part_bytes - within).unwrap_or(usize::MAX);
        Ok((file, within, length.min(left)))
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
            let (file, within, length) = self.locate(offset_bytes + done as u64, data.len() - done)?;
            file.write_all_at(&data[done..done + length], within)?;
            done += length;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.parts.iter().try_for_each(File::sync_data)
    }

    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < data.len() {
            let (file, within, length) = self.locate(offset_bytes + done as u64, data.len() - done)?;
            file.read_exact_at(&mut data[done..done + length], within)?;
            done += length;
        }
        Ok(())
    }
}
