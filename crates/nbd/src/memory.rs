//! Whether a drive's payload fits into this machine.

use std::fs;

use crate::fault::ServeError;
use crate::store::Store;

/// Kept free for buffers of connections and for everything else on the machine.
const RESERVE_BYTES: u64 = 128 << 20;

/// The model's own share: its map has about 4 bytes for each 4 KiB, doubled for what surrounds it.
const MODEL_DIVISOR: u64 = 512;

/// Refuses a drive that could not be written completely.
///
/// # Errors
/// [`ServeError::Memory`], or [`ServeError::MemoryUnknown`] if the system does not say what is available.
pub fn check(capacity_bytes: u64) -> Result<(), ServeError> {
    let unknown = |reason: &dyn std::fmt::Display| ServeError::MemoryUnknown(reason.to_string());
    let meminfo = fs::read_to_string("/proc/meminfo").map_err(|error| unknown(&error))?;
    let available_bytes =
        available_bytes(&meminfo).ok_or_else(|| unknown(&"/proc/meminfo has no line MemAvailable"))?;
    check_against(capacity_bytes, available_bytes)
}

fn check_against(capacity_bytes: u64, available_bytes: u64) -> Result<(), ServeError> {
    let needed_bytes = Store::memory_bytes_max(capacity_bytes) + capacity_bytes / MODEL_DIVISOR + RESERVE_BYTES;
    if needed_bytes <= available_bytes {
        Ok(())
    } else {
        Err(ServeError::Memory {
            needed_bytes,
            available_bytes,
        })
    }
}

fn available_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_kernels_table() {
        let meminfo = "MemTotal:       24684092 kB\nMemFree:        1 kB\nMemAvailable:   24320976 kB\n";
        assert_eq!(available_bytes(meminfo), Some(24_320_976 * 1024));
        assert_eq!(available_bytes("MemTotal: 5 kB\n"), None);
    }

    #[test]
    fn a_drive_as_large_as_the_memory_does_not_fit() {
        assert!(matches!(
            check_against(8 << 30, 8 << 30),
            Err(ServeError::Memory { .. })
        ));
        assert!(check_against(8 << 30, 9 << 30).is_ok());
    }
}
