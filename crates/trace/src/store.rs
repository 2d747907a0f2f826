//! The file: one table of Parquet, with what is to be known of the trace as JSON in its metadata.

mod columns;
mod cut;
mod meta;
mod read;
mod write;

pub use cut::cut;
pub use meta::{CapturedAt, Meta, SourceFile, VERSION};
pub use read::TraceReader;
pub use write::TraceWriter;

#[cfg(test)]
mod tests;
