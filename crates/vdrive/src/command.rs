//! What a host can ask of the drive, and why the drive may refuse.

/// Smallest addressable unit: offsets and lengths are multiples of it.
pub const SECTOR_BYTES: u64 = 512;

/// When a write may be acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// As soon as the drive has taken the data (which may be in its volatile write buffer).
    Buffered,
    /// Force unit access: only once the data is safe against power loss.
    Fua,
}

/// One command; offsets and lengths in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Command {
    Read {
        offset_bytes: u64,
        length_bytes: u64,
    },
    Write {
        offset_bytes: u64,
        length_bytes: u64,
        sync: Sync,
    },
    Flush,
    Trim {
        offset_bytes: u64,
        length_bytes: u64,
    },
}

/// A refused command; the drive is as it was before, but for the counters of its faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum Rejected {
    #[error("{length_bytes} bytes at {offset_bytes} reach past the end; the drive holds {capacity_bytes} bytes")]
    PastTheEnd {
        offset_bytes: u64,
        length_bytes: u64,
        capacity_bytes: u64,
    },
    #[error("offset {offset_bytes} and length {length_bytes} must both be multiples of {SECTOR_BYTES} bytes")]
    Unaligned { offset_bytes: u64, length_bytes: u64 },
    #[error("a medium error, from a `[[fault]]` of the drive's specification")]
    Medium,
    #[error("the drive is write-protected, from a `[[fault]]` of its specification")]
    WriteProtected,
}

/// Checks a range against the drive's size.
///
/// # Errors
/// [`Rejected`] when the range is not whole sectors or does not lie on the drive.
pub(crate) fn check_range(offset_bytes: u64, length_bytes: u64, capacity_bytes: u64) -> Result<(), Rejected> {
    if !offset_bytes.is_multiple_of(SECTOR_BYTES) || !length_bytes.is_multiple_of(SECTOR_BYTES) {
        return Err(Rejected::Unaligned {
            offset_bytes,
            length_bytes,
        });
    }
    if offset_bytes > capacity_bytes || length_bytes > capacity_bytes - offset_bytes {
        return Err(Rejected::PastTheEnd {
            offset_bytes,
            length_bytes,
            capacity_bytes,
        });
    }
    Ok(())
}
