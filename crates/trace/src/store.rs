//! The file: one table of Parquet, with what is to be known of the trace as JSON in its metadata.

mod columns;
mod cut;
mod merge;
mod meta;
mod read;
mod scale;
mod write;

pub use cut::cut;
pub use merge::merge;
pub use meta::{CapturedAt, Meta, SourceFile, VERSION};
pub use read::TraceReader;
pub(crate) use read::read_error;
pub use scale::scale;
pub use write::TraceWriter;

#[cfg(test)]
mod tests;
