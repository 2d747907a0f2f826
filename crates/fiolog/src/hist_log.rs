//! fio's histogram logs (`write_hist_log`): how many I/Os completed in each window, and how long the slowest took.
//!
//! A line is `time_ms, direction, block_bytes` and a count for every bin; `log_hist_coarseness=N` adds up 2^N neighbouring
//! bins, so the number of columns tells N. fio writes a line when an I/O completes in the I/O's own thread, so that the
//! counts are exact whatever else the host is doing; only the I/Os after the last line are missing.

use crate::bins::{BIN_COUNT, bin_high_ns};
use crate::log::Direction;
use crate::{Histogram, OverTime};

/// The windows of a histogram log; all columns have one entry a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistLog {
    /// Milliseconds since the job began at which the window ended, by an I/O that completed then.
    pub time_ms: Vec<u64>,
    /// Kind of I/O.
    pub direction: Vec<Direction>,
    /// I/Os that completed in the window.
    pub ios: Vec<u64>,
    /// Upper edge of the highest bin that is not empty: no I/O of the window took longer. `u64::MAX` for the last bin.
    pub longest_ns: Vec<u64>,
    /// All windows together, by fio's number of the direction. Of merged bins, all I/Os are counted in the middle one.
    pub histograms: [Histogram; 3],
    /// Bins that `log_hist_coarseness` merged into one, at most: 1 without it, 0 in an empty log.
    pub bins_merged: usize,
}

/// The first faulty line of a histogram log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct HistLogFault {
    /// 1-based line in the file.
    pub line: u64,
    /// What is wrong and what was expected.
    pub problem: HistLogProblem,
}

/// What is wrong with a line of a histogram log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HistLogProblem {
    /// The file ends before the line does.
    #[error("the file ends inside this line (was fio killed, or the disk full?)")]
    Truncated,
    /// Something that is not an unsigned 64-bit number.
    #[error("column {column} is not a whole number of at least 0 that fits into 64 bits")]
    NotANumber {
        /// 1-based.
        column: usize,
    },
    /// A direction that fio does not log.
    #[error("the direction is {number}: allowed are 0 (read), 1 (write), 2 (trim)")]
    Direction {
        /// What stands there.
        number: u64,
    },
    /// Not the bins of fio's histogram, nor of a coarser one.
    #[error("{found} bins: allowed are {BIN_COUNT} divided by a power of two")]
    BinCount {
        /// Columns after the first three.
        found: usize,
    },
    /// A window in which nothing completed: fio writes none.
    #[error("the window counts no I/O, or more than fit into 64 bits")]
    Count,
}

/// Reads a whole histogram log. An empty file is an empty log.
///
/// # Errors
/// The first line that is not what fio writes.
pub fn parse(log: &[u8]) -> Result<HistLog, HistLogFault> {
    let mut windows = HistLog::default();
    for_each_window(log, |window| windows.push(&window))?;
    Ok(windows)
}

/// Reads the distributions over time of a histogram log whose windows were to be `window_ms` long, by fio's number of the
/// direction.
///
/// A window of fio's ends with the first I/O after its time is up. Its I/Os count in the window that holds its middle; but if
/// that last I/O came more than half a window late, the drive stood still, and it alone, the slowest of them, counts when it
/// came.
///
/// # Errors
/// The first line that is not what fio writes.
///
/// # Panics
/// If `window_ms` is 0.
pub fn over_time(log: &[u8], window_ms: u64) -> Result<[OverTime; 3], HistLogFault> {
    let mut distributions: [OverTime; 3] = Default::default();
    let (mut ended_ms, mut ios) = ([0; 3], [0u64; 3]);
    for_each_window(log, |window| {
        let direction = window.direction as usize;
        ios[direction] = ios[direction].checked_add(window.ios).ok_or(HistLogProblem::Count)?;
        let began_ms = std::mem::replace(&mut ended_ms[direction], window.time_ms);
        window.spread(&mut distributions[direction], began_ms, window_ms);
        Ok(())
    })?;
    Ok(distributions)
}

/// One line.
pub(crate) struct Window {
    pub(crate) time_ms: u64,
    pub(crate) direction: Direction,
    /// Bins of fio's in a column.
    pub(crate) merged: usize,
    /// The middle one of fio's bins in each column that is not empty, ascending; there is one at least.
    pub(crate) occupied: Vec<(usize, u64)>,
    ios: u64,
}

pub(crate) fn for_each_window(
    log: &[u8],
    mut take: impl FnMut(Window) -> Result<(), HistLogProblem>,
) -> Result<(), HistLogFault> {
    let mut rest = log;
    let mut line = 1;
    while !rest.is_empty() {
        let fault = |problem| HistLogFault { line, problem };
        let end = rest.iter().position(|&byte| byte == b'\n');
        let end = end.ok_or_else(|| fault(HistLogProblem::Truncated))?;
        Window::read(&rest[..end]).and_then(&mut take).map_err(fault)?;
        rest = &rest[end + 1..];
        line += 1;
    }
    Ok(())
}

impl Window {
    fn read(line: &[u8]) -> Result<Self, HistLogProblem> {
        let mut columns = line.split(|&byte| byte == b',').enumerate().map(|(position, text)| {
            let column = position + 1;
            number(text).ok_or(HistLogProblem::NotANumber { column })
        });
        let mut next = || columns.next().unwrap_or(Err(HistLogProblem::BinCount { found: 0 }));
        let (time_ms, direction, _block_bytes) = (next()?, next()?, next()?);
        let direction = Direction::of_fio(direction).ok_or(HistLogProblem::Direction { number: direction })?;
        let (mut bins, mut ios) = (0, 0u64);
        let mut occupied = Vec::new();
        for count in columns {
            let count = count?;
            if count > 0 {
                occupied.push((bins, count));
                ios = ios.checked_add(count).ok_or(HistLogProblem::Count)?;
            }
            bins += 1;
        }
        let merged = bins_in_a_column(bins).ok_or(HistLogProblem::BinCount { found: bins })?;
        if occupied.is_empty() {
            return Err(HistLogProblem::Count);
        }
        for (column, _) in &mut occupied {
            *column = *column * merged + merged / 2;
        }
        Ok(Window {
            time_ms,
            direction,
            merged,
            occupied,
            ios,
        })
    }

    fn highest_bin(&self) -> usize {
        self.occupied.last().map_or(0, |&(bin, _)| bin)
    }

    fn spread(&self, distribution: &mut OverTime, began_ms: u64, window_ms: u64) {
        let lasted_ms = self.time_ms.saturating_sub(began_ms);
        let is_late = lasted_ms > window_ms + window_ms / 2;
        let middle = (began_ms + lasted_ms.min(window_ms) / 2) / window_ms;
        for &(bin, count) in &self.occupied {
            let last = u64::from(is_late && bin == self.highest_bin());
            distribution.record(middle as usize, bin, count - last);
        }
        if is_late {
            let end = self.time_ms.saturating_sub(1) / window_ms;
            distribution.record(end as usize, self.highest_bin(), 1);
        }
    }

    /// Upper edge of the highest column that is not empty.
    fn longest_ns(&self) -> u64 {
        bin_high_ns(self.highest_bin() - self.merged / 2 + self.merged - 1)
    }
}

impl HistLog {
    fn push(&mut self, window: &Window) -> Result<(), HistLogProblem> {
        let histogram = &mut self.histograms[window.direction as usize];
        (histogram.count().checked_add(window.ios)).ok_or(HistLogProblem::Count)?;
        for &(bin, count) in &window.occupied {
            histogram.record_many(bin, count);
        }
        self.bins_merged = self.bins_merged.max(window.merged);
        self.time_ms.push(window.time_ms);
        self.direction.push(window.direction);
        self.ios.push(window.ios);
        self.longest_ns.push(window.longest_ns());
        Ok(())
    }
}

fn bins_in_a_column(columns: usize) -> Option<usize> {
    let merged = BIN_COUNT.checked_div(columns)?;
    (merged.is_power_of_two() && merged * columns == BIN_COUNT).then_some(merged)
}

/// A decimal number with at most one blank before it.
fn number(text: &[u8]) -> Option<u64> {
    let digits = text.strip_prefix(b" ").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bins::bin_index;

    fn line(time_ms: u64, latencies_ns: &[u64], merged: usize) -> String {
        let mut bins = vec![0u64; BIN_COUNT / merged];
        for &latency_ns in latencies_ns {
            bins[bin_index(latency_ns) / merged] += 1;
        }
        let bins: Vec<String> = bins.iter().map(ToString::to_string).collect();
        format!("{time_ms}, 1, 4096, {}\n", bins.join(", "))
    }

    #[test]
    fn a_window_has_its_ios_and_the_edge_of_its_slowest() {
        let log = parse(line(100, &[90, 100, 100], 1).as_bytes()).unwrap();
        assert_eq!((log.time_ms[0], log.ios[0], log.longest_ns[0]), (100, 3, 100));
        assert_eq!(log.direction, [Direction::Write]);
    }

    #[test]
    fn an_empty_file_is_an_empty_log() {
        assert_eq!(parse(b""), Ok(HistLog::default()));
    }

    #[test]
    fn faults_name_their_line() {
        let good = line(100, &[5], 4);
        let fault = |bad: &str| parse(format!("{good}{bad}").as_bytes()).unwrap_err().to_string();
        insta::assert_snapshot!(fault("200, 1, 4096, 1"), @"line 2: the file ends inside this line (was fio killed, or the disk full?)");
        insta::assert_snapshot!(fault("200, 1, 4096, 1, 2\n"), @"line 2: 2 bins: allowed are 1856 divided by a power of two");
        insta::assert_snapshot!(fault("200, 7, 4096, 1\n"), @"line 2: the direction is 7: allowed are 0 (read), 1 (write), 2 (trim)");
        insta::assert_snapshot!(fault("200, 1, x, 1\n"), @"line 2: column 3 is not a whole number of at least 0 that fits into 64 bits");
        insta::assert_snapshot!(fault("200, 1\n"), @"line 2: 0 bins: allowed are 1856 divided by a power of two");
        insta::assert_snapshot!(fault(&line(200, &[], 4)), @"line 2: the window counts no I/O, or more than fit into 64 bits");
    }

    /// Window and I/Os in it.
    fn writes_over_time(log: &str, window_ms: u64) -> Vec<(usize, u64)> {
        let [_, writes, _] = over_time(log.as_bytes(), window_ms).unwrap();
        let mut windows = std::collections::BTreeMap::new();
        for cell in writes.cells() {
            *windows.entry(cell.window).or_insert(0) += cell.count;
        }
        windows.into_iter().collect()
    }

    #[test]
    fn over_time_a_window_of_fios_is_the_one_it_began_in() {
        let log = [line(101, &[90; 3], 4), line(203, &[90; 4], 4), line(300, &[90; 5], 4)].concat();
        assert_eq!(writes_over_time(&log, 100), [(0, 3), (1, 4), (2, 5)]);
    }

    #[test]
    fn over_time_the_io_that_ended_a_standstill_counts_when_it_came() {
        let log = [line(100, &[90; 3], 4), line(1050, &[90, 90, 900_000_000], 4)].concat();
        assert_eq!(writes_over_time(&log, 100), [(0, 3), (1, 2), (10, 1)]);
        let [_, writes, _] = over_time(log.as_bytes(), 100).unwrap();
        let last = writes.cells().last().unwrap();
        assert_eq!(last.first_bin / 4, bin_index(900_000_000) / 4);
    }

    #[test]
    fn over_time_a_fault_is_the_same_as_of_the_whole() {
        let log = format!("{}200, 7, 4096, 1\n", line(100, &[5], 4));
        assert_eq!(
            over_time(log.as_bytes(), 100).unwrap_err(),
            parse(log.as_bytes()).unwrap_err()
        );
    }

    proptest! {
        #[test]
        fn over_time_no_io_is_lost_and_none_changes_its_bin(
            windows in prop::collection::vec((0u64..500, prop::collection::vec(0u64..1 << 40, 1..20)), 1..30),
            coarseness in 0u32..4,
        ) {
            let mut time_ms = 0;
            let log: String = windows.iter().map(|(lasted_ms, latencies_ns)| {
                time_ms += lasted_ms;
                line(time_ms, latencies_ns, 1 << coarseness)
            }).collect();
            let [_, writes, _] = over_time(log.as_bytes(), 100).unwrap();
            let (mut found, mut expected) = ([0u64; BIN_COUNT], [0u64; BIN_COUNT]);
            for cell in writes.cells() {
                found[cell.first_bin / 4] += cell.count;
            }
            for (bin, count) in parse(log.as_bytes()).unwrap().histograms[1].occupied() {
                expected[bin / 4] += count;
            }
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn counts_are_exact_and_the_edge_holds_every_latency(
            latencies_ns in prop::collection::vec(0u64..1 << 40, 1..50),
            coarseness in 0u32..6,
        ) {
            let log = parse(line(7, &latencies_ns, 1 << coarseness).as_bytes()).unwrap();
            prop_assert_eq!(log.ios[0], latencies_ns.len() as u64);
            let longest_ns = *latencies_ns.iter().max().unwrap();
            prop_assert!(log.longest_ns[0] >= longest_ns);
            prop_assert_eq!((log.histograms[1].count(), log.bins_merged), (log.ios[0], 1 << coarseness));
            for (bin, _) in log.histograms[1].occupied() {
                let column = bin >> coarseness;
                prop_assert!(latencies_ns.iter().any(|&latency_ns| bin_index(latency_ns) >> coarseness == column));
            }
        }

        #[test]
        fn arbitrary_bytes_are_a_log_or_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            prop_assert_eq!(parse(&bytes).err(), over_time(&bytes, 100).err());
        }
    }
}
