//! I/Os and bytes over time.

use super::line::Counted;

/// fio's directions.
pub(super) const DIRECTIONS: usize = 3;

/// Length of the windows of a log that is not very long, in milliseconds.
pub const WINDOW_MS: u64 = 100;

/// What one direction did in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// I/Os that completed.
    pub ios: u64,
    /// Bytes they moved.
    pub bytes: u64,
}

/// Windows of equal length from time 0 on. When a log outgrows them, two neighbours become one: memory stays bounded, every
/// sum stays exact.
#[derive(Debug)]
pub(super) struct Series {
    windows: Vec<[Window; DIRECTIONS]>,
    windows_max: usize,
    window_ms: u64,
    /// Lines in a row mostly have the same time: the window of the last one, and where its times begin and end.
    last: usize,
    last_from_ms: u64,
}

impl Series {
    pub(super) fn new(windows_max: usize) -> Self {
        Series {
            windows: vec![[Window::default(); DIRECTIONS]],
            windows_max,
            window_ms: WINDOW_MS,
            last: 0,
            last_from_ms: 0,
        }
    }

    #[inline]
    pub(super) fn record(&mut self, line: &Counted) {
        if line.time_ms.wrapping_sub(self.last_from_ms) >= self.window_ms {
            self.seek(line.time_ms);
        }
        let window = &mut self.windows[self.last][line.direction];
        window.ios += 1;
        window.bytes = window.bytes.saturating_add(line.block_bytes);
    }

    #[cold]
    fn seek(&mut self, time_ms: u64) {
        while time_ms / self.window_ms >= self.windows_max as u64 {
            self.halve();
        }
        self.last = (time_ms / self.window_ms) as usize;
        self.last_from_ms = self.last as u64 * self.window_ms;
        if self.last >= self.windows.len() {
            self.windows.resize(self.last + 1, [Window::default(); DIRECTIONS]);
        }
    }

    fn halve(&mut self) {
        for index in 0..self.windows.len().div_ceil(2) {
            let mut sum = self.windows[2 * index];
            if let Some(second) = self.windows.get(2 * index + 1) {
                add(&mut sum, second);
            }
            self.windows[index] = sum;
        }
        self.windows.truncate(self.windows.len().div_ceil(2));
        self.window_ms *= 2;
        self.last = 0;
        self.last_from_ms = 0;
    }

    pub(super) fn merge(&mut self, other: &Series) {
        while self.window_ms < other.window_ms {
            self.halve();
        }
        let theirs_in_mine = (self.window_ms / other.window_ms) as usize;
        let needed = other.windows.len().div_ceil(theirs_in_mine);
        if needed > self.windows.len() {
            self.windows.resize(needed, [Window::default(); DIRECTIONS]);
        }
        for (index, window) in other.windows.iter().enumerate() {
            add(&mut self.windows[index / theirs_in_mine], window);
        }
    }

    /// Length of every window in milliseconds.
    pub(super) fn window_ms(&self) -> u64 {
        self.window_ms
    }

    /// The windows of one direction, from time 0 to the last line of any direction.
    pub(super) fn of(&self, direction: usize) -> Vec<Window> {
        self.windows.iter().map(|window| window[direction]).collect()
    }

    /// Bytes of all windows together.
    pub(super) fn bytes(&self) -> u64 {
        (self.windows.iter().flatten()).fold(0, |sum, window| sum.saturating_add(window.bytes))
    }
}

fn add(sum: &mut [Window; DIRECTIONS], other: &[Window; DIRECTIONS]) {
    for (mine, theirs) in sum.iter_mut().zip(other) {
        mine.ios += theirs.ios;
        mine.bytes = mine.bytes.saturating_add(theirs.bytes);
    }
}
