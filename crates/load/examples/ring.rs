//! A closed loop on a device or file that may be overwritten: `cargo run --release --example ring -- FILE read|write DEPTH SECONDS`.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{self, Error};
use std::os::unix::fs::OpenOptionsExt;

use fiolog::Percent;
use load::{Counts, Length, Mix, NoJudge, Operation, Part, Point, Region, Schedule, Uring, run};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, operation, depth, seconds] = arguments.as_slice() else {
        return Err(Error::other("FILE read|write DEPTH SECONDS"));
    };
    let operation = if operation == "read" {
        Operation::Read
    } else {
        Operation::Write
    };
    let queue_depth: u32 = depth.parse().map_err(Error::other)?;
    let seconds: u64 = seconds.parse().map_err(Error::other)?;
    let mut options = File::options();
    let file = options.read(true).write(true).custom_flags(libc::O_DIRECT).open(path)?;
    let region = Region {
        offset_bytes: 0,
        length_bytes: io::Seek::seek(&mut &file, io::SeekFrom::End(0))?,
    };
    let part = Part::uniform(operation, 4096, region, 1).map_err(Error::other)?;
    let point = Point {
        source: Box::new(Mix::new(vec![part], 1).map_err(Error::other)?),
        schedule: Schedule::Closed { queue_depth },
        length: Length::of_ns(seconds * 1_000_000_000).after(200_000_000),
    };
    let mut counts = Counts::default();
    let mut ring = Uring::new(file, queue_depth, 4096, 30_000_000_000, 1)?;
    run(&mut ring, vec![point], &mut counts, &mut NoJudge).map_err(Error::other)?;
    let Some(found) = counts.point(0) else {
        return Err(Error::other("nothing was measured"));
    };
    let of = &found[operation as usize];
    let percentile = |share| {
        Percent::try_from(share)
            .ok()
            .and_then(|percent| of.service.percentile_ns(percent))
    };
    println!(
        "{} IOPS, p50 {:?} p99 {:?} p99.9 {:?} ns",
        of.ios / seconds,
        percentile(50.0),
        percentile(99.0),
        percentile(99.9)
    );
    Ok(())
}
