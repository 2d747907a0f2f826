//! The driver on the virtual drive that everybody meets first.

use vdrive::workload::{Draw, Pattern, Workload, WorkloadResult, run};
use vdrive::{Spec, VDrive};

use crate::devices::{KIB, MIB, workload};

const S: u64 = 1_000_000_000;

fn demo() -> VDrive {
    let text = Spec::builtin_text("demo").unwrap();
    VDrive::new(&Spec::parse(text).unwrap().rescaled(256 * MIB).unwrap())
}

/// Blocks written once, a rest, then the workload: what it gave and the drive after it.
fn on_filled_demo(workload: &Workload) -> (WorkloadResult, VDrive) {
    let mut drive = demo();
    let fill = Workload {
        pattern: Pattern::Sequential,
        read_percent: 0,
        block_bytes: 128 * KIB,
        region_length_bytes: 256 * MIB,
        amount_bytes: Some(256 * MIB),
        ..workload.clone()
    };
    let filled = run(
        &mut drive,
        0,
        &Workload {
            rate_iops: None,
            ..fill
        },
    )
    .unwrap();
    let result = run(&mut drive, filled.end_ns + 60 * S, workload).unwrap();
    (result, drive)
}

#[test]
fn littles_law_holds() {
    let deep = Workload {
        queue_depth: 32,
        region_length_bytes: 256 * MIB,
        amount_bytes: Some(64 * MIB),
        ..workload()
    };
    let (result, _) = on_filled_demo(&deep);
    let in_flight_mean = result.read.lat.moments.sum_ns() as f64 / (result.end_ns - result.start_ns) as f64;
    assert!(
        (in_flight_mean / 32.0 - 1.0).abs() < 0.02,
        "{in_flight_mean} in flight on average, 32 asked for"
    );
}

#[test]
fn latency_does_not_depend_on_a_low_rate() {
    let mean_ns = |rate_iops| {
        let open = Workload {
            rate_iops: Some(rate_iops),
            amount_bytes: Some(2000 * 4 * KIB),
            ..workload()
        };
        on_filled_demo(&open).0.read.lat.moments.mean_ns().unwrap()
    };
    let (slow_ns, fast_ns) = (mean_ns(100), mean_ns(400));
    assert!(
        (fast_ns / slow_ns - 1.0).abs() < 0.02,
        "{slow_ns} ns at 100/s, {fast_ns} ns at 400/s"
    );
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let mixed = Workload {
        read_percent: 50,
        queue_depth: 16,
        amount_bytes: Some(64 * MIB),
        ..workload()
    };
    assert_eq!(on_filled_demo(&mixed).0, on_filled_demo(&mixed).0);
}

#[test]
fn a_permutation_maps_the_whole_drive_and_independent_draws_leave_a_share_of_one_by_e() {
    let mapped_share = |draw| {
        let writes = Workload {
            draw,
            read_percent: 0,
            region_length_bytes: 256 * MIB,
            amount_bytes: Some(256 * MIB),
            ..workload()
        };
        let mut drive = demo();
        let end_ns = run(&mut drive, 0, &writes).unwrap().end_ns;
        drive.truth(end_ns).mapped_bytes as f64 / (256 * MIB) as f64
    };
    assert!((mapped_share(Draw::Permutation) - 1.0).abs() < 1e-12);
    assert!((mapped_share(Draw::Independent) - (1.0 - (-1f64).exp())).abs() < 0.005);
}
