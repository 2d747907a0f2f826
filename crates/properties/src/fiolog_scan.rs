use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;

use fiolog::Percent;
use fiolog::log::{Direction, IoLog, Layout, LogFault, Problem, is_wall_clock, parse};
use fiolog::scan::{Input, Limits, Percentile, Scan, ScanFault, decompressed_file, scan_within};
use rustix::fs::{MemfdFlags, memfd_create};

const PERCENTS: [f64; 4] = [0.0, 50.0, 99.0, 100.0];

/// No line that fio writes is longer.
const LINE_BYTES_MAX: usize = 512;

/// What is decompressed at most; a little text can stand for more than anybody waits for.
const CONTENT_BYTES_MAX: u64 = 1 << 16;

/// Any bytes scan to what the definitions make of the columns that [`parse`] reads, from a file as from a pipe, in chunks of
/// any length; or to the fault that it gives.
///
/// The first byte says how long the chunks are, and how many workers read them.
///
/// # Panics
/// If not.
pub fn fiolog_scan(bytes: &[u8]) {
    let [first, bytes @ ..] = bytes else { return };
    let file = Unnamed::holding(bytes);
    let Some(log) = content(bytes, &file) else { return };
    let limits = Limits {
        workers: 1 + usize::from(*first) % 2,
        chunk_bytes: 1 + usize::from(*first),
        distinct_max: 8,
        windows_max: 4,
    };
    let Ok(input) = Input::open(&file.path()) else {
        unreachable!("the file is open")
    };
    check(&log, limits, input);
    // A pipe is not read twice: its columns are those that its first chunk tells.
    let begun = &log[..log.len().min(limits.chunk_bytes.max(LINE_BYTES_MAX + 1))];
    if Layout::detect(begun) == Layout::detect(&log) {
        check(&log, limits, Input::stream("pipe".into(), Cursor::new(bytes.to_vec())));
    }
}

/// The text of a log; `None` if it is compressed and broken, or too long.
fn content(bytes: &[u8], file: &Unnamed) -> Option<Vec<u8>> {
    if !bytes.starts_with(&[0x1f, 0x8b]) && !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Some(bytes.to_vec());
    }
    let mut content = Vec::new();
    let mut unpacked = decompressed_file(&file.path()).ok()?.take(CONTENT_BYTES_MAX);
    unpacked.read_to_end(&mut content).ok()?;
    (content.len() < CONTENT_BYTES_MAX as usize).then_some(content)
}

fn check(log: &[u8], limits: Limits, input: Input) {
    let percents = PERCENTS.map(|percent| Percent::try_from(percent).expect("a percentage"));
    let scanned = scan_within(limits, vec![input], &percents, &mut || true);
    match (parse(log), scanned) {
        (_, Err(ScanFault::Damaged { fault, .. })) if fault.problem == Problem::TooLong => assert_too_long(log, &fault),
        (Ok(parsed), Ok(scan)) => {
            assert_eq!(scan.logs[0].cut, None);
            assert_counts(&parsed, &scan, &percents);
        }
        (Err(fault), Ok(scan)) => {
            assert_eq!(scan.logs[0].cut, Some(fault));
            let lines = log.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            assert_counts(&parse(&log[..lines]).expect("lines before the cut"), &scan, &percents);
        }
        // What lies before the first line's end is a cut log to one, and no log at all to the other.
        (Err(fault), Err(ScanFault::Damaged { fault: scanned, .. })) if !log.contains(&b'\n') => {
            assert_eq!((fault.line, scanned.line), (1, 1));
            assert!(matches!(scanned.problem, Problem::NoLayout { .. }));
        }
        (Err(fault), Err(ScanFault::Damaged { fault: scanned, .. })) => assert_eq!(fault, scanned),
        (parsed, scanned) => panic!("{parsed:?} but {scanned:?}"),
    }
}

fn assert_too_long(log: &[u8], fault: &LogFault) {
    let line = log.split(|&byte| byte == b'\n').nth(fault.line as usize - 1);
    assert!(line.is_some_and(|line| line.len() >= LINE_BYTES_MAX), "{fault:?}");
}

/// Every number that the scan gives, from its definition.
fn assert_counts(log: &IoLog, scan: &Scan, percents: &[Percent]) {
    assert_eq!(scan.logs[0].lines, log.value.len() as u64);
    // A clock's times count from the log's first line.
    let began_ms = log.time_ms.first().copied().filter(|&first_ms| is_wall_clock(first_ms));
    let window = |time_ms: u64| time_ms.saturating_sub(began_ms.unwrap_or(0)) / scan.window_ms;
    let last_window = log.time_ms.iter().copied().map(window).max().unwrap_or(0);
    let mut found = scan.directions.iter();
    for direction in [Direction::Read, Direction::Write, Direction::Trim] {
        let mine: Vec<usize> = (0..log.value.len())
            .filter(|&line| log.direction[line] == direction)
            .collect();
        if mine.is_empty() {
            continue;
        }
        let one = found.next().expect("a direction that has lines");
        let value = |line: usize| log.value_max.as_ref().map_or(log.value[line], |largest| largest[line]);
        let mut values: Vec<u64> = mine.iter().map(|&line| value(line)).collect();
        values.sort_unstable();
        assert_eq!((one.direction, one.ios), (direction, values.len() as u64));
        assert_eq!(one.sum, values.iter().map(|&value| u128::from(value)).sum::<u128>());
        assert_eq!(Some(&one.max), values.last());
        let bytes = mine
            .iter()
            .fold(0u64, |sum, &line| sum.saturating_add(log.block_bytes[line]));
        assert_eq!(one.bytes, bytes);
        for (percent, &percentile) in percents.iter().zip(&one.percentiles) {
            assert_percentile(&values, percent.rank(one.ios), percentile);
        }
        let mut ios = vec![0; last_window as usize + 1];
        for line in mine {
            ios[window(log.time_ms[line]) as usize] += 1;
        }
        assert_eq!(one.windows.iter().map(|window| window.ios).collect::<Vec<u64>>(), ios);
    }
    assert_eq!(found.next(), None);
}

fn assert_percentile(values: &[u64], rank: u64, found: Percentile) {
    let exact = values[rank as usize - 1];
    let above = values.len() as u64 - rank;
    match found {
        Percentile::Exact(value) => assert!(above >= 10 && value == exact),
        Percentile::TooFewAbove => assert!(above < 10),
        Percentile::Between { low, high } => assert!(above >= 10 && (low..=high).contains(&exact)),
    }
}

/// A file in memory.
struct Unnamed(File);

impl Unnamed {
    fn holding(bytes: &[u8]) -> Self {
        let descriptor = memfd_create("log", MemfdFlags::CLOEXEC).expect("a file in memory");
        let mut file = File::from(descriptor);
        file.write_all(bytes).expect("room in memory");
        Unnamed(file)
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", self.0.as_raw_fd()))
    }
}
