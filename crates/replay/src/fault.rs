//! Why a trace was not done to its end.

use load::{CannotPerform, Stalled};
use trace::TraceError;
use vdrive::workload::WorkloadFault;

/// A trace that was not done to its end.
#[derive(Debug, thiserror::Error)]
pub enum CannotReplay {
    /// It cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The pace needs to know when each I/O arrived.
    #[error("I/O {number} has no time")]
    NoTime {
        /// Counted from 0.
        number: u64,
    },
    /// The pace needs to know how long each I/O took.
    #[error("I/O {number} has no latency")]
    NoLatency {
        /// Counted from 0.
        number: u64,
    },
    /// Not a single extent fits.
    #[error("a drive of {capacity_bytes} bytes is too small for a trace")]
    NoExtent {
        /// Its size.
        capacity_bytes: u64,
    },
    /// It is no job.
    #[error(transparent)]
    Workload(#[from] WorkloadFault),
    /// A job that is no replay.
    #[error(transparent)]
    Job(#[from] CannotPerform),
    /// The device does not go on.
    #[error(transparent)]
    Device(#[from] Stalled),
}
