//! What holds of every reader of foreign bytes, whatever it is given.
//!
//! One function a reader. `fuzz/` calls it with what libFuzzer thinks up, `tests/corpus.rs` with what was found that way and is
//! kept in `fuzz/corpus/`. It panics where the property does not hold.

mod fiolog_parse;
mod fiolog_scan;
mod hist_log;
mod kept_ios;
mod kernel_pages;
mod nbd_client;
mod nbd_wire;
mod toml_lines;
mod trace_file;
mod trace_sources;
mod vdrive_spec;

pub use fiolog_parse::fiolog_parse;
pub use fiolog_scan::fiolog_scan;
pub use hist_log::hist_log;
pub use kept_ios::kept_ios;
pub use kernel_pages::kernel_pages;
pub use nbd_client::nbd_client;
pub use nbd_wire::nbd_wire;
pub use toml_lines::toml_lines;
pub use trace_file::trace_file;
pub use trace_sources::trace_sources;
pub use vdrive_spec::vdrive_spec;

/// Panics if the property does not hold of these bytes.
pub type Property = fn(&[u8]);

/// Every property by the name of its fuzz target.
pub const ALL: &[(&str, Property)] = &[
    ("fiolog_parse", fiolog_parse),
    ("fiolog_scan", fiolog_scan),
    ("hist_log", hist_log),
    ("kept_ios", kept_ios),
    ("kernel_pages", kernel_pages),
    ("nbd_client", nbd_client),
    ("nbd_wire", nbd_wire),
    ("toml_lines", toml_lines),
    ("trace_file", trace_file),
    ("trace_sources", trace_sources),
    ("vdrive_spec", vdrive_spec),
];
