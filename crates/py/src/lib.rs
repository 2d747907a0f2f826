//! The Python module `ssdlab._core`: converts and releases the GIL, nothing else.

mod catalogue;
mod columns;
mod errors;
mod hist_log;
mod histogram;
mod io_log;
mod load;
mod model;
mod nbd;
mod outcome;
mod over_time;
mod pattern;
mod replay;
mod rows;
mod scan;
mod serve;
mod spec;
mod student;
mod sustain;
mod table;
mod timeline;
mod toml_lines;
mod trace;
mod trace_record;

use pyo3::prelude::*;

/// What Rust counts for Python.
#[pymodule]
mod _core {
    #[pymodule_export]
    const BUILD_PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

    #[pymodule_export]
    const BIN_COUNT: usize = fiolog::bins::BIN_COUNT;

    #[pymodule_export]
    const SAMPLES_ABOVE_MIN: u64 = fiolog::SAMPLES_ABOVE_MIN;

    #[pymodule_export]
    const PATTERN_SECTOR_BYTES: usize = ::pattern::SECTOR_BYTES;

    #[pymodule_export]
    const BINS_MERGED_OVER_TIME: usize = fiolog::BINS_MERGED;

    #[pymodule_export]
    use super::catalogue::Catalogue;
    #[pymodule_export]
    use super::errors::{
        FioLogError, FollowedError, LoadGoneError, LoadSilentError, PackedError, SpecError, TomlError,
        TraceDamageError, WorkloadError,
    };
    #[pymodule_export]
    use super::hist_log::{FioHistLog, parse_fio_hist_log};
    #[pymodule_export]
    use super::histogram::{bin_high, bin_index, bin_low, bin_mid, histogram_percentiles, nearest_ranks};
    #[pymodule_export]
    use super::io_log::{FioLog, parse_fio_log};
    #[pymodule_export]
    use super::load::{LoadChain, LoadResult, LoadStamp};
    #[pymodule_export]
    use super::model::ModelDrive;
    #[pymodule_export]
    use super::nbd::NbdExport;
    #[pymodule_export]
    use super::outcome::{
        LoadFailure, WorkloadDirection, WorkloadIos, WorkloadLatency, WorkloadResult, WorkloadWindows,
    };
    #[pymodule_export]
    use super::over_time::{LatencyOverTime, fio_latency_over_time};
    #[pymodule_export]
    use super::pattern::{PatternFinding, pattern_check, pattern_fill};
    #[pymodule_export]
    use super::replay::ReplayResult;
    #[pymodule_export]
    use super::rows::{FioHistReader, FioHistRows, read_fio_rows};
    #[pymodule_export]
    use super::scan::{FioFile, FioScan, FioScanDirection, FioScanLog, is_compressed, read_fio_file, scan_fio_logs};
    #[pymodule_export]
    use super::serve::serve_main;
    #[pymodule_export]
    use super::spec::{spec_check, spec_facts, spec_names, spec_text};
    #[pymodule_export]
    use super::student::student_t_beyond;
    #[pymodule_export]
    use super::sustain::{BadRange, SustainMedium};
    #[pymodule_export]
    use super::table::table_rows;
    #[pymodule_export]
    use super::timeline::{FioTimeline, FioTimelineDirection, fio_timeline};
    #[pymodule_export]
    use super::toml_lines::toml_key_lines;
    #[pymodule_export]
    use super::trace::{
        trace_anonymise, trace_cut, trace_export, trace_format_of, trace_formats, trace_import, trace_merge,
        trace_meta, trace_picture, trace_profile, trace_scale,
    };
    #[pymodule_export]
    use super::trace_record::TraceRecorder;
}
