//! Writes a range of a drive with data that says where and when it was written, and reads it back.
//!
//! fio can do neither: its headers say where a block belongs but not of which pass it is, and what it finds wrong it does not
//! tell apart. Data is made, and checked, beside the I/O, so that the drive is what is measured.

mod buffer;
mod crew;
mod export;
mod files;
mod medium;
mod pass;

pub use export::Nbd;
pub use files::Files;
pub use medium::Medium;
pub use pass::{Bad, Chunk, Deed, Failed, Flow, Pass, check, write};
