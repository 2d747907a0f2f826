//! What a workload gave.

use fiolog::bins::bin_index;
use fiolog::log::Direction;
use fiolog::{Histogram, Moments, OverTime};

use crate::Rejected;

/// A latency distribution: fio's bins, and mean, spread and extremes exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Latency {
    /// Counts in fio's bins.
    pub histogram: Histogram,
    /// Exact sums.
    pub moments: Moments,
}

impl Latency {
    /// Counts one.
    #[inline]
    pub fn record(&mut self, latency_ns: u64) {
        self.histogram.record(latency_ns);
        self.moments.record(latency_ns);
    }
}

/// What one direction did over time: one entry a window, from the start of the run to its end without gaps.
///
/// An I/O counts in the window in which it completes, which includes the window's last instant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Windows {
    /// End of each window in nanoseconds after the start; the last one ends with the run.
    pub end_ns: Vec<u64>,
    /// I/Os completed.
    pub ios: Vec<u64>,
    /// Sum of their `lat` in nanoseconds.
    pub lat_ns_sum: Vec<u64>,
    /// Largest of their `lat` in nanoseconds, 0 where there were none.
    pub lat_ns_max: Vec<u64>,
}

impl Windows {
    #[inline]
    fn record(&mut self, window: usize, lat_ns: u64) {
        if window >= self.ios.len() {
            self.extend(window + 1);
        }
        self.ios[window] += 1;
        self.lat_ns_sum[window] += lat_ns;
        self.lat_ns_max[window] = self.lat_ns_max[window].max(lat_ns);
    }

    #[cold]
    fn extend(&mut self, windows: usize) {
        self.ios.resize(windows, 0);
        self.lat_ns_sum.resize(windows, 0);
        self.lat_ns_max.resize(windows, 0);
    }

    fn finish(&mut self, window_ns: u64, runtime_ns: u64) {
        // Where no time passes at all there is still one window, of length 0, for what was done in it.
        let windows = runtime_ns.div_ceil(window_ns).max(1) as usize;
        self.extend(windows);
        self.end_ns = (1..=windows as u64)
            .map(|window| (window * window_ns).min(runtime_ns))
            .collect();
    }
}

/// All that one direction did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DirectionResult {
    /// I/Os completed.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Commands that the drive refused; each ended its stream, as an error ends a job of fio.
    pub errors: u64,
    /// From the start to the last completion of the run; 0 if this direction did nothing.
    pub runtime_ns: u64,
    /// From submission to completion.
    pub clat: Latency,
    /// From the time the I/O was due to completion; the same as `clat` in a closed loop.
    pub lat: Latency,
    /// The series; empty if this direction did nothing.
    pub windows: Windows,
    /// Distribution of `clat` in each of the windows, if the workload asked for it.
    pub clat_over_time: Option<OverTime>,
}

/// Every I/O counted, in order of completion.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EveryIo {
    /// Completion in nanoseconds after the start.
    pub time_ns: Vec<u64>,
    /// `lat` in nanoseconds.
    pub latency_ns: Vec<u64>,
    /// Kind of I/O.
    pub direction: Vec<Direction>,
    /// Where it was.
    pub offset_bytes: Vec<u64>,
}

/// What a workload gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkloadResult {
    /// Virtual time of the first submission.
    pub start_ns: u64,
    /// Virtual time of the last completion.
    pub end_ns: u64,
    /// Reads.
    pub read: DirectionResult,
    /// Writes.
    pub write: DirectionResult,
    /// Trims.
    pub trim: DirectionResult,
    /// Every I/O, if the workload asked for it.
    pub every_io: Option<EveryIo>,
    /// Why the drive refused the first command that it refused.
    pub first_error: Option<Rejected>,
    /// I/Os of an open loop that were due before its end, found no room and were never submitted: the drive is overloaded.
    pub unsubmitted: u64,
}

/// One completed I/O.
#[derive(Debug, Clone, Copy)]
pub struct FinishedIo {
    /// Kind of I/O.
    pub direction: Direction,
    /// Where it was.
    pub offset_bytes: u64,
    /// When it was due; in a closed loop, when it was submitted.
    pub due_ns: u64,
    /// When it was submitted.
    pub submitted_ns: u64,
    /// When it completed.
    pub completed_ns: u64,
}

/// Whether `lat` can differ from `clat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loop {
    Open,
    Closed,
}

impl Loop {
    pub(super) fn of(workload: &super::Workload) -> Self {
        if workload.rate_iops.is_some() {
            Loop::Open
        } else {
            Loop::Closed
        }
    }
}

/// Counts completed I/Os of a workload.
#[derive(Debug)]
pub struct Tally {
    kind: Loop,
    start_ns: u64,
    window_ns: u64,
    /// Of each direction: streams beside the job have blocks of their own.
    block_bytes: [u64; 3],
    window: usize,
    window_end_ns: u64,
    directions: [DirectionResult; 3],
    every_io: Option<EveryIo>,
    first_error: Option<Rejected>,
}

impl Tally {
    /// Of a workload that starts then.
    pub fn new(start_ns: u64, workload: &super::Workload) -> Self {
        let mut block_bytes = [workload.block_bytes; 3];
        for beside in &workload.beside {
            block_bytes[beside.direction() as usize] = beside.block_bytes;
        }
        Tally {
            kind: Loop::of(workload),
            start_ns,
            window_ns: workload.window_ns,
            block_bytes,
            window: 0,
            window_end_ns: start_ns.saturating_add(workload.window_ns),
            directions: std::array::from_fn(|_| DirectionResult {
                clat_over_time: (workload.latency_over_time == super::LatencyOverTime::Yes).then(OverTime::default),
                ..DirectionResult::default()
            }),
            every_io: (workload.log_every_io == super::LogEveryIo::Yes).then(EveryIo::default),
            first_error: None,
        }
    }

    /// I/Os must come in the order in which they complete.
    #[inline]
    pub fn count(&mut self, io: FinishedIo) {
        while io.completed_ns > self.window_end_ns {
            self.window += 1;
            self.window_end_ns += self.window_ns;
        }
        let lat_ns = io.completed_ns - io.due_ns;
        let result = &mut self.directions[io.direction as usize];
        result.ios += 1;
        let clat_ns = io.completed_ns - io.submitted_ns;
        result.clat.record(clat_ns);
        if let Some(over_time) = &mut result.clat_over_time {
            over_time.record(self.window, bin_index(clat_ns), 1);
        }
        if self.kind == Loop::Open {
            result.lat.record(lat_ns);
        }
        result.windows.record(self.window, lat_ns);
        if let Some(every_io) = &mut self.every_io {
            every_io.time_ns.push(io.completed_ns - self.start_ns);
            every_io.latency_ns.push(lat_ns);
            every_io.direction.push(io.direction);
            every_io.offset_bytes.push(io.offset_bytes);
        }
    }

    /// Windows to which nothing will be added.
    #[inline]
    pub(super) fn windows_done(&self) -> u64 {
        self.window as u64
    }

    /// I/Os of all directions in each of these windows.
    pub(super) fn ios_of_windows(&self, from: u64) -> Vec<u64> {
        let of_window = |window: usize| {
            let of_direction = |result: &DirectionResult| result.windows.ios.get(window).copied().unwrap_or(0);
            self.directions.iter().map(of_direction).sum()
        };
        (from as usize..self.window).map(of_window).collect()
    }

    pub(super) fn count_error(&mut self, direction: Direction, rejected: Rejected) {
        self.first_error.get_or_insert(rejected);
        self.directions[direction as usize].errors += 1;
    }

    /// What was counted, of a workload that ended then.
    pub fn finish(mut self, end_ns: u64) -> WorkloadResult {
        let runtime_ns = end_ns.saturating_sub(self.start_ns);
        let directions = self.directions.iter_mut().zip(self.block_bytes);
        for (result, block_bytes) in directions.filter(|(result, _)| result.ios > 0) {
            result.bytes = result.ios * block_bytes;
            result.runtime_ns = runtime_ns;
            result.windows.finish(self.window_ns, runtime_ns);
            if self.kind == Loop::Closed {
                result.lat = result.clat.clone();
            }
        }
        let [read, write, trim] = self.directions;
        WorkloadResult {
            start_ns: self.start_ns,
            end_ns,
            read,
            write,
            trim,
            every_io: self.every_io,
            first_error: self.first_error,
            unsubmitted: 0,
        }
    }
}
