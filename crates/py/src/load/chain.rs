//! Workloads one after the other on one connection, while somebody listens.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use load::{
    Backend, Export, Judge, LENGTH_BYTES_MAX, Operation, Performed, ProcessorTime, Stamp, Uring, Verdict, Window,
    perform_on_export, perform_on_file,
};
use nbd::client::Client;
use pyo3::prelude::*;
use replay::{Aside, CannotReplay, Replaying, Task};

/// How often Python looks whether somebody wants to stop while no window closes.
const LOOK: Duration = Duration::from_millis(200);

/// So many looks what is in flight is waited for when it is not wanted any more.
const WAITS_MAX: u32 = 10;

/// Where the I/Os go.
pub(super) enum Target {
    Export(Client),
    File { file: File, capacity_bytes: u64 },
}

/// A workload that was done.
pub(super) struct Done {
    pub(super) performed: Performed,
    /// Of a replay.
    pub(super) aside: Option<Aside>,
    /// When its windows began, on the monotonic clock.
    pub(super) began_ns: u64,
    /// Just before anything of it was done, and just after.
    pub(super) before: Stamp,
    pub(super) after: Stamp,
    pub(super) gap_ns: Option<u64>,
    pub(super) used: ProcessorTime,
    pub(super) counted_before: Option<String>,
    pub(super) counted_after: Option<String>,
}

/// What came of waiting for one.
pub(super) enum Ended {
    Done(Box<Done>),
    Cannot(CannotReplay),
    Failed(std::io::Error),
    Raised(PyErr),
    Panicked,
    Over,
}

/// Has them done by a thread of its own.
pub(super) struct Chain {
    worker: Mutex<Option<Worker>>,
    /// Each lets one more workload begin; None once nothing more is to begin.
    permits: Mutex<Option<Sender<()>>>,
    stop: Arc<Stop>,
    written: Arc<Written>,
}

/// Bytes that each workload that has begun wrote so far.
#[derive(Default)]
struct Written {
    of_each: Mutex<Vec<u64>>,
    /// Beyond so many of all together, nothing more is submitted.
    most: Option<u64>,
}

impl Written {
    fn locked(&self) -> MutexGuard<'_, Vec<u64>> {
        self.of_each.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of_each(&self) -> Vec<u64> {
        self.locked().clone()
    }

    fn begins(&self) {
        self.locked().push(0);
    }

    /// By the one that began last; whether that was too much.
    fn grows(&self, bytes: u64) -> bool {
        let mut of_each = self.locked();
        if let Some(last) = of_each.last_mut() {
            *last += bytes;
        }
        self.most.is_some_and(|most| of_each.iter().sum::<u64>() > most)
    }

    /// All of it, as its result has it: what was in flight when the last window closed, too.
    fn ends(&self, bytes: u64) {
        if let Some(last) = self.locked().last_mut() {
            *last = bytes.max(*last);
        }
    }
}

struct Worker {
    said: Receiver<Said>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Stop {
    ends: AtomicBool,
    is_unwanted: AtomicBool,
}

enum Said {
    Closed(Closed),
    Done(std::io::Result<Result<Box<Done>, CannotReplay>>),
}

/// What Python is told of a window.
struct Closed {
    end_ns: u64,
    bytes: u64,
    written_bytes: u64,
}

impl Chain {
    /// Each workload begins when the one before it is over and it was let. The one that writes more than `written_bytes_max`, together
    /// with those before it, ends with the window in which it did, whether anybody listens or not.
    ///
    /// # Errors
    /// The system has no thread left.
    pub(super) fn begin(
        target: Target,
        workloads: Vec<Task>,
        silence_ns_max: u64,
        written_bytes_max: Option<u64>,
        counters: Option<PathBuf>,
    ) -> std::io::Result<Self> {
        let stop = Arc::new(Stop::default());
        let written = Arc::new(Written {
            most: written_bytes_max,
            ..Written::default()
        });
        let (says, said) = channel();
        let (permits, permitted) = channel();
        let (hears, counts) = (Arc::clone(&stop), Arc::clone(&written));
        let thread = thread::Builder::new().name("load".to_owned()).spawn(move || {
            let links = Links {
                says,
                permitted,
                hears,
                counts,
            };
            // A worker that cannot even open its target says so instead of its first workload.
            match Device::open(target, &workloads, silence_ns_max) {
                Ok(device) => links.work(device, &workloads, counters.as_ref()),
                Err(error) => drop(links.says.send(Said::Done(Err(error)))),
            }
        })?;
        Ok(Self {
            worker: Mutex::new(Some(Worker { said, thread })),
            permits: Mutex::new(Some(permits)),
            stop,
            written,
        })
    }

    /// Lets one more workload begin, as soon as those before it are over.
    pub(super) fn permit(&self) {
        if let Some(permits) = &*self.permits.lock().unwrap_or_else(PoisonError::into_inner) {
            // A worker that has ended says so to whoever waits for its next workload.
            let _ = permits.send(());
        }
    }

    /// Bytes written so far by each workload that has begun, in order.
    pub(super) fn written(&self) -> Vec<u64> {
        self.written.of_each()
    }

    /// Listens until the next workload is over, and ends all of them if Python raises.
    pub(super) fn next(&self, told: &Py<PyAny>) -> Ended {
        let Some(worker) = self.taken() else {
            return Ended::Over;
        };
        let ended = worker.listen(told, &self.stop);
        if matches!(ended, Ended::Done(_)) {
            *self.worker.lock().unwrap_or_else(PoisonError::into_inner) = Some(worker);
            return ended;
        }
        if matches!(ended, Ended::Raised(_)) {
            self.stop.is_unwanted.store(true, Ordering::Relaxed);
        }
        let has_panicked = self.ended(worker);
        match ended {
            Ended::Over if has_panicked => Ended::Panicked,
            ended => ended,
        }
    }

    /// Ends what has begun, and waits for it.
    pub(super) fn close(&self) {
        if let Some(worker) = self.taken() {
            self.stop.is_unwanted.store(true, Ordering::Relaxed);
            self.ended(worker);
        }
    }

    /// Lets nothing more begin, waits, and says whether it panicked.
    fn ended(&self, worker: Worker) -> bool {
        self.stop.ends.store(true, Ordering::Relaxed);
        drop(self.permits.lock().unwrap_or_else(PoisonError::into_inner).take());
        drop(worker.said);
        worker.thread.join().is_err()
    }

    fn taken(&self) -> Option<Worker> {
        self.worker.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        self.close();
    }
}

impl Worker {
    /// Until the workload is over, or Python raises.
    fn listen(&self, told: &Py<PyAny>, stop: &Stop) -> Ended {
        loop {
            let heard = match self.said.recv_timeout(LOOK) {
                Ok(Said::Closed(closed)) => tell(told, &closed).map(|says_stop| {
                    if says_stop {
                        stop.ends.store(true, Ordering::Relaxed);
                    }
                }),
                Ok(Said::Done(Ok(Ok(done)))) => return Ended::Done(done),
                Ok(Said::Done(Ok(Err(cannot)))) => return Ended::Cannot(cannot),
                Ok(Said::Done(Err(error))) => return Ended::Failed(error),
                Err(RecvTimeoutError::Timeout) => look_up(),
                Err(RecvTimeoutError::Disconnected) => return Ended::Over,
            };
            if let Err(raised) = heard {
                return Ended::Raised(raised);
            }
        }
    }
}

fn look_up() -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        Ok(())
    })
}

fn tell(told: &Py<PyAny>, closed: &Closed) -> PyResult<bool> {
    Python::attach(|py| {
        py.check_signals()?;
        let of_window = (closed.end_ns, closed.bytes, closed.written_bytes);
        told.call1(py, of_window)?.extract::<bool>(py)
    })
}

/// The worker's ends of the channels.
struct Links {
    says: Sender<Said>,
    permitted: Receiver<()>,
    hears: Arc<Stop>,
    counts: Arc<Written>,
}

impl Links {
    /// One workload after the other, until one fails or nobody wants the next.
    fn work(&self, mut device: Device, workloads: &[Task], counters: Option<&PathBuf>) {
        let clock_ns = Stamp::now().monotonic_ns.saturating_sub(device.now_ns());
        let counted = || counters.and_then(|place| fs::read_to_string(place).ok());
        let mut ended_ns: Option<u64> = None;
        let mut held = None;
        for workload in workloads {
            if !self.may_begin(&mut held) {
                break;
            }
            let counted_before = counted();
            self.counts.begins();
            let mut judge = Remote {
                links: self,
                held: &mut held,
                waits: 0,
            };
            let (before, used_before) = (Stamp::now(), ProcessorTime::of_this_thread());
            let (performed, aside) = match device.perform(workload, &mut judge) {
                Ok(done) => done,
                Err(cannot) => {
                    self.say_held(&mut held);
                    let _ = self.says.send(Said::Done(Ok(Err(cannot))));
                    return;
                }
            };
            let (after, used) = (Stamp::now(), ProcessorTime::of_this_thread().since(used_before));
            self.counts.ends(performed.result.write.bytes);
            self.say_held(&mut held);
            let (end_ns, is_last) = (performed.result.end_ns, performed.failed.is_some());
            held = Some(Said::Done(Ok(Ok(Box::new(Done {
                began_ns: clock_ns + performed.result.start_ns,
                gap_ns: ended_ns
                    .zip(performed.began_ns)
                    .map(|(ended_ns, began_ns)| began_ns.saturating_sub(ended_ns)),
                before,
                after,
                used,
                counted_before,
                counted_after: counted(),
                performed,
                aside,
            })))));
            ended_ns = Some(end_ns);
            if is_last {
                break;
            }
        }
        self.say_held(&mut held);
    }

    /// Waits until the next workload may begin; whether anybody still wants it.
    fn may_begin(&self, held: &mut Option<Said>) -> bool {
        let is_permitted = match self.permitted.try_recv() {
            Ok(()) => true,
            Err(TryRecvError::Disconnected) => false,
            Err(TryRecvError::Empty) => {
                self.say_held(held);
                self.permitted.recv().is_ok()
            }
        };
        is_permitted && !self.hears.ends.load(Ordering::Relaxed)
    }

    /// That a workload is over is said when the next one runs: who hears it has much to do, perhaps on the only processor.
    fn say_held(&self, held: &mut Option<Said>) {
        if let Some(said) = held.take() {
            let _ = self.says.send(said);
        }
    }
}

/// Tells of windows, and does what it is told.
struct Remote<'a> {
    links: &'a Links,
    held: &'a mut Option<Said>,
    waits: u32,
}

impl Judge for Remote<'_> {
    fn window(&mut self, window: &Window) -> Verdict {
        let closed = Closed {
            end_ns: window.end_ns,
            bytes: window.operations.iter().map(|of| of.bytes).sum(),
            written_bytes: window.operations[Operation::Write as usize].bytes,
        };
        if self.links.counts.grows(closed.written_bytes) {
            self.links.hears.ends.store(true, Ordering::Relaxed);
        }
        self.links.say_held(self.held);
        // Nobody listens any more only when all of it is unwanted.
        let is_heard = self.links.says.send(Said::Closed(closed)).is_ok();
        if !is_heard || self.links.hears.ends.load(Ordering::Relaxed) {
            return Verdict::End;
        }
        Verdict::GoOn
    }

    fn gives_up(&mut self) -> bool {
        self.waits += u32::from(self.links.hears.is_unwanted.load(Ordering::Relaxed));
        self.waits > WAITS_MAX
    }
}

/// What is held open from the first workload to the last.
enum Device {
    Export { export: Box<Export>, capacity_bytes: u64 },
    File { uring: Box<Uring>, capacity_bytes: u64 },
}

impl Device {
    /// With room for the largest of the workloads. What is written follows from the seed of the first.
    fn open(target: Target, workloads: &[Task], silence_ns_max: u64) -> std::io::Result<Self> {
        let in_flight = |task: &Task| task.workload.queue_depth.saturating_mul(task.workload.jobs);
        let in_flight_max = workloads.iter().map(in_flight).max().unwrap_or(0);
        let data_seed = workloads.first().map_or(0, |task| task.workload.seed);
        Ok(match target {
            Target::Export(client) => {
                let capacity_bytes = client.export().size_bytes;
                let export = Box::new(Export::new(client, in_flight_max, silence_ns_max, data_seed));
                Self::Export { export, capacity_bytes }
            }
            Target::File { file, capacity_bytes } => {
                let block_bytes = workloads.iter().map(longest_bytes).max().unwrap_or(0);
                let block_bytes = u32::try_from(block_bytes).unwrap_or(u32::MAX);
                let uring = Box::new(Uring::new(file, in_flight_max, block_bytes, silence_ns_max, data_seed)?);
                Self::File { uring, capacity_bytes }
            }
        })
    }

    fn now_ns(&mut self) -> u64 {
        match self {
            Self::Export { export, .. } => export.now_ns(),
            Self::File { uring, .. } => uring.now_ns(),
        }
    }

    fn perform(&mut self, task: &Task, judge: &mut dyn Judge) -> Result<(Performed, Option<Aside>), CannotReplay> {
        if let Some(replaying) = &task.replaying {
            return self.replay(task, replaying, judge);
        }
        let workload = &task.workload;
        let performed = match self {
            Self::Export { export, capacity_bytes } => perform_on_export(export, *capacity_bytes, workload, judge),
            Self::File { uring, capacity_bytes } => perform_on_file(uring, *capacity_bytes, workload, judge),
        };
        Ok((performed?, None))
    }

    fn replay(
        &mut self,
        task: &Task,
        replaying: &Replaying,
        judge: &mut dyn Judge,
    ) -> Result<(Performed, Option<Aside>), CannotReplay> {
        let workload = &task.workload;
        let done = match self {
            Self::Export { export, capacity_bytes } => {
                replay::perform(&mut **export, *capacity_bytes, workload, replaying, judge)
            }
            Self::File { uring, capacity_bytes } => {
                replay::perform(&mut **uring, *capacity_bytes, workload, replaying, judge)
            }
        };
        done.map(|done| (done.performed, Some(done.aside)))
    }
}

/// Memory that each I/O in flight needs: those of a trace are of any length.
fn longest_bytes(task: &Task) -> u64 {
    match task.replaying {
        Some(_) => LENGTH_BYTES_MAX as u64,
        None => task.workload.block_bytes,
    }
}
