//! Why a drive is not served, and what to do about it.

use std::io;
use std::path::PathBuf;

/// A drive that could not be served, or not any longer.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ServeError {
    #[error("another server listens on {}", .0.display())]
    SocketInUse(PathBuf),
    #[error("{} exists and is not a socket", .0.display())]
    NotASocket(PathBuf),
    #[error("cannot listen on {}: {source}", path.display())]
    Bind { path: PathBuf, source: io::Error },
    #[error(
        "the drive's payload needs up to {needed_mib} MiB of memory, {available_mib} MiB are available",
        needed_mib = needed_bytes >> 20,
        available_mib = available_bytes >> 20
    )]
    Memory { needed_bytes: u64, available_bytes: u64 },
    #[error("cannot use {} as the drive's store: {source}", path.display())]
    Store { path: PathBuf, source: io::Error },
    #[error("{} is no regular file", .0.display())]
    StoreKind(PathBuf),
    #[error("{} holds {found_bytes} bytes, the drive {capacity_bytes}", path.display())]
    StoreSize {
        path: PathBuf,
        found_bytes: u64,
        capacity_bytes: u64,
    },
    #[error("another server keeps its drive in {}", .0.display())]
    StoreInUse(PathBuf),
    #[error("cannot record in {}: {source}", path.display())]
    Record { path: PathBuf, source: io::Error },
    #[error("cannot tell how much memory is available: {0}")]
    MemoryUnknown(String),
    #[error("the drive's cache could not be written to its store: {0}")]
    Settle(#[source] io::Error),
    #[error("cannot wait for clients or signals: {0}")]
    Wait(#[from] io::Error),
}

impl ServeError {
    /// What the user can do.
    pub fn hint(&self) -> String {
        match self {
            Self::SocketInUse(_) => "choose another path, or end that server first".to_owned(),
            Self::NotASocket(_) => "choose a path that does not exist; other files are never replaced".to_owned(),
            Self::Bind { .. } => {
                "the directory must exist and be writable, and a socket's path has at most 107 bytes".to_owned()
            }
            Self::Memory { .. } => {
                "make the drive smaller (SPEC?capacity=8GiB), keep its payload in a file (--store FILE), or use it in virtual time (model:SPEC), which keeps no payload"
                    .to_owned()
            }
            Self::Store { .. } => "its directory must exist and be writable, and the file too".to_owned(),
            Self::StoreKind(_) => "name a file that does not exist yet, or one that a server has made".to_owned(),
            Self::StoreSize { found_bytes, .. } => format!(
                "serve the drive with ?capacity={found_bytes}B, or choose a file that does not exist yet"
            ),
            Self::StoreInUse(_) => "choose another file, or end that server first".to_owned(),
            Self::Record { source, .. } if source.kind() == io::ErrorKind::AlreadyExists => {
                "name a file that does not exist yet; recordings are never replaced".to_owned()
            }
            Self::Record { .. } => {
                "its directory must exist and be writable, with space; what was recorded before is good".to_owned()
            }
            Self::MemoryUnknown(_) => "/proc/meminfo must be readable and have a line MemAvailable".to_owned(),
            Self::Settle(_) => "what was written last may be lost; see that the file system has space".to_owned(),
            Self::Wait(_) => "the system is out of file descriptors or memory; see ulimit -n".to_owned(),
        }
    }
}
