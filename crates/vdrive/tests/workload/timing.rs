//! When requests are submitted, how long they take, and in which window they count.

use vdrive::workload::{Workload, run};

use crate::devices::{KIB, MIB, Serial, fixed, on_parallel, scattered, workload};

#[test]
fn littles_law_holds() {
    let deep = Workload {
        queue_depth: 32,
        jobs: 2,
        amount_bytes: Some(64 * MIB),
        ..workload()
    };
    let (result, _) = on_parallel(&deep, scattered);
    let in_flight_mean = result.read.lat.moments.sum_ns() as f64 / result.read.runtime_ns as f64;
    assert!(
        (in_flight_mean / 64.0 - 1.0).abs() < 0.02,
        "{in_flight_mean} in flight on average, 64 asked for"
    );
}

#[test]
fn a_serial_device_shows_queue_depth_times_its_service_time() {
    let result = run(
        &mut Serial {
            service_ns: 10_000,
            free_ns: 0,
        },
        0,
        &workload(),
    )
    .unwrap();
    assert_eq!(result.end_ns, 1000 * 10_000);
    assert_eq!(result.read.lat.moments.max_ns(), Some(4 * 10_000));
}

#[test]
fn a_closed_loop_keeps_exactly_its_queue_depth_in_flight() {
    for (queue_depth, jobs) in [(1, 1), (4, 1), (3, 5), (256, 1)] {
        let (_, device) = on_parallel(
            &Workload {
                queue_depth,
                jobs,
                ..workload()
            },
            scattered,
        );
        assert_eq!(device.in_flight_max, (queue_depth * jobs) as usize);
    }
}

#[test]
fn latency_does_not_depend_on_a_low_rate() {
    for rate_iops in [10, 100, 1000] {
        let open = Workload {
            rate_iops: Some(rate_iops),
            amount_bytes: Some(50 * 4 * KIB),
            ..workload()
        };
        let (result, _) = on_parallel(&open, fixed);
        assert_eq!(
            (result.read.lat.moments.min_ns(), result.read.lat.moments.max_ns()),
            (Some(100_000), Some(100_000))
        );
        // Fifty gaps vary by a seventh of their sum.
        let lasted = result.end_ns as f64 * rate_iops as f64 / 50e9;
        assert!((0.4..1.6).contains(&lasted), "{lasted}");
    }
}

#[test]
fn a_rate_beyond_the_device_shows_in_lat_from_the_due_time_but_not_in_clat() {
    let open = Workload {
        rate_iops: Some(200_000),
        ..workload()
    };
    let result = run(
        &mut Serial {
            service_ns: 10_000,
            free_ns: 0,
        },
        0,
        &open,
    )
    .unwrap();
    assert_eq!(result.read.clat.moments.max_ns(), Some(4 * 10_000));
    // The last of 1000 I/Os was due after some 1000 x 5 us and completed after 1000 x 10 us.
    let longest_ns = result.read.lat.moments.max_ns().unwrap();
    assert!((4_200_000..5_800_000).contains(&longest_ns), "{longest_ns}");
}

#[test]
fn whichever_of_amount_and_duration_comes_first_ends_the_run() {
    let both = Workload {
        queue_depth: 1,
        duration_ns: Some(1_050_000),
        ..workload()
    };
    assert_eq!(
        on_parallel(&both, fixed).0.read.ios,
        11,
        "ten in the first ms and the one in flight at the end"
    );
    let amount_first = Workload {
        amount_bytes: Some(3 * 4 * KIB + 4095),
        ..both
    };
    assert_eq!(on_parallel(&amount_first, fixed).0.read.bytes, 3 * 4 * KIB);
}

#[test]
fn an_idle_stretch_is_windows_without_ios() {
    let slow = Workload {
        rate_iops: Some(250),
        amount_bytes: Some(3 * 4 * KIB),
        ..workload()
    };
    let (result, _) = on_parallel(&slow, fixed);
    let windows = result.read.windows;
    assert_eq!(windows.ios.iter().sum::<u64>(), 3);
    assert!(windows.ios.len() > 3 && windows.ios.contains(&0), "{:?}", windows.ios);
    let before = windows.end_ns.len() as u64 - 1;
    assert_eq!(windows.end_ns[..2], [1_000_000, 2_000_000]);
    assert_eq!(windows.end_ns.last(), Some(&result.end_ns));
    assert_eq!(result.end_ns.div_ceil(1_000_000), before + 1);
}

#[test]
fn an_io_that_completes_as_a_window_ends_counts_in_it() {
    let (result, _) = on_parallel(
        &Workload {
            queue_depth: 1,
            amount_bytes: Some(20 * 4 * KIB),
            ..workload()
        },
        fixed,
    );
    assert_eq!(result.read.windows.ios, [10, 10]);
    assert_eq!(result.read.windows.end_ns, [1_000_000, 2_000_000]);
}

#[test]
fn the_result_of_a_seed_never_changes() {
    let mixed = Workload {
        read_percent: 70,
        ..workload()
    };
    let (result, _) = on_parallel(&mixed, scattered);
    let facts = [&result.read, &result.write].map(|side| (side.ios, side.lat.moments.sum_ns()));
    assert_eq!(
        (result.end_ns, facts),
        (37_702_529, [(697, 103_139_395), (303, 47_530_367)])
    );
}
