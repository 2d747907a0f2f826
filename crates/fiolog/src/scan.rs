//! Whole logs in bounded memory, as fast as they can be read: exact percentiles, mean, largest, count, and I/Os and bytes over
//! time.
//!
//! Two workers read chunks of 256 KiB and count every latency below 2.1 ms in a table with a counter for each nanosecond, and
//! up to a quarter of a million different ones above it in a map. If a log has more than that, the pass still tells which
//! small interval holds a wanted rank, and further passes over the file count only what lies in those: the result is exact
//! whatever the length and the spread. What cannot be read twice, a pipe, then gives the interval ([`Percentile::Between`]).
//! Memory stays below 96 MiB: 24 MiB of tables if all three directions use all latencies, 20 MiB of the maps, 13 MiB of
//! windows, 4 MiB of coarse counters, the chunks, and one entry of a map for every 65,536 I/Os of the same latency, which a
//! log of 400 GB keeps below 10 MiB.

mod line;
mod packed;
mod pass;
mod refine;
mod rows;
mod series;
mod source;
mod tally;
mod timeline;

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use crate::log::{Layout, LogFault, is_wall_clock};
use crate::{Percent, log::Direction};

use pass::Pass;
use refine::Refinement;
use source::{Origin, Patient, Stopped};
use tally::{Counts, Interval, Place, Wanted};

pub use packed::{Followed, is_compressed};
pub use rows::{Want, rows};
pub use series::{WINDOW_MS, Window};
pub use timeline::{TimedDirection, TimedWindow, Timeline, timeline};

/// What a log says about its directions, and about itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Those that have any line, in fio's order.
    pub directions: Vec<DirectionScan>,
    /// Length of every window in milliseconds: [`WINDOW_MS`], doubled as often as a long log needs (first after 3.6 h).
    pub window_ms: u64,
    /// One for each input, in their order.
    pub logs: Vec<LogScan>,
}

/// What one direction did, in all logs together.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectionScan {
    /// Kind of I/O.
    pub direction: Direction,
    /// Lines.
    pub ios: u64,
    /// Bytes of all block sizes together.
    pub bytes: u64,
    /// Sum of all values.
    pub sum: u128,
    /// Largest value.
    pub max: u64,
    /// One for each percentage asked for.
    pub percentiles: Vec<Percentile>,
    /// From time 0 on.
    pub windows: Vec<Window>,
}

/// A percentile by nearest rank (METHODS 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Percentile {
    /// To the last digit.
    Exact(u64),
    /// Fewer than ten samples lie above it.
    TooFewAbove,
    /// The log came through a pipe, has more than a quarter of a million different values above 2.1 ms, and this is one of them.
    Between {
        /// It is not smaller.
        low: u64,
        /// It is not larger.
        high: u64,
    },
}

/// What one input was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogScan {
    /// As it was opened.
    pub name: PathBuf,
    /// Whole lines.
    pub lines: u64,
    /// Its columns; `None` if it has no line.
    pub layout: Option<Layout>,
    /// Whether fio averaged it over windows: no line has a block size.
    pub averaged: bool,
    /// Where it was cut off, if it ends inside a line: that line is not counted.
    pub cut: Option<LogFault>,
}

/// Why a scan ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum ScanFault {
    /// An input cannot be opened or read.
    #[error("{}: {error}", name.display())]
    Unreadable {
        /// Which.
        name: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// A line is not what the layout of its log says.
    #[error("{}: {fault}", name.display())]
    Damaged {
        /// Which log.
        name: PathBuf,
        /// Which line, what was expected, what was found.
        fault: LogFault,
    },
    /// A further pass over a file saw other lines than the first.
    #[error("a log changed while it was read: it has to be read more than once, wait until fio is done")]
    Changed,
    /// The caller did not want to go on.
    #[error("the scan was stopped")]
    Stopped,
}

/// A log to be scanned.
pub struct Input {
    name: PathBuf,
    origin: Origin,
    /// What to take off its times.
    began_ms: u64,
}

impl Input {
    /// A file, or anything else with a path that can be read; compressed with gzip or zstd or not.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(path: &Path) -> Result<Self, ScanFault> {
        let unreadable = |error| ScanFault::Unreadable {
            name: path.to_owned(),
            error,
        };
        let file = File::open(path).map_err(unreadable)?;
        let about = file.metadata().map_err(unreadable)?;
        let origin = if about.is_file() {
            let bytes = about.len();
            Origin::File { file, bytes }
        } else if about.is_dir() {
            return Err(unreadable(io::ErrorKind::IsADirectory.into()));
        } else {
            Origin::Stream(Some(Box::new(Patient(file))))
        };
        let name = path.to_owned();
        Ok(Input::of(name, origin))
    }

    /// Standard input, as a stream.
    ///
    /// # Errors
    /// There is none.
    pub fn standard_input() -> Result<Self, ScanFault> {
        let name = PathBuf::from("-");
        match io::stdin().as_fd().try_clone_to_owned() {
            Ok(descriptor) => Ok(Input::stream(name, Patient(File::from(descriptor)))),
            Err(error) => Err(ScanFault::Unreadable { name, error }),
        }
    }

    /// Anything that can be read once.
    pub fn stream(name: PathBuf, reader: impl Read + Send + 'static) -> Self {
        Input::of(name, Origin::Stream(Some(Box::new(reader))))
    }

    fn fault(&self, stopped: Stopped) -> ScanFault {
        let name = self.name.clone();
        match stopped {
            Stopped::Unreadable(error) => ScanFault::Unreadable { name, error },
            Stopped::Damaged(fault) => ScanFault::Damaged { name, fault },
            Stopped::ByCaller => ScanFault::Stopped,
        }
    }

    fn of(name: PathBuf, origin: Origin) -> Self {
        let began_ms = 0;
        Input { name, origin, began_ms }
    }
}

/// A file to be read from its beginning, decompressed with gzip or zstd where it is compressed.
///
/// # Errors
/// It cannot be read, or is not what its first bytes say.
pub fn decompressed_file(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    packed::decompressed(File::open(path)?)
}

/// What bounds memory; smaller where scans are tested, so that every bound is met.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Threads, at least one. More than two would each need tables of their own; two are enough to be limited by the reading.
    pub workers: usize,
    /// What a worker reads at a time, at least one byte.
    pub chunk_bytes: usize,
    /// Different values without a counter of their own that are counted one by one.
    pub distinct_max: usize,
    /// Windows before two become one, at least one.
    pub windows_max: usize,
}

const LIMITS: Limits = Limits {
    workers: 2,
    chunk_bytes: 1 << 18,
    distinct_max: 1 << 18,
    windows_max: 1 << 17,
};

/// Scans logs as if they were one. `keep_going` is asked about twenty times a second.
///
/// # Errors
/// The first input that cannot be read or is damaged; a last line that is cut off is no fault ([`LogScan::cut`]).
pub fn scan(inputs: Vec<Input>, percents: &[Percent], keep_going: &mut dyn FnMut() -> bool) -> Result<Scan, ScanFault> {
    scan_within(LIMITS, inputs, percents, keep_going)
}

/// [`scan`] with other bounds; what is exact does not depend on them.
///
/// # Errors
/// As [`scan`].
pub fn scan_within(
    limits: Limits,
    mut inputs: Vec<Input>,
    percents: &[Percent],
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Scan, ScanFault> {
    share_beginning(&mut inputs, None, keep_going)?;
    let mut workers: Vec<Counts> = (0..limits.workers)
        .map(|_| Counts::new(limits.distinct_max / limits.workers, limits.windows_max))
        .collect();
    let mut logs = Vec::new();
    let mut bytes_before = 0;
    for input in &mut inputs {
        let pass = read(input, limits, &mut workers, keep_going)?;
        let bytes = (workers.iter()).fold(0u64, |sum, counts| sum.saturating_add(counts.series.bytes()));
        logs.push(LogScan {
            name: input.name.clone(),
            lines: pass.lines,
            averaged: pass.lines > 0 && bytes == bytes_before,
            layout: pass.layout,
            cut: pass.cut,
        });
        bytes_before = bytes;
    }
    let counts = merged(workers);
    let totals: Vec<_> = (0..series::DIRECTIONS)
        .map(|direction| counts.totals(direction))
        .collect();
    let mut ranks = places(&counts, &totals, percents);
    let Counts { series, .. } = counts;
    if inputs.iter().all(|input| input.origin.rewinds()) {
        refine(&mut ranks, &mut inputs, limits, keep_going)?;
    }
    let window_ms = series.window_ms();
    let directions = (totals.into_iter().enumerate()).filter_map(|(direction, (ios, sum, max))| {
        let windows = series.of(direction);
        Some(DirectionScan {
            direction: Direction::of_fio(direction as u64)?,
            ios,
            bytes: (windows.iter()).fold(0, |bytes, window| bytes.saturating_add(window.bytes)),
            sum,
            max: max?,
            percentiles: percentiles(&ranks, direction, percents, ios),
            windows,
        })
    });
    Ok(Scan {
        directions: directions.collect(),
        window_ms,
        logs,
    })
}

fn merged(workers: Vec<Counts>) -> Counts {
    let sum = workers.into_iter().reduce(|mut sum, counts| {
        sum.merge(counts);
        sum
    });
    sum.unwrap_or_else(|| unreachable!("there is at least one worker"))
}

/// Lets all logs with the times of a clock count from one moment, when the first of them began: so they stand beside each
/// other as they were. What is known to have begun before them may be given.
fn share_beginning(
    inputs: &mut [Input],
    began_ms: Option<u64>,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), ScanFault> {
    let mut firsts = Vec::new();
    for input in &mut *inputs {
        let first_ms = input.origin.first_ms(keep_going);
        firsts.push(first_ms.map_err(|stopped| input.fault(stopped))?);
    }
    let of_clock = firsts.iter().copied().filter(|&first_ms| is_wall_clock(first_ms));
    let earliest_ms = of_clock.chain(began_ms).min().unwrap_or(0);
    for (input, first_ms) in inputs.iter_mut().zip(firsts) {
        input.began_ms = if is_wall_clock(first_ms) { earliest_ms } else { 0 };
    }
    Ok(())
}

/// One pass over one input.
fn read<T: tally::Tally>(
    input: &mut Input,
    limits: Limits,
    tallies: &mut [T],
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Pass, ScanFault> {
    let chunk_bytes = limits.chunk_bytes;
    pass::run(&mut input.origin, input.began_ms, chunk_bytes, tallies, keep_going)
        .map_err(|stopped| input.fault(stopped))
}

/// Where the rank of every percentage lies that has enough samples above it, by direction and ascending.
fn places(counts: &Counts, totals: &[(u64, u128, Option<u64>)], percents: &[Percent]) -> Vec<Wanted> {
    let mut places = Vec::new();
    for (direction, &(ios, ..)) in totals.iter().enumerate() {
        let mut ranks: Vec<u64> = percents.iter().filter_map(|percent| percent.known_rank(ios)).collect();
        ranks.sort_unstable();
        let found = counts.places(direction, &ranks).into_iter().zip(ranks);
        places.extend(found.map(|(place, rank)| Wanted { direction, rank, place }));
    }
    places
}

/// Reads the inputs again until every rank is exact.
fn refine(
    ranks: &mut [Wanted],
    inputs: &mut [Input],
    limits: Limits,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<(), ScanFault> {
    while let Some(mut refinement) = Refinement::of(ranks) {
        let mut workers: Vec<Refinement> = (0..limits.workers).map(|_| refinement.empty()).collect();
        for input in &mut *inputs {
            read(input, limits, &mut workers, keep_going)?;
        }
        for worker in &workers {
            refinement.merge(worker);
        }
        if !refinement.agrees() {
            return Err(ScanFault::Changed);
        }
        for rank in &mut *ranks {
            rank.place = refinement.place(rank.direction, rank.place);
        }
    }
    Ok(())
}

fn percentiles(ranks: &[Wanted], direction: usize, percents: &[Percent], ios: u64) -> Vec<Percentile> {
    let percentile = |percent: &Percent| {
        let rank = percent.rank(ios);
        let found = ranks.iter().find(|one| (one.direction, one.rank) == (direction, rank));
        match found.map(|one| one.place) {
            Some(Place::Exact(value)) => Percentile::Exact(value),
            Some(Place::Within(interval, _)) => between(interval),
            None => Percentile::TooFewAbove,
        }
    };
    percents.iter().map(percentile).collect()
}

fn between(interval: Interval) -> Percentile {
    Percentile::Between {
        low: interval.low_ns,
        high: interval.high_ns(),
    }
}

#[cfg(test)]
mod tests;
