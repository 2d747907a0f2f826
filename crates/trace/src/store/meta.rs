//! What is to be known of a trace beside its I/Os.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Of the file; a reader refuses any other.
pub const VERSION: u32 = 1;

/// Where in the system the I/Os were seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CapturedAt {
    /// Where a program handed them over.
    Application,
    /// Where they entered the block layer, before anything was merged.
    Queue,
    /// Where they were given to the driver.
    Issue,
    /// Where the device took them.
    Device,
    /// The source does not say.
    Unknown,
}

/// A file that a trace was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// Its name, without directories.
    pub name: String,
    /// Its size as it lay there.
    pub bytes: u64,
    /// Its SHA-256 as it lay there, in hexadecimal.
    pub sha256: String,
}

#[cfg(test)]
impl Meta {
    /// Of a trace of which nothing else is known.
    pub(crate) fn of_test(time_resolution_ns: Option<u64>) -> Self {
        Meta {
            version: VERSION,
            format: "fiu".to_owned(),
            files: Vec::new(),
            device: None,
            device_bytes: None,
            captured_at: CapturedAt::Unknown,
            time_resolution_ns,
            started_unix_ns: None,
            lost: None,
            left_out: BTreeMap::new(),
            licence: None,
            anonymised: None,
        }
    }
}

/// The metadata of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// [`VERSION`].
    pub version: u32,
    /// The format of the source.
    pub format: String,
    /// The files it was made of; none of an anonymous trace.
    pub files: Vec<SourceFile>,
    /// The device, as the source calls it.
    pub device: Option<String>,
    /// Size of the device.
    pub device_bytes: Option<u64>,
    /// Where the I/Os were seen.
    pub captured_at: CapturedAt,
    /// The finest difference of time that the source tells; `None` without times.
    pub time_resolution_ns: Option<u64>,
    /// When the first I/O arrived, since 1970, if the source knows the date.
    pub started_unix_ns: Option<u64>,
    /// Events that are missing at the least, if the source tells that some are.
    pub lost: Option<u64>,
    /// What stands in the source and not in the trace, by its kind.
    pub left_out: BTreeMap<String, u64>,
    /// Under what the trace may be shared.
    pub licence: Option<String>,
    /// How it was anonymised, if it was.
    pub anonymised: Option<String>,
}
