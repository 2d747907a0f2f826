//! Keeps every I/O of a load on a model in virtual time: `cargo run --release --example endless -- COUNT FILE`.
#![allow(clippy::print_stdout)]

use std::fs::File;
use std::io::{self, Error};
use std::time::Instant;

use fiolog::Percent;
use load::{
    Counts, KeptReader, KeptWriter, Length, Mix, Model, NoJudge, Operation, Part, Point, Poisson, Region, Schedule,
    Tee, exact_percentiles, run,
};
use vdrive::{Spec, VDrive};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, count, path] = arguments.as_slice() else {
        return Err(Error::other("COUNT FILE"));
    };
    let count = count.parse().map_err(Error::other)?;
    let spec = Spec::parse(Spec::builtin_text("demo").unwrap_or_default()).map_err(Error::other)?;
    let mut drive = VDrive::new(&spec);
    let region = Region {
        offset_bytes: 0,
        length_bytes: spec.capacity_bytes(),
    };
    let part = |operation, seed| Part::uniform(operation, 4096, region, seed).map_err(Error::other);
    let mix = Mix::new(
        vec![
            part(Operation::Read, 1)?.weighing(7),
            part(Operation::Write, 2)?.weighing(3),
        ],
        1,
    );
    let point = Point {
        source: Box::new(mix.map_err(Error::other)?),
        schedule: Schedule::Open {
            arrivals: Box::new(Poisson::new(2_000.0, 1).map_err(Error::other)?),
            in_flight_max: 1 << 12,
        },
        length: Length::of_ios(count),
    };
    let mut sink = Tee(Counts::default(), KeptWriter::new(File::create(path)?)?);
    let begin = Instant::now();
    run(&mut Model::new(&mut drive, 0), vec![point], &mut sink, &mut NoJudge).map_err(Error::other)?;
    sink.1.finish()?;
    let bytes = std::fs::metadata(path)?.len();
    println!(
        "{:.1} s, {:.2} B an I/O",
        begin.elapsed().as_secs_f64(),
        bytes as f64 / count as f64
    );
    let percents = [50.0, 99.0, 99.9, 99.99].map(|share| Percent::try_from(share).map_err(Error::other));
    let percents = percents.into_iter().collect::<io::Result<Vec<_>>>()?;
    let exact = exact_percentiles(&percents, |take| {
        let mut reader = KeptReader::new(File::open(path)?).map_err(Error::other)?;
        while let Some(ios) = reader.next_block().map_err(Error::other)? {
            for io in ios {
                take(io.response_ns);
            }
        }
        Ok::<(), Error>(())
    })?;
    println!("{exact:?} ns in {:.1} s", begin.elapsed().as_secs_f64());
    Ok(())
}
