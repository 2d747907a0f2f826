//! What is done, in which order: the same on every machine for the same seed.

mod listed;
mod mix;
mod places;
mod zipf;
mod zones;

pub use listed::Listed;
pub use mix::{Mix, Part};
pub use places::{Permuted, Places, Sequential, Uniform};
pub use zipf::Zipf;
pub use zones::{Zone, Zones};

use crate::request::Request;

/// An endless or finite series of I/Os.
pub trait Source {
    /// The next I/O; `None` when there is nothing more to do.
    fn next(&mut self) -> Option<Request>;
}

/// A load that cannot be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
    /// There is nothing to choose from.
    #[error("the region holds no block of {block_bytes} bytes")]
    NoBlocks {
        /// Length of a block.
        block_bytes: u32,
    },
    /// Blocks are whole sectors.
    #[error("{block_bytes} bytes are no whole sectors of 512 bytes")]
    NoSectors {
        /// Length of a block.
        block_bytes: u32,
    },
    /// Nothing would ever be drawn.
    #[error("the shares come to nothing")]
    NoShares,
    /// The exponent of a zipf law is a finite number that is not negative.
    #[error("the exponent {found} of the zipf law is not a number from 0 on")]
    Exponent {
        /// What was given.
        found: f64,
    },
    /// A zone holds a share of the blocks above 0, and all of them come to 1.
    #[error("the zones hold {found} of the blocks, allowed is 1")]
    ZoneBlocks {
        /// What they come to.
        found: f64,
    },
    /// A zone so small that no block falls into it.
    #[error("zone {zone} holds no block")]
    EmptyZone {
        /// Counted from 0.
        zone: usize,
    },
    /// A state lasts some time.
    #[error("a state lasts 0 ns")]
    NoTime,
    /// A rate is a finite number above 0.
    #[error("{found} I/Os a second are no rate")]
    Rate {
        /// What was given.
        found: f64,
    },
}
