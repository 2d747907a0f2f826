//! Points on devices whose latency arithmetic knows.

mod open_loop;
mod queue;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fiolog::Percent;
use vdrive::workload::{BlockDevice, Issue, Planned, Progress, Replay};
use vdrive::{Command, Rejected, Spec, VDrive};

use super::*;
use crate::{Arrivals, Constant, Counts, Length, Listed, Mix, Model, Operation, Part, Region, Request, Series, Tee};

const SECOND_NS: u64 = 1_000_000_000;
const REGION: Region = Region {
    offset_bytes: 0,
    length_bytes: 1 << 30,
};

/// First come, first served, by so many servers of one service time; all of them stand still for a while.
struct Servers {
    free_ns: BinaryHeap<Reverse<u64>>,
    service_ns: u64,
    stall_ns: (u64, u64),
    fails_from: u64,
    taken: u64,
}

impl Servers {
    fn new(count: usize, service_ns: u64) -> Self {
        Self {
            free_ns: (0..count).map(|_| Reverse(0)).collect(),
            service_ns,
            stall_ns: (0, 0),
            fails_from: u64::MAX,
            taken: 0,
        }
    }
}

impl BlockDevice for Servers {
    fn capacity_bytes(&self) -> u64 {
        REGION.length_bytes
    }

    fn submit(&mut self, now_ns: u64, _: Command) -> Result<u64, Rejected> {
        self.taken += 1;
        if self.taken > self.fails_from {
            return Err(Rejected::Medium);
        }
        let Some(Reverse(free_ns)) = self.free_ns.pop() else {
            unreachable!("there is a server")
        };
        let start_ns = free_ns.max(now_ns);
        let stalled = (self.stall_ns.0..self.stall_ns.1).contains(&start_ns);
        let start_ns = if stalled { self.stall_ns.1 } else { start_ns };
        self.free_ns.push(Reverse(start_ns + self.service_ns));
        Ok(start_ns + self.service_ns)
    }
}

/// Keeps when each I/O completed.
struct Completions(Vec<u64>);

impl Sink for Completions {
    fn finished(&mut self, io: &Finished) {
        self.0.push(io.completed_ns);
    }
}

fn reads() -> Box<dyn crate::Source + Send> {
    let part = Part::uniform(Operation::Read, 4096, REGION, 1).unwrap();
    Box::new(Mix::new(vec![part], 1).unwrap())
}

fn closed(queue_depth: u32, length: Length) -> Point {
    Point {
        source: reads(),
        schedule: Schedule::Closed { queue_depth },
        length,
    }
}

fn open(arrivals: impl Arrivals + Send + 'static, length: Length) -> Point {
    Point {
        source: reads(),
        schedule: Schedule::Open {
            arrivals: Box::new(arrivals),
            in_flight_max: 1 << 14,
        },
        length,
    }
}

fn counted(device: &mut impl BlockDevice, points: Vec<Point>) -> (Counts, Vec<Ending>) {
    let mut counts = Counts::default();
    let endings = run(&mut Model::new(device, 0), points, &mut counts, &mut NoJudge).unwrap();
    (counts, endings)
}

fn percent(share: f64) -> Percent {
    Percent::try_from(share).unwrap()
}

#[test]
fn a_closed_loop_does_what_its_depth_allows() {
    for (depth, servers, expected) in [(1, 8, 10_000), (4, 8, 40_000), (32, 8, 80_000)] {
        let (counts, endings) = counted(
            &mut Servers::new(servers, 100_000),
            vec![closed(depth, Length::of_ns(SECOND_NS))],
        );
        let reads = &counts.point(0).unwrap()[0];
        // What was submitted before the end and completes after it counts, too.
        assert!(
            (expected..=expected + u64::from(depth)).contains(&reads.ios),
            "{}",
            reads.ios
        );
        assert_eq!(endings[0].because, Because::AsPlanned);
        assert_eq!(reads.lateness_moments.max_ns(), Some(0));
        assert_eq!(reads.response, reads.service);
    }
}

#[test]
fn a_point_of_so_many_ios_submits_no_more() {
    let (counts, endings) = counted(
        &mut Servers::new(4, 1000),
        vec![closed(32, Length::of_ios(1234).after(50_000))],
    );
    assert_eq!(counts.point(0).unwrap()[0].ios, 1234);
    assert!(endings[0].submitted > 1234);
}

#[test]
fn points_follow_each_other_without_a_gap() {
    struct Submissions(Vec<(u32, u64, u64)>);
    impl Sink for Submissions {
        fn finished(&mut self, io: &Finished) {
            self.0.push((io.point, io.submitted_ns, io.completed_ns));
        }
    }
    let mut seen = Submissions(Vec::new());
    let points = vec![
        closed(8, Length::of_ns(SECOND_NS / 10)),
        closed(1, Length::of_ns(SECOND_NS / 10)),
        closed(64, Length::of_ns(SECOND_NS / 10)),
    ];
    let mut device = Servers::new(4, 100_000);
    let endings = run(&mut Model::new(&mut device, 0), points, &mut seen, &mut NoJudge).unwrap();
    for (before, after) in endings.iter().zip(&endings[1..]) {
        assert_eq!(before.end_ns, after.start_ns);
    }
    seen.0.sort_unstable_by_key(|&(_, submitted_ns, _)| submitted_ns);
    // Never is nothing in flight.
    let mut busy_until_ns = 0;
    for (_, submitted_ns, completed_ns) in seen.0 {
        assert!(submitted_ns <= busy_until_ns);
        busy_until_ns = busy_until_ns.max(completed_ns);
    }
}

#[test]
fn a_device_that_stalls_delays_all_that_is_due_meanwhile() {
    let mut device = Servers::new(1, 100_000);
    device.stall_ns = (5 * SECOND_NS, 6 * SECOND_NS);
    let (counts, _) = counted(
        &mut device,
        vec![open(Constant::new(2_000.0).unwrap(), Length::of_ns(20 * SECOND_NS))],
    );
    let reads = &counts.point(0).unwrap()[0];
    // 2,000 are due in the second of the stall, and the queue shrinks by 8,000 a second after it: 2,500 of 40,000 wait,
    // for times that are even from 1 s down to 0. The slowest 3.125 % are therefore above 0.5 s, a tenth of the 6.25 % above 0.9 s.
    for (share, expected_ns) in [(96.875, 500_000_000_u64), (99.375, 900_000_000), (50.0, 100_000)] {
        let found_ns = reads.response.percentile_ns(percent(share)).unwrap();
        assert!(found_ns.abs_diff(expected_ns) * 50 < expected_ns, "{share}: {found_ns}");
    }
    // The device was asked one after the other: all that waited was in its queue.
    assert_eq!(reads.response_moments.max_ns(), reads.service_moments.max_ns());
}

#[test]
fn with_one_in_flight_only_one_is_slow_for_the_device_and_all_for_their_users() {
    let mut device = Servers::new(1, 100_000);
    device.stall_ns = (5 * SECOND_NS, 6 * SECOND_NS);
    let point = Point {
        source: reads(),
        schedule: Schedule::Open {
            arrivals: Box::new(Constant::new(2_000.0).unwrap()),
            in_flight_max: 1,
        },
        length: Length::of_ns(20 * SECOND_NS),
    };
    let (counts, _) = counted(&mut device, vec![point]);
    let reads = &counts.point(0).unwrap()[0];
    // The first is due after the first gap, the 40,000th at the end.
    assert_eq!(reads.ios, 39_999);
    let slow = reads
        .service
        .printed()
        .filter(|&(ns, _)| ns > 200_000)
        .map(|(_, count)| count)
        .sum::<u64>();
    assert_eq!(slow, 1);
    assert!(
        reads
            .response
            .percentile_ns(percent(96.875))
            .unwrap()
            .abs_diff(500_000_000)
            < 10_000_000
    );
    // Waiting for room is the device's fault, not the generator's.
    assert_eq!(reads.lateness_moments.max_ns(), Some(0));
}

#[test]
fn a_listed_load_gives_the_completions_of_the_replay() {
    let spec = Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap();
    let offsets: Vec<u64> = (0..5_000_u64).map(|n| n * 7919 % 4096 * 4096).collect();
    let write = |&offset_bytes: &u64| Command::Write {
        offset_bytes,
        length_bytes: 4096,
        sync: vdrive::Sync::Buffered,
    };
    let planned = |command| Planned {
        command,
        issue: Issue::WhenRoom,
        pause_ns: 0,
    };
    let mut replay = Replay::new(offsets.iter().map(write).map(planned).collect(), 8, 0).unwrap();
    while replay.advance_drive(&mut VDrive::new(&spec), usize::MAX).unwrap() == Progress::Running {}
    let mut expected = replay.finish().completed_ns;

    let mut found = Completions(Vec::new());
    let request = |offset_bytes| Request {
        operation: Operation::Write,
        offset_bytes,
        length_bytes: 4096,
        stream: 0,
    };
    let point = Point {
        source: Box::new(Listed::new(offsets.into_iter().map(request))),
        schedule: Schedule::Closed { queue_depth: 8 },
        length: Length::of_ios(u64::MAX),
    };
    let mut drive = VDrive::new(&spec);
    run(&mut Model::new(&mut drive, 0), vec![point], &mut found, &mut NoJudge).unwrap();
    expected.sort_unstable();
    assert_eq!(found.0, expected);
}

#[test]
fn a_judge_ends_a_point_or_has_it_go_on() {
    struct After(u64, Verdict);
    impl Judge for After {
        fn window(&mut self, window: &Window) -> Verdict {
            if window.end_ns == self.0 { self.1 } else { Verdict::GoOn }
        }
    }
    let ended = |verdict| {
        let mut counts = Counts::default();
        let mut device = Servers::new(1, 100_000);
        let points = vec![closed(1, Length::of_ns(2 * SECOND_NS))];
        let mut judge = After(SECOND_NS / 2, verdict);
        run(&mut Model::new(&mut device, 0), points, &mut counts, &mut judge).unwrap()[0]
    };
    let early = ended(Verdict::End);
    assert_eq!((early.end_ns, early.because), (SECOND_NS / 2, Because::Judged));
    let late = ended(Verdict::Extend { by_ns: SECOND_NS });
    assert_eq!((late.end_ns, late.because), (3 * SECOND_NS, Because::AsPlanned));
}

#[test]
fn windows_cover_a_point_without_gaps_and_hold_every_io() {
    let mut device = Servers::new(3, 70_000);
    device.stall_ns = (SECOND_NS / 2, SECOND_NS);
    let points = vec![
        closed(3, Length::of_ns(SECOND_NS + 1)),
        closed(1, Length::of_ns(SECOND_NS / 4)),
    ];
    let mut sink = Tee(Counts::default(), Series::default());
    let endings = run(&mut Model::new(&mut device, 0), points, &mut sink, &mut NoJudge).unwrap();
    let Tee(counts, Series { windows }) = sink;
    for (number, ending) in (0..).zip(&endings) {
        let of_point: Vec<&Window> = windows.iter().filter(|window| window.point == number).collect();
        assert_eq!(of_point[0].begin_ns, 0);
        assert!(of_point.windows(2).all(|pair| pair[0].end_ns == pair[1].begin_ns));
        assert_eq!(of_point[of_point.len() - 1].end_ns, ending.end_ns - ending.start_ns);
    }
    let in_windows: u64 = windows.iter().map(Window::ios).sum();
    let all: u64 = (0..2).map(|number| counts.point(number).unwrap()[0].ios).sum();
    // What was in flight at the very end is in no window.
    assert!(all - in_windows <= 3, "{in_windows} of {all}");
    assert!(windows.iter().any(|window| window.ios() == 0), "the stall is seen");
}

#[test]
fn an_overloaded_point_ends_in_time_and_counts_what_found_no_room() {
    // Twice as many are due as the device can do.
    let overloaded = |in_flight_max, ios| Point {
        source: reads(),
        schedule: Schedule::Open {
            arrivals: Box::new(Constant::new(2_000.0).unwrap()),
            in_flight_max,
        },
        length: Length {
            ios,
            ..Length::of_ns(SECOND_NS / 5)
        },
    };
    for in_flight_max in [1, 8, 64] {
        let mut device = Servers::new(1, 1_000_000);
        let (counts, endings) = counted(
            &mut device,
            vec![overloaded(in_flight_max, None), closed(1, Length::of_ios(10))],
        );
        let (ending, reads) = (endings[0], &counts.point(0).unwrap()[0]);
        assert_eq!((ending.end_ns, ending.because), (SECOND_NS / 5, Because::AsPlanned));
        // All that was submitted is answered; the last of 400 is due at the end and is none of them.
        assert_eq!(
            (reads.ios, ending.submitted + ending.unsubmitted),
            (ending.submitted, 399)
        );
        assert!(
            ending.submitted.abs_diff(200 + u64::from(in_flight_max)) <= 2,
            "{}",
            ending.submitted
        );
        assert_eq!(counts.point(1).unwrap()[0].ios, 10);
    }
    let (_, endings) = counted(&mut Servers::new(1, 1_000_000), vec![overloaded(1, Some(300))]);
    assert_eq!(endings[0].submitted + endings[0].unsubmitted, 300);
}

#[test]
fn what_found_no_room_is_counted_only_when_all_else_is_done() {
    struct Drawn(Constant, Arc<AtomicU64>);
    impl Arrivals for Drawn {
        fn next_ns(&mut self) -> u64 {
            self.1.fetch_add(1, Ordering::Relaxed);
            self.0.next_ns()
        }
        fn mean_ios(&self, until_ns: u64) -> f64 {
            self.0.mean_ios(until_ns)
        }
    }
    /// How many had been drawn at each completion.
    struct AtCompletion(Arc<AtomicU64>, Vec<u64>);
    impl Sink for AtCompletion {
        fn finished(&mut self, _: &Finished) {
            self.1.push(self.0.load(Ordering::Relaxed));
        }
    }
    let drawn = Arc::new(AtomicU64::new(0));
    let point = Point {
        source: reads(),
        schedule: Schedule::Open {
            arrivals: Box::new(Drawn(Constant::new(1_000_000.0).unwrap(), Arc::clone(&drawn))),
            in_flight_max: 8,
        },
        length: Length::of_ns(SECOND_NS / 10),
    };
    let mut sink = AtCompletion(drawn, Vec::new());
    let mut device = Servers::new(1, 1_000_000);
    let ending = run(&mut Model::new(&mut device, 0), vec![point], &mut sink, &mut NoJudge).unwrap()[0];
    assert_eq!(ending.submitted + ending.unsubmitted, 99_999);
    assert_eq!(sink.1.last(), Some(&(ending.submitted + 1)));
}

#[test]
fn more_than_can_be_drawn_in_a_second_are_counted_by_their_rate() {
    let waiting = |ios, ramp_ns| {
        let point = |duration_ns| Point {
            source: reads(),
            schedule: Schedule::Open {
                arrivals: Box::new(Constant::new(1e9).unwrap()),
                in_flight_max: 1,
            },
            length: Length {
                ios,
                ramp_ns,
                duration_ns: Some(duration_ns),
            },
        };
        let points = vec![point(SECOND_NS), point(100 * SECOND_NS)];
        let (_, endings) = counted(&mut Servers::new(1, 1_000_000), points);
        [0, 1].map(|at| endings[at].submitted + endings[at].unsubmitted)
    };
    // The last of a second is due at its end and is none of them, which a mean does not know.
    for (ios, ramp_ns, expected) in [
        (None, 0, [SECOND_NS, 100 * SECOND_NS]),
        (Some(SECOND_NS / 2), 0, [SECOND_NS / 2; 2]),
        (Some(5), SECOND_NS, [SECOND_NS + 5; 2]),
    ] {
        let found = waiting(ios, ramp_ns);
        assert!(
            (0..2).all(|at| found[at].abs_diff(expected[at]) <= 1),
            "{found:?} for {expected:?}"
        );
    }
}

#[test]
fn room_for_none_counts_as_room_for_one() {
    let (counts, _) = counted(&mut Servers::new(4, 1000), vec![closed(0, Length::of_ios(10))]);
    assert_eq!(counts.point(0).unwrap()[0].ios, 10);
}

#[test]
fn an_error_ends_the_run_and_is_counted() {
    let mut device = Servers::new(4, 100_000);
    device.fails_from = 100;
    let points = vec![closed(4, Length::of_ns(SECOND_NS)), closed(4, Length::of_ns(SECOND_NS))];
    let (counts, endings) = counted(&mut device, points);
    assert_eq!(endings.len(), 1);
    assert_eq!(endings[0].because, Because::Failed { errno: 5 });
    let reads = &counts.point(0).unwrap()[0];
    assert_eq!((reads.ios, reads.errors > 0), (100, true));
}

#[test]
fn a_device_without_time_is_refused_where_time_is_to_end_the_point() {
    let points = vec![closed(1, Length::of_ns(1))];
    let mut device = Servers::new(1, 0);
    let found = run(
        &mut Model::new(&mut device, 0),
        points,
        &mut Counts::default(),
        &mut NoJudge,
    );
    assert_eq!(found, Err(Stalled::Timeless { at_ns: 0 }));
    let (counts, _) = counted(&mut Servers::new(1, 0), vec![closed(1, Length::of_ios(3_000_000))]);
    assert_eq!(counts.point(0).unwrap()[0].ios, 3_000_000);
}

/// Waits for nothing that is in flight for longer than a window.
struct Impatient {
    asked: u32,
}

impl Judge for Impatient {
    fn window(&mut self, _: &Window) -> Verdict {
        Verdict::End
    }

    fn gives_up(&mut self) -> bool {
        self.asked += 1;
        true
    }
}

#[test]
fn what_is_in_flight_at_the_end_is_given_up_by_time_however_much_completes() {
    let run_on = |service_ns| {
        let (mut device, mut counts, mut judge) =
            (Servers::new(1, service_ns), Counts::default(), Impatient { asked: 0 });
        let point = closed(64, Length::of_ns(SECOND_NS));
        let ended = run(&mut Model::new(&mut device, 0), vec![point], &mut counts, &mut judge);
        (ended.is_ok(), judge.asked)
    };
    // All 63 that are left take 63 ms, or 630 ms.
    assert_eq!(run_on(1_000_000), (true, 0));
    assert_eq!(run_on(10_000_000), (false, 1));
}
