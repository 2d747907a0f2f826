//! Writes and trims at a steady pace beside the reads of a job.

use vdrive::Command;
use vdrive::workload::{Beside, BesideKind, HostMemory, Workload, WorkloadResult, run};

use crate::devices::{BadFrom, KIB, MIB, Parallel, Serial, fixed, on_parallel, range, workload};

const SECOND_NS: u64 = 1_000_000_000;

fn reads() -> Workload {
    Workload {
        amount_bytes: None,
        duration_ns: Some(SECOND_NS),
        ..workload()
    }
}

fn paced(kind: BesideKind) -> Beside {
    Beside {
        kind,
        block_bytes: 128 * KIB,
        rate_bytes_per_s: 8 * MIB,
        flush_every: None,
        memory: HostMemory::Direct,
    }
}

fn with(beside: Vec<Beside>) -> Workload {
    Workload { beside, ..reads() }
}

fn flushes(device: &Parallel) -> usize {
    device
        .commands
        .iter()
        .filter(|&&command| command == Command::Flush)
        .count()
}

#[test]
fn each_goes_at_its_own_pace_with_its_own_blocks() {
    let trims = Beside {
        rate_bytes_per_s: 2 * MIB,
        ..paced(BesideKind::Trim)
    };
    let (result, _) = on_parallel(&with(vec![paced(BesideKind::Write), trims]), fixed);
    assert_eq!((result.write.ios, result.write.bytes), (64, 8 * MIB));
    assert_eq!((result.trim.ios, result.trim.bytes), (16, 2 * MIB));
    assert_eq!(result.read.bytes, result.read.ios * 4 * KIB);
}

#[test]
fn a_device_that_does_everything_at_once_reads_as_fast_as_without_them() {
    let (alone, _) = on_parallel(&reads(), fixed);
    let (beside, _) = on_parallel(&with(vec![paced(BesideKind::Write)]), fixed);
    assert_eq!(alone.read.ios, beside.read.ios);
    assert_eq!(alone.read.clat, beside.read.clat);
}

#[test]
fn what_is_late_is_caught_up() {
    let slow_at_first = |service_ns| Serial { service_ns, free_ns: 0 };
    let kept = |result: WorkloadResult| result.write.bytes;
    let one_reader = Workload {
        queue_depth: 1,
        ..with(vec![paced(BesideKind::Write)])
    };
    // 1 ms for each of two streams: 500 writes a second could be done, 64 are due.
    assert_eq!(
        kept(run(&mut slow_at_first(1_000_000), 0, &one_reader).unwrap()),
        8 * MIB
    );
    // 20 ms: 25 a second can be done.
    let missed = kept(run(&mut slow_at_first(20_000_000), 0, &one_reader).unwrap());
    assert_eq!(missed, 25 * 128 * KIB);
}

#[test]
fn the_drive_is_flushed_after_so_many_writes() {
    let flushed = Beside {
        flush_every: Some(16),
        ..paced(BesideKind::Write)
    };
    let (result, device) = on_parallel(&with(vec![flushed]), fixed);
    assert_eq!((result.write.ios, flushes(&device)), (64, 4));
}

#[test]
fn what_waits_in_the_hosts_memory_comes_all_at_once() {
    let buffered = Beside {
        flush_every: Some(16),
        memory: HostMemory::Buffered,
        ..paced(BesideKind::Write)
    };
    let (result, device) = on_parallel(&with(vec![buffered]), fixed);
    assert_eq!(result.write.clat.moments.max_ns(), Some(0));
    assert_eq!(
        (result.write.ios, flushes(&device), device.in_flight_max),
        (64, 4, 4 + 16)
    );
}

#[test]
fn they_end_with_the_job() {
    let (result, device) = on_parallel(&with(vec![paced(BesideKind::Write)]), fixed);
    assert!(device.last_ns < SECOND_NS);
    assert!(
        result.end_ns <= SECOND_NS + fixed(0),
        "ended {} ns after the start",
        result.end_ns
    );
}

#[test]
fn other_blocks_come_for_another_seed_and_the_same_for_the_same() {
    let written = |seed| {
        let (_, device) = on_parallel(
            &Workload {
                seed,
                ..with(vec![paced(BesideKind::Write)])
            },
            fixed,
        );
        let writes = device
            .commands
            .into_iter()
            .filter(|one| matches!(one, Command::Write { .. }));
        writes.map(|one| range(one).0).collect::<Vec<_>>()
    };
    assert_eq!(written(1), written(1));
    assert_ne!(written(1), written(2));
}

#[test]
fn a_refused_write_ends_its_stream_and_not_the_reads() {
    let everywhere = Workload {
        region_length_bytes: 64 * MIB,
        ..with(vec![paced(BesideKind::Write)])
    };
    let result = run(&mut BadFrom(0), 0, &everywhere).unwrap();
    assert_eq!((result.write.errors, result.write.ios), (1, 0));
}

#[test]
fn what_could_not_be_kept_apart_or_would_never_end_is_refused() {
    let refused = |workload: Workload| workload.check(64 * MIB).unwrap_err().to_string();
    let faults = [
        refused(Workload {
            read_percent: 0,
            ..with(vec![paced(BesideKind::Write)])
        }),
        refused(with(vec![Beside {
            block_bytes: 1000,
            ..paced(BesideKind::Write)
        }])),
        refused(with(vec![Beside {
            block_bytes: 32 * MIB,
            ..paced(BesideKind::Write)
        }])),
        refused(with(vec![Beside {
            rate_bytes_per_s: 0,
            ..paced(BesideKind::Trim)
        }])),
    ];
    insta::assert_snapshot!(faults.join("\n"), @r"
    beside: goes only with a closed loop of reads that ends by duration
    beside: blocks of 1000 bytes are no whole sectors
    beside: the region holds no block of 33554432 bytes
    beside: neither its rate nor the writes between flushes can be 0
    ");
}
