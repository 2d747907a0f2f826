//! Sequential fills: cache, folding, direct writing, reclaim.

use vdrive::workload::{DirectionResult, Workload};

use crate::bench::{Bench, MIB, NS_PER_MS, NS_PER_S, edited, window_mib_s};
use crate::row::Row;

/// The drive at a sixteenth of its size; times and bytes are multiplied back.
const SCALE: u64 = 16;
/// The drive's 64 MiB of write buffer, which stay what they are at any scale, multiplied like all other bytes.
const BUFFER_GB: f64 = (64 * MIB * SCALE) as f64 / 1e9;

/// Anything faster is the cache, anything slower is not.
const MIB_S_CACHE_MIN: f64 = 6000.0;

/// METHODS C2 on the drive whose published review is the best calibration there is: three levels and two pass times.
pub(crate) fn passes() -> Row {
    let mut bench = Bench::scaled("pm9e1-1tb", SCALE);
    let pass = Workload {
        window_ns: NS_PER_MS,
        ..bench.pass()
    };
    bench.rest(15 * 60 * NS_PER_S);
    let first = bench.run(&pass).write;
    bench.rest(5 * 60 * NS_PER_S);
    let second = bench.run(&pass).write;
    let seconds = |result: &DirectionResult| result.runtime_ns as f64 * SCALE as f64 / 1e9;
    Row::new(
        "Fill, first and second pass",
        "pm9e1-1tb at 1/16",
        "levels and times of a published review",
    )
    .within("pass 1: at cache speed", cache_gb(&first), 250.0, 5.0, "GB")
    .within(
        "pass 1: cache speed",
        level_mib_s(&first, 0.02, 0.2),
        12_200.0,
        5.0,
        "MiB/s",
    )
    .within("pass 1: folding", level_mib_s(&first, 0.3, 0.6), 1200.0, 5.0, "MiB/s")
    .within("pass 1: direct", level_mib_s(&first, 0.75, 0.97), 1500.0, 5.0, "MiB/s")
    .within("pass 1: duration", seconds(&first), 561.0, 5.0, "s")
    .within(
        "pass 2: at cache speed, with the buffer that does not shrink",
        cache_gb(&second),
        8.0 + BUFFER_GB,
        5.0,
        "GB",
    )
    .within("pass 2: direct", level_mib_s(&second, 0.1, 0.97), 1700.0, 5.0, "MiB/s")
    .within("pass 2: duration", seconds(&second), 565.0, 5.0, "s")
    .within(
        "mean of the window means of latency",
        window_latency_ms(&[first, second]),
        21.05,
        5.0,
        "ms",
    )
}

fn cache_gb(result: &DirectionResult) -> f64 {
    let cached = window_mib_s(result)
        .iter()
        .take_while(|&&mib_s| mib_s > MIB_S_CACHE_MIN)
        .count();
    let ios: u64 = result.windows.ios[..cached].iter().sum();
    ios as f64 * result.bytes as f64 / result.ios as f64 * SCALE as f64 / 1e9
}

/// Bandwidth between two shares of the bytes.
fn level_mib_s(result: &DirectionResult, from: f64, to: f64) -> f64 {
    let (mut begin_ns, mut done, mut ios_inside, mut ns_inside) = (0, 0, 0, 0);
    for (&end_ns, &ios) in result.windows.end_ns.iter().zip(&result.windows.ios) {
        done += ios;
        if (from..to).contains(&(done as f64 / result.ios as f64)) {
            ios_inside += ios;
            ns_inside += end_ns - begin_ns;
        }
        begin_ns = end_ns;
    }
    let bytes_inside = ios_inside as f64 * result.bytes as f64 / result.ios as f64;
    bytes_inside / MIB as f64 * 1e9 / ns_inside as f64
}

fn window_latency_ms(passes: &[DirectionResult]) -> f64 {
    let windows = passes
        .iter()
        .flat_map(|pass| pass.windows.lat_ns_sum.iter().zip(&pass.windows.ios));
    let means: Vec<f64> = windows
        .filter(|(_, ios)| **ios > 0)
        .map(|(sum, ios)| *sum as f64 / *ios as f64)
        .collect();
    means.iter().sum::<f64>() / means.len() as f64 / 1e6
}

/// METHODS C8: the longer the rest after half a fill, the more of the cache is free again.
pub(crate) fn reclaim() -> Row {
    let rests_s = [5, 10, 15, 30, 60, 120, 240];
    let written_gb: Vec<f64> = rests_s.iter().map(|rest_s| written_after_rest_gb(*rest_s)).collect();
    let rises = |written_gb: &[f64]| written_gb.windows(2).all(|pair| pair[1] >= pair[0] * 0.99);
    Row::new(
        "SLC cache reclaim",
        "pm9e1-1tb at 1/16",
        "the shape of the curve; nobody has published numbers",
    )
    .series(
        "GB in a minute after 5 10 15 30 60 120 240 s",
        &written_gb,
        "never less after a longer rest",
        rises,
    )
    .at_least("longest against shortest rest", written_gb[6] / written_gb[0], 1.3, "")
    .within(
        "all is reclaimed: 240 s against 120 s",
        written_gb[6] / written_gb[5],
        1.0,
        3.0,
        "",
    )
}

fn written_after_rest_gb(rest_s: u64) -> f64 {
    // Idle work waits a fixed time; it shrinks with everything else so that the ladder keeps its shape.
    let text = edited("pm9e1-1tb", &[("reclaim_after = \"2s\"", "reclaim_after = \"125ms\"")]);
    let mut bench = Bench::of_text(&text, Some(SCALE));
    bench.rest(15 * 60 * NS_PER_S);
    bench.run(&Workload {
        amount_bytes: Some(bench.capacity_bytes() / 2),
        ..bench.pass()
    });
    bench.rest(rest_s * NS_PER_S / SCALE);
    let minute = Workload {
        amount_bytes: None,
        duration_ns: Some(60 * NS_PER_S / SCALE),
        region_offset_bytes: bench.capacity_bytes() / 2 / 4096 * 4096,
        region_length_bytes: bench.capacity_bytes() / 2,
        ..bench.pass()
    };
    bench.run(&minute).write.bytes as f64 * SCALE as f64 / 1e9
}
