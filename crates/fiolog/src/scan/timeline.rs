//! Logs of every I/O over time, in windows of any length: I/Os, bytes, latency, and how the latencies are distributed.

use super::line::Counted;
use super::series::DIRECTIONS;
use super::tally::Tally;
use super::{Input, LIMITS, LogScan, ScanFault, read, share_beginning};
use crate::OverTime;
use crate::bins::bin_index;
use crate::log::Direction;

/// No log reaches so far: 35 years of milliseconds.
const WINDOW_LAST: u64 = 1 << 40;

/// What one direction did in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimedWindow {
    /// I/Os that completed.
    pub ios: u64,
    /// Bytes they moved.
    pub bytes: u64,
    /// Sum of their values.
    pub sum: u64,
    /// Largest of their values.
    pub max: u64,
}

/// One direction over time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimedDirection {
    /// Kind of I/O.
    pub direction: Direction,
    /// From time 0 to the last line of any direction.
    pub windows: Vec<TimedWindow>,
    /// Values in fio's latency bins, in windows of the same length that may have been joined once more.
    pub over_time: OverTime,
}

/// Logs over time, as if they were one.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    /// Length of every window: what was asked for, doubled as often as the most windows allowed need.
    pub window_ms: u64,
    /// Those that have any line, in fio's order.
    pub directions: Vec<TimedDirection>,
    /// One for each input, in their order.
    pub logs: Vec<LogScan>,
}

/// Counts logs in windows of `window_ms`; when a log outgrows `windows_max` of them, two neighbours become one.
/// Times of a clock count from when the first of these logs began, or from `began_ms` if that was before. `keep_going` is
/// asked about twenty times a second.
///
/// # Errors
/// As [`scan`](super::scan).
///
/// # Panics
/// If `window_ms` or `windows_max` is 0.
pub fn timeline(
    mut inputs: Vec<Input>,
    window_ms: u64,
    windows_max: usize,
    began_ms: Option<u64>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Timeline, ScanFault> {
    share_beginning(&mut inputs, began_ms, keep_going)?;
    let mut workers: Vec<Timing> = (0..LIMITS.workers)
        .map(|_| Timing::new(window_ms, windows_max))
        .collect();
    let mut logs = Vec::new();
    let mut bytes_before = 0;
    for mut input in inputs {
        let pass = read(&mut input, LIMITS, &mut workers, keep_going)?;
        let bytes = workers
            .iter()
            .fold(0u64, |sum, worker| sum.saturating_add(worker.bytes()));
        logs.push(LogScan {
            name: input.name,
            lines: pass.lines,
            layout: pass.layout,
            averaged: pass.lines > 0 && bytes == bytes_before,
            cut: pass.cut,
        });
        bytes_before = bytes;
    }
    let mut all = Timing::new(window_ms, windows_max);
    for worker in workers {
        all.merge(worker);
    }
    Ok(Timeline {
        window_ms: all.window_ms,
        directions: all.directions(),
        logs,
    })
}

struct Timing {
    windows: Vec<[TimedWindow; DIRECTIONS]>,
    windows_max: usize,
    window_ms: u64,
    /// What `over_time` numbers its windows by.
    window_ms_first: u64,
    over_time: [OverTime; DIRECTIONS],
}

impl Timing {
    fn new(window_ms: u64, windows_max: usize) -> Self {
        assert!(
            window_ms > 0 && windows_max > 0,
            "windows of {window_ms} ms, at most {windows_max}"
        );
        Timing {
            windows: Vec::new(),
            windows_max,
            window_ms,
            window_ms_first: window_ms,
            over_time: Default::default(),
        }
    }

    fn bytes(&self) -> u64 {
        (self.windows.iter().flatten()).fold(0, |sum, window| sum.saturating_add(window.bytes))
    }

    #[cold]
    fn reach(&mut self, time_ms: u64) -> usize {
        while time_ms / self.window_ms >= self.windows_max as u64 {
            self.join_pairs();
        }
        let index = (time_ms / self.window_ms) as usize;
        if index >= self.windows.len() {
            self.windows.resize(index + 1, [TimedWindow::default(); DIRECTIONS]);
        }
        index
    }

    fn join_pairs(&mut self) {
        let joined = self.windows.chunks(2).map(|pair| {
            let mut sum = pair[0];
            if let Some(second) = pair.get(1) {
                add(&mut sum, second);
            }
            sum
        });
        self.windows = joined.collect();
        self.window_ms *= 2;
    }

    fn merge(&mut self, mut other: Timing) {
        while self.window_ms < other.window_ms {
            self.join_pairs();
        }
        while other.window_ms < self.window_ms {
            other.join_pairs();
        }
        if other.windows.len() > self.windows.len() {
            std::mem::swap(&mut self.windows, &mut other.windows);
        }
        for (mine, theirs) in self.windows.iter_mut().zip(&other.windows) {
            add(mine, theirs);
        }
        for (mine, theirs) in self.over_time.iter_mut().zip(&other.over_time) {
            mine.merge(theirs);
        }
    }

    fn directions(self) -> Vec<TimedDirection> {
        let windows = &self.windows;
        let timed = self
            .over_time
            .into_iter()
            .enumerate()
            .filter_map(|(number, over_time)| {
                let windows: Vec<TimedWindow> = windows.iter().map(|window| window[number]).collect();
                windows.iter().any(|window| window.ios > 0).then_some(())?;
                Some(TimedDirection {
                    direction: Direction::of_fio(number as u64)?,
                    windows,
                    over_time,
                })
            });
        timed.collect()
    }
}

impl Tally for Timing {
    #[inline]
    fn record(&mut self, line: &Counted) {
        let index = match usize::try_from(line.time_ms / self.window_ms) {
            Ok(index) if index < self.windows.len() => index,
            _ => self.reach(line.time_ms),
        };
        let window = &mut self.windows[index][line.direction];
        window.ios += 1;
        window.bytes = window.bytes.saturating_add(line.block_bytes);
        window.sum = window.sum.saturating_add(line.value);
        window.max = window.max.max(line.value);
        let first = (line.time_ms / self.window_ms_first).min(WINDOW_LAST) as usize;
        self.over_time[line.direction].record(first, bin_index(line.value), 1);
    }
}

fn add(sum: &mut [TimedWindow; DIRECTIONS], other: &[TimedWindow; DIRECTIONS]) {
    for (mine, theirs) in sum.iter_mut().zip(other) {
        mine.ios += theirs.ios;
        mine.bytes = mine.bytes.saturating_add(theirs.bytes);
        mine.sum = mine.sum.saturating_add(theirs.sum);
        mine.max = mine.max.max(theirs.max);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use proptest::prelude::*;

    use super::*;

    fn counted(log: String, window_ms: u64, windows_max: usize) -> Timeline {
        let input = Input::stream(PathBuf::from("-"), io::Cursor::new(log.into_bytes()));
        timeline(vec![input], window_ms, windows_max, None, &mut || true).unwrap()
    }

    #[test]
    fn a_window_has_what_completed_in_it() {
        let line = counted("0, 5, 1, 512\n99, 7, 1, 512\n100, 9, 1, 4096\n".into(), 100, 10);
        let (first, second) = (line.directions[0].windows[0], line.directions[0].windows[1]);
        assert_eq!((first.ios, first.bytes, first.sum, first.max), (2, 1024, 12, 7));
        assert_eq!((second.ios, second.bytes, second.sum, second.max), (1, 4096, 9, 9));
    }

    #[test]
    fn no_time_is_too_long() {
        let line = counted(format!("0, 5, 0, 512\n{}, 5, 0, 512\n", u64::MAX >> 1), 1, 8);
        assert!(line.directions[0].windows.len() <= 8);
        assert_eq!(
            line.directions[0].windows.iter().map(|window| window.ios).sum::<u64>(),
            2
        );
    }

    #[test]
    fn a_log_with_the_time_of_day_begins_with_its_first_line() {
        let lines = |began_ms: u64| format!("{began_ms}, 5, 0, 512\n{}, 7, 0, 512\n", began_ms + 250);
        assert_eq!(
            counted(lines(1_790_000_000_000), 100, 8).directions,
            counted(lines(0), 100, 8).directions
        );
    }

    /// I/Os of every second of logs that lie beside each other, each with one line.
    fn ios_by_second(firsts_ms: &[u64], began_ms: Option<u64>) -> Vec<u64> {
        let inputs = firsts_ms.iter().map(|first_ms| {
            let line = format!("{first_ms}, 5, 0, 512\n");
            Input::stream(PathBuf::from("pipe"), io::Cursor::new(line.into_bytes()))
        });
        let line = timeline(inputs.collect(), 1000, 100, began_ms, &mut || true).unwrap();
        line.directions[0].windows.iter().map(|window| window.ios).collect()
    }

    #[test]
    fn logs_with_the_time_of_day_stand_beside_each_other_as_they_were() {
        let at = |seconds: u64| 1_790_000_000_000 + 1000 * seconds;
        assert_eq!(ios_by_second(&[at(3), at(0), at(1)], None), [1, 1, 0, 1]);
        assert_eq!(ios_by_second(&[at(3), at(2)], Some(at(1))), [0, 1, 1]);
        assert_eq!(ios_by_second(&[at(3), at(2)], Some(at(4))), [1, 1]);
        // Times since a job began say nothing of the clock.
        assert_eq!(ios_by_second(&[at(3), 1000], Some(at(3))), [1, 1]);
    }

    proptest! {
        #[test]
        fn windows_are_what_their_definition_says(
            ios in prop::collection::vec((0u64..5000, 0u64..1 << 40, 0usize..3), 1..200),
            window_ms in 1u64..500,
            windows_max in 1usize..40,
        ) {
            let lines: Vec<String> = ios.iter().map(|(time, value, direction)| format!("{time}, {value}, {direction}, 4096\n")).collect();
            let found = counted(lines.concat(), window_ms, windows_max);
            prop_assert_eq!(found.window_ms % window_ms, 0);
            prop_assert!(found.window_ms == window_ms || found.directions[0].windows.len() * 2 > windows_max);
            for one in &found.directions {
                prop_assert!(one.windows.len() <= windows_max);
                for (index, window) in one.windows.iter().enumerate() {
                    let inside: Vec<u64> = ios.iter()
                        .filter(|io| io.2 == one.direction as usize && (io.0 / found.window_ms) as usize == index)
                        .map(|io| io.1)
                        .collect();
                    prop_assert_eq!(window.ios, inside.len() as u64);
                    prop_assert_eq!(window.sum, inside.iter().sum::<u64>());
                    prop_assert_eq!(window.max, inside.into_iter().max().unwrap_or(0));
                }
                let cells: u64 = one.over_time.cells().map(|cell| cell.count).sum();
                prop_assert_eq!(cells, one.windows.iter().map(|window| window.ios).sum::<u64>());
            }
        }
    }
}
