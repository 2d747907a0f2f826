//! The SLC cache: sizes, what follows it, how it comes back.

mod common;

use common::*;
use vdrive::{Spec, State};

/// Cache of 32 MiB, 8 MiB of it static, on the plain drive: 16 and 4 superblocks of 2 MiB in one-bit mode.
const CACHE: [(&str, &str); 3] = [
    ("slc.static", "\"8 MiB\""),
    ("slc.max", "\"32 MiB\""),
    ("slc.reserve", "\"70 MiB\""),
];

fn cached(more: &[(&str, &str)]) -> Bench {
    Bench::plain(&[&CACHE[..], more].concat())
}

/// Bytes placed in the cache by a sequential writer before its first native superblock.
fn bytes_to_cache(bench: &mut Bench) -> u64 {
    let step = 256 * KIB;
    let mut at = 0;
    loop {
        bench.write(at, step);
        let now_ns = bench.now_ns;
        if bench.drive.truth(now_ns).state != State::Cache {
            return at;
        }
        at += step;
    }
}

#[test]
fn a_purged_drive_gives_the_largest_cache_and_a_full_one_the_smallest() {
    for name in ["demo", "pm9e1-1tb", "qlc-dramless-1tb"] {
        let spec = if name == "demo" {
            builtin(name)
        } else {
            builtin(name).rescaled(8 << 30).unwrap()
        };
        let mut bench = Bench::new(&spec);
        let seen = bytes_to_cache(&mut bench) as f64;
        assert_within(name, seen, spec.slc_cache_bytes_max() as f64, 0.02);
        bench.fill();
        bench.rest(1000 * SECOND);
        let seen = bytes_to_cache(&mut bench) as f64;
        assert_within(name, seen, spec.slc_cache_bytes_min() as f64, 0.03);
    }
}

#[test]
fn a_drive_without_a_cache_has_none() {
    let spec = spec(&[]);
    assert_eq!((spec.slc_cache_bytes_max(), spec.slc_cache_bytes_min()), (0, 0));
    let mut bench = Bench::new(&spec);
    bench.write(0, MIB);
    let now_ns = bench.now_ns;
    assert_eq!(bench.drive.truth(now_ns).cache_superblocks, 0);
}

#[test]
fn the_cache_is_faster_than_what_follows() {
    let mut bench = cached(&[]);
    let first = bench.fill();
    let cache = mib_per_s_between(&first, 128 * KIB, 5 * MIB, 30 * MIB);
    let native = mib_per_s_between(&first, 128 * KIB, 40 * MIB, 200 * MIB);
    assert_within("native", native, mib_per_s(&Bench::plain(&[]).fill()), 0.05);
    assert!(cache > 1.4 * native, "{cache} {native}");
}

#[test]
fn class_a_writes_directly_and_folds_only_under_shortage() {
    let mut bench = cached(&[
        ("slc.after", "\"direct\""),
        ("geometry.raw", "\"300 MiB\""),
        ("slc.reserve", "\"0 B\""),
    ]);
    let fill = bench.fill();
    let direct = mib_per_s_between(&fill, 128 * KIB, 50 * MIB, 150 * MIB);
    let forced = mib_per_s_between(&fill, 128 * KIB, 235 * MIB, 255 * MIB);
    assert!(
        forced < 0.9 * direct,
        "the third level is the lowest: {direct} then {forced}"
    );
}

#[test]
fn the_last_level_of_class_a_is_the_share_of_direct_speed_that_was_asked_for() {
    let levels = |factor: &str| {
        let mut bench = cached(&[
            ("slc.after", "\"direct\""),
            ("geometry.raw", "\"300 MiB\""),
            ("slc.reserve", "\"0 B\""),
            ("slc.fold_when_short", factor),
        ]);
        let fill = bench.fill();
        let between = |from, to| mib_per_s_between(&fill, 128 * KIB, from * MIB, to * MIB);
        between(235, 255) / between(50, 150)
    };
    // A fold senses three pages and programs: 1.0625 times a program; of TLC it moves half a unit for one gained.
    for factor in ["1", "2", "4", "6"] {
        let told = 1.0 / (1.0 + 0.5 * 1.0625 * factor.parse::<f64>().unwrap());
        assert_within(factor, levels(factor), told, 0.03);
    }
}

#[test]
fn class_b_folds_at_its_rate_while_writing_directly() {
    let mut bench = cached(&[("slc.after", "\"fold\""), ("slc.fold", "0.5")]);
    bench.run(Job {
        amount: 34 * MIB,
        ..Job::sequential_writes()
    });
    let before_ns = bench.now_ns;
    let before = bench.drive.truth(before_ns);
    bench.run(Job {
        from: 64 * MIB,
        amount: 24 * MIB,
        ..Job::sequential_writes()
    });
    let after_ns = bench.now_ns;
    let after = bench.drive.truth(after_ns);
    assert_eq!(after.state, State::Folding);
    let folded = (after.folded_bytes - before.folded_bytes) as f64;
    assert_within("folded bytes per written byte", folded / (24 * MIB) as f64, 0.5, 0.1);
}

#[test]
fn class_b_folds_more_slowly_below_the_knee() {
    let settings = [
        ("slc.after", "\"fold\""),
        ("slc.fold", "0.5"),
        ("slc.fold_below_knee", "0.1"),
        ("slc.knee", "\"20 MiB\""),
    ];
    let mut bench = cached(&settings);
    let fill = bench.fill();
    let above = mib_per_s_between(&fill, 128 * KIB, 36 * MIB, 52 * MIB);
    let below = mib_per_s_between(&fill, 128 * KIB, 70 * MIB, 150 * MIB);
    assert!(below > 1.15 * above, "{above} then {below}");
}

#[test]
fn class_c_returns_to_the_cache_again_and_again() {
    let mut changes = 0;
    let mut bench = cached(&[
        ("slc.after", "\"refill\""),
        ("slc.fold", "1.0"),
        ("slc.refill_below", "\"9 MiB\""),
    ]);
    let mut last = State::Cache;
    for at in 0..200 {
        bench.write(at * MIB, MIB);
        let now_ns = bench.now_ns;
        let state = bench.drive.truth(now_ns).state;
        changes += u32::from(state == State::Cache && last != State::Cache);
        last = state;
    }
    assert!(changes >= 2, "{changes}");
}

#[test]
fn class_d_stays_native_after_its_small_static_cache() {
    let mut bench = Bench::plain(&[("slc.static", "\"8 MiB\""), ("slc.max", "\"8 MiB\"")]);
    bench.fill();
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    assert_eq!(
        (truth.state, truth.folded_bytes, truth.cache_superblocks),
        (State::Direct, 0, 4)
    );
}

#[test]
fn class_e_takes_all_free_flash_as_cache_and_then_writes_as_fast_as_it_can_fold() {
    let settings = [
        ("slc.max", "\"256 MiB\""),
        ("slc.after", "\"direct\""),
        ("geometry.raw", "\"288 MiB\""),
    ];
    let mut bench = Bench::plain(&settings);
    let cache = bench.drive.spec().slc_cache_bytes_max();
    assert_within("a third of the flash", cache as f64, (288 * MIB / 3) as f64, 0.06);
    let fill = bench.fill();
    let folding = mib_per_s_between(&fill, 128 * KIB, cache + 8 * MIB, 250 * MIB);
    let native = mib_per_s(&Bench::plain(&[]).fill());
    assert_within("one byte folded for two gained", folding, native / 1.5, 0.12);
}

#[test]
fn class_f_writes_nothing_directly() {
    let mut bench = cached(&[("slc.after", "\"cache_only\"")]);
    bench.fill();
    let now_ns = bench.now_ns;
    let truth = bench.drive.truth(now_ns);
    let through_the_cache = truth.folded_bytes + truth.cache_valid_bytes + truth.buffered_bytes;
    assert!(through_the_cache >= truth.host_written_bytes, "{truth:?}");
}

#[test]
fn a_silence_longer_than_the_delay_brings_the_cache_back() {
    let share = |rest_ns: u64, reclaim: &str| {
        let mut bench = cached(&[("idle.reclaim_after", reclaim)]);
        bench.run(Job {
            amount: 60 * MIB,
            ..Job::sequential_writes()
        });
        bench.rest(rest_ns);
        let now_ns = bench.now_ns;
        bench.drive.truth(now_ns).cache_valid_bytes
    };
    assert_eq!(share(SECOND, "\"2s\""), 32 * MIB);
    assert_eq!(share(60 * SECOND, "\"2s\""), 0);
    assert_eq!(share(60 * SECOND, "\"never\""), 32 * MIB);
    let partly = share(2 * SECOND + 15_000 * US, "\"2s\"");
    assert!(partly > 0 && partly < 32 * MIB, "{partly}");
}

#[test]
fn the_dynamic_part_shrinks_as_the_drive_fills() {
    let sizes: Vec<u64> = [0u64, 128, 192, 240]
        .iter()
        .map(|filled_mib| cache_when_filled(*filled_mib))
        .collect();
    assert!(sizes.windows(2).all(|pair| pair[1] <= pair[0]), "{sizes:?}");
    assert_within("empty", sizes[0] as f64, (32 * MIB) as f64, 0.02);
    assert_within("full", sizes[3] as f64, (8 * MIB) as f64, 0.05);
}

fn cache_when_filled(filled_mib: u64) -> u64 {
    let mut bench = cached(&[("idle.reclaim_after", "\"1s\"")]);
    if filled_mib > 0 {
        bench.run(Job {
            from: 8 * MIB,
            amount: filled_mib * MIB,
            ..Job::sequential_writes()
        });
    }
    bench.rest(100 * SECOND);
    bytes_to_cache(&mut bench)
}

#[test]
fn the_same_drive_at_another_size_keeps_its_proportions() {
    let whole = builtin("pm9e1-1tb");
    for gib in [4u64, 16, 64, 2048] {
        let part = whole.rescaled(gib << 30).unwrap();
        let share = |spec: &Spec| spec.slc_cache_bytes_max() as f64 / spec.capacity_bytes() as f64;
        assert_within("cache share", share(&part), share(&whole), 0.03);
        assert_eq!(part.capacity_bytes(), gib << 30);
    }
}
