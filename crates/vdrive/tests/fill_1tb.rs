//! The whole-drive fill of the PM9E1 review, at full size: two sequential passes with a rest between them.

use vdrive::workload::{Windows, Workload, WorkloadResult, run};
use vdrive::{Spec, VDrive};

const MIB: f64 = 1_048_576.0;
const SECOND_NS: u64 = 1_000_000_000;
const REST_AFTER_PURGE_NS: u64 = 900 * SECOND_NS;
const REST_NS: u64 = 300 * SECOND_NS;
const WINDOW_S: f64 = 0.1;
const BLOCK_BYTES: f64 = 131_072.0;

fn fill(drive: &mut VDrive, start_ns: u64) -> WorkloadResult {
    let length = drive.spec().capacity_bytes() / 131_072 * 131_072;
    let text = format!(
        r#"{{"pattern":"sequential","draw":"independent","action":"read_write","read_percent":0,"block_bytes":131072,
        "queue_depth":256,"jobs":1,"region_offset_bytes":0,"region_length_bytes":{length},"amount_bytes":{length},
        "duration_ns":null,"rate_iops":null,"sync":"none","seed":1,"log_every_io":"no"}}"#
    );
    run(drive, start_ns, &Workload::from_json(&text).unwrap()).unwrap()
}

fn seconds(result: &WorkloadResult) -> f64 {
    result.write.runtime_ns as f64 / 1e9
}

/// Bytes written before speed first falls below half of the first second's.
fn cache_bytes(windows: &Windows) -> f64 {
    let first: u64 = windows.ios[..10.min(windows.ios.len())].iter().max().copied().unwrap();
    windows
        .ios
        .iter()
        .take_while(|ios| **ios * 2 > first)
        .map(|ios| *ios as f64 * BLOCK_BYTES)
        .sum()
}

/// Mean speed between two positions of the fill, in MiB/s.
fn mib_per_s(windows: &Windows, from_bytes: f64, to_bytes: f64) -> f64 {
    let (mut at, mut bytes, mut count) = (0.0, 0.0, 0.0);
    for ios in &windows.ios {
        let length = *ios as f64 * BLOCK_BYTES;
        if at >= from_bytes && at + length <= to_bytes {
            bytes += length;
            count += 1.0;
        }
        at += length;
    }
    bytes / (count * WINDOW_S) / MIB
}

fn assert_within(what: &str, found: f64, published: f64, tolerance: f64) {
    let off = (found / published - 1.0).abs();
    assert!(off <= tolerance, "{what}: {found:.2}, published {published}");
}

fn window_latency_ms(results: &[&WorkloadResult]) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for windows in results.iter().map(|result| &result.write.windows) {
        for (lat_ns_sum, ios) in windows.lat_ns_sum.iter().zip(&windows.ios).filter(|(_, ios)| **ios > 0) {
            sum += *lat_ns_sum as f64 / *ios as f64;
            count += 1.0;
        }
    }
    sum / count / 1e6
}

#[test]
fn the_pm9e1_fills_as_published() {
    let spec = Spec::parse(Spec::builtin_text("pm9e1-1tb").unwrap()).unwrap();
    let mut drive = VDrive::new(&spec);
    let purged_ns = drive.purge(0);
    let first = fill(&mut drive, purged_ns + REST_AFTER_PURGE_NS);
    let second = fill(&mut drive, first.end_ns + REST_NS);

    let windows = &first.write.windows;
    assert_within("first pass, s", seconds(&first), 561.0, 0.05);
    assert_within("largest cache, bytes", cache_bytes(windows), 250e9, 0.05);
    assert_within("cache, MiB/s", mib_per_s(windows, 0.0, 245e9), 12_200.0, 0.05);
    assert_within("folding, MiB/s", mib_per_s(windows, 255e9, 640e9), 1_200.0, 0.05);
    assert_within("direct, MiB/s", mib_per_s(windows, 670e9, 980e9), 1_500.0, 0.05);

    let windows = &second.write.windows;
    assert_within("second pass, s", seconds(&second), 565.0, 0.05);
    assert_within("smallest cache, bytes", cache_bytes(windows), 8e9, 0.05);
    assert_within(
        "second pass in the cache, MiB/s",
        mib_per_s(windows, 0.0, 7e9),
        12_200.0,
        0.05,
    );
    assert_within(
        "second pass after the cache, MiB/s",
        mib_per_s(windows, 11e9, 1000e9),
        1_700.0,
        0.05,
    );

    assert_within(
        "mean of window latencies, ms",
        window_latency_ms(&[&first, &second]),
        21.05,
        0.05,
    );
}
