//! What holds for any workload.

use fiolog::log::Direction;
use proptest::prelude::*;
use vdrive::workload::{Action, Draw, LatencyOverTime, Limit, LogEveryIo, Pattern, Progress, Run, Workload, run};

use crate::devices::{KIB, MIB, Parallel, on_parallel, range, scattered, workload};

fn any_workload() -> impl Strategy<Value = Workload> {
    let kinds = (
        prop::sample::select(vec![Pattern::Sequential, Pattern::Random]),
        prop::sample::select(vec![Draw::Independent, Draw::Permutation]),
        prop::sample::select(vec![Action::ReadWrite, Action::Trim]),
        0u8..=100,
    );
    let sizes = (1u64..9, 1u32..20, 1u32..5, 0u64..4, 64 * KIB..MIB);
    let ends = (prop::option::of(64 * KIB..2 * MIB), 1u64..5_000_000);
    (kinds, sizes, ends, prop::option::of(1000u64..10_000_000), any::<u64>()).prop_map(
        |(
            (pattern, draw, action, read_percent),
            (sectors, queue_depth, jobs, at_mib, length),
            ends,
            rate_iops,
            seed,
        )| {
            let (amount_bytes, duration_ns) = ends;
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
                rate_iops,
                seed,
                log_every_io: LogEveryIo::Yes,
                latency_over_time: LatencyOverTime::Yes,
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
            let over_time = side.clat_over_time.as_ref().unwrap();
            let mut in_windows = vec![0; windows.ios.len()];
            for cell in over_time.cells() {
                in_windows[cell.window * over_time.windows_joined() as usize] += cell.count;
            }
            prop_assert!(over_time.windows_joined() > 1 || in_windows == windows.ios);
            prop_assert_eq!(in_windows.iter().sum::<u64>(), side.ios);
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
        while sliced.advance(&mut device, Limit::of_ios(slice_ios)).unwrap() == Progress::Running {
            prop_assert!(sliced.share_done() >= share_done);
            share_done = sliced.share_done();
        }
        prop_assert_eq!(sliced.finish(), run(&mut Parallel::new(scattered), 5, &workload).unwrap());
    }
}
