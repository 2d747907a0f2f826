//! A run that is watched window by window and told to stop.

use proptest::prelude::*;
use vdrive::workload::{Limit, Progress, Run, Workload, WorkloadResult, run};

use crate::devices::{MIB, Parallel, scattered, workload};

fn long() -> Workload {
    Workload {
        queue_depth: 7,
        read_percent: 40,
        amount_bytes: Some(64 * MIB),
        ..workload()
    }
}

/// Goes on in slices of so many I/Os until so many windows are done, and stops there.
fn stopped(workload: &Workload, windows: u64, slice_ios: u64) -> (Vec<u64>, WorkloadResult) {
    let mut device = Parallel::new(scattered);
    let mut run = Run::new(device.capacity_bytes, 5, workload).unwrap();
    let limit = Limit {
        ios: slice_ios,
        windows,
    };
    while run.windows_done() < windows && run.advance(&mut device, limit).unwrap() == Progress::Running {}
    let seen = run.ios_of_windows(0);
    run.stop();
    while run.advance(&mut device, Limit::NONE).unwrap() == Progress::Running {}
    (seen, run.finish())
}

fn ios_of_windows(result: &WorkloadResult) -> Vec<u64> {
    let (read, write) = (&result.read.windows.ios, &result.write.windows.ios);
    read.iter().zip(write).map(|(reads, writes)| reads + writes).collect()
}

#[test]
fn a_stopped_run_completes_what_is_in_flight_and_no_more() {
    let (seen, result) = stopped(&long(), 10, u64::MAX);
    let windows = ios_of_windows(&result);
    assert_eq!(seen.len(), 10);
    assert_eq!(windows[..10], seen);
    assert_eq!(windows.len(), 11);
    // The I/O whose completion ended the tenth window was replaced at once, so one more than the queue depth completes.
    assert_eq!(windows[10], 1 + u64::from(long().queue_depth));
}

#[test]
fn a_run_that_is_stopped_before_it_began_does_nothing() {
    let mut device = Parallel::new(scattered);
    let mut run = Run::new(device.capacity_bytes, 5, &long()).unwrap();
    run.stop();
    assert_eq!(run.advance(&mut device, Limit::NONE).unwrap(), Progress::Done);
    assert_eq!(run.finish().write.ios, 0);
}

proptest! {
    #[test]
    fn where_a_run_stops_does_not_depend_on_the_slices(windows in 1u64..40, slice_ios in 1u64..500) {
        prop_assert_eq!(stopped(&long(), windows, slice_ios), stopped(&long(), windows, u64::MAX));
    }

    #[test]
    fn what_is_seen_of_a_window_is_all_of_it(windows in 1u64..40) {
        let (seen, _) = stopped(&long(), windows, u64::MAX);
        let whole = ios_of_windows(&run(&mut Parallel::new(scattered), 5, &long()).unwrap());
        prop_assert_eq!(&seen[..], &whole[..windows as usize]);
    }
}
