//! What completed in a short while.

use super::{Finished, Sink};

/// I/Os of one operation that completed in a window, whatever point they belong to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WindowOf {
    /// How many.
    pub ios: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Sum of their response latencies.
    pub response_ns_sum: u64,
    /// The largest of them.
    pub response_ns_max: u64,
}

/// A window of a point's series; the last one of a point may be shorter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The point that ran, counted from 0.
    pub point: u32,
    /// When it began, after the start of the point.
    pub begin_ns: u64,
    /// When it ended.
    pub end_ns: u64,
    /// By operation, in the order of [`crate::Operation::ALL`].
    pub operations: [WindowOf; 3],
}

impl Window {
    /// I/Os of all operations.
    pub fn ios(&self) -> u64 {
        self.operations.iter().map(|one| one.ios).sum()
    }
}

/// Keeps all windows, in order: as much memory as the load is long.
#[derive(Debug, Default)]
pub struct Series {
    /// The windows.
    pub windows: Vec<Window>,
}

impl Sink for Series {
    fn finished(&mut self, _: &Finished) {}

    fn window(&mut self, window: &Window) {
        self.windows.push(*window);
    }
}
