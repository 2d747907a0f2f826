//! Heat, noise, sleep: what a drive does besides its work.

mod common;

use common::*;

/// 30 C at rest, 90 C under 1 GB/s of writes, half speed from 70 C on, normal again below 60 C.
const HOT: [(&str, &str); 12] = [
    ("thermal.ambient", "20"),
    ("thermal.idle", "10"),
    ("thermal.write_per_gb_s", "60"),
    ("thermal.read_per_gb_s", "0"),
    ("thermal.time_constant", "\"100ms\""),
    ("thermal.warning", "65"),
    ("thermal.mild_on", "70"),
    ("thermal.mild_off", "60"),
    ("thermal.mild_speed", "0.2"),
    ("thermal.severe_on", "100"),
    ("thermal.severe_off", "95"),
    ("thermal.severe_speed", "0.1"),
];

fn hot() -> Bench {
    Bench::plain(
        &[
            &HOT[..],
            &[("timing.program", "\"200us\""), ("timing.link_write", "\"1 GB/s\"")],
        ]
        .concat(),
    )
}

#[test]
fn a_hot_drive_slows_down_and_recovers_below_the_lower_threshold() {
    let mut bench = hot();
    assert_within("at rest, C", bench.drive.smart(0).temperature_c, 30.0, 0.001);
    let cool = mib_per_s(&bench.run(Job {
        amount: 32 * MIB,
        ..Job::sequential_writes()
    }));
    while bench.drive.truth(bench.now_ns).throttle_level == 0 {
        bench.run(Job {
            amount: 4 * MIB,
            ..Job::sequential_writes()
        });
    }
    let smart = bench.drive.smart(bench.now_ns);
    assert!(smart.throttle_events > 0, "{smart:?}");
    let slowed = 1e9 / f64::from(u32::try_from(bench.write(0, MIB)).unwrap());
    assert!(slowed < 0.5 * cool, "{cool} then {slowed}");
    bench.rest(SECOND);
    assert_eq!(bench.drive.truth(bench.now_ns).throttle_level, 0);
    assert_within(
        "rested, MiB/s",
        mib_per_s(&bench.run(Job {
            amount: 32 * MIB,
            ..Job::sequential_writes()
        })),
        cool,
        0.02,
    );
}

#[test]
fn the_throttle_holds_between_its_thresholds() {
    let mut bench = hot();
    let mut throttled_at = Vec::new();
    for _ in 0..400 {
        bench.run(Job {
            amount: 4 * MIB,
            ..Job::sequential_writes()
        });
        let truth = bench.drive.truth(bench.now_ns);
        if truth.throttle_level == 1 {
            throttled_at.push(truth.temperature_c);
        }
    }
    assert!(throttled_at.iter().any(|c| *c > 60.0 && *c < 66.0), "{throttled_at:?}");
    assert!(throttled_at.iter().all(|c| *c >= 60.0), "{throttled_at:?}");
}

#[test]
fn noise_has_the_spread_and_the_outliers_it_was_given() {
    let noise = [
        ("noise.sigma", "0.1"),
        ("noise.outlier_probability", "0.01"),
        ("noise.outlier", "\"20ms\""),
    ];
    let mut quiet = Bench::plain(&[]);
    let mut shaky = Bench::plain(&noise);
    quiet.write(0, MIB);
    shaky.write(0, MIB);
    quiet.rest(SECOND);
    shaky.rest(SECOND);
    let clean_ns = quiet.read(0, 4 * KIB) as f64;
    let latencies: Vec<u64> = (0..20_000).map(|_| shaky.read(0, 4 * KIB)).collect();
    let (outliers, usual): (Vec<u64>, Vec<u64>) = latencies.iter().partition(|latency| **latency > 10_000 * US);
    assert_within("outliers", outliers.len() as f64, 200.0, 0.2);
    let logs: Vec<f64> = usual.iter().map(|latency| (*latency as f64 / clean_ns).ln()).collect();
    let mean = logs.iter().sum::<f64>() / logs.len() as f64;
    let spread = (logs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / logs.len() as f64).sqrt();
    assert!(mean.abs() < 0.005, "{mean}");
    assert_within("sigma", spread, 0.1, 0.03);
}

#[test]
fn another_seed_draws_other_noise_and_the_same_seed_the_same() {
    let latencies = |seed: u64| {
        let mut bench = Bench::new(&spec(&[("noise.sigma", "0.1")]).with_seed(seed));
        (0..100)
            .map(|at| bench.write(at * 4 * KIB, 4 * KIB))
            .collect::<Vec<u64>>()
    };
    assert_eq!(latencies(1), latencies(1));
    assert_ne!(latencies(1), latencies(2));
}

#[test]
fn a_sleeping_drive_takes_time_to_wake() {
    let mut bench = Bench::plain(&[("idle.sleep_after", "\"1s\""), ("idle.wake", "\"11ms\"")]);
    bench.write(0, 64 * KIB);
    bench.flush();
    let awake_ns = bench.read(0, 4 * KIB);
    bench.rest(SECOND / 2);
    assert_eq!(bench.read(0, 4 * KIB), awake_ns);
    bench.rest(2 * SECOND);
    assert_eq!(bench.read(0, 4 * KIB), awake_ns + 11_000 * US);
    assert_eq!(bench.read(0, 4 * KIB), awake_ns);
}

#[test]
fn smart_counts_as_a_drive_does_and_survives_a_purge() {
    let mut bench = Bench::plain(&[]);
    bench.fill();
    bench.read(0, MIB);
    let before = bench.drive.smart(bench.now_ns);
    assert_eq!(before.data_units_written, (256 * MIB).div_ceil(512_000));
    assert_eq!(before.data_units_read, MIB.div_ceil(512_000));
    assert_eq!((before.host_write_commands, before.host_read_commands), (2048, 1));
    let purged_ns = bench.drive.purge(bench.now_ns);
    let after = bench.drive.smart(purged_ns);
    assert_eq!(after.data_units_written, before.data_units_written);
    assert_eq!(bench.drive.truth(purged_ns).host_written_bytes, 0);
}

#[test]
fn reading_the_sensors_changes_nothing_of_what_follows() {
    let restless = [
        &HOT[..],
        &[
            ("idle.sleep_after", "\"1s\""),
            ("idle.wake", "\"11ms\""),
            ("buffer.flush_window", "\"10ms\""),
        ],
    ]
    .concat();
    let served = |look: fn(&mut Bench)| {
        let mut bench = Bench::plain(&restless);
        let mut latencies = Vec::new();
        for round in 0..40_u64 {
            bench.rest(round * SECOND / 10);
            look(&mut bench);
            latencies.push(bench.write(round * MIB, 256 * KIB));
            look(&mut bench);
            latencies.push(bench.read(round * MIB, 4 * KIB));
        }
        (latencies, bench.drive.truth(bench.now_ns))
    };
    let looked = served(|bench| {
        bench.drive.sensors_seen();
        bench.drive.sensors(bench.now_ns);
    });
    assert_eq!(looked, served(|_| ()));
}

#[test]
fn sensors_count_what_the_media_was_given_across_purges_and_tell_of_heat_only_where_it_is_modelled() {
    let mut bench = hot();
    bench.run(Job {
        amount: 256 * MIB,
        ..Job::sequential_writes()
    });
    let (truth, sensors) = (bench.drive.truth(bench.now_ns), bench.drive.sensors(bench.now_ns));
    assert_eq!(
        (sensors.host_written_bytes, sensors.media_written_bytes),
        (256 * MIB, truth.programmed_bytes)
    );
    let heat = sensors.heat.unwrap();
    assert!(
        heat.temperature_c > 60.0 && heat.throttled_ns > 0 && heat.throttlings > 0,
        "{heat:?}"
    );
    let purged_ns = bench.drive.purge(bench.now_ns);
    let after = bench.drive.sensors(purged_ns);
    assert_eq!(after.media_written_bytes, truth.programmed_bytes);
    assert_eq!(Bench::plain(&[]).drive.sensors(0).heat, None);
}
