//! A virtual drive in virtual time.

use std::time::{Duration, Instant};

use load::{Drawn, Issued, Judge, Model, Verdict, Window, Workload, advance_drawn};
use pyo3::prelude::*;
use replay::{Replaying, Task};
use serde::Serialize;
use vdrive::workload::{Limit, Progress, Replay, Run, WorkloadFault};
use vdrive::{Rejected, VDrive};

use crate::columns::Column;
use crate::errors::{replay_refused, spec_error, workload_error};
use crate::outcome::WorkloadResult;
use crate::replay::{Columns, ReplayResult};
use crate::spec::read_spec;

/// How long Rust works before it looks whether Python wants to stop.
const SLICE: Duration = Duration::from_millis(100);

/// I/Os between two looks at the clock.
const IOS_PER_LOOK: u64 = 4096;

/// Windows between two judgements, or two looks at the sensors; a fixed number, so that where one of them stops a run does not
/// depend on the host.
const WINDOWS_PER_LOOK: u64 = 10;

/// A drive model with its own virtual clock; one thread at a time.
#[pyclass(module = "ssdlab._core")]
pub(crate) struct ModelDrive(VDrive);

#[pymethods]
impl ModelDrive {
    #[new]
    #[pyo3(signature = (spec_text, capacity_bytes=None, seed=None))]
    fn new(py: Python<'_>, spec_text: &str, capacity_bytes: Option<u64>, seed: Option<u64>) -> PyResult<Self> {
        let spec = read_spec(spec_text, capacity_bytes, seed).map_err(|faults| spec_error(py, &faults))?;
        Ok(ModelDrive(py.detach(|| VDrive::new(&spec))))
    }

    #[getter]
    fn capacity_bytes(&self) -> u64 {
        self.0.spec().capacity_bytes()
    }

    /// Runs a workload (JSON) from `start_ns` on; `progress` is called with the share done, about ten times a second, and
    /// `judge` with the I/Os of every ten more windows: once it says so, nothing more is issued. `sense` is called as often, with
    /// the windows done and what the sensors say (JSON).
    #[pyo3(signature = (workload_json, start_ns, progress=None, judge=None, sense=None))]
    fn run(
        &mut self,
        py: Python<'_>,
        workload_json: &str,
        start_ns: u64,
        progress: Option<&Bound<'_, PyAny>>,
        judge: Option<&Bound<'_, PyAny>>,
        sense: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<WorkloadResult> {
        let drive = &mut self.0;
        let failed = |fault: WorkloadFault| workload_error(py, &fault);
        let Task { workload, replaying } = Task::from_json(workload_json).map_err(failed)?;
        if let Some(replaying) = replaying {
            return replayed(py, drive, start_ns, &workload, &replaying, progress);
        }
        let mut drawn = workload.drawn().map_err(failed)?;
        let mut issued = workload.issued().map_err(failed)?;
        let mut run = Run::new(drive.spec().capacity_bytes(), start_ns, &workload).map_err(failed)?;
        let mut judging = judge.map(Judging::by);
        let mut next_look = if sense.is_some() { WINDOWS_PER_LOOK } else { u64::MAX };
        let mut looked_at = Instant::now();
        loop {
            let until = judging
                .as_ref()
                .map_or(next_look, |judging| judging.next_window.min(next_look));
            let reached = py
                .detach(|| advance(&mut run, drive, drawn.as_mut(), issued.as_mut(), until))
                .map_err(failed)?;
            if looked_at.elapsed() >= SLICE || reached == Progress::Done {
                looked_at = Instant::now();
                py.check_signals()?;
                if let Some(progress) = progress {
                    progress.call1((run.share_done(),))?;
                }
            }
            if let Some(sense) = sense
                && run.windows_done() >= next_look
            {
                next_look = run.windows_done() + WINDOWS_PER_LOOK;
                sense.call1((run.windows_done(), json(&drive.sensors_seen())?))?;
            }
            if let Some(judged) = &mut judging
                && judged.says_stop(&run)?
            {
                run.stop();
                judging = None;
            }
            if reached == Progress::Done {
                let mut result = run.finish();
                if let Some(issued) = &issued {
                    issued.correct(&mut result);
                }
                return WorkloadResult::new(py, result, issued.as_ref().map(Issued::cells), None, None);
            }
        }
    }

    /// Gives the drive the commands of the columns one after the other, at most `queue_depth` in flight, from `start_ns` on;
    /// `progress` is called with the share done, about ten times a second.
    #[pyo3(signature = (verb, offset_bytes, length_bytes, pause_ns, alone, queue_depth, start_ns, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "one a column, as Python has them")]
    fn replay(
        &mut self,
        py: Python<'_>,
        verb: &[u8],
        offset_bytes: &[u8],
        length_bytes: &[u8],
        pause_ns: &[u8],
        alone: &[u8],
        queue_depth: u32,
        start_ns: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<ReplayResult> {
        let drive = &mut self.0;
        let columns = Columns {
            verb,
            offset_bytes,
            length_bytes,
            pause_ns,
            alone,
        };
        let mut replay =
            Replay::new(columns.planned()?, queue_depth, start_ns).map_err(|fault| workload_error(py, &fault))?;
        loop {
            let reached = py.detach(|| replay_slice(&mut replay, drive)).map_err(|rejected| {
                let fault = WorkloadFault {
                    field: "commands",
                    message: rejected.to_string(),
                };
                workload_error(py, &fault)
            })?;
            py.check_signals()?;
            if let Some(progress) = progress {
                progress.call1((replay.share_done(),))?;
            }
            if reached == Progress::Done {
                return Ok(ReplayResult::from(replay.finish()));
            }
        }
    }

    /// Purges the drive; gives the time at which that is done.
    fn purge(&mut self, py: Python<'_>, now_ns: u64) -> u64 {
        py.detach(|| self.0.purge(now_ns))
    }

    /// What the drive knows about itself, as JSON.
    fn truth(&mut self, now_ns: u64) -> PyResult<String> {
        json(&self.0.truth(now_ns))
    }

    /// What its sensors say, as JSON; a workload from `now_ns` on is served as if nobody had read them.
    fn sensors(&mut self, now_ns: u64) -> PyResult<String> {
        json(&self.0.sensors(now_ns))
    }

    /// What the drive would tell in its SMART page, as JSON.
    fn smart(&mut self, now_ns: u64) -> PyResult<String> {
        json(&self.0.smart(now_ns))
    }
}

/// Does a trace, whose windows nobody judges; its sensors are those of its begin and end.
fn replayed(
    py: Python<'_>,
    drive: &mut VDrive,
    start_ns: u64,
    workload: &Workload,
    replaying: &Replaying,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<WorkloadResult> {
    let capacity_bytes = drive.spec().capacity_bytes();
    let mut looks = Looks {
        progress: progress.map(|progress| progress.clone().unbind()),
        looked_at: Instant::now(),
        raised: None,
    };
    let done = py.detach(|| {
        let mut model = Model::new(drive, start_ns);
        replay::perform(&mut model, capacity_bytes, workload, replaying, &mut looks)
    });
    if let Some(raised) = looks.raised {
        return Err(raised);
    }
    let done = done.map_err(|refused| replay_refused(py, &refused))?;
    WorkloadResult::new(py, done.performed.result, None, Some(done.aside), done.performed.failed)
}

/// Looks about ten times a second whether Python wants to stop.
struct Looks {
    progress: Option<Py<PyAny>>,
    looked_at: Instant,
    raised: Option<PyErr>,
}

impl Looks {
    fn look(&self) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            // How much of it is done is not known before its end.
            self.progress
                .as_ref()
                .map_or(Ok(()), |progress| progress.call1(py, (0.0,)).map(drop))
        })
    }
}

impl Judge for Looks {
    fn window(&mut self, _: &Window) -> Verdict {
        if self.looked_at.elapsed() >= SLICE {
            self.looked_at = Instant::now();
            self.raised = self.look().err();
        }
        if self.raised.is_some() {
            Verdict::End
        } else {
            Verdict::GoOn
        }
    }
}

/// Goes on to the end of a replay of commands, or for a slice of time.
fn replay_slice(replay: &mut Replay, drive: &mut VDrive) -> Result<Progress, Rejected> {
    let started = Instant::now();
    loop {
        let reached = replay.advance_drive(drive, IOS_PER_LOOK as usize)?;
        if reached == Progress::Done || started.elapsed() >= SLICE {
            return Ok(reached);
        }
    }
}

/// Goes on to the end of a window, or for a slice of time.
fn advance(
    run: &mut Run,
    drive: &mut VDrive,
    mut drawn: Option<&mut Drawn>,
    mut issued: Option<&mut Issued>,
    windows: u64,
) -> Result<Progress, WorkloadFault> {
    let started = Instant::now();
    let limit = Limit {
        ios: IOS_PER_LOOK,
        windows,
    };
    loop {
        let reached = match &mut drawn {
            None => run.advance_drive(drive, limit)?,
            Some(drawn) => advance_drawn(run, drive, drawn, issued.as_deref_mut(), limit)?,
        };
        if reached == Progress::Done || run.windows_done() >= windows || started.elapsed() >= SLICE {
            return Ok(reached);
        }
    }
}

/// Somebody in Python who looks at the windows as they come.
struct Judging<'py> {
    judge: &'py Bound<'py, PyAny>,
    judged_windows: u64,
    next_window: u64,
}

impl<'py> Judging<'py> {
    fn by(judge: &'py Bound<'py, PyAny>) -> Self {
        Judging {
            judge,
            judged_windows: 0,
            next_window: WINDOWS_PER_LOOK,
        }
    }

    /// Shows the judge every window that is due.
    fn says_stop(&mut self, run: &Run) -> PyResult<bool> {
        if run.windows_done() < self.next_window {
            return Ok(false);
        }
        let ios = Column::from(run.ios_of_windows(self.judged_windows));
        self.judged_windows = run.windows_done();
        self.next_window = self.judged_windows + WINDOWS_PER_LOOK;
        self.judge.call1((ios,))?.extract()
    }
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}
