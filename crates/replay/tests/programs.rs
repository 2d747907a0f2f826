//! Programs of known structure, recorded on one drive and replayed on faster and slower ones, in virtual time.

mod kit;

use kit::drives::Servers;
use kit::programs::{Program, Recorded, run};
use load::Model;
use replay::{Pace, Replayed, Waits, replay};
use trace::Io;

/// So much longer or shorter than the program itself a replay may take there (issue of traces, Done when 3).
const TIME_SHARE_MAX: f64 = 0.03;
const EDGES_MIN: f64 = 0.95;
/// Service times of the other drives over those of the recorded one.
const SPEEDS: [f64; 2] = [1.0 / 3.0, 3.0];

const PROGRAMS: [Program; 4] = [
    Program::Threads {
        threads: 1,
        think_ns: 40_000,
        ios: 4_000,
    },
    Program::Threads {
        threads: 4,
        think_ns: 120_000,
        ios: 4_000,
    },
    Program::Bursts {
        length: 8,
        think_ns: 300_000,
        bursts: 800,
    },
    Program::Window { depth: 6, ios: 6_000 },
];

fn recorded(program: Program, speed: f64) -> Recorded {
    run(program, &mut Servers::new(4, 80_000.0 * speed, 11))
}

fn replayed_ns(ios: &[Io], pace: Pace, speed: f64) -> u64 {
    let mut drive = Servers::new(4, 80_000.0 * speed, 5);
    let mut model = Model::new(&mut drive, 0);
    replay(
        &mut model,
        ios.iter().copied().map(Ok),
        pace,
        256,
        &mut |_: &Replayed| {},
    )
    .unwrap()
}

#[test]
fn the_inferred_edges_are_those_of_the_program() {
    for program in PROGRAMS {
        let seen = recorded(program, 1.0);
        let mut waits = Waits::default();
        let (mut right, mut all) = (0, 0);
        for (number, io) in (0..).zip(&seen.ios) {
            let found = waits.next(number, io).unwrap().ios;
            all += found.len().max(seen.waited[number as usize].len());
            right += found
                .iter()
                .filter(|one| seen.waited[number as usize].contains(one))
                .count();
        }
        assert!(
            right as f64 >= EDGES_MIN * f64::from(all as u32),
            "{program:?}: {right} of {all}"
        );
    }
}

#[test]
fn a_replay_of_dependencies_takes_what_the_program_takes_on_drives_of_other_speeds() {
    for program in PROGRAMS {
        let seen = recorded(program, 1.0);
        for speed in SPEEDS {
            let itself_ns = recorded(program, speed).elapsed_ns as f64;
            let found_ns = replayed_ns(&seen.ios, Pace::Dependent, speed) as f64;
            assert!(
                (found_ns / itself_ns - 1.0).abs() <= TIME_SHARE_MAX,
                "{program:?} at {speed}: {found_ns} for {itself_ns}"
            );
        }
    }
}

#[test]
fn at_recorded_times_a_faster_drive_takes_no_less_time() {
    let seen = recorded(PROGRAMS[0], 1.0);
    let found_ns = replayed_ns(&seen.ios, Pace::Timed, 1.0 / 3.0) as f64;
    assert!((found_ns / seen.elapsed_ns as f64 - 1.0).abs() < 0.01);
}

#[test]
fn as_fast_as_it_goes_depends_on_the_drive_and_on_what_may_be_in_flight() {
    let seen = recorded(PROGRAMS[0], 1.0);
    let one_ns = replayed_ns(&seen.ios, Pace::AsFast { in_flight_max: 1 }, 1.0) as f64;
    let four_ns = replayed_ns(&seen.ios, Pace::AsFast { in_flight_max: 4 }, 1.0) as f64;
    assert!((one_ns / four_ns - 4.0).abs() < 0.3, "{one_ns} against {four_ns}");
}

#[test]
fn a_trace_without_latencies_has_no_dependencies_to_replay() {
    let ios = recorded(PROGRAMS[0], 1.0)
        .ios
        .into_iter()
        .map(|io| Io { latency_ns: None, ..io });
    let mut drive = Servers::new(4, 80_000.0, 5);
    let refused = replay(
        &mut Model::new(&mut drive, 0),
        ios.map(Ok),
        Pace::Dependent,
        256,
        &mut |_: &Replayed| {},
    );
    assert_eq!(refused.unwrap_err().to_string(), "I/O 0 has no latency");
}
