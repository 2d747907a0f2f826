//! The virtual drive: a flash model that answers as a drive would, and knows why.
//!
//! [`Spec`] says what the drive is, [`VDrive`] is one. The clock is passed in with every command; data is held by
//! somebody else. The same Spec, seed and commands give the same completion times on every machine.

mod buffer;
mod builtin;
mod command;
mod drive;
mod fault;
mod host;
#[cfg(test)]
mod invariants;
mod legacy;
mod map;
mod mapcache;
mod media;
mod noise;
#[cfg(test)]
mod properties;
mod quantity;
mod random;
mod read;
mod readahead;
mod relocate;
mod spec;
mod spec_parse;
mod spec_read;
mod spec_scale;
mod superblock;
mod thermal;
mod truth;
mod upkeep;
pub mod workload;

pub use command::{Command, Rejected, SECTOR_BYTES, Sync};
pub use drive::VDrive;
pub use fault::{SpecFault, SpecFaults};
pub use quantity::bytes as parse_bytes;
pub use spec::Spec;
pub use truth::{Smart, State, Truth};
