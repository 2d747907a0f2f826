//! Where data goes to and comes from.

use std::io;

/// A linear range of bytes: a device, files in a row, or an NBD export.
pub trait Medium: Send {
    /// Writes all of `data` at `offset_bytes`, past the host's caches.
    ///
    /// # Errors
    /// What the drive or the kernel says.
    fn write_at(&mut self, offset_bytes: u64, data: &[u8]) -> io::Result<()>;

    /// Waits until all that was written is durable.
    ///
    /// # Errors
    /// What the drive or the kernel says.
    fn flush(&mut self) -> io::Result<()>;

    /// Fills `data` from `offset_bytes` on, from the drive and not from a cache.
    ///
    /// # Errors
    /// What the drive or the kernel says.
    fn read_at(&mut self, offset_bytes: u64, data: &mut [u8]) -> io::Result<()>;
}
