//! Every I/O of a long load is kept in bounded memory. Alone in its file: what is measured is the memory of the whole process.

use std::error::Error;
use std::fs::File;

use fiolog::Percent;
use load::{
    Counts, KeptReader, KeptWriter, Length, Mix, Model, NoJudge, Operation, Part, Point, Poisson, Region, Schedule,
    Tee, exact_percentiles, run,
};
use vdrive::{Spec, VDrive};

/// A thousand million took 3.8 bytes each and 15 MiB at most, by hand.
const IOS: u64 = 10_000_000;
const MEMORY_KIB_MAX: u64 = 200 << 10;
const BYTES_AN_IO_MAX: u64 = 6;
const SHARES: [f64; 4] = [50.0, 99.0, 99.9, 99.99];

/// The most this process ever had in memory.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn responses(file: &File, take: &mut dyn FnMut(u64)) -> Result<(), Box<dyn Error>> {
    let mut again = file;
    std::io::Seek::rewind(&mut again)?;
    let mut reader = KeptReader::new(again)?;
    while let Some(ios) = reader.next_block()? {
        for io in ios {
            take(io.response_ns);
        }
    }
    Ok(())
}

fn mixed(region: Region) -> Result<Mix, Box<dyn Error>> {
    let reads = Part::uniform(Operation::Read, 4096, region, 1)?.weighing(7);
    let writes = Part::uniform(Operation::Write, 4096, region, 2)?.weighing(3);
    Ok(Mix::new(vec![reads, writes], 1)?)
}

#[test]
fn ten_million_ios_take_little_memory_and_six_bytes_each_and_their_percentiles_are_those_of_a_sort()
-> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("ssdlab-endless-{}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    // Nothing of it is left, however this ends.
    std::fs::remove_file(&path)?;
    let spec = Spec::parse(Spec::builtin_text("demo").unwrap_or_default())?;
    let mut drive = VDrive::new(&spec);
    let region = Region {
        offset_bytes: 0,
        length_bytes: spec.capacity_bytes(),
    };
    let point = Point {
        source: Box::new(mixed(region)?),
        schedule: Schedule::Open {
            arrivals: Box::new(Poisson::new(2_000.0, 1)?),
            in_flight_max: 1 << 12,
        },
        length: Length::of_ios(IOS),
    };
    let mut sink = Tee(Counts::default(), KeptWriter::new(&file)?);
    run(&mut Model::new(&mut drive, 0), vec![point], &mut sink, &mut NoJudge)?;
    sink.1.finish()?;
    assert!(file.metadata()?.len() <= IOS * BYTES_AN_IO_MAX);
    let percents = SHARES
        .map(Percent::try_from)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let found = exact_percentiles(&percents, |take| responses(&file, take))?;
    let peak_kib = peak_kib().ok_or("no peak of memory")?;
    assert!(peak_kib <= MEMORY_KIB_MAX, "{peak_kib} KiB");
    // Only now: the sort has all of them in memory.
    let mut sorted = Vec::new();
    responses(&file, &mut |response_ns| sorted.push(response_ns))?;
    sorted.sort_unstable();
    assert_eq!(sorted.len() as u64, IOS);
    let expected = percents.iter().map(|percent| {
        let rank = percent.known_rank(IOS)?;
        Some(sorted[rank as usize - 1])
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
    Ok(())
}
