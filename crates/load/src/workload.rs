//! Jobs in the words of the model's driver ([`vdrive::workload`]): the same description, and a result of the same shape.

use fiolog::log::Direction;
use vdrive::Command;
use vdrive::workload::{FinishedIo, Ios, Latency, Tally, WorkloadFault, WorkloadResult};

use crate::access::Workload;
use crate::backend::{Backend, Export, LENGTH_BYTES_MAX, Stalled, Uring};
use crate::mixture::{Issued, IssuedCell};
use crate::point::{Length, Point};
use crate::request::{Operation, Request};
use crate::run::{Judge, WINDOW_NS, run};
use crate::schedule::Schedule;
use crate::sink::{Finished, Outcome, Sink};
use crate::source::Listed;

/// What became of a job.
#[derive(Debug)]
pub struct Performed {
    /// As the model's driver tells it; `first_error` is never set.
    pub result: WorkloadResult,
    /// From when each I/O could have been submitted to its submission: what the host lost.
    pub lateness: Latency,
    /// When its first I/O was submitted, on the back-end's clock; `None` if there was none.
    pub began_ns: Option<u64>,
    /// The first I/O that failed, after which none was submitted.
    pub failed: Option<Failed>,
    /// Of a mix, what was done by kind.
    pub issued: Option<Vec<IssuedCell>>,
}

/// An I/O that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failed {
    /// What it was.
    pub command: Command,
    /// The system's number of the error.
    pub errno: i32,
}

/// A job that has no result.
#[derive(Debug, thiserror::Error)]
pub enum CannotPerform {
    /// It does not fit the device or this engine.
    #[error(transparent)]
    Workload(#[from] WorkloadFault),
    /// The device does not go on.
    #[error(transparent)]
    Device(#[from] Stalled),
}

/// Does a job: a closed loop, or one of arrivals if it has a rate. Whether writes are forced is the back-end's. Nothing is in flight
/// when it is over, so that the next one on the same back-end begins without a gap and has its I/Os alone.
///
/// # Errors
/// It is none that this engine does, or the device does not go on.
pub fn perform<B: Backend>(
    backend: &mut B,
    capacity_bytes: u64,
    workload: &Workload,
    judge: &mut dyn Judge,
) -> Result<Performed, CannotPerform> {
    let point = point_of(capacity_bytes, workload)?;
    let start_ns = backend.now_ns();
    let mut sink = Counting::new(start_ns, workload)?;
    let endings = run(backend, vec![point], &mut sink, judge)?;
    Ok(sink.performed(endings.iter().map(|ending| ending.unsubmitted).sum()))
}

/// [`perform`] on an export: compiled with this crate, whose code is optimised in every build.
///
/// # Errors
/// As [`perform`].
pub fn perform_on_export(
    export: &mut Export,
    capacity_bytes: u64,
    workload: &Workload,
    judge: &mut dyn Judge,
) -> Result<Performed, CannotPerform> {
    perform(export, capacity_bytes, workload, judge)
}

/// [`perform`] on a file or device, likewise.
///
/// # Errors
/// As [`perform`].
pub fn perform_on_file(
    uring: &mut Uring,
    capacity_bytes: u64,
    workload: &Workload,
    judge: &mut dyn Judge,
) -> Result<Performed, CannotPerform> {
    perform(uring, capacity_bytes, workload, judge)
}

fn point_of(capacity_bytes: u64, workload: &Workload) -> Result<Point, WorkloadFault> {
    let fault = |field, message: &str| WorkloadFault {
        field,
        message: message.to_owned(),
    };
    let ios = Ios::new(capacity_bytes, workload)?;
    if !workload.beside.is_empty() {
        return Err(fault("beside", "the load engine does one stream"));
    }
    if workload.window_ns != WINDOW_NS {
        return Err(fault("window_ns", "the load engine has windows of 100 ms"));
    }
    if workload.block_bytes > LENGTH_BYTES_MAX as u64 {
        return Err(fault("block_bytes", "the load engine has I/Os of up to 1 MiB"));
    }
    let length_bytes = workload.block_bytes as u32;
    let in_flight_max = workload.queue_depth * workload.jobs;
    let schedule = match workload.due() {
        None => Schedule::Closed {
            queue_depth: in_flight_max,
        },
        Some(due) => Schedule::Open {
            arrivals: Box::new(due),
            in_flight_max,
        },
    };
    let mut drawn = workload.drawn()?;
    let request = move |(direction, offset_bytes)| {
        let operation = operation(direction);
        let own = drawn.as_mut().and_then(|drawn| drawn.next(operation));
        own.unwrap_or(Request {
            operation,
            offset_bytes,
            length_bytes,
            stream: 0,
        })
    };
    Ok(Point {
        source: Box::new(Listed::new(ios.map(request))),
        schedule,
        length: Length {
            ramp_ns: 0,
            duration_ns: workload.duration_ns,
            ios: None,
        },
    })
}

fn operation(direction: Direction) -> Operation {
    match direction {
        Direction::Read => Operation::Read,
        Direction::Write => Operation::Write,
        Direction::Trim => Operation::Trim,
    }
}

fn direction(operation: Operation) -> Direction {
    match operation {
        Operation::Read => Direction::Read,
        Operation::Write => Direction::Write,
        Operation::Trim => Direction::Trim,
    }
}

/// Counts as the model's driver does.
pub struct Counting {
    tally: Tally,
    /// By operation.
    errors: [u64; 3],
    bytes: [u64; 3],
    lateness: Latency,
    failed: Option<Failed>,
    began_ns: Option<u64>,
    end_ns: u64,
    issued: Option<Issued>,
}

impl Counting {
    /// Nothing yet of a job that begins then.
    ///
    /// # Errors
    /// It is of a mix that there is not.
    pub fn new(start_ns: u64, workload: &Workload) -> Result<Self, WorkloadFault> {
        Ok(Self {
            tally: Tally::new(start_ns, workload),
            errors: [0; 3],
            bytes: [0; 3],
            lateness: Latency::default(),
            failed: None,
            began_ns: None,
            end_ns: start_ns,
            issued: workload.issued()?,
        })
    }

    /// Something that is no I/O, such as a flush, was over then: the job lasts until then at least.
    pub fn lasts_until(&mut self, completed_ns: u64) {
        self.end_ns = self.end_ns.max(completed_ns);
    }

    /// A command failed; the first is kept.
    pub fn failed(&mut self, command: Command, errno: i32) {
        self.failed.get_or_insert(Failed { command, errno });
    }

    /// What became of the job, of whose I/Os so many were due and never submitted.
    pub fn performed(self, unsubmitted: u64) -> Performed {
        let mut result = self.tally.finish(self.end_ns);
        let parts = [&mut result.read, &mut result.write, &mut result.trim];
        for (of, part) in parts.into_iter().enumerate() {
            part.errors = self.errors[of];
            // I/Os of several lengths, too.
            part.bytes = self.bytes[of];
        }
        result.unsubmitted = unsubmitted;
        Performed {
            issued: self.issued.as_ref().map(Issued::cells),
            result,
            lateness: self.lateness,
            began_ns: self.began_ns,
            failed: self.failed,
        }
    }
}

impl Sink for Counting {
    #[inline]
    fn finished(&mut self, io: &Finished) {
        self.lasts_until(io.completed_ns);
        if io.number == 0 {
            self.began_ns = Some(io.submitted_ns);
        }
        if let Outcome::Failed { errno } = io.outcome {
            self.errors[io.request.operation as usize] += 1;
            self.failed(Command::from(&io.request), errno);
            return;
        }
        self.bytes[io.request.operation as usize] += u64::from(io.request.length_bytes);
        self.lateness.record(io.lateness_ns());
        if let Some(issued) = &mut self.issued {
            issued.count(&io.request);
        }
        self.tally.count(FinishedIo {
            direction: direction(io.request.operation),
            offset_bytes: io.request.offset_bytes,
            due_ns: io.due_ns,
            submitted_ns: io.submitted_ns,
            completed_ns: io.completed_ns,
        });
    }
}

#[cfg(test)]
mod tests {
    use vdrive::workload::arrivals::Spacing;
    use vdrive::workload::{self, Action, Draw, Durability, LatencyOverTime, LogEveryIo, Pattern};
    use vdrive::{Spec, VDrive};

    use super::*;
    use crate::backend::Model;
    use crate::run::NoJudge;

    fn workload(pattern: Pattern, draw: Draw, read_percent: u8) -> workload::Workload {
        workload::Workload {
            pattern,
            draw,
            action: Action::ReadWrite,
            read_percent,
            block_bytes: 4096,
            queue_depth: 4,
            jobs: 1,
            region_offset_bytes: 0,
            region_length_bytes: 64 << 20,
            amount_bytes: Some(32 << 20),
            duration_ns: None,
            rate_iops: None,
            arrivals: Spacing::Poisson,
            sync: Durability::None,
            seed: 7,
            window_ns: WINDOW_NS,
            log_every_io: LogEveryIo::Yes,
            latency_over_time: LatencyOverTime::Yes,
            beside: Vec::new(),
        }
    }

    fn drive() -> VDrive {
        VDrive::new(&Spec::parse(Spec::builtin_text("demo").unwrap()).unwrap())
    }

    fn performed(workload: &workload::Workload) -> WorkloadResult {
        let mut drive = drive();
        let capacity_bytes = drive.spec().capacity_bytes();
        let done = perform(
            &mut Model::new(&mut drive, 0),
            capacity_bytes,
            &workload.clone().into(),
            &mut NoJudge,
        )
        .unwrap();
        assert_eq!((done.failed, done.lateness.moments.max_ns()), (None, Some(0)));
        done.result
    }

    #[test]
    fn a_closed_loop_gives_the_result_of_the_models_own_driver() {
        for (pattern, draw, read_percent) in [
            (Pattern::Random, Draw::Independent, 0),
            (Pattern::Random, Draw::Independent, 70),
            (Pattern::Random, Draw::Permutation, 0),
            (Pattern::Sequential, Draw::Independent, 50),
        ] {
            let workload = workload(pattern, draw, read_percent);
            let expected = vdrive::workload::run(&mut drive(), 0, &workload).unwrap();
            let found = performed(&workload);
            assert_eq!(found.end_ns, expected.end_ns, "{workload:?}");
            assert_eq!(found.read, expected.read, "{workload:?}");
            assert_eq!(found.write, expected.write, "{workload:?}");
        }
    }

    #[test]
    fn an_open_loop_gives_the_result_of_the_models_own_driver() {
        // Below what the drive can do, and beyond: there the end of the time leaves I/Os behind.
        for (arrivals, rate_iops, queue_depth) in [
            (Spacing::Poisson, 2_000, 256),
            (Spacing::Poisson, 1_000_000, 4),
            (Spacing::Constant, 2_000, 256),
            (Spacing::Bursts, 2_000, 256),
        ] {
            let workload = workload::Workload {
                rate_iops: Some(rate_iops),
                arrivals,
                queue_depth,
                amount_bytes: None,
                duration_ns: Some(500_000_000),
                ..workload(Pattern::Random, Draw::Independent, 70)
            };
            let expected = vdrive::workload::run(&mut drive(), 0, &workload).unwrap();
            let found = performed(&workload);
            assert_eq!(found.end_ns, expected.end_ns, "{rate_iops}");
            assert_eq!(found.read, expected.read, "{rate_iops}");
            assert_eq!(found.write, expected.write, "{rate_iops}");
            assert_eq!(found.unsubmitted, expected.unsubmitted, "{rate_iops}");
            assert_eq!(found.unsubmitted > 0, queue_depth == 4, "{rate_iops}");
        }
    }

    #[test]
    fn jobs_on_one_back_end_follow_each_other_without_a_gap() {
        let mut drive = drive();
        let capacity_bytes = drive.spec().capacity_bytes();
        let mut model = Model::new(&mut drive, 0);
        let mut ended_ns = None;
        for read_percent in [0, 70, 100] {
            let workload = workload(Pattern::Random, Draw::Independent, read_percent);
            let done = perform(&mut model, capacity_bytes, &workload.into(), &mut NoJudge).unwrap();
            let ios = done.result.read.ios + done.result.write.ios;
            assert_eq!(ios * 4096, 32 << 20);
            // In virtual time nothing else takes any.
            assert!(ended_ns.is_none() || ended_ns == done.began_ns);
            ended_ns = Some(done.result.end_ns);
        }
    }

    #[test]
    fn jobs_take_turns_and_each_does_its_part() {
        let workload = workload::Workload {
            jobs: 3,
            ..workload(Pattern::Sequential, Draw::Independent, 0)
        };
        let mut found = performed(&workload).every_io.unwrap().offset_bytes;
        let mut expected = vdrive::workload::run(&mut drive(), 0, &workload)
            .unwrap()
            .every_io
            .unwrap()
            .offset_bytes;
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_rate_is_kept_in_the_mean() {
        let workload = workload::Workload {
            rate_iops: Some(5_000),
            queue_depth: 64,
            amount_bytes: None,
            duration_ns: Some(20_000_000_000),
            ..workload(Pattern::Random, Draw::Independent, 100)
        };
        let found = performed(&workload).read;
        // Four standard deviations of a Poisson count.
        assert!(
            (found.ios as f64 - 100_000.0).abs() < 4.0 * 100_000_f64.sqrt(),
            "{}",
            found.ios
        );
        assert!(found.lat.moments.mean_ns() >= found.clat.moments.mean_ns());
    }

    #[test]
    fn an_overloaded_drive_is_left_in_time_and_what_was_not_submitted_is_counted() {
        let workload = workload::Workload {
            rate_iops: Some(1_000_000),
            amount_bytes: None,
            duration_ns: Some(100_000_000),
            ..workload(Pattern::Random, Draw::Independent, 100)
        };
        let mut drive = drive();
        let capacity_bytes = drive.spec().capacity_bytes();
        let done = perform(
            &mut Model::new(&mut drive, 0),
            capacity_bytes,
            &workload.into(),
            &mut NoJudge,
        )
        .unwrap();
        let due = (done.result.read.ios + done.result.unsubmitted) as f64;
        // Four standard deviations of a Poisson count.
        assert!((due - 100_000.0).abs() < 4.0 * 100_000_f64.sqrt(), "{due}");
        assert!(done.result.unsubmitted > 10_000, "{}", done.result.unsubmitted);
        assert!(done.result.end_ns < 110_000_000, "{}", done.result.end_ns);
    }

    #[test]
    fn what_it_does_not_do_is_refused() {
        let refused = workload::Workload {
            window_ns: 50_000_000,
            ..workload(Pattern::Random, Draw::Independent, 100)
        };
        let mut drive = drive();
        let capacity_bytes = drive.spec().capacity_bytes();
        let found = perform(
            &mut Model::new(&mut drive, 0),
            capacity_bytes,
            &refused.into(),
            &mut NoJudge,
        );
        assert!(matches!(
            found,
            Err(CannotPerform::Workload(WorkloadFault { field: "window_ns", .. }))
        ));
    }
}
