//! What does the I/Os, and whose clock counts.

mod model;
mod nbd;
mod payload;
mod uring;

pub use model::Model;
pub use nbd::Export;
pub use payload::LENGTH_BYTES_MAX;
pub use uring::{Forcing, Uring, opened_again};

use vdrive::Command;

use crate::request::Request;
use crate::sink::Outcome;

/// A device that takes I/Os and completes them in any order.
pub trait Backend {
    /// A load begins, on the thread that will run it.
    fn begins(&mut self) {}

    /// Its time.
    fn now_ns(&mut self) -> u64;

    /// Takes an I/O; `slot` is free until its completion has been handed out. Returns when it was submitted. It may be held back until the
    /// next call of this, of `wait` or of `release`, one of which has to come at once.
    fn submit(&mut self, slot: u32, request: &Request) -> u64;

    /// Holds nothing back any more: something else is done before the next I/O.
    fn release(&mut self) {}

    /// The longest that a command of that kind may be.
    fn length_bytes_max(&self, command: &Command) -> u64;

    /// Takes any command of a drive likewise: flushes, too, and writes that say themselves whether they are to be durable.
    fn command(&mut self, slot: u32, command: &Command) -> u64;

    /// Waits until something has completed, or until `until_ns` if that is earlier; appends what has completed, in order.
    ///
    /// # Errors
    /// The device says nothing for longer than it may, or is gone.
    fn wait(&mut self, until_ns: Option<u64>, done: &mut Vec<Completion>) -> Result<(), Stalled>;
}

/// An I/O that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completion {
    /// Which one.
    pub slot: u32,
    /// When.
    pub completed_ns: u64,
    /// How.
    pub outcome: Outcome,
}

/// A device that does not go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Stalled {
    /// I/Os are in flight and nothing comes back.
    #[error("nothing completed for {waited_ns} ns with {in_flight} I/Os in flight")]
    Silent {
        /// How long.
        waited_ns: u64,
        /// How many.
        in_flight: u32,
    },
    /// The connection to it is over.
    #[error("the device is gone: {reason}")]
    Gone {
        /// What the system said.
        reason: String,
    },
    /// The judge did not wait for it.
    #[error("{in_flight} I/Os in flight were not waited for")]
    GivenUp {
        /// How many.
        in_flight: u32,
    },
    /// Commands complete and no time passes.
    #[error("no time passes on this device at {at_ns} ns: a point that ends by time would never end")]
    Timeless {
        /// Where its clock stands.
        at_ns: u64,
    },
}
