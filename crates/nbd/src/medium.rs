//! Where payload is kept: in memory for as long as the server lives, or in a file.

use std::io;

use crate::file_store::FileStore;
use crate::store::{Extent, Store};

/// A byte array of the drive's capacity. Ranges are the caller's promise.
pub enum Medium {
    /// Gone with the server.
    Memory(Store),
    /// Stays.
    File(FileStore),
}

impl Medium {
    /// See [`Store::read_into`].
    ///
    /// # Errors
    /// The file system's, here and below; memory has none.
    pub fn read_into(&self, target: &mut Vec<u8>, offset_bytes: u64, length_bytes: usize) -> io::Result<()> {
        match self {
            Self::Memory(store) => {
                store.read_into(target, offset_bytes, length_bytes);
                Ok(())
            }
            Self::File(store) => store.read_into(target, offset_bytes, length_bytes),
        }
    }

    /// See [`Store::write`].
    ///
    /// # Errors
    /// As above.
    pub fn write(&self, offset_bytes: u64, data: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(store) => {
                store.write(offset_bytes, data);
                Ok(())
            }
            Self::File(store) => store.write(offset_bytes, data),
        }
    }

    /// See [`Store::zero`].
    ///
    /// # Errors
    /// As above.
    pub fn zero(&self, offset_bytes: u64, length_bytes: u64) -> io::Result<()> {
        match self {
            Self::Memory(store) => {
                store.zero(offset_bytes, length_bytes);
                Ok(())
            }
            Self::File(store) => store.zero(offset_bytes, length_bytes),
        }
    }

    /// See [`Store::clear`].
    ///
    /// # Errors
    /// As above.
    pub fn clear(&self) -> io::Result<()> {
        match self {
            Self::Memory(store) => {
                store.clear();
                Ok(())
            }
            Self::File(store) => store.clear(),
        }
    }

    /// See [`Store::stored_bytes`].
    ///
    /// # Errors
    /// As above.
    pub fn stored_bytes(&self) -> io::Result<u64> {
        match self {
            Self::Memory(store) => Ok(store.stored_bytes()),
            Self::File(store) => store.stored_bytes(),
        }
    }

    /// See [`Store::extents`].
    ///
    /// # Errors
    /// As above.
    pub fn extents(&self, offset_bytes: u64, length_bytes: u64, extents_max: usize) -> io::Result<Vec<Extent>> {
        match self {
            Self::Memory(store) => Ok(store.extents(offset_bytes, length_bytes, extents_max)),
            Self::File(store) => store.extents(offset_bytes, length_bytes, extents_max),
        }
    }
}

#[cfg(test)]
mod tests;
