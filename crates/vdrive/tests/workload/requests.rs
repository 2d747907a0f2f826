//! Which requests a workload makes.

use std::collections::VecDeque;

use fiolog::log::Direction;
use vdrive::workload::{Action, BlockDevice, Draw, Durability, Pattern, Workload, run};
use vdrive::{Command, Rejected, Sync};

use crate::devices::{KIB, MIB, fixed, on_parallel, range, times_each, workload};

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
    let thrice = Workload {
        draw: Draw::Permutation,
        amount_bytes: Some(48 * MIB),
        ..workload()
    };
    let (_, device) = on_parallel(&thrice, fixed);
    let offsets: Vec<u64> = device.offsets_bytes().collect();
    let passes: Vec<&[u64]> = offsets.chunks(offsets.len() / 3).collect();
    for (one, other) in [(0, 1), (0, 2), (1, 2)] {
        let same = passes[one]
            .iter()
            .zip(passes[other])
            .filter(|(one, other)| one == other)
            .count();
        assert!(
            same < 20,
            "{same} of {} blocks at the same place in passes {one} and {other}",
            passes[one].len()
        );
    }
}

#[test]
fn each_job_draws_its_own_offsets() {
    let two = Workload {
        queue_depth: 1,
        jobs: 2,
        ..workload()
    };
    let (_, device) = on_parallel(&two, fixed);
    let offsets: Vec<u64> = device.offsets_bytes().collect();
    let same = offsets.chunks(2).filter(|pair| pair[0] == pair[1]).count();
    assert!(same < 10, "{same} of {} pairs alike", offsets.len() / 2);
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
fn another_seed_draws_other_offsets() {
    let (_, one) = on_parallel(&workload(), fixed);
    let (_, other) = on_parallel(&Workload { seed: 2, ..workload() }, fixed);
    assert_ne!(one.commands, other.commands);
}

/// Remembers where it was told that I/Os come, and holds them against those that do.
#[derive(Default)]
struct Forewarned {
    expected: VecDeque<(Direction, u64)>,
    submitted: usize,
}

impl BlockDevice for Forewarned {
    fn capacity_bytes(&self) -> u64 {
        64 * MIB
    }

    fn submit(&mut self, now_ns: u64, command: Command) -> Result<u64, Rejected> {
        let found = match command {
            Command::Read { offset_bytes, .. } => (Direction::Read, offset_bytes),
            Command::Write { offset_bytes, .. } => (Direction::Write, offset_bytes),
            other => panic!("{other:?}"),
        };
        assert_eq!(Some(found), self.expected.pop_front());
        self.submitted += 1;
        Ok(now_ns + 1000)
    }

    fn expect(&mut self, ios: &[(Direction, u64)]) {
        self.expected.extend(ios);
    }
}

#[test]
fn a_device_is_told_of_every_request_before_it_comes() {
    let mixed = Workload {
        read_percent: 70,
        ..workload()
    };
    let mut device = Forewarned::default();
    run(&mut device, 0, &mixed).unwrap();
    assert_eq!(device.submitted, 1000);
}
