//! A histogram log as rows, a part at a time: a day of windows every 100 ms is a file of gigabytes.

use std::io::{self, Read};
use std::path::Path;

use crate::hist_log::{HistLogFault, HistLogProblem, for_each_window};
use crate::log::Direction;
use crate::scan::decompressed_file;

/// What is read at a time.
const PART_BYTES: usize = 4 << 20;

/// A line that is longer than this is not fio's: 1859 numbers of at most 20 digits.
const LINE_BYTES_MAX: usize = 1 << 16;

/// Rows of a histogram log, one for each bin of each window that is not empty; all columns have one entry a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistRows {
    /// Milliseconds since the job began at which the window ended.
    pub time_ms: Vec<u64>,
    /// Kind of I/O.
    pub direction: Vec<Direction>,
    /// fio's bin; of merged bins the middle one.
    pub bin: Vec<u64>,
    /// Bins that `log_hist_coarseness` merged into this one.
    pub bins_merged: Vec<u64>,
    /// I/Os, more than 0.
    pub count: Vec<u64>,
}

/// Why rows cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum HistRowsFault {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A line is not what fio writes.
    #[error(transparent)]
    Damaged(#[from] HistLogFault),
}

/// Reads a histogram log part by part.
pub struct HistReader {
    file: Box<dyn Read + Send>,
    part_bytes: usize,
    /// Of the text so far read: what follows its last whole line.
    begun: Vec<u8>,
    lines: u64,
    cut: Option<HistLogFault>,
    ended: bool,
}

impl HistReader {
    /// Opens a file, compressed with gzip or zstd or not.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(HistReader::of(decompressed_file(path)?, PART_BYTES))
    }

    fn of(file: Box<dyn Read + Send>, part_bytes: usize) -> Self {
        HistReader {
            file,
            part_bytes,
            begun: Vec::new(),
            lines: 0,
            cut: None,
            ended: false,
        }
    }

    /// The rows of the next whole lines; `None` at the end.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not what fio writes; a last line that is cut off is no fault
    /// ([`HistReader::cut`]).
    pub fn read_next(&mut self) -> Result<Option<HistRows>, HistRowsFault> {
        while !self.ended {
            let mut part = std::mem::take(&mut self.begun);
            match (&mut self.file).take(self.part_bytes as u64).read_to_end(&mut part) {
                Ok(read) => self.ended = read < self.part_bytes,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => self.ended = true,
                Err(error) => return Err(error.into()),
            }
            let whole = part.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            self.begun = part.split_off(whole);
            let rows = self.rows(&part)?;
            if self.begun.len() > LINE_BYTES_MAX {
                let found = self.begun.split(|&byte| byte == b',').count().saturating_sub(3);
                return Err(self.ends_badly(HistLogProblem::BinCount { found }).into());
            }
            if self.ended && !self.begun.is_empty() {
                self.cut = Some(self.ends_badly(HistLogProblem::Truncated));
            }
            if !rows.count.is_empty() {
                return Ok(Some(rows));
            }
        }
        Ok(None)
    }

    /// Where the log was cut off, once it is read: that line is not counted.
    pub fn cut(&self) -> Option<&HistLogFault> {
        self.cut.as_ref()
    }

    /// What is wrong with the line that was begun.
    fn ends_badly(&self, problem: HistLogProblem) -> HistLogFault {
        let line = self.lines + 1;
        HistLogFault { line, problem }
    }

    fn rows(&mut self, lines: &[u8]) -> Result<HistRows, HistLogFault> {
        let mut rows = HistRows::default();
        let before = self.lines;
        for_each_window(lines, |window| {
            self.lines += 1;
            for (bin, count) in window.occupied {
                rows.time_ms.push(window.time_ms);
                rows.direction.push(window.direction);
                rows.bin.push(bin as u64);
                rows.bins_merged.push(window.merged as u64);
                rows.count.push(count);
            }
            Ok(())
        })
        .map_err(|fault| HistLogFault {
            line: before + fault.line,
            ..fault
        })?;
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::bins::{BIN_COUNT, bin_index};
    use crate::hist_log::parse;

    fn line(time_ms: u64, latencies_ns: &[u64]) -> String {
        let mut bins = vec![0u64; BIN_COUNT];
        for &latency_ns in latencies_ns {
            bins[bin_index(latency_ns)] += 1;
        }
        let bins: Vec<String> = bins.iter().map(ToString::to_string).collect();
        format!("{time_ms}, 1, 4096, {}\n", bins.join(", "))
    }

    fn reader(log: &str, part_bytes: usize) -> HistReader {
        HistReader::of(Box::new(io::Cursor::new(log.as_bytes().to_vec())), part_bytes)
    }

    #[test]
    fn a_row_is_a_bin_of_a_window() {
        let mut log = reader(&line(100, &[90, 100, 100]), PART_BYTES);
        let rows = log.read_next().unwrap().unwrap();
        assert_eq!(
            (rows.time_ms, rows.bin, rows.count),
            (vec![100, 100], vec![90, 100], vec![1, 2])
        );
        assert_eq!(log.read_next().unwrap(), None);
    }

    #[test]
    fn a_log_that_is_cut_off_is_read_up_to_the_cut() {
        let mut log = reader(&format!("{}200, 1, 40", line(100, &[90])), PART_BYTES);
        assert_eq!(log.read_next().unwrap().unwrap().count, [1]);
        assert_eq!(log.cut().map(|fault| fault.line), Some(2));
    }

    #[test]
    fn damage_is_named_with_its_line_in_the_file() {
        let mut log = reader(&format!("{}{}200, 7, 1, 1\n", line(100, &[90]), line(200, &[90])), 6000);
        let fault = std::iter::repeat_with(|| log.read_next())
            .find_map(Result::err)
            .unwrap();
        insta::assert_snapshot!(fault, @"line 3: the direction is 7: allowed are 0 (read), 1 (write), 2 (trim)");
    }

    #[test]
    fn a_line_that_does_not_end_is_not_read_on() {
        let mut log = reader(&"1, ".repeat(40_000), 1000);
        let fault = log.read_next().unwrap_err();
        assert!(fault.to_string().starts_with("line 1: "), "{fault}");
    }

    proptest! {
        #[test]
        fn parts_of_any_size_hold_what_the_whole_holds(
            windows in prop::collection::vec(prop::collection::vec(0u64..1 << 40, 1..5), 1..8),
            part_bytes in 1usize..20_000,
        ) {
            let log: String = windows.iter().enumerate().map(|(number, latencies_ns)| line(number as u64, latencies_ns)).collect();
            let mut parts = reader(&log, part_bytes);
            let mut found = vec![0u64; BIN_COUNT];
            while let Some(rows) = parts.read_next().unwrap() {
                for (bin, count) in rows.bin.into_iter().zip(rows.count) {
                    found[bin as usize] += count;
                }
            }
            let mut expected = vec![0u64; BIN_COUNT];
            for (bin, count) in parse(log.as_bytes()).unwrap().histograms[1].occupied() {
                expected[bin] = count;
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(parts.cut(), None);
        }
    }
}
