//! Traces: imported, looked at, cut, exported, made anonymous.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use fiolog::scan::decompressed_file;
use pyo3::prelude::*;
use trace::{Fault, Format, Import, Problem, SourceFile, Target, TraceError, TraceReader};

use crate::errors::{trace_damage, trace_refused};
use crate::io_log::unreadable;

/// Names of the formats that are read.
#[pyfunction]
pub(crate) fn trace_formats() -> Vec<&'static str> {
    Format::ALL.map(Format::name).to_vec()
}

/// The format of a file that begins so; `None` of what is like none.
#[pyfunction]
pub(crate) fn trace_format_of(beginning: &[u8]) -> Option<&'static str> {
    trace::detect(beginning).map(Format::name)
}

/// Reads files of one format, each with its SHA-256, and writes a trace: how many I/Os it has, and its metadata as JSON.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python hands over owned values.
pub(crate) fn trace_import(
    py: Python<'_>,
    files: Vec<(PathBuf, u64, String)>,
    format: &str,
    device: Option<String>,
    device_bytes: Option<u64>,
    licence: Option<String>,
    out: PathBuf,
) -> PyResult<(u64, String)> {
    let named = |(path, bytes, sha256): &(PathBuf, u64, String)| SourceFile {
        name: path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        bytes: *bytes,
        sha256: sha256.clone(),
    };
    let Some(format) = Format::ALL.into_iter().find(|known| known.name() == format) else {
        let fault = Fault::new(1, Problem::UnknownFormat, format.as_bytes());
        return Err(trace_damage(py, &fault, None));
    };
    let told = Import {
        format,
        device: device.as_deref(),
        device_bytes,
        licence,
        files: files.iter().map(named).collect(),
    };
    let mut raised = None;
    let done = py.detach(|| {
        let opened: Result<Vec<_>, _> = files
            .iter()
            .enumerate()
            .map(|(index, (path, _, _))| decompressed_file(path).map_err(|error| (index, error.into())))
            .collect();
        let mut opened = opened?;
        let mut sources: Vec<&mut dyn Read> = opened.iter_mut().map(|source| source as &mut dyn Read).collect();
        let out = created(&out).map_err(|error| (0, error))?;
        trace::import(&mut sources, &told, out, &mut || goes_on(&mut raised))
    });
    done.map_err(|(index, error)| {
        let path = files.get(index).map_or(&out, |(path, _, _)| path);
        failed(py, error, path, &out, raised)
    })
    .and_then(|(ios, meta)| Ok((ios, json(&meta)?)))
}

/// How many I/Os a trace has, and its metadata as JSON.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_meta(py: Python<'_>, path: PathBuf) -> PyResult<(u64, String)> {
    let trace = py
        .detach(|| opened(&path))
        .map_err(|error| failed(py, error, &path, &path, None))?;
    Ok((trace.ios(), json(trace.meta())?))
}

/// What a trace is like, as JSON.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_profile(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let mut raised = None;
    let profile = py.detach(|| trace::profile(&mut opened(&path)?, &mut || goes_on(&mut raised)));
    json(&profile.map_err(|error| failed(py, error, &path, &path, raised))?)
}

/// What a trace looks like, as JSON.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_picture(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let mut raised = None;
    let picture = py.detach(|| trace::picture(|| opened(&path), &mut || goes_on(&mut raised)));
    json(&picture.map_err(|error| failed(py, error, &path, &path, raised))?)
}

/// Writes a trace as fio's log for a file of that name, or as `blkparse` prints; the I/Os written, and those that the format lacks.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_export(
    py: Python<'_>,
    path: PathBuf,
    iolog_file: Option<String>,
    out: PathBuf,
) -> PyResult<(u64, u64)> {
    let target = iolog_file.map_or(Target::Blkparse, Target::FioIolog);
    let done = py.detach(|| {
        let mut trace = opened(&path)?;
        trace::export(&mut trace, &target, BufWriter::with_capacity(1 << 20, created(&out)?))
    });
    let done = done.map_err(|error| failed(py, error, &path, &out, None))?;
    Ok((done.ios, done.left_out))
}

/// Writes the I/Os that arrived within a span of time as a trace; how many those are.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_cut(py: Python<'_>, path: PathBuf, from_ns: u64, to_ns: u64, out: PathBuf) -> PyResult<u64> {
    let done = py.detach(|| trace::cut(&mut opened(&path)?, from_ns..to_ns, created(&out)?));
    done.map_err(|error| failed(py, error, &path, &out, None))
}

/// Writes the I/Os of all traces as one, as if all had begun at once; how many those are.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_merge(py: Python<'_>, paths: Vec<PathBuf>, out: PathBuf) -> PyResult<u64> {
    let done = py.detach(|| {
        let opened: Result<Vec<_>, _> = (0..)
            .zip(&paths)
            .map(|(number, path)| opened(path).map_err(|error| (Some(number), error)))
            .collect();
        let out = created(&out).map_err(|error| (None, error))?;
        trace::merge(opened?, out)
    });
    done.map_err(|(number, error)| failed(py, error, number.map_or(&out, |number| &paths[number]), &out, None))
}

/// Writes a trace whose I/Os arrive so many times as fast; how many those are.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_scale(py: Python<'_>, path: PathBuf, speed: f64, out: PathBuf) -> PyResult<u64> {
    let done = py.detach(|| trace::scale(&mut opened(&path)?, speed, created(&out)?));
    done.map_err(|error| failed(py, error, &path, &out, None))
}

/// Writes a trace without what tells whose it is; its metadata as JSON.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)]
pub(crate) fn trace_anonymise(py: Python<'_>, path: PathBuf, out: PathBuf) -> PyResult<String> {
    let done = py.detach(|| {
        let mut random = File::open("/dev/urandom")?;
        trace::anonymise(|| opened(&path), &mut random, created(&out)?)
    });
    json(&done.map_err(|error| failed(py, error, &path, &out, None))?)
}

fn opened(path: &Path) -> Result<TraceReader<File>, TraceError> {
    TraceReader::new(File::open(path)?)
}

/// A new file: what is there already is somebody's, or a link to elsewhere.
fn created(path: &Path) -> Result<File, TraceError> {
    let created = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path);
    created.map_err(TraceError::Unwritten)
}

fn goes_on(raised: &mut Option<PyErr>) -> bool {
    *raised = Python::attach(|py| py.check_signals().err());
    raised.is_none()
}

fn json(value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}

/// What to tell of a file that was read, or of the one that was to be written of it.
fn failed(py: Python<'_>, error: TraceError, path: &Path, out: &Path, raised: Option<PyErr>) -> PyErr {
    match error {
        TraceError::Io(error) => unreadable(py, error, path.to_owned()),
        TraceError::Unwritten(error) => unreadable(py, error, out.to_owned()),
        TraceError::Unsorted(error) => unreadable(py, error, std::env::temp_dir()),
        TraceError::Damaged(fault) => trace_damage(py, &fault, Some(path)),
        TraceError::NoTrace(refusal) => trace_refused(py, refusal, path),
        TraceError::Stopped => {
            raised.unwrap_or_else(|| pyo3::exceptions::PyRuntimeError::new_err("stopped without a reason"))
        }
    }
}
