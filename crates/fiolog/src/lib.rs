//! fio's latency bins and text logs: exact counts, percentiles, columns.
//!
//! Nothing here prints or knows Python; every fault says what was found and where.

pub mod bins;
pub mod hist_log;
pub mod hist_rows;
mod histogram;
pub mod log;
mod moments;
mod over_time;
pub mod scan;

pub use histogram::{Histogram, Percent, PercentFault, PrintedBinFault, SAMPLES_ABOVE_MIN};
pub use moments::Moments;
pub use over_time::{BINS_MERGED, Cell, OverTime};
