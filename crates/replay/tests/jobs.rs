//! A replay as a job of the load engine.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use load::{Judge, Model, NoJudge, Verdict, Window};
use replay::{CannotReplay, Done, Pace, Replaying, Task, perform};
use trace::{CapturedAt, Io, Meta, Op, TraceWriter, VERSION};
use vdrive::{Command, Spec, VDrive};

const JOB: &str = r#"{"pattern": "random", "draw": "independent", "action": "read_write", "read_percent": 50, "block_bytes": 4096,
    "queue_depth": 64, "jobs": 1, "region_offset_bytes": 0, "region_length_bytes": 67108864, "amount_bytes": 67108864,
    "duration_ns": null, "rate_iops": null, "sync": "none", "seed": 7, "log_every_io": "no", "replay": REPLAY}"#;

struct Trace(PathBuf);

impl Trace {
    fn of(name: &str, ios: &[Io]) -> Self {
        let path = std::env::temp_dir().join(format!("ssdlab-replayed-{}-{name}", std::process::id()));
        let meta = Meta {
            version: VERSION,
            format: "made".to_owned(),
            files: Vec::new(),
            device: None,
            device_bytes: None,
            captured_at: CapturedAt::Unknown,
            time_resolution_ns: None,
            started_unix_ns: None,
            lost: None,
            left_out: BTreeMap::new(),
            licence: None,
            anonymised: None,
        };
        let mut writer = TraceWriter::new(File::create(&path).unwrap()).unwrap();
        for io in ios {
            writer.push(*io).unwrap();
        }
        writer.finish(&meta).unwrap();
        Self(path)
    }

    fn replaying(&self, pace: Pace) -> Replaying {
        Replaying {
            trace: self.0.clone(),
            pace,
        }
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        drop(std::fs::remove_file(&self.0));
    }
}

fn done(trace: &Trace, pace: Pace, judge: &mut dyn Judge) -> Result<Done, CannotReplay> {
    done_on(
        &Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap(),
        trace,
        pace,
        judge,
    )
}

fn done_on(spec: &Spec, trace: &Trace, pace: Pace, judge: &mut dyn Judge) -> Result<Done, CannotReplay> {
    let Task { workload, .. } = Task::from_json(&JOB.replace(r#", "replay": REPLAY"#, "")).unwrap();
    let mut drive = VDrive::new(spec);
    let capacity_bytes = drive.spec().capacity_bytes();
    let mut model = Model::new(&mut drive, 0);
    perform(&mut model, capacity_bytes, &workload, &trace.replaying(pace), judge)
}

fn io(op: Op, at_ns: u64, offset_bytes: u64, length_bytes: u64) -> Io {
    Io {
        at_ns: Some(at_ns),
        ..Io::new(op, offset_bytes, length_bytes)
    }
}

#[test]
fn a_job_says_its_trace_and_its_pace() {
    for (json, pace) in [
        (r#""timed""#, Pace::Timed),
        (r#""dependent""#, Pace::Dependent),
        (r#"{"idle": {"gap_ns_max": 5}}"#, Pace::Idle { gap_ns_max: 5 }),
        (
            r#"{"as_fast": {"in_flight_max": 9}}"#,
            Pace::AsFast { in_flight_max: 9 },
        ),
    ] {
        let told = format!(r#"{{"trace": "/x/y.ssdtrace", "pace": {json}}}"#);
        let task = Task::from_json(&JOB.replace("REPLAY", &told)).unwrap();
        assert_eq!(task.workload.queue_depth, 64);
        assert_eq!(task.replaying.unwrap().pace, pace);
    }
    assert_eq!(
        Task::from_json(&JOB.replace("REPLAY", r#""timed""#)).unwrap_err().field,
        "json"
    );
}

#[test]
fn ios_of_any_length_are_counted_by_what_they_do_and_flushes_apart() {
    let ios = [
        io(Op::Write, 0, 0, 8192),
        io(Op::Write, 10, 8192, 4096),
        io(Op::Flush, 20, 0, 0),
        io(Op::Read, 2_000_000, 0, 4096),
        io(Op::Discard, 3_000_000, 0, 1 << 20),
    ];
    let found = done(&Trace::of("counted", &ios), Pace::Timed, &mut NoJudge).unwrap();
    let result = &found.performed.result;
    assert_eq!((result.write.ios, result.write.bytes), (2, 12_288));
    assert_eq!((result.read.ios, result.read.bytes), (1, 4096));
    assert_eq!((result.trim.ios, result.trim.bytes), (1, 1 << 20));
    assert_eq!(found.aside.flushes, 1);
    assert!(found.aside.moved_share.abs() < 1e-12);
}

#[test]
fn a_flush_at_the_end_is_part_of_the_time() {
    let writes = |count| (0..count).map(|at| io(Op::Write, at * 100_000, at * 4096, 4096));
    let flush = io(Op::Flush, 10_000_000, 0, 0);
    let lasted = |name, ios: &[Io]| {
        let found = done(&Trace::of(name, ios), Pace::Timed, &mut NoJudge).unwrap();
        found.performed.result.end_ns
    };
    let written_ns = lasted("written", &writes(50).collect::<Vec<_>>());
    let flushed: Vec<_> = writes(50).chain([flush]).collect();
    let flushed_ns = lasted("flushed", &flushed);
    assert!(
        written_ns < 10_000_000 && flushed_ns > 10_000_000,
        "{written_ns} {flushed_ns}"
    );
    // Of a read behind the flush nobody waits longer than for the flush and the read.
    let read = flushed.into_iter().chain([io(Op::Read, 10_000_000, 1 << 29, 4096)]);
    let read_ns = lasted("read", &read.collect::<Vec<_>>());
    assert!(read_ns >= flushed_ns, "{read_ns} {flushed_ns}");
}

#[test]
fn a_discard_is_counted_with_all_its_bytes() {
    let ios = [io(Op::Discard, 0, 0, 5 << 30), io(Op::Read, 10, 0, 4096)];
    let demo = Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap();
    let large = demo.rescaled(6 << 30).unwrap();
    let found = done_on(&large, &Trace::of("discarded", &ios), Pace::Timed, &mut NoJudge).unwrap();
    assert_eq!(found.performed.result.trim.bytes, 5 << 30);
}

/// Keeps what the first window moved.
struct Moved(Option<[u64; 3]>);

impl Judge for Moved {
    fn window(&mut self, window: &Window) -> Verdict {
        self.0.get_or_insert(window.operations.map(|of| of.bytes));
        Verdict::GoOn
    }
}

#[test]
fn a_discard_moves_nothing_in_its_window() {
    let ios = [
        io(Op::Write, 0, 0, 8192),
        io(Op::Discard, 10, 0, 1 << 30),
        io(Op::Read, 200_000_000, 0, 4096),
    ];
    let mut judge = Moved(None);
    done(&Trace::of("windows", &ios), Pace::Timed, &mut judge).unwrap();
    assert_eq!(judge.0, Some([0, 8192, 0]));
}

#[test]
fn what_fails_ends_it_and_is_told() {
    let ios: Vec<Io> = (0..20)
        .map(|at| io(Op::Read, at * 1_000_000, if at == 10 { 1000 } else { at * 4096 }, 4096))
        .collect();
    let found = done(&Trace::of("failed", &ios), Pace::Timed, &mut NoJudge).unwrap();
    let failed = found.performed.failed.unwrap();
    let command = Command::Read {
        offset_bytes: 1000,
        length_bytes: 4096,
    };
    assert_eq!((found.performed.result.read.ios, failed.command), (10, command));
}

#[test]
fn what_lies_beyond_the_drive_is_done_on_it_and_told() {
    let ios = [io(Op::Read, 0, 0, 4096), io(Op::Read, 5, 1 << 50, 4096)];
    let found = done(&Trace::of("beyond", &ios), Pace::Timed, &mut NoJudge).unwrap();
    assert_eq!(found.performed.result.read.errors, 0);
    assert!((found.aside.moved_share - 0.5).abs() < 1e-12);
}

/// Ends a job with its third window.
struct Third(u32);

impl Judge for Third {
    fn window(&mut self, _: &Window) -> Verdict {
        self.0 += 1;
        if self.0 == 3 { Verdict::End } else { Verdict::GoOn }
    }
}

#[test]
fn a_judge_sees_each_window_and_ends_it() {
    let ios: Vec<Io> = (0..100)
        .map(|which| io(Op::Read, which * 10_000_000, which * 4096, 4096))
        .collect();
    let found = done(&Trace::of("judged", &ios), Pace::Timed, &mut Third(0)).unwrap();
    assert_eq!(found.performed.result.read.ios, 30);
}

#[test]
fn what_is_no_trace_is_an_error() {
    let none = Trace(std::env::temp_dir().join("ssdlab-no-trace-there"));
    assert!(matches!(
        done(&none, Pace::Timed, &mut NoJudge),
        Err(CannotReplay::Trace(_))
    ));
}
