//! The columns of the file.

/// Of the metadata.
pub(super) const META_KEY: &str = "ssdlab.trace";

/// What a file of this version holds, and nothing else.
pub(super) const SCHEMA: &str = "message trace {
    optional int64 at_ns;
    required int64 offset_bytes;
    required int64 length_bytes;
    required binary op (string);
    optional int32 flags;
    optional int64 latency_ns;
    optional int32 stream;
}";
