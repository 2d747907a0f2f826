//! Scans a log and prints what it found as JSON, for comparison with other tools: `scan_log FILE`.

use std::error::Error;
use std::io::{Write, stdout};

use fiolog::Percent;
use fiolog::scan::{DirectionScan, Input, Percentile, scan};

const PERCENTS: [f64; 7] = [50.0, 90.0, 99.0, 99.9, 99.99, 99.999, 99.9999];

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: scan_log FILE")?;
    let percents = PERCENTS
        .map(Percent::try_from)
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let scan = scan(vec![Input::open(path.as_ref())?], &percents, &mut || true)?;
    let directions: Vec<String> = scan.directions.iter().map(fields).collect();
    writeln!(stdout(), "{{{}}}", directions.join(", "))?;
    Ok(())
}

fn fields(one: &DirectionScan) -> String {
    let percentiles = one.percentiles.iter().map(|percentile| match percentile {
        Percentile::Exact(value_ns) => value_ns.to_string(),
        Percentile::TooFewAbove | Percentile::Between { .. } => "null".to_owned(),
    });
    let percentiles: Vec<String> = percentiles.collect();
    let series: Vec<String> = one.windows.iter().map(|window| window.ios.to_string()).collect();
    format!(
        r#""{}": {{"count": {}, "sum": {}, "max": {}, "percentiles": [{}], "series": [{}]}}"#,
        one.direction as u8,
        one.ios,
        one.sum,
        one.max,
        percentiles.join(", "),
        series.join(", ")
    )
}
