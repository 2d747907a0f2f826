use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use proptest::prelude::*;

use super::source::Chunk;
use super::*;
use crate::log::{self, Problem};

const PERCENTS: [f64; 7] = [0.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0];

/// Small enough that a log of some hundred lines meets every bound.
const SMALL: Limits = Limits {
    workers: 2,
    chunk_bytes: 40,
    distinct_max: 8,
    windows_max: 4,
};

fn percents() -> Vec<Percent> {
    PERCENTS
        .iter()
        .map(|&share| Percent::try_from(share).unwrap())
        .collect()
}

/// A file that is removed when it goes out of use.
struct Scratch(PathBuf);

impl Scratch {
    fn new(content: &[u8]) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("fiolog-scan-{}-{number}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

fn scan_file(limits: Limits, content: &[u8]) -> Result<Scan, ScanFault> {
    let file = Scratch::new(content);
    scan_within(limits, vec![Input::open(&file.0).unwrap()], &percents(), &mut || true)
}

fn scan_stream(limits: Limits, content: &[u8]) -> Result<Scan, ScanFault> {
    let stream = Input::stream("pipe".into(), io::Cursor::new(content.to_vec()));
    scan_within(limits, vec![stream], &percents(), &mut || true)
}

fn damage(result: Result<Scan, ScanFault>) -> LogFault {
    match result {
        Err(ScanFault::Damaged { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}

type Line = (u64, u64, u8, u64);

fn printed(lines: &[Line]) -> String {
    let print = |&(time, value, direction, block): &Line| format!("{time}, {value}, {direction}, {block}, 8192, 0\n");
    lines.iter().map(print).collect()
}

/// The definitions, one line each.
fn naive(lines: &[Line], window_ms: u64) -> Vec<DirectionScan> {
    let last_window = lines.iter().map(|line| line.0 / window_ms).max().unwrap_or(0);
    let of = |direction: Direction| -> Option<DirectionScan> {
        let mine: Vec<Line> = lines.iter().copied().filter(|line| line.2 == direction as u8).collect();
        let mut values: Vec<u64> = mine.iter().map(|line| line.1).collect();
        values.sort_unstable();
        let nearest_rank = |percent: Percent| match percent.rank(values.len() as u64) as usize {
            rank if rank + 10 <= values.len() => Percentile::Exact(values[rank - 1]),
            _ => Percentile::TooFewAbove,
        };
        let mut windows = BTreeMap::from([(last_window, Window::default())]);
        for line in &mine {
            let window = windows.entry(line.0 / window_ms).or_insert(Window::default());
            *window = Window {
                ios: window.ios + 1,
                bytes: window.bytes + line.3,
            };
        }
        Some(DirectionScan {
            direction,
            ios: values.len() as u64,
            bytes: mine.iter().map(|line| line.3).sum(),
            sum: values.iter().map(|&value| u128::from(value)).sum(),
            max: *values.last()?,
            percentiles: percents().into_iter().map(nearest_rank).collect(),
            windows: (0..=last_window)
                .map(|window| windows.get(&window).copied().unwrap_or_default())
                .collect(),
        })
    };
    [Direction::Read, Direction::Write, Direction::Trim]
        .into_iter()
        .filter_map(of)
        .collect()
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let value = (0u32..64).prop_flat_map(|bits| (1u64 << bits)..=(1u64 << bits) + ((1u64 << bits) - 1));
    let usual = prop_oneof![5 => 80_000u64..90_000, 3 => 2_000_000u64..2_200_000, 2 => value];
    let line = (0u64..2000, usual, 0u8..3, prop_oneof![Just(4096u64), 512u64..1 << 20]);
    prop::collection::vec(line, 0..300)
}

#[test]
fn every_direction_has_its_own_numbers() {
    let log: Vec<Line> = (1..=1000)
        .map(|number| (number / 4, number, (number % 2) as u8, 4096))
        .collect();
    let scan = scan_file(LIMITS, printed(&log).as_bytes()).unwrap();
    assert_eq!(scan.directions, naive(&log, WINDOW_MS));
    assert_eq!(scan.directions[0].percentiles[2], Percentile::Exact(500));
    assert_eq!((scan.logs[0].lines, scan.logs[0].averaged), (1000, false));
}

#[test]
fn an_empty_log_has_no_direction() {
    for scan in [scan_file(SMALL, b""), scan_stream(SMALL, b"")] {
        let scan = scan.unwrap();
        assert_eq!(
            (scan.directions, scan.logs[0].lines, scan.logs[0].cut.clone()),
            (vec![], 0, None)
        );
    }
}

#[test]
fn a_log_of_averages_is_known_as_one() {
    let scan = scan_file(LIMITS, b"100, 78000, 0, 0, 0\n200, 62000, 1, 0, 0\n").unwrap();
    assert!(scan.logs[0].averaged);
}

#[test]
fn the_largest_value_of_a_window_counts_where_the_log_has_it() {
    let scan = scan_file(LIMITS, b"100, 78000, 99000, 0, 0, 0\n").unwrap();
    assert_eq!(scan.directions[0].max, 99_000);
}

#[test]
fn sums_beyond_64_bits_do_not_go_round() {
    let log = [(u64::MAX, u64::MAX, 0, u64::MAX); 100];
    let scan = scan_file(SMALL, printed(&log).as_bytes()).unwrap();
    let read = &scan.directions[0];
    assert_eq!((read.sum, read.bytes), (100 * u128::from(u64::MAX), u64::MAX));
    assert_eq!(read.percentiles[2], Percentile::Exact(u64::MAX));
}

#[test]
fn a_log_that_is_cut_off_is_read_up_to_the_cut() {
    for cut in ["5, 1, 0, 4096", "5, 1", "5", "5, 1, 0, 4096, 8192, 0"] {
        let log = format!("{}{cut}", printed(&[(0, 7, 0, 4096); 30]));
        for scan in [scan_file(SMALL, log.as_bytes()), scan_stream(SMALL, log.as_bytes())] {
            let scan = scan.unwrap();
            let fault = scan.logs[0].cut.clone().unwrap();
            assert_eq!(
                (scan.directions[0].ios, fault.line, fault.found.as_str()),
                (30, 31, cut)
            );
        }
    }
}

#[test]
fn a_log_cut_off_in_its_first_line_has_no_line() {
    let scan = scan_file(SMALL, b"0, 12").unwrap();
    assert_eq!(scan.logs[0].lines, 0);
    assert_eq!(scan.logs[0].cut.as_ref().unwrap().found, "0, 12");
    assert_eq!(
        damage(scan_file(SMALL, b"hello")).problem,
        Problem::NoLayout { columns: 1 }
    );
}

#[test]
fn damage_names_the_log_the_line_and_what_was_found() {
    let log = format!(
        "{}0, oops, 0, 4096, 0, 0\n{}",
        printed(&[(0, 7, 0, 4096); 70]),
        printed(&[(0, 7, 0, 4096); 70])
    );
    for result in [
        scan_file(SMALL, log.as_bytes()),
        scan_stream(SMALL, log.as_bytes()),
        scan_file(LIMITS, log.as_bytes()),
    ] {
        let fault = damage(result).to_string();
        assert_eq!(
            fault,
            "line 71: the value is not a whole number of at least 0, found \"0, oops, 0, 4096, 0, 0\""
        );
    }
}

#[test]
fn behind_a_first_line_that_is_none_nothing_is_read() {
    let log = format!("hello\n{}", printed(&[(0, 7, 0, 4096); 70]));
    let stop = AtomicBool::new(false);
    let mut origin = Origin::Stream(Some(Box::new(io::Cursor::new(log))));
    let Ok(chunks) = origin.chunks(40, &stop) else {
        panic!("nothing is read yet")
    };
    let mut chunk = Chunk::empty();
    assert!(matches!(chunks.read_next(&mut chunk), Err(Stopped::Damaged(fault)) if fault.found == "hello"));
    assert!(matches!(chunks.read_next(&mut chunk), Ok(false)));
}

#[test]
fn a_line_without_end_is_refused_and_not_kept() {
    let log = format!("{}0, {}", printed(&[(0, 7, 0, 4096); 5]), "0".repeat(5000));
    for result in [scan_file(SMALL, log.as_bytes()), scan_stream(SMALL, log.as_bytes())] {
        let fault = damage(result);
        assert_eq!((fault.line, fault.problem), (6, Problem::TooLong));
    }
}

#[test]
fn a_pipe_with_too_many_different_values_gives_the_interval_and_says_so() {
    let log: Vec<Line> = (0..1000).map(|number| (0, 3_000_000 + 17 * number, 0, 4096)).collect();
    let exact = naive(&log, WINDOW_MS).remove(0).percentiles;
    let piped = scan_stream(SMALL, printed(&log).as_bytes())
        .unwrap()
        .directions
        .remove(0)
        .percentiles;
    let mut between = 0;
    for (exact, piped) in exact.into_iter().zip(piped) {
        match (exact, piped) {
            (Percentile::Exact(value), Percentile::Between { low, high }) => {
                assert!(low <= value && value <= high && (high - low) * 2048 <= low);
                between += 1;
            }
            (exact, piped) => assert_eq!(exact, piped),
        }
    }
    assert_eq!(between, 5);
}

#[test]
fn a_compressed_log_is_read_by_its_first_bytes() {
    let log: Vec<Line> = (0..500).map(|number| (number, number * 9000, 0, 4096)).collect();
    let text = printed(&log).into_bytes();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&text).unwrap();
    for compressed in [gzip.finish().unwrap(), zstd::encode_all(text.as_slice(), 1).unwrap()] {
        for scan in [scan_file(SMALL, &compressed), scan_stream(LIMITS, &compressed)] {
            let scan = scan.unwrap();
            assert_eq!(scan.directions, naive(&log, scan.window_ms));
        }
        let cut = scan_file(LIMITS, &compressed[..compressed.len() / 2]).unwrap();
        assert!(cut.logs[0].cut.is_some() && cut.logs[0].lines < 500);
    }
}

#[test]
fn who_does_not_want_to_go_on_stops_a_pipe_that_says_nothing() {
    let (reader, _writer) = io::pipe().unwrap();
    let silent = Input::stream("pipe".into(), Patient(File::from(std::os::fd::OwnedFd::from(reader))));
    let stopped = scan_within(LIMITS, vec![silent], &[], &mut || false);
    assert!(matches!(stopped, Err(ScanFault::Stopped)));
}

#[test]
fn a_log_that_is_not_there_is_named() {
    let fault = Input::open(Path::new("/nowhere/lat.log")).err().unwrap().to_string();
    assert_eq!(fault, "/nowhere/lat.log: No such file or directory (os error 2)");
}

proptest! {
    // Every scan makes its tables anew, which takes longer than what it counts here.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_log_gives_what_the_definitions_say(lines in lines(), chunk_bytes in 1usize..400, workers in 1usize..4) {
        let limits = Limits { workers, chunk_bytes, ..SMALL };
        let scan = scan_file(limits, printed(&lines).as_bytes()).unwrap();
        prop_assert_eq!(&scan.directions, &naive(&lines, scan.window_ms));
        prop_assert_eq!(scan.logs[0].lines, lines.len() as u64);
        let whole = scan_stream(LIMITS, printed(&lines).as_bytes()).unwrap();
        prop_assert_eq!(&whole.directions, &naive(&lines, WINDOW_MS));
    }

    #[test]
    fn several_logs_are_counted_as_one(lines in lines(), cut: prop::sample::Index) {
        let (left, right) = lines.split_at(cut.index(lines.len() + 1));
        let files = [left, right].map(|part| Scratch::new(printed(part).as_bytes()));
        let inputs = files.iter().map(|file| Input::open(&file.0).unwrap()).collect();
        let scan = scan_within(SMALL, inputs, &percents(), &mut || true).unwrap();
        prop_assert_eq!(&scan.directions, &naive(&lines, scan.window_ms));
    }

    #[test]
    fn the_fast_and_the_careful_reader_agree_on_anything(log in "([0-3]{1,2}[, \r\nx-]{0,2}){0,60}\n?", chunk_bytes in 1usize..100) {
        let limits = Limits { chunk_bytes, ..SMALL };
        for result in [scan_file(limits, log.as_bytes()), scan_stream(limits, log.as_bytes())] {
            match (log::parse(log.as_bytes()), result) {
                (Ok(parsed), Ok(scan)) => prop_assert_eq!(parsed.value.len() as u64, scan.logs[0].lines),
                (Err(parsed), Ok(scan)) => prop_assert_eq!(Some(parsed), scan.logs[0].cut.clone()),
                (Err(parsed), Err(ScanFault::Damaged { fault, .. })) => prop_assert_eq!(parsed.line, fault.line),
                (parsed, scan) => prop_assert!(false, "{:?} {:?}", parsed, scan),
            }
        }
    }
}
