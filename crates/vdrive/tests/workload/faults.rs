//! What is refused, by the driver and by the device.

use vdrive::Rejected;
use vdrive::workload::{Pattern, Workload, run};

use crate::devices::{BadFrom, KIB, MIB, Serial, workload};

#[test]
fn a_refused_command_ends_its_stream_and_is_counted_with_its_reason() {
    let sequential = Workload {
        pattern: Pattern::Sequential,
        queue_depth: 4,
        jobs: 2,
        ..workload()
    };
    let result = run(&mut BadFrom(8 * MIB + 40 * KIB), 0, &sequential).unwrap();
    assert_eq!((result.read.errors, result.read.ios), (1, 500 + 10));
    assert!(matches!(result.first_error, Some(Rejected::PastTheEnd { .. })));
}

#[test]
fn a_duration_on_a_device_that_takes_no_time_is_refused_and_an_amount_is_not() {
    let timed = Workload {
        amount_bytes: None,
        duration_ns: Some(1),
        ..workload()
    };
    let fault = run(
        &mut Serial {
            service_ns: 0,
            free_ns: 0,
        },
        0,
        &timed,
    )
    .unwrap_err();
    assert_eq!(fault.field, "duration_ns");
    let result = run(
        &mut Serial {
            service_ns: 0,
            free_ns: 0,
        },
        7,
        &workload(),
    )
    .unwrap();
    assert_eq!(
        (result.read.ios, result.end_ns, result.read.windows.ios),
        (1000, 7, vec![1000])
    );
}

#[test]
fn a_workload_is_read_from_json_and_unknown_fields_are_named() {
    let json = r#"{"pattern": "random", "draw": "independent", "action": "read_write", "read_percent": 100,
        "block_bytes": 4096, "queue_depth": 4, "jobs": 1, "region_offset_bytes": 0, "region_length_bytes": 16777216,
        "amount_bytes": 4096000, "duration_ns": null, "rate_iops": null, "sync": "none", "seed": 1,
        "window_ns": 1000000, "log_every_io": "no"}"#;
    assert_eq!(Workload::from_json(json), Ok(workload()));
    let fault = Workload::from_json(&json.replace("rate_iops", "rate")).unwrap_err();
    assert!(fault.message.contains("unknown field `rate`"), "{fault}");
}

#[test]
fn what_no_drive_could_run_is_refused_by_field() {
    let good = workload();
    let bad = [
        Workload {
            read_percent: 101,
            ..good.clone()
        },
        Workload {
            queue_depth: 0,
            ..good.clone()
        },
        Workload {
            jobs: 5000,
            ..good.clone()
        },
        Workload {
            block_bytes: 1000,
            ..good.clone()
        },
        Workload {
            region_offset_bytes: 100,
            ..good.clone()
        },
        Workload {
            region_length_bytes: KIB,
            ..good.clone()
        },
        Workload {
            region_offset_bytes: 60 * MIB,
            ..good.clone()
        },
        Workload {
            amount_bytes: None,
            ..good.clone()
        },
        Workload {
            amount_bytes: Some(KIB),
            ..good.clone()
        },
        Workload {
            rate_iops: Some(0),
            ..good.clone()
        },
        Workload { window_ns: 1, ..good },
    ];
    let faults = bad.map(|workload| workload.check(64 * MIB).unwrap_err().to_string());
    insta::assert_snapshot!(faults.join("\n"), @r"
    read_percent: 101 %, allowed is 0 to 100
    queue_depth: 0 in 1 jobs, allowed is 1 to 1048576 in flight
    jobs: 5000 for 4096 blocks, allowed is one a block
    block_bytes: 1000 is not a multiple of 512
    region_offset_bytes: 100 is not a multiple of 512
    region_length_bytes: 1024 bytes hold no block of 4096 bytes
    region_length_bytes: 16777216 bytes at 62914560, but the drive holds 67108864 bytes
    amount_bytes: neither amount nor duration ends the workload
    amount_bytes: 1024 bytes hold no block of 4096 bytes
    rate_iops: 0, allowed is at least 1; leave it out for a closed loop
    window_ns: 1, allowed is at least 1000000
    ");
}
