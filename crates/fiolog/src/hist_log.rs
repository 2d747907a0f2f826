//! fio's histogram logs (`write_hist_log`): how many I/Os completed in each window, and how long the slowest took.
//!
//! A line is `time_ms, direction, block_bytes` and a count for every bin; `log_hist_coarseness=N` adds up 2^N neighbouring
//! bins, so the number of columns tells N. Before 2.99 fio counted microseconds, in 19 groups of the same layout
//! (`FIO_IO_U_PLAT_GROUP_NR`); these are given in the bins of today, which moves a latency by less than a bin. fio writes a line when an I/O completes in the I/O's own thread, so that the
//! counts are exact whatever else the host is doing; only the I/Os after the last line are missing.

use crate::bins::{BIN_COUNT, bin_high_ns, bin_index, bin_mid_ns};
use crate::log::{Direction, is_wall_clock};
use crate::{Histogram, OverTime};

/// Bins of the histogram of fio 2, which are of microseconds.
const FIO_2_BIN_COUNT: usize = 19 * 64;
const NS_PER_US: u64 = 1000;

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
    #[error("{found} bins: allowed are {BIN_COUNT}, or {FIO_2_BIN_COUNT} of fio 2, divided by a power of two")]
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
/// came. Times of a clock count from `began_ms`, when the first log of the run began; where nobody says when, from a window
/// before the first line.
///
/// # Errors
/// The first line that is not what fio writes.
///
/// # Panics
/// If `window_ms` is 0.
pub fn over_time(log: &[u8], window_ms: u64, began_ms: Option<u64>) -> Result<[OverTime; 3], HistLogFault> {
    let mut distributions: [OverTime; 3] = Default::default();
    let (mut ended_ms, mut ios) = ([0; 3], [0u64; 3]);
    let mut origin_ms = None;
    for_each_window(log, |mut window| {
        let direction = window.direction as usize;
        let origin_ms = *origin_ms.get_or_insert_with(|| {
            let is_of_clock = is_wall_clock(window.time_ms);
            let log_began_ms = if is_of_clock {
                window.time_ms.saturating_sub(window_ms)
            } else {
                0
            };
            let origin_ms = began_ms
                .filter(|&began_ms| is_of_clock && began_ms <= window.time_ms)
                .unwrap_or(log_began_ms);
            ended_ms = [log_began_ms.saturating_sub(origin_ms); 3];
            origin_ms
        });
        window.time_ms = window.time_ms.saturating_sub(origin_ms);
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
    /// Upper edge of the highest column that is not empty.
    longest_ns: u64,
}

/// What a column of a histogram log counts.
#[derive(Clone, Copy)]
struct Columns {
    /// Bins of fio's in one.
    merged: usize,
    unit: Unit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Nanoseconds,
    /// Of fio before 2.99.
    Microseconds,
}

impl Columns {
    fn of_line(columns: usize) -> Option<Self> {
        let of = |bins: usize, unit| {
            let merged = bins.checked_div(columns)?;
            (merged.is_power_of_two() && merged * columns == bins).then_some(Columns { merged, unit })
        };
        of(BIN_COUNT, Unit::Nanoseconds).or_else(|| of(FIO_2_BIN_COUNT, Unit::Microseconds))
    }

    /// The bin of nanoseconds in the middle of a column.
    fn middle(self, column: usize) -> usize {
        let bin = column * self.merged + self.merged / 2;
        match self.unit {
            Unit::Nanoseconds => bin,
            Unit::Microseconds => bin_index(bin_mid_ns(bin) * NS_PER_US),
        }
    }

    /// The largest latency that a column counts: `u64::MAX` for the last one.
    fn edge_ns(self, column: usize) -> u64 {
        let bin = (column + 1) * self.merged - 1;
        match self.unit {
            Unit::Nanoseconds => bin_high_ns(bin),
            Unit::Microseconds if bin == FIO_2_BIN_COUNT - 1 => u64::MAX,
            Unit::Microseconds => (bin_high_ns(bin) + 1) * NS_PER_US - 1,
        }
    }
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
        let columns = Columns::of_line(bins).ok_or(HistLogProblem::BinCount { found: bins })?;
        let &(highest, _) = occupied.last().ok_or(HistLogProblem::Count)?;
        for (column, _) in &mut occupied {
            *column = columns.middle(*column);
        }
        // Two bins of microseconds may have one middle.
        occupied.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        Ok(Window {
            time_ms,
            direction,
            merged: columns.merged,
            occupied,
            ios,
            longest_ns: columns.edge_ns(highest),
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
        self.longest_ns.push(window.longest_ns);
        Ok(())
    }
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
        insta::assert_snapshot!(fault("200, 1, 4096, 1, 2\n"), @"line 2: 2 bins: allowed are 1856, or 1216 of fio 2, divided by a power of two");
        insta::assert_snapshot!(fault("200, 7, 4096, 1\n"), @"line 2: the direction is 7: allowed are 0 (read), 1 (write), 2 (trim)");
        insta::assert_snapshot!(fault("200, 1, x, 1\n"), @"line 2: column 3 is not a whole number of at least 0 that fits into 64 bits");
        insta::assert_snapshot!(fault("200, 1\n"), @"line 2: 0 bins: allowed are 1856, or 1216 of fio 2, divided by a power of two");
        insta::assert_snapshot!(fault(&line(200, &[], 4)), @"line 2: the window counts no I/O, or more than fit into 64 bits");
    }

    /// Window and I/Os in it.
    fn writes_over_time(log: &str, window_ms: u64) -> Vec<(usize, u64)> {
        let [_, writes, _] = over_time(log.as_bytes(), window_ms, None).unwrap();
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
    fn over_time_a_log_with_the_time_of_day_begins_with_its_first_window() {
        let epoch_ms = 1_790_000_000_000;
        let log = [line(epoch_ms, &[90; 3], 4), line(epoch_ms + 100, &[90; 4], 4)].concat();
        assert_eq!(writes_over_time(&log, 100), [(0, 3), (1, 4)]);
    }

    #[test]
    fn over_time_a_log_that_began_later_by_the_clock_stands_later() {
        let began_ms = 1_790_000_000_000;
        let log = [line(began_ms + 1100, &[90; 3], 4), line(began_ms + 1200, &[90; 4], 4)].concat();
        let windows_since = |began_ms| {
            let [_, writes, _] = over_time(log.as_bytes(), 100, Some(began_ms)).unwrap();
            writes.cells().map(|cell| (cell.window, cell.count)).collect::<Vec<_>>()
        };
        assert_eq!(windows_since(began_ms), [(10, 3), (11, 4)]);
        assert_eq!(windows_since(began_ms + 5000), [(0, 3), (1, 4)]);
    }

    #[test]
    fn over_time_wide_windows_of_several_logs_have_one_origin() {
        let began_ms = 1_790_000_000_000;
        let log = [line(began_ms + 6000, &[90; 3], 4), line(began_ms + 8000, &[90; 4], 4)].concat();
        let [_, writes, _] = over_time(log.as_bytes(), 10_000, Some(began_ms)).unwrap();
        assert_eq!(
            writes.cells().map(|cell| (cell.window, cell.count)).collect::<Vec<_>>(),
            [(0, 7)]
        );
    }

    #[test]
    fn bins_of_fio_2_are_microseconds() {
        let mut bins = vec![0; FIO_2_BIN_COUNT];
        (bins[100], bins[1215]) = (3, 1);
        let text = |bins: &[u64]| bins.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let log = parse(format!("1000, 0, 4096, {}\n", text(&bins[..])).as_bytes()).unwrap();
        let found: Vec<_> = log.histograms[0].occupied().collect();
        assert_eq!(found[0], (bin_index(100_000), 3));
        assert_eq!((log.ios[0], log.longest_ns[0], log.bins_merged), (4, u64::MAX, 1));
        bins[1215] = 0;
        let log = parse(format!("1000, 0, 4096, {}\n", text(&bins)).as_bytes()).unwrap();
        assert_eq!(log.longest_ns, [100_999]);
        let coarse: Vec<u64> = bins.chunks(4).map(|four| four.iter().sum()).collect();
        let log = parse(format!("1000, 0, 4096, {}\n", text(&coarse)).as_bytes()).unwrap();
        assert_eq!((log.bins_merged, log.longest_ns[0]), (4, 103_999));
    }

    #[test]
    fn over_time_the_io_that_ended_a_standstill_counts_when_it_came() {
        let log = [line(100, &[90; 3], 4), line(1050, &[90, 90, 900_000_000], 4)].concat();
        assert_eq!(writes_over_time(&log, 100), [(0, 3), (1, 2), (10, 1)]);
        let [_, writes, _] = over_time(log.as_bytes(), 100, None).unwrap();
        let last = writes.cells().last().unwrap();
        assert_eq!(last.first_bin / 4, bin_index(900_000_000) / 4);
    }

    #[test]
    fn over_time_a_fault_is_the_same_as_of_the_whole() {
        let log = format!("{}200, 7, 4096, 1\n", line(100, &[5], 4));
        assert_eq!(
            over_time(log.as_bytes(), 100, None).unwrap_err(),
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
            let [_, writes, _] = over_time(log.as_bytes(), 100, None).unwrap();
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
            prop_assert_eq!(parse(&bytes).err(), over_time(&bytes, 100, None).err());
        }
    }
}
