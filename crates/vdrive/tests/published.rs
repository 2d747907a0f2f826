//! Built-in drives that are uneven as real ones are: held to the numbers that were published of such drives.

mod common;

use common::*;
use vdrive::workload::WorkloadResult;

const FEWER: u64 = 64;

fn scaled(name: &str) -> Bench {
    let whole = builtin(name);
    let capacity = whole.capacity_bytes() / FEWER / MIB * MIB;
    Bench::new(&whole.rescaled(capacity).unwrap())
}

/// Bytes a second of a stretch of a fill, between shares of the capacity.
fn gb_per_s(fill: &WorkloadResult, capacity: u64, from: f64, to: f64) -> f64 {
    let at = |share: f64| (share * capacity as f64) as u64;
    mib_per_s_between(fill, 128 * KIB, at(from), at(to)) * MIB as f64 / 1e9
}

#[test]
fn a_folding_tlc_drive_falls_to_half_and_then_to_a_quarter_of_that() {
    let mut bench = scaled("folding-tlc-1tb");
    let capacity = bench.capacity();
    let fill = bench.run(Job {
        amount: capacity / (128 * KIB) * 128 * KIB,
        depth: 256,
        ..Job::sequential_writes()
    });
    assert_within("cache", gb_per_s(&fill, capacity, 0.02, 0.26), 4.5, 0.05);
    assert_within("direct", gb_per_s(&fill, capacity, 0.3, 0.49), 2.0, 0.05);
    assert_within("folding", gb_per_s(&fill, capacity, 0.6, 0.97), 0.5, 0.05);
    let cache = bench.drive.spec().slc_cache_bytes_max() * FEWER;
    assert_within("cache bytes", cache as f64, 280e9, 0.05);
}

fn latencies(bench: &mut Bench, one: impl Fn(&mut Bench, u64) -> u64) -> Vec<u64> {
    let blocks = bench.capacity() / (4 * KIB);
    let mut found: Vec<u64> = (0..100_000u64)
        .map(|number| {
            bench.rest(100 * US);
            one(bench, number * 1_000_003 % blocks * 4 * KIB)
        })
        .collect();
    found.sort_unstable();
    found
}

#[test]
fn a_p4500_reads_and_writes_as_published_and_has_a_tail() {
    let mut bench = scaled("p4500-4tb");
    let fill = bench.fill();
    assert_within("fill", mib_per_s(&fill) * MIB as f64 / 1e9, 1.8, 0.05);
    bench.rest(20 * SECOND);
    let reads = latencies(&mut bench, |bench, offset| bench.read(offset, 4 * KIB));
    let writes = latencies(&mut bench, |bench, offset| bench.write(offset, 4 * KIB));
    let at = |sorted: &[u64], share: f64| sorted[(share * sorted.len() as f64) as usize] as f64;
    assert_within("read", at(&reads, 0.5), 115_000.0, 0.05);
    assert_within("tail of reads", at(&reads, 0.9999) / at(&reads, 0.5), 2.5, 0.1);
    assert_within("write", at(&writes, 0.5), 20_000.0, 0.1);
    let deep = bench.run(Job {
        depth: 256,
        amount: 1024 * MIB,
        ..Job::random_reads()
    });
    assert_within("reads a second", iops(&deep), 645_000.0, 0.05);
}

#[test]
fn a_p4500_comes_to_the_random_writes_that_were_published() {
    let mut bench = Bench::new(&builtin("p4500-4tb").rescaled(8192 * MIB).unwrap());
    bench.fill();
    let amount = bench.capacity();
    let mut last = 0.0;
    for seed in 1..=4 {
        last = iops(&bench.run(Job {
            depth: 256,
            amount,
            seed,
            ..Job::random_writes()
        }));
    }
    assert_within("writes a second", last, 62_500.0, 0.1);
}
