//! Indirection unit, mapping cache, garbage collection, TRIM.

mod common;

use common::*;
use vdrive::{Command, Rejected, State, Sync};

fn random_bandwidth(unit: &str, block: u64) -> f64 {
    let mut bench = Bench::plain(&[("map.unit", unit)]);
    bench.fill();
    bench.run(Job {
        block,
        amount: 256 * MIB,
        ..Job::random_writes()
    });
    mib_per_s(&bench.run(Job {
        block,
        amount: 64 * MIB,
        seed: 2,
        ..Job::random_writes()
    }))
}

#[test]
fn writes_smaller_than_the_indirection_unit_are_read_modified_and_written_back() {
    for (unit, factor) in [("\"4 KiB\"", 1.0), ("\"16 KiB\"", 4.0), ("\"64 KiB\"", 16.0)] {
        let ratio = random_bandwidth(unit, 64 * KIB) / random_bandwidth(unit, 4 * KIB);
        assert!(ratio > 0.9 * factor && ratio < 1.5 * factor, "{unit}: {ratio}");
    }
}

#[test]
fn small_sequential_writes_fill_their_units_without_reading() {
    let mut bench = Bench::plain(&[("map.unit", "\"64 KiB\"")]);
    bench.fill();
    bench.run(Job {
        block: 4 * KIB,
        amount: 32 * MIB,
        ..Job::sequential_writes()
    });
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    // Only the first write cannot be known to go on.
    assert_eq!(truth.merged_bytes, 64 * KIB);
    assert_eq!(truth.placed_bytes, bench.capacity() + 32 * MIB);
}

#[test]
fn the_mapping_cache_gives_a_sharp_knee_at_its_reach() {
    let mut bench = Bench::plain(&[("map.cache", "\"sram\""), ("map.reach", "\"64 MiB\"")]);
    bench.fill();
    let mut latency = |length: u64| {
        bench.run(Job {
            length,
            depth: 1,
            amount: 8 * MIB,
            ..Job::random_reads()
        });
        1e6 / iops(&bench.run(Job {
            length,
            depth: 1,
            amount: 8 * MIB,
            seed: 2,
            ..Job::random_reads()
        }))
    };
    let (inside, at, beyond, far) = (
        latency(16 * MIB),
        latency(64 * MIB),
        latency(96 * MIB),
        latency(256 * MIB),
    );
    assert_within("at the reach, us", at, inside, 0.01);
    assert_within("half beyond, us", beyond, inside + 25.0 / 3.0, 0.05);
    assert_within("four times the reach, us", far, inside + 25.0 * 0.75, 0.05);
}

#[test]
fn a_host_memory_buffer_costs_a_trip_on_every_hit() {
    let latency = |hit: &str| {
        let mut bench = Bench::plain(&[("map.cache", "\"hmb\""), ("map.reach", "\"64 MiB\""), ("map.hit", hit)]);
        bench.fill();
        bench.rest(SECOND);
        bench.read(MIB, 4 * KIB);
        bench.read(MIB, 4 * KIB)
    };
    assert_eq!(latency("\"3us\"") - latency("\"0us\""), 3 * US);
}

/// Write amplification of uniform random writes at steady state, greedy collection, spare share rho = raw/user - 1.
fn steady_amplification(raw: &str) -> (f64, State) {
    let mut bench = Bench::plain(&[
        ("geometry.raw", raw),
        ("geometry.superblock", "\"3 MiB\""),
        ("geometry.stripe_unit", "\"16 KiB\""),
        ("geometry.page", "\"16 KiB\""),
    ]);
    bench.fill();
    let capacity = bench.capacity();
    bench.run(Job {
        amount: 5 * capacity,
        ..Job::random_writes()
    });
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    (truth.write_amplification_recent, truth.state)
}

#[test]
fn steady_write_amplification_follows_the_spare_flash() {
    // (1 + rho) / (2 rho) is the classical figure for uniform random writes; some spare is held as free superblocks.
    for (raw, rho) in [("\"294 MiB\"", 0.105), ("\"333 MiB\"", 0.263)] {
        let (amplification, state) = steady_amplification(raw);
        assert_eq!(state, State::Steady);
        assert_within(raw, amplification, (1.0 + rho) / (2.0 * rho), 0.35);
    }
}

/// Recent write amplification of writes of which `hot_percent` go to the first tenth of the drive, by the number of streams.
fn amplification_of_streams(streams: &str, hot_percent: u64) -> f64 {
    let mut bench = Bench::plain(&[
        ("geometry.superblock", "\"768 KiB\""),
        ("geometry.raw", "\"297 MiB\""),
        ("geometry.stripe_unit", "\"16 KiB\""),
        ("geometry.page", "\"16 KiB\""),
        ("collection.streams", streams),
    ]);
    bench.fill();
    let units = bench.capacity() / (4 * KIB);
    let mut drawn = 1u64;
    for _ in 0..5 * units {
        drawn = drawn
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let (share, place) = (drawn >> 57, drawn >> 20 & 0xffff_ffff);
        let unit = if share * 100 / 128 < hot_percent {
            place % (units / 10)
        } else {
            units / 10 + place % (units - units / 10)
        };
        bench.write(unit * 4 * KIB, 4 * KIB);
    }
    let now_ns = bench.now_ns;
    bench.drive.truth(now_ns).write_amplification_recent
}

#[test]
fn a_stream_for_hot_data_lowers_write_amplification_where_there_is_any() {
    let (together, apart) = (amplification_of_streams("1", 90), amplification_of_streams("2", 90));
    assert!(apart < 0.6 * together, "{apart} apart, {together} together");
}

#[test]
fn a_stream_for_hot_data_changes_little_where_all_is_written_alike() {
    let (together, apart) = (amplification_of_streams("1", 10), amplification_of_streams("2", 10));
    assert_within("uniform", apart, together, 0.05);
}

#[test]
fn performance_goes_from_fresh_over_a_transition_to_steady() {
    let mut bench = Bench::plain(&[]);
    assert_eq!(bench.drive.truth(0).state, State::FreshOutOfBox);
    let fresh = iops(&bench.run(Job {
        amount: 32 * MIB,
        ..Job::random_writes()
    }));
    bench.fill();
    bench.run(Job {
        amount: 1024 * MIB,
        ..Job::random_writes()
    });
    let steady = iops(&bench.run(Job {
        amount: 64 * MIB,
        seed: 3,
        ..Job::random_writes()
    }));
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    assert_eq!(truth.state, State::Steady);
    assert_within("lost speed", fresh / steady, truth.write_amplification_recent, 0.25);
    let purged_ns = bench.drive.purge(bench.now_ns);
    bench.now_ns = purged_ns;
    let again = iops(&bench.run(Job {
        amount: 32 * MIB,
        ..Job::random_writes()
    }));
    assert_within("after a purge", again, fresh, 0.02);
}

#[test]
fn repeating_the_same_order_needs_no_collection_and_another_order_does() {
    let collected = |seeds: [u64; 3], draw| {
        let mut bench = Bench::plain(&[]);
        let amount = bench.capacity();
        for seed in seeds {
            bench.run(Job {
                draw,
                amount,
                seed,
                ..Job::random_writes()
            });
        }
        let now_ns = bench.now_ns;
        let truth = bench.drive.truth(now_ns);
        truth.collected_bytes as f64 / truth.host_written_bytes as f64
    };
    for draw in ["independent", "permutation"] {
        assert!(collected([7, 7, 7], draw) < 0.01, "{draw}");
        assert!(collected([7, 8, 9], draw) > 0.3, "{draw}");
    }
}

#[test]
fn trim_lowers_write_amplification_and_makes_reads_fast() {
    let amplification = |trimmed: u64| {
        let mut bench = Bench::plain(&[]);
        bench.fill();
        bench.run(Job {
            amount: 512 * MIB,
            ..Job::random_writes()
        });
        bench.trim(192 * MIB, trimmed);
        bench.run(Job {
            length: 192 * MIB,
            amount: 512 * MIB,
            seed: 2,
            ..Job::random_writes()
        });
        let now_ns = bench.now_ns;
        bench.drive.truth(now_ns).write_amplification_recent
    };
    let (kept, trimmed) = (amplification(0), amplification(64 * MIB));
    assert!(trimmed < 0.8 * kept, "{kept} then {trimmed}");
    let mut bench = Bench::plain(&[]);
    bench.write(0, MIB);
    bench.trim(0, 64 * KIB);
    bench.flush();
    bench.rest(SECOND);
    assert_eq!(bench.read(0, 4 * KIB), 5 * US);
    assert!(bench.read(64 * KIB, 4 * KIB) > 50 * US);
}

#[test]
fn trim_unmaps_whole_units_only() {
    let mut bench = Bench::plain(&[]);
    bench.write(0, 16 * KIB);
    bench.trim(512, 8 * KIB);
    let now_ns = bench.now_ns;
    assert_eq!(bench.drive.truth(now_ns).trimmed_bytes, 4 * KIB);
}

#[test]
fn refused_and_empty_commands_change_nothing() {
    let mut bench = Bench::plain(&[]);
    bench.write(0, MIB);
    let before = format!("{:?}", bench.drive);
    let capacity = bench.capacity();
    let write = |offset_bytes, length_bytes| Command::Write {
        offset_bytes,
        length_bytes,
        sync: Sync::Buffered,
    };
    let drive = &mut bench.drive;
    assert!(matches!(
        drive.submit(0, write(capacity, 512)),
        Err(Rejected::PastTheEnd { .. })
    ));
    assert!(matches!(
        drive.submit(0, write(u64::MAX - 511, 1024)),
        Err(Rejected::PastTheEnd { .. })
    ));
    assert!(matches!(
        drive.submit(0, write(100, 512)),
        Err(Rejected::Unaligned { .. })
    ));
    assert!(matches!(
        drive.submit(0, write(0, 513)),
        Err(Rejected::Unaligned { .. })
    ));
    drive.submit(0, write(capacity, 0)).unwrap();
    drive
        .submit(
            0,
            Command::Trim {
                offset_bytes: 0,
                length_bytes: 0,
            },
        )
        .unwrap();
    assert_eq!(format!("{:?}", bench.drive), before);
}

#[test]
fn time_that_runs_backwards_counts_as_the_latest() {
    let mut bench = Bench::plain(&[]);
    bench.now_ns = SECOND;
    bench.write(0, 4 * KIB);
    let read = Command::Read {
        offset_bytes: 0,
        length_bytes: 4 * KIB,
    };
    assert!(bench.drive.submit(0, read).unwrap() >= SECOND);
}
