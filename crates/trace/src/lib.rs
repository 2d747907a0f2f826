//! Recorded I/O: the file `.ssdtrace`, readers of the formats in which others record, and what is done with a trace.
//!
//! A trace is a list of I/Os of one device in the order of their arrival. It is written and read in blocks, so that none has to
//! fit into memory. What a source does not tell is `None`, in memory and in the file.

mod anonymise;
mod blocks;
mod export;
mod fault;
mod io;
mod kernel;
mod picture;
mod profile;
mod reuse;
mod runs;
mod shape;
mod sort;
mod source;
mod store;

pub use anonymise::{ANONYMISED_BY, EXTENT_BYTES, anonymise};
pub use export::{Exported, Target, export};
pub use fault::{Fault, Problem, Refusal, TraceError};
pub use io::{Flags, Io, LENGTH_BYTES_MAX, Op};
pub use kernel::{EventLayout, Happens, KernelDrive, KernelEvents, KernelFailed, KernelRecorder, PageLayout, Round};
pub use picture::{Cell, Column, Picture, picture};
pub use profile::{OpProfile, Profile, Window, profile};
pub use reuse::BLOCK_BYTES;
pub use shape::{Shape, shape};
pub use source::{Failed, Format, Import, Told, detect, import, read_source};
pub use store::{CapturedAt, Meta, SourceFile, TraceReader, TraceWriter, VERSION, cut, merge, scale};
