//! The virtual-time driver, on devices so simple that the right answer is known.

use std::collections::BTreeMap;

use fiolog::log::Direction;
use proptest::prelude::*;
use vdrive::workload::{
    Action, BlockDevice, Draw, Durability, LogEveryIo, Pattern, Progress, Run, Workload, WorkloadResult, run,
};
use vdrive::{Command, Rejected, Sync};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Completes each command after a time that depends on its offset alone, any number at once, and remembers what it saw.
struct Parallel {
    capacity_bytes: u64,
    latency_ns: fn(u64) -> u64,
    last_ns: u64,
    completions_ns: Vec<u64>,
    in_flight_max: usize,
    commands: Vec<Command>,
}

impl Parallel {
    fn new(latency_ns: fn(u64) -> u64) -> Self {
        let (last_ns, in_flight_max) = (0, 0);
        let (completions_ns, commands) = (Vec::new(), Vec::new());
        Parallel {
            capacity_bytes: 64 * MIB,
            latency_ns,
            last_ns,
            completions_ns,
            in_flight_max,
            commands,
        }
    }

    fn offsets_bytes(&self) -> impl Iterator<Item = u64> + '_ {
        self.commands.iter().map(|command| range(*command).0)
    }
}

impl BlockDevice for Parallel {
    fn capacity_bytes(&self) -> u64 {
        self.capacity_bytes
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        assert!(now_ns >= self.last_ns, "presented at {now_ns} after {}", self.last_ns);
        self.last_ns = now_ns;
        self.commands.push(command);
        let (offset_bytes, length_bytes) = range(command);
        assert!(offset_bytes + length_bytes <= self.capacity_bytes);
        self.completions_ns.retain(|&completion_ns| completion_ns > now_ns);
        let completion_ns = now_ns + (self.latency_ns)(offset_bytes);
        self.completions_ns.push(completion_ns);
        self.in_flight_max = self.in_flight_max.max(self.completions_ns.len());
        Ok(completion_ns)
    }
}

/// Does one command after the other.
struct Serial {
    service_ns: u64,
    free_ns: u64,
}

impl BlockDevice for Serial {
    fn capacity_bytes(&self) -> u64 {
        64 * MIB
    }

    fn submit(&mut self, now_ns: u64, _: Command) -> Result<u64, Rejected> {
        self.free_ns = self.free_ns.max(now_ns) + self.service_ns;
        Ok(self.free_ns)
    }
}

/// Refuses everything from a certain offset on.
struct BadFrom(u64);

impl BlockDevice for BadFrom {
    fn capacity_bytes(&self) -> u64 {
        64 * MIB
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let (offset_bytes, length_bytes) = range(command);
        let refused = Rejected::PastTheEnd {
            offset_bytes,
            length_bytes,
            capacity_bytes: self.0,
        };
        if offset_bytes < self.0 {
            Ok(now_ns + 1000)
        } else {
            Err(refused)
        }
    }
}

fn range(command: Command) -> (u64, u64) {
    match command {
        Command::Read {
            offset_bytes,
            length_bytes,
        }
        | Command::Write {
            offset_bytes,
            length_bytes,
            ..
        }
        | Command::Trim {
            offset_bytes,
            length_bytes,
        } => (offset_bytes, length_bytes),
        Command::Flush => (0, 0),
    }
}

fn fixed(_: u64) -> u64 {
    100_000
}

fn scattered(offset_bytes: u64) -> u64 {
    20_000 + (offset_bytes.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 46)
}

/// 1000 random 4 KiB reads at queue depth 4 on 16 MiB.
fn workload() -> Workload {
    Workload {
        pattern: Pattern::Random,
        draw: Draw::Independent,
        action: Action::ReadWrite,
        read_percent: 100,
        block_bytes: 4 * KIB,
        queue_depth: 4,
        jobs: 1,
        region_offset_bytes: 0,
        region_length_bytes: 16 * MIB,
        amount_bytes: Some(1000 * 4 * KIB),
        duration_ns: None,
        ramp_ns: 0,
        rate_iops: None,
        sync: Durability::None,
        seed: 1,
        window_ns: 1_000_000,
        log_every_io: LogEveryIo::No,
    }
}

fn on_parallel(workload: &Workload, latency_ns: fn(u64) -> u64) -> (WorkloadResult, Parallel) {
    let mut device = Parallel::new(latency_ns);
    let result = run(&mut device, 0, workload).unwrap();
    (result, device)
}

fn times_each(offsets_bytes: impl Iterator<Item = u64>) -> BTreeMap<u64, u32> {
    let mut times = BTreeMap::new();
    for offset_bytes in offsets_bytes {
        *times.entry(offset_bytes).or_insert(0) += 1;
    }
    times
}

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
        assert_eq!(result.end_ns, 49 * 1_000_000_000 / rate_iops + 100_000);
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
    // The last of 1000 I/Os was due after 999 x 5 us and completed after 1000 x 10 us.
    assert_eq!(result.read.lat.moments.max_ns(), Some(10_000_000 - 999 * 5_000));
}

#[test]
fn a_permutation_covers_each_block_once_a_pass_however_many_jobs() {
    for jobs in [1, 3, 7] {
        let thrice = Workload {
            draw: Draw::Permutation,
            jobs,
            amount_bytes: Some(48 * MIB),
            ..workload()
        };
        let (_, device) = on_parallel(&thrice, fixed);
        let times = times_each(device.offsets_bytes());
        assert_eq!(times.len() as u64, 16 * MIB / (4 * KIB));
        assert!(times.values().all(|&times| times == 3));
    }
}

#[test]
fn each_pass_of_a_permutation_has_another_order() {
    let twice = Workload {
        draw: Draw::Permutation,
        amount_bytes: Some(32 * MIB),
        ..workload()
    };
    let (_, device) = on_parallel(&twice, fixed);
    let offsets: Vec<u64> = device.offsets_bytes().collect();
    let (first, second) = offsets.split_at(offsets.len() / 2);
    let same = first.iter().zip(second).filter(|(one, other)| one == other).count();
    assert!(same < 20, "{same} of {} blocks at the same place", first.len());
}

#[test]
fn independent_draws_leave_a_share_of_one_by_e_untouched_in_one_pass() {
    let once = Workload {
        amount_bytes: Some(64 * MIB),
        region_length_bytes: 64 * MIB,
        ..workload()
    };
    let (_, device) = on_parallel(&once, fixed);
    let blocks = 64 * MIB / (4 * KIB);
    let untouched = 1.0 - times_each(device.offsets_bytes()).len() as f64 / blocks as f64;
    assert!((untouched - (-1f64).exp()).abs() < 0.01, "{untouched}");
}

#[test]
fn sequential_jobs_wrap_and_together_cover_the_region_once_a_pass() {
    let twice = Workload {
        pattern: Pattern::Sequential,
        jobs: 3,
        amount_bytes: Some(32 * MIB),
        ..workload()
    };
    let (_, device) = on_parallel(&twice, fixed);
    let times = times_each(device.offsets_bytes());
    assert_eq!(times.len() as u64, 16 * MIB / (4 * KIB));
    assert!(times.values().all(|&times| times == 2));
}

#[test]
fn a_sequential_stream_ascends_block_by_block_and_stays_in_its_region() {
    let region = Workload {
        pattern: Pattern::Sequential,
        read_percent: 0,
        region_offset_bytes: MIB,
        region_length_bytes: 10 * KIB,
        amount_bytes: Some(5 * 4 * KIB),
        ..workload()
    };
    let (_, device) = on_parallel(&region, fixed);
    let expected = [MIB, MIB + 4 * KIB, MIB, MIB + 4 * KIB, MIB];
    assert_eq!(device.offsets_bytes().collect::<Vec<_>>(), expected);
}

#[test]
fn reads_and_writes_of_a_sequential_mix_each_keep_their_own_place() {
    let mixed = Workload {
        pattern: Pattern::Sequential,
        read_percent: 50,
        ..workload()
    };
    let (_, device) = on_parallel(&mixed, fixed);
    let (reads, writes): (Vec<Command>, Vec<Command>) = device
        .commands
        .iter()
        .partition(|command| matches!(command, Command::Read { .. }));
    for direction in [reads, writes] {
        assert!(
            direction
                .iter()
                .enumerate()
                .all(|(index, command)| range(*command).0 == index as u64 * 4 * KIB)
        );
    }
}

#[test]
fn the_share_of_reads_is_the_one_asked_for() {
    for read_percent in [5, 50, 95] {
        let mixed = Workload {
            read_percent,
            amount_bytes: Some(20_000 * 4 * KIB),
            ..workload()
        };
        let (result, _) = on_parallel(&mixed, fixed);
        let found = result.read.ios as f64 / (result.read.ios + result.write.ios) as f64;
        assert!(
            (found - f64::from(read_percent) / 100.0).abs() < 0.01,
            "{found} for {read_percent} %"
        );
    }
}

#[test]
fn synchronous_writes_force_unit_access_and_trims_trim() {
    let is = |workload: Workload, wanted: fn(&Command) -> bool| {
        let (_, device) = on_parallel(&workload, fixed);
        assert!(device.commands.iter().all(wanted));
    };
    let writes = Workload {
        read_percent: 0,
        ..workload()
    };
    is(
        Workload {
            sync: Durability::Sync,
            ..writes.clone()
        },
        |c| matches!(c, Command::Write { sync: Sync::Fua, .. }),
    );
    is(writes, |command| {
        matches!(
            command,
            Command::Write {
                sync: Sync::Buffered,
                ..
            }
        )
    });
    is(
        Workload {
            action: Action::Trim,
            ..workload()
        },
        |command| matches!(command, Command::Trim { .. }),
    );
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
fn the_ramp_is_done_but_not_counted() {
    let ramped = Workload {
        queue_depth: 1,
        ramp_ns: 1_050_000,
        duration_ns: Some(1_000_000),
        ..workload()
    };
    let (result, device) = on_parallel(
        &Workload {
            amount_bytes: None,
            ..ramped
        },
        fixed,
    );
    assert_eq!((device.commands.len(), result.read.ios), (21, 11));
    assert_eq!(result.read.runtime_ns, 2_100_000 - 1_050_000);
}

#[test]
fn an_idle_stretch_is_windows_without_ios() {
    let slow = Workload {
        rate_iops: Some(250),
        amount_bytes: Some(3 * 4 * KIB),
        ..workload()
    };
    let (result, _) = on_parallel(&slow, fixed);
    assert_eq!(result.read.windows.ios, [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    assert_eq!(result.read.windows.end_ns[7..], [8_000_000, 8_100_000]);
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
fn another_seed_draws_other_offsets() {
    let (_, one) = on_parallel(&workload(), fixed);
    let (_, other) = on_parallel(&Workload { seed: 2, ..workload() }, fixed);
    assert_ne!(one.commands, other.commands);
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

#[test]
fn a_workload_is_read_from_json_and_unknown_fields_are_named() {
    let json = r#"{"pattern": "random", "draw": "independent", "action": "read_write", "read_percent": 100,
        "block_bytes": 4096, "queue_depth": 4, "jobs": 1, "region_offset_bytes": 0, "region_length_bytes": 16777216,
        "amount_bytes": 4096000, "duration_ns": null, "ramp_ns": 0, "rate_iops": null, "sync": "none", "seed": 1,
        "window_ns": 1000000, "log_every_io": "no"}"#;
    assert_eq!(Workload::from_json(json), Ok(workload()));
    let fault = Workload::from_json(&json.replace("ramp_ns", "ramp")).unwrap_err();
    assert!(fault.message.contains("unknown field `ramp`"), "{fault}");
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

fn any_workload() -> impl Strategy<Value = Workload> {
    let kinds = (
        prop::sample::select(vec![Pattern::Sequential, Pattern::Random]),
        prop::sample::select(vec![Draw::Independent, Draw::Permutation]),
        prop::sample::select(vec![Action::ReadWrite, Action::Trim]),
        0u8..=100,
    );
    let sizes = (1u64..9, 1u32..20, 1u32..5, 0u64..4, 64 * KIB..MIB);
    let ends = (prop::option::of(64 * KIB..2 * MIB), 1u64..5_000_000, 0u64..2_000_000);
    (kinds, sizes, ends, prop::option::of(1000u64..10_000_000), any::<u64>()).prop_map(
        |(
            (pattern, draw, action, read_percent),
            (sectors, queue_depth, jobs, at_mib, length),
            ends,
            rate_iops,
            seed,
        )| {
            let (amount_bytes, duration_ns, ramp_ns) = ends;
            Workload {
                pattern,
                draw,
                action,
                read_percent,
                block_bytes: sectors * 512,
                queue_depth,
                jobs,
                region_offset_bytes: at_mib * MIB,
                region_length_bytes: length,
                amount_bytes,
                duration_ns: Some(duration_ns),
                ramp_ns,
                rate_iops,
                seed,
                log_every_io: LogEveryIo::Yes,
                ..workload()
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn windows_histograms_and_single_ios_add_up_to_the_totals(workload in any_workload()) {
        let (result, _) = on_parallel(&workload, scattered);
        let every_io = result.every_io.as_ref().unwrap();
        prop_assert!(every_io.time_ns.is_sorted());
        let sides = [(&result.read, Direction::Read), (&result.write, Direction::Write), (&result.trim, Direction::Trim)];
        for (side, direction) in sides {
            let windows = &side.windows;
            prop_assert_eq!(windows.ios.iter().sum::<u64>(), side.ios);
            prop_assert_eq!(windows.lat_ns_sum.iter().map(|&sum| u128::from(sum)).sum::<u128>(), side.lat.moments.sum_ns());
            prop_assert_eq!(windows.lat_ns_max.iter().max().copied(), side.lat.moments.max_ns());
            prop_assert!(windows.end_ns.is_sorted_by(|one, next| one < next));
            prop_assert_eq!(windows.end_ns.last().copied().unwrap_or(0), side.runtime_ns);
            prop_assert_eq!(side.bytes, side.ios * workload.block_bytes);
            prop_assert_eq!(side.lat.histogram.count(), side.ios);
            prop_assert_eq!(side.clat.histogram.count(), side.ios);
            prop_assert_eq!(every_io.direction.iter().filter(|&&kind| kind == direction).count() as u64, side.ios);
        }
    }

    #[test]
    fn requests_stay_in_region_queue_depth_and_amount(workload in any_workload()) {
        let (_, device) = on_parallel(&workload, scattered);
        let region = workload.region_offset_bytes..=workload.region_offset_bytes + workload.region_length_bytes;
        for command in &device.commands {
            let (offset_bytes, length_bytes) = range(*command);
            prop_assert!(region.contains(&offset_bytes) && region.contains(&(offset_bytes + length_bytes)));
            prop_assert_eq!((offset_bytes - workload.region_offset_bytes) % workload.block_bytes, 0);
        }
        prop_assert!(device.in_flight_max <= (workload.queue_depth * workload.jobs) as usize);
        let issued_bytes = device.commands.len() as u64 * workload.block_bytes;
        prop_assert!(workload.amount_bytes.is_none_or(|amount_bytes| issued_bytes <= amount_bytes));
    }

    #[test]
    fn slices_of_any_length_give_the_result_of_one_go(workload in any_workload(), slice_ios in 1u64..500) {
        let mut device = Parallel::new(scattered);
        let mut sliced = Run::new(device.capacity_bytes, 5, &workload).unwrap();
        let mut share_done = 0.0;
        while sliced.advance(&mut device, slice_ios).unwrap() == Progress::Running {
            prop_assert!(sliced.share_done() >= share_done);
            share_done = sliced.share_done();
        }
        prop_assert_eq!(sliced.finish(), run(&mut Parallel::new(scattered), 5, &workload).unwrap());
    }
}
