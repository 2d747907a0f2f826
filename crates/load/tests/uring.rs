//! Loads in real time on a file.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;

use load::{
    Because, Counts, Ending, Length, Listed, Mix, NoJudge, Operation, Part, Point, Poisson, Region, Request, Schedule,
    Stalled, Uring, run,
};

const SECOND_NS: u64 = 1_000_000_000;
const REGION: Region = Region {
    offset_bytes: 1 << 20,
    length_bytes: 7 << 20,
};

/// A file of 8 MiB that nobody else sees.
fn file() -> File {
    let path = std::env::temp_dir().join(format!(
        "ssdlab-uring-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)
        .unwrap();
    std::fs::remove_file(&path).unwrap();
    file.set_len(8 << 20).unwrap();
    file
}

fn mix() -> Box<dyn load::Source + Send> {
    let parts = vec![
        Part::uniform(Operation::Read, 4096, REGION, 1).unwrap(),
        Part::permuted(Operation::Write, 8192, REGION, 2).unwrap(),
    ];
    Box::new(Mix::new(parts, 1).unwrap())
}

fn counted(file: File, point: Point) -> Result<(Counts, Ending), Stalled> {
    let mut counts = Counts::default();
    let mut ring = Uring::new(file, 64, 8192, 30 * SECOND_NS, 1).unwrap();
    let endings = run(&mut ring, vec![point], &mut counts, &mut NoJudge)?;
    Ok((counts, endings[0]))
}

#[test]
fn every_io_is_done_where_it_was_asked_and_nowhere_else() {
    let file = file();
    let point = Point {
        source: mix(),
        schedule: Schedule::Closed { queue_depth: 64 },
        length: Length::of_ios(20_000),
    };
    let (counts, ending) = counted(file.try_clone().unwrap(), point).unwrap();
    let [reads, writes, _] = counts.point(0).unwrap();
    assert_eq!((reads.ios + writes.ios, ending.because), (20_000, Because::AsPlanned));
    let mut content = Vec::new();
    std::os::unix::fs::FileExt::read_at(&file, &mut [0], 0).unwrap();
    (&file).read_to_end(&mut content).unwrap();
    let (before, region) = content.split_at(REGION.offset_bytes as usize);
    assert!(before.iter().all(|&byte| byte == 0));
    // A pass of permuted writes leaves no block as it was.
    assert!(region.chunks(8192).all(|block| block.iter().any(|&byte| byte != 0)));
    // And none like any other, which a drive might keep once.
    let blocks: HashSet<&[u8]> = region.chunks(4096).collect();
    assert_eq!(blocks.len(), region.len() / 4096);
}

#[test]
fn an_open_loop_submits_all_that_is_due_or_says_how_much_found_no_room() {
    let point = Point {
        source: mix(),
        schedule: Schedule::Open {
            arrivals: Box::new(Poisson::new(5_000.0, 3).unwrap()),
            in_flight_max: 64,
        },
        length: Length::of_ns(SECOND_NS),
    };
    let (counts, ending) = counted(file(), point).unwrap();
    let ios: u64 = counts.point(0).unwrap().iter().map(|of| of.ios).sum();
    assert_eq!(ios, ending.submitted);
    // On a busy host the file is slower than the load.
    let ios = ios + ending.unsubmitted;
    assert!(ios.abs_diff(5_000) < 5 * 71, "{ios}");
}

fn one(operation: Operation, offset_bytes: u64, length_bytes: u32) -> Point {
    let request = Request {
        operation,
        offset_bytes,
        length_bytes,
        stream: 0,
    };
    Point {
        source: Box::new(Listed::new(std::iter::once(request))),
        schedule: Schedule::Closed { queue_depth: 1 },
        length: Length::of_ios(1),
    }
}

#[test]
fn what_is_not_done_whole_is_an_error() {
    for (point, errno) in [
        (one(Operation::Trim, 0, 4096), libc::EOPNOTSUPP),
        (one(Operation::Read, 0, 16_384), libc::EOPNOTSUPP),
        // The last four kibibytes of the file, and four beyond.
        (one(Operation::Read, (8 << 20) - 4096, 8192), libc::EIO),
        (one(Operation::Read, 9 << 20, 4096), libc::EIO),
    ] {
        let (counts, ending) = counted(file(), point).unwrap();
        assert_eq!(ending.because, Because::Failed { errno });
        assert_eq!(counts.point(0).unwrap().iter().map(|of| of.errors).sum::<u64>(), 1);
    }
}
