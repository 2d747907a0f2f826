//! The bins agree with fio itself: a json+ histogram that fio 3.33 wrote, with the percentiles it read from it.

use fiolog::{Histogram, Percent};

const PRINTED_BY_FIO: &str = include_str!("fio-3.33-clat.txt");

/// The lines that start with `word`, split at blanks, without the word itself.
fn lines_of(word: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    PRINTED_BY_FIO
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>())
        .filter_map(move |fields| {
            let (first, rest) = fields.split_first()?;
            (*first == word).then(|| rest.to_vec())
        })
}

fn histogram() -> Histogram {
    let bins = lines_of("bin").map(|fields| (fields[0].parse().unwrap(), fields[1].parse().unwrap()));
    Histogram::from_printed(bins).expect("every key that fio printed is the middle of one of our bins")
}

#[test]
fn every_sample_that_fio_counted_is_counted() {
    let count: u64 = lines_of("count").next().unwrap()[0].parse().unwrap();
    assert_eq!(histogram().count(), count);
}

#[test]
fn percentiles_are_those_that_fio_printed() {
    let histogram = histogram();
    let mut compared = 0;
    for fields in lines_of("percentile") {
        let percent = Percent::try_from(fields[0].parse::<f64>().unwrap()).unwrap();
        if let Some(ours_ns) = histogram.percentile_ns(percent) {
            assert_eq!(ours_ns, fields[1].parse::<u64>().unwrap(), "at {} %", fields[0]);
            compared += 1;
        }
    }
    assert!(compared >= 14, "only {compared} percentiles had ten samples above them");
}
