//! A trace replayed at its recorded times on the drive it was recorded on, as new, is what was recorded.

use load::{Model, Outcome};
use replay::{Pace, Replayed, command, replay};
use trace::{Flags, Io, Op};
use vdrive::random::Random;
use vdrive::{Spec, VDrive};

fn drive() -> VDrive {
    VDrive::new(&Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap())
}

/// Everything that a device may be asked for, at irregular times.
fn asked(ios: u64) -> Vec<Io> {
    let mut random = Random::new(3);
    let mut at_ns = 0;
    let drawn = (0..ios).map(|_| {
        at_ns += random.below(200_000);
        let offset_bytes = random.below(1 << 16) * 4096;
        let length_bytes = (1 + random.below(32)) * 4096;
        let (op, length_bytes) = match random.below(10) {
            0 => (Op::Flush, 0),
            1 => (Op::Discard, length_bytes),
            2..6 => (Op::Read, length_bytes),
            _ => (Op::Write, length_bytes),
        };
        let durable = op == Op::Write && random.below(4) == 0;
        Io {
            at_ns: Some(at_ns),
            flags: Some(Flags(if durable { Flags::FUA } else { 0 })),
            ..Io::new(op, if op == Op::Flush { 0 } else { offset_bytes }, length_bytes)
        }
    });
    drawn.collect()
}

/// As a server of the drive writes them down.
fn recorded(drive: &mut VDrive, asked: Vec<Io>) -> Vec<Io> {
    let record = |io: Io| {
        let at_ns = io.at_ns.unwrap();
        let ended_ns = drive.submit(at_ns, command(&io)).unwrap();
        Io {
            latency_ns: Some(ended_ns - at_ns),
            ..io
        }
    };
    asked.into_iter().map(record).collect()
}

fn replayed(ios: &[Io]) -> Vec<Replayed> {
    let (mut drive, mut found) = (drive(), Vec::new());
    let ios = ios.iter().copied().map(Ok);
    replay(
        &mut Model::new(&mut drive, 0),
        ios,
        Pace::Timed,
        4096,
        &mut |io: &Replayed| {
            found.push(*io);
        },
    )
    .unwrap();
    found.sort_by_key(|io| io.number);
    found
}

#[test]
fn order_places_arrivals_and_completions_are_the_recorded_ones() {
    let mut recording = drive();
    let ios = recorded(&mut recording, asked(20_000));
    let found = replayed(&ios);
    assert_eq!(found.len(), ios.len());
    for (io, replayed) in ios.iter().zip(&found) {
        assert_eq!(replayed.io, *io);
        assert_eq!(replayed.outcome, Outcome::Done);
        assert_eq!(Some(replayed.submitted_ns), io.at_ns);
        assert_eq!(Some(replayed.completed_ns - replayed.submitted_ns), io.latency_ns);
    }
}

#[test]
fn where_there_is_no_room_an_io_is_late_and_its_response_tells_so() {
    let ios = recorded(&mut drive(), asked(2_000));
    let (mut drive, mut late) = (drive(), 0);
    let ios = ios.into_iter().map(Ok);
    replay(
        &mut Model::new(&mut drive, 0),
        ios,
        Pace::Timed,
        1,
        &mut |io: &Replayed| {
            late += u64::from(io.lateness_ns() > 0);
            assert_eq!(io.response_ns(), io.lateness_ns() + io.completed_ns - io.submitted_ns);
        },
    )
    .unwrap();
    assert!(late > 0);
}
