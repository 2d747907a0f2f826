//! The payload of a drive in a sparse file, which is there again when the server is started again.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

use rustix::fs::{FallocateFlags, FlockOperation, SeekFrom};
use rustix::io::Errno;

use crate::fault::ServeError;
use crate::store::{Extent, Occupancy, is_zero};

/// Zeros written at a time where the file system cannot punch holes.
const ZEROS_BYTES: usize = 1 << 20;

/// A file of the drive's capacity. Ranges are the caller's promise.
pub struct FileStore {
    file: File,
    capacity_bytes: u64,
}

impl FileStore {
    /// Opens or makes the file and locks it against other servers.
    ///
    /// # Errors
    /// [`ServeError`]: it is no regular file, of another size, in use, or cannot be opened.
    pub fn open(path: &Path, capacity_bytes: u64) -> Result<Self, ServeError> {
        let failed = |source| ServeError::Store {
            path: path.to_owned(),
            source,
        };
        let mut options = OpenOptions::new();
        let file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(ServeError::StoreKind(path.to_owned()));
        }
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Err(ServeError::StoreInUse(path.to_owned())),
            Err(errno) => return Err(failed(errno.into())),
        }
        match metadata.len() {
            0 => file.set_len(capacity_bytes).map_err(failed)?,
            found_bytes if found_bytes != capacity_bytes => {
                return Err(ServeError::StoreSize {
                    path: path.to_owned(),
                    found_bytes,
                    capacity_bytes,
                });
            }
            _ => {}
        }
        Ok(Self { file, capacity_bytes })
    }

    /// Appends `length_bytes` from `offset_bytes` to `target`.
    ///
    /// # Errors
    /// The file system's; `target` may have grown.
    pub fn read_into(&self, target: &mut Vec<u8>, offset_bytes: u64, length_bytes: usize) -> io::Result<()> {
        let start = target.len();
        target.resize(start + length_bytes, 0);
        self.file.read_exact_at(&mut target[start..], offset_bytes)
    }

    /// Stores `data`. Zeros cost no space where the file system can do without.
    ///
    /// # Errors
    /// The file system's, such as a full one; part of the data may be stored.
    pub fn write(&self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        if is_zero(data) {
            return self.zero(offset_bytes, data.len() as u64);
        }
        self.file.write_all_at(data, offset_bytes)
    }

    /// Makes a range read as zeros and gives its space back.
    ///
    /// # Errors
    /// The file system's.
    pub fn zero(&self, offset_bytes: u64, length_bytes: u64) -> io::Result<()> {
        if length_bytes == 0 {
            return Ok(());
        }
        let hole = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        match rustix::fs::fallocate(&self.file, hole, offset_bytes, length_bytes) {
            Ok(()) => Ok(()),
            Err(Errno::OPNOTSUPP) => self.write_zeros(offset_bytes, length_bytes),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Makes everything read as zeros.
    ///
    /// # Errors
    /// The file system's.
    pub fn clear(&self) -> io::Result<()> {
        self.zero(0, self.capacity_bytes)
    }

    /// Bytes of disk space in use.
    ///
    /// # Errors
    /// The file system's.
    pub fn stored_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.blocks() * 512)
    }

    /// As [`crate::store::Store::extents`], as finely as the file system keeps count.
    ///
    /// # Errors
    /// The file system's.
    pub fn extents(&self, offset_bytes: u64, length_bytes: u64, extents_max: usize) -> io::Result<Vec<Extent>> {
        let end = offset_bytes + length_bytes;
        let (mut extents, mut position) = (Vec::new(), offset_bytes);
        while position < end && extents.len() < extents_max {
            let data_start = self.next(SeekFrom::Data(position), end)?;
            let (run_end, occupancy) = if data_start > position {
                (data_start, Occupancy::Hole)
            } else {
                (self.next(SeekFrom::Hole(position), end)?, Occupancy::Data)
            };
            extents.push(Extent {
                length_bytes: run_end - position,
                occupancy,
            });
            position = run_end;
        }
        Ok(extents)
    }

    /// Where data or a hole begins, at most at `end`.
    fn next(&self, from: SeekFrom, end: u64) -> io::Result<u64> {
        match rustix::fs::seek(&self.file, from) {
            Ok(position) => Ok(position.min(end)),
            Err(Errno::NXIO) => Ok(end),
            Err(errno) => Err(errno.into()),
        }
    }

    fn write_zeros(&self, offset_bytes: u64, length_bytes: u64) -> io::Result<()> {
        let zeros = vec![0; ZEROS_BYTES.min(length_bytes as usize)];
        let end = offset_bytes + length_bytes;
        let mut position = offset_bytes;
        while position < end {
            let count = zeros.len().min((end - position) as usize);
            self.file.write_all_at(&zeros[..count], position)?;
            position += count as u64;
        }
        Ok(())
    }
}
