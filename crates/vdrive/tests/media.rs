//! Dies, planes, page types, suspend, retry, read-ahead, command cost.

mod common;

use common::*;
use std::collections::BTreeSet;

/// A filled, rested drive.
fn filled(settings: &[(&str, &str)]) -> Bench {
    let mut bench = Bench::plain(settings);
    bench.fill();
    bench.rest(SECOND);
    bench
}

#[test]
fn a_native_page_is_read_at_the_speed_of_its_type() {
    let mut bench = filled(&[("timing.sense", "[\"40us\", \"60us\", \"90us\"]")]);
    let latencies: BTreeSet<u64> = (0..24).map(|stripe| bench.read(stripe * 64 * KIB, 4 * KIB)).collect();
    let base = latencies.first().unwrap() - 40 * US;
    let senses: Vec<u64> = latencies.iter().map(|latency| (latency - base) / US).collect();
    assert_eq!(senses, [40, 60, 90]);
}

#[test]
fn a_cached_page_is_read_faster_than_a_native_one() {
    let mut native = filled(&[]);
    let mut cached = Bench::plain(&[("slc.static", "\"8 MiB\""), ("slc.max", "\"8 MiB\"")]);
    cached.write(0, MIB);
    cached.rest(SECOND);
    assert_eq!(native.read(0, 4 * KIB) - cached.read(0, 4 * KIB), 25 * US);
}

#[test]
fn reads_of_different_dies_overlap_and_of_the_same_die_do_not() {
    let together = |first: u64, second: u64| {
        let mut bench = filled(&[]);
        let read = |offset_bytes| vdrive::Command::Read {
            offset_bytes,
            length_bytes: 4 * KIB,
        };
        let ends = [first, second].map(|at| bench.drive.submit(bench.now_ns, read(at)).unwrap());
        ends.into_iter().max().unwrap() - bench.now_ns
    };
    let alone = filled(&[]).read(0, 4 * KIB);
    assert!(together(0, 64 * KIB) < alone + 5 * US);
    assert!(together(0, 8 * 64 * KIB) >= alone + 50 * US);
}

#[test]
fn planes_of_one_die_sense_by_themselves() {
    let rate = |page: &str| {
        let mut bench = filled(&[("geometry.page", page)]);
        iops(&bench.run(Job {
            depth: 256,
            amount: 128 * MIB,
            ..Job::random_reads()
        }))
    };
    let (one, four) = (rate("\"64 KiB\""), rate("\"16 KiB\""));
    assert!(four > 2.5 * one, "{one} {four}");
}

#[test]
fn a_sequential_reader_is_faster_with_read_ahead_and_others_are_not() {
    let latency_us = |window: &str, pattern, block| {
        let mut bench = filled(&[("read_ahead.window", window)]);
        let job = Job {
            pattern,
            block,
            depth: 1,
            amount: 16 * MIB,
            ..Job::random_reads()
        };
        1e6 / iops(&bench.run(job))
    };
    let (off, on) = (
        latency_us("\"0 B\"", "sequential", 4 * KIB),
        latency_us("\"512 KiB\"", "sequential", 4 * KIB),
    );
    assert!(on < 0.3 * off, "{off} {on}");
    let (off, on) = (
        latency_us("\"0 B\"", "random", 4 * KIB),
        latency_us("\"512 KiB\"", "random", 4 * KIB),
    );
    assert_within("random, us", on, off, 0.05);
}

#[test]
fn read_ahead_forgets_what_was_overwritten() {
    let mut bench = filled(&[("read_ahead.window", "\"512 KiB\"")]);
    for page in 0..4 {
        bench.read(page * 4 * KIB, 4 * KIB);
    }
    bench.rest(SECOND);
    assert!(bench.read(16 * KIB, 4 * KIB) < 20 * US, "read ahead");
    bench.write(20 * KIB, 4 * KIB);
    bench.flush();
    bench.rest(SECOND);
    assert!(bench.read(20 * KIB, 4 * KIB) > 50 * US, "read anew");
}

/// Slowest read among many while programs run.
fn slowest_read_beside_writes(suspend: &str) -> u64 {
    let mut bench = filled(&[("timing.suspend", suspend)]);
    let mixed = bench.run(Job {
        depth: 4,
        read_percent: 50,
        amount: 32 * MIB,
        ..Job::random_writes()
    });
    let percent = 99.0_f64.try_into().unwrap();
    mixed.read.clat.histogram.percentile_ns(percent).unwrap()
}

#[test]
fn reads_wait_for_a_program_unless_it_can_be_suspended() {
    let (waiting, suspending) = (
        slowest_read_beside_writes("\"none\""),
        slowest_read_beside_writes("\"20us\""),
    );
    assert!(waiting > 600 * US, "{waiting}");
    assert!(suspending < 300 * US, "{suspending}");
}

#[test]
fn writes_go_on_beneath_a_flood_of_reads() {
    let mut bench = filled(&[("timing.suspend", "\"20us\"")]);
    let mixed = bench.run(Job {
        depth: 128,
        read_percent: 95,
        amount: 512 * MIB,
        ..Job::random_writes()
    });
    let rested = bench.run(Job {
        depth: 128,
        amount: 64 * MIB,
        ..Job::random_reads()
    });
    assert!(iops(&mixed) > 0.4 * iops(&rested), "{} {}", iops(&mixed), iops(&rested));
}

#[test]
fn some_reads_are_retried() {
    let mut bench = filled(&[("timing.retry_probability", "0.05"), ("timing.retry", "\"1ms\"")]);
    let reads = bench.run(Job {
        depth: 1,
        amount: 40 * MIB,
        ..Job::random_reads()
    });
    let retried = bench.drive.truth(bench.now_ns).read_retries;
    assert_within("retries", retried as f64, 0.05 * reads.read.ios as f64, 0.15);
    assert_within("mean, us", 1e6 / iops(&reads), 50.0 + 5.0 + 4096.0 / 1.6e3 + 50.0, 0.1);
}

#[test]
fn a_command_costs_controller_time_that_no_two_share() {
    let mut bench = filled(&[("timing.command", "\"20us\"")]);
    let reads = bench.run(Job {
        depth: 64,
        amount: 64 * MIB,
        ..Job::random_reads()
    });
    assert_within("reads a second", iops(&reads), 50_000.0, 0.01);
}

#[test]
fn an_erase_is_paid_by_the_next_program() {
    let rate = |erase: &str| {
        let mut bench = Bench::plain(&[("timing.erase", erase)]);
        bench.fill();
        mib_per_s(&bench.fill())
    };
    // A superblock of four rows: one erase of 1.2 ms for every four programs of 1.32 ms.
    assert_within(
        "share of erasing",
        rate("\"0us\"") / rate("\"1200us\""),
        1.0 + 1.2 / (4.0 * 1.32),
        0.03,
    );
}

#[test]
fn allocation_by_order_depends_on_history_and_by_address_does_not() {
    let ratio = |allocation: &str| {
        let settings = [
            ("geometry.stripe_unit", "\"4 KiB\""),
            ("geometry.page", "\"4 KiB\""),
            ("geometry.superblock", "\"3072 KiB\""),
            ("geometry.allocation", allocation),
        ];
        let mut bench = Bench::plain(&settings);
        let (length, amount) = (64 * MIB, 64 * MIB);
        let read = Job {
            read_percent: 100,
            block: 16 * KIB,
            depth: 1,
            length,
            amount,
            ..Job::sequential_writes()
        };
        bench.run(Job {
            draw: "permutation",
            length,
            amount,
            ..Job::random_writes()
        });
        bench.rest(SECOND);
        let scattered = iops(&bench.run(read));
        bench.run(Job {
            length,
            amount,
            ..Job::sequential_writes()
        });
        bench.rest(SECOND);
        iops(&bench.run(read)) / scattered
    };
    assert!(ratio("\"order\"") > 1.1, "{}", ratio("\"order\""));
    assert_within("by address", ratio("\"address\""), 1.0, 0.005);
}
