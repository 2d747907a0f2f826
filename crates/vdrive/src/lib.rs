//! The virtual drive: a flash model that answers as a drive would, and knows why.
//!
//! [`Spec`] says what the drive is, [`VDrive`] is one. The clock is passed in with every command; data is held by
//! somebody else. The same Spec, seed and commands give the same completion times on every machine.
//!
//! There is no event queue. A command's completion is computed when it is submitted, from running totals of when each
//! die, channel and link is free; folding and garbage collection are paid for by the host's writes as they come, and
//! silences are accounted for when they end. The cost of a command does not depend on the drive's size.
//!
//! What the model leaves out: data moved by collection keeps its die, hot and cold data are not told apart, reads and
//! writes do not compete for a channel, and cells do not wear.

mod builtin;
mod command;
mod defect;
mod drive;
mod fault;
mod flash;
#[cfg(test)]
mod invariants;
mod noise;
mod pace;
#[cfg(test)]
mod properties;
mod quantity;
pub mod random;
mod reads;
mod spec;
mod spec_check;
mod spec_defects;
mod spec_parse;
mod spec_read;
mod spec_scale;
mod spread;
mod thermal;
mod truth;
pub mod workload;
mod writes;

pub use command::{Command, Rejected, SECTOR_BYTES, Sync};
pub use defect::{Chosen, CommandFaultCount, DEFECT_BLOCK_BYTES, DataDefect, FlushEffect};
pub use drive::VDrive;
pub use fault::{SpecFault, SpecFaults};
pub use quantity::bytes as parse_bytes;
pub use spec::Spec;
pub use truth::{HeatSensors, Sensors, Smart, State, Truth};
