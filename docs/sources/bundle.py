"""What a bundle holds: its files from real runs, their parts from the code."""

import dataclasses
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

import duckdb

from sources.attributes import first_line, words_of
from sources.example import Example
from sources.markdown import code, table
from ssdlab.bundle import layout
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import (
    Check,
    Compared,
    DirectionTotals,
    HostFacts,
    LatencyStats,
    Limits,
    RunInfo,
    SensedStep,
    Step,
    StepResult,
    SuiteText,
)
from ssdlab.drive.block import details as block_details
from ssdlab.drive.identity import BlockDetails, DriveIdentity, DriveName
from ssdlab.drive.sense.reading import SensorReading
from ssdlab.engine.fio.job_file import JSON_FILE
from ssdlab.engine.fio.text import JOB_FILE
from ssdlab.engine.result import DeviceTraffic, Dropped
from ssdlab.engine.standstill import Standstill
from ssdlab.engine.workload import WORKLOAD_FILE
from ssdlab.probe.store.files import ACTS, ANSWERS, SAMPLES

_FILES = {
    layout.RUN: "All that was fixed before the first step: drive, host, suite with its full text, profile, seed, versions.",
    layout.JOURNAL: "One durable line for each thing that happened, the plan first. It alone is enough to open a bundle.",
    layout.METRICS: "The numbers. Computed from the rest; `ssdlab show --again` does it anew.",
    layout.AUDIT: "The checks. Computed likewise.",
    layout.CHECKSUMS: "Length and SHA-256 of what may be written anew: the two before it, and the answers of probes.",
    layout.RESULT: "Scalars of a step that did I/O: bytes, times, latency statistics, dropped options.",
    layout.SERIES: "100 ms windows: bandwidth, IOPS, mean and largest latency.",
    layout.HISTOGRAM: "Every latency in fio's bins.",
    layout.LATENCY_WINDOWS: "Completion latencies (`clat`) of each window, four of fio's bins in one, where the step asks for it.",
    layout.SENSORS: "What the drive's sensors said while the job ran, about once a second.",
    layout.EVERY_IO: "Latency of every single I/O, where the step asks for it.",
    JOB_FILE: (
        "What fio ran. `fio job.fio` by hand repeats it as long as the target is there; of `file:` it has no path, "
        "so any file as large is given to it: `fio job.fio < FILE`. Not with `model:`."
    ),
    JSON_FILE: "What fio printed, untouched. Not with `model:`.",
    WORKLOAD_FILE: "The same for the model: the workload as it got it. Only with `model:`.",
}
_DRIVE_FILES = {
    block_details.ID_CTRL: "`nvme id-ctrl -o json`, of NVMe drives.",
    block_details.ID_NS: "`nvme id-ns -o json`, likewise.",
    block_details.SMART_LOG: "`nvme smart-log -o json`, likewise.",
    block_details.POWER_STATE: "`nvme get-feature -f 2`, the power state, likewise.",
    block_details.AUTONOMOUS: "`nvme get-feature -f 0xc`, whether it changes states by itself (APST), of NVMe drives that can.",
    block_details.SMARTCTL: "`smartctl -j -a -l devstat`, of SATA and SAS drives.",
    block_details.HDPARM: "`hdparm -I`, of SATA drives.",
}
"""Below `drive/`, as those programs printed them; nothing else depends on them."""
_PROBE_FILES = {
    ANSWERS: "What the probe said, or why it was not done. `ssdlab show --again` writes it anew.",
    ACTS: "Its commands and jobs by name, in the order in which they were done.",
    SAMPLES: "A row a command: act, verb (0 read, 1 write, 2 forced write, 3 flush, 4 trim), place, pause before it, when it was given and done.",
    "loadNNN/": "The files of one of its jobs, as of a step.",
}
"""In the directories of the steps of `ssdlab probe`, a step a probe."""
_AT_TOP = (layout.RUN, layout.JOURNAL, layout.METRICS, layout.AUDIT, layout.CHECKSUMS)
_EVENTS = {
    Event.PLAN: "First line: `run.json` once more and its SHA-256, and every step as planned.",
    Event.STEPS_ADDED: "A search asks for measurements that the plan could not know; a search that is done again asks anew.",
    Event.STEP_ANNOUNCED: "A point may begin at once when those before it are over, with the state of the drive and what it writes at most (`null`: only its time is limited). A run that is cut off after it may have begun the point.",
    Event.STEP_WITHDRAWN: "An announced point counts as not yet done, and what it wrote: the run ended before it was asked for, or the point before it is done again.",
    Event.STEP_STARTED: "With the state the drive is in.",
    Event.CHECKPOINT: "How far a long step is, every 10 s, and how many bytes the kernel has counted to be written to the device.",
    Event.COUNTED: "At the start and end of a session on a block device: bytes that the drive says hosts have written, and that the kernel says; at the end a digest of sampled blocks, too.",
    Event.STEP_FINISHED: "With length and SHA-256 of each of the step's files: from here on it counts. A pass of a sustained write has its totals in it.",
    Event.STEPS_THINNED: "Totals of finished steps of a long sustained write: exact, one a name of steps, in place of all other lines about them.",
    Event.STEP_INTERRUPTED: "Stopped by the operator, or at a limit; nothing of it counts.",
    Event.STEP_FAILED: "With the reason; nothing of it counts.",
    Event.STEP_SKIPPED: "With the reason.",
    Event.STEP_REPEATED: "Measuring stood still and not because of the drive, with causes and durations. The step begins anew; what it came to is under `attempts/`.",
    Event.POWER_MARKS: "Bursts of reads for a power meter, with beginning and end of each: by `--power-marks` at the start and at the end of a run.",
    Event.DISPLAY_LOST: "Nobody sees the run any more: `hung up`, `terminal gone`, `broken pipe` or `cannot be written`. It goes on.",
    Event.DRIVE_SAID: "What is kept below `drive/`, with length and SHA-256.",
    Event.HOST: "How the host was found when the run began or went on, every setting before and after, and why one could not be made.",
    Event.HOST_RESTORED: "What was put back at the end. Missing after a kill; the next run or `ssdlab doctor --restore` does it then.",
    Event.WARNING: "What a reader of the results must know: its `kind`, the `step` it came from, and the `text` (of a line of the kernel that line).",
    Event.RUN_FINISHED: "All steps are done.",
    Event.RUN_RESUMED: "The run goes on: the steps it names count as not done; what they left is under `attempts/`.",
    Event.RUN_INTERRUPTED: "By the operator.",
    Event.RUN_FAILED: "With the reason.",
    Event.RUN_STOPPED: "It came to a limit it was given (`--max-temperature`, `--max-write`).",
}
_COLUMNS = {
    "direction": "`read`, `write` or `trim`.",
    "window_ns": "Nominal length of a window.",
    "time_ns": "End of the window, since the job began.",
    "bandwidth_bytes_per_s": "Over the window as long as it really was.",
    "iops": "Likewise.",
    "latency_ns_mean": "Mean latency of the I/Os completed in it, of the kind that `result.json` names; NULL where there was none.",
    "latency_ns_max": "Likewise the largest; NULL throughout where fio cannot tell.",
    "kind": "`clat` (from submission to completion) or `lat` (with the time submission took).",
    "bin_index": "Index of fio's latency bin, 64 to each power of two; over time the first of the four counted as one.",
    "count": "I/Os in it.",
}
_SENSOR_COLUMNS = {
    "time_ns": "When they were read, since the job began.",
    "temperature_c": "NULL, like all that follows, where it was not asked or not told.",
    "throttle_level": "0 not throttled; only virtual drives tell.",
    "throttled_s": "Total since the drive was new, like the counters that follow.",
    "host_read_bytes": "What hosts read.",
    "host_written_bytes": "What hosts wrote.",
    "media_written_bytes": "What was programmed into flash for it, and for the drive's own purposes.",
}
_CLASSES = (
    RunInfo,
    Limits,
    DriveIdentity,
    BlockDetails,
    DriveName,
    HostFacts,
    SuiteText,
    Step,
    StepResult,
    DirectionTotals,
    LatencyStats,
    Dropped,
    DeviceTraffic,
    SensedStep,
    SensorReading,
    Standstill,
    Check,
    Compared,
)
_PARTS = {
    "schema": "Version of this layout; newer ones than ssdlab knows are refused, older ones upgraded when read.",
    "drive": "What was under test.",
    "host": "What it was measured on.",
    "suite": "What was done.",
    "profile": "How far the suite was scaled down.",
    "seed": "All random draws follow from it and the names of the steps.",
    "engine": "`fio` or `model` and its version.",
    "ssdlab_version": "What wrote the bundle.",
    "index_digits": "Least digits of the numbers that directories of steps begin with: 3, and 2 up to schema 2.",
    "published": "What its owner took out of a [copy for others](../guide/publish.md); null in what a run wrote itself.",
    "model": "As the drive says.",
    "serial": "As the drive says.",
    "firmware": "As the drive says.",
    "logical_block_bytes": "Smallest unit it can be asked for.",
    "description": "One line for people.",
    "hostname": "Name of the machine.",
    "kernel": "Its release.",
    "os": "Distribution.",
    "cpu": "Model.",
    "cpu_count": "Threads.",
    "memory_bytes": "All of it.",
    "name": "What it is called.",
    "version": "As the suite says.",
    "text": "The TOML, whole.",
    "sha256": "Of the text: tells edited copies from the original.",
    "kind": "What it does to the drive.",
    "status": "How far it came.",
    "started_ns": "Since the start of the run, on the run's clock; null if it never began.",
    "ended_ns": "Likewise.",
    "elapsed_ns": "From the first submission to the last completion.",
    "error_count": "I/Os that failed.",
    "directions": "What was read, written and trimmed.",
    "dropped": "Options of the method that could not be used.",
    "notes": "What the engine said while it succeeded, line by line.",
    "cpu_user_percent": "Of one core; null in virtual time.",
    "cpu_system_percent": "Likewise.",
    "io_count": "I/Os completed.",
    "io_bytes": "Bytes moved.",
    "short_ios": "I/Os that moved fewer bytes than asked.",
    "runtime_ns": "Time this direction was busy, as the engine reports it.",
    "logged_bytes": "Bytes in the engine's own logs: less than `io_bytes` by what was in flight when fio stopped logging.",
    "latency": "By kind: `clat` and `lat`.",
    "mean_ns": "Mean.",
    "min_ns": "Smallest.",
    "max_ns": "Largest.",
    "stddev_ns": "Standard deviation.",
    "option": "As fio calls it.",
    "step": "The step it judges.",
    "moved_bytes": "Likewise in bytes.",
    "cause": "`fio was stopped`, `the host was suspended`, or `ssdlab was not run`: stopped itself, its virtual machine paused, or the host too busy.",
    "duration_ns": "All of it together.",
    "value": "What was seen.",
    "outcome": "`pass`, `warn`, `fail`, `unknown` or `not applicable`.",
    "reason": "Why.",
    "temperature_c_max": "`--max-temperature`.",
    "sensed": "What sensors said of the drive.",
    "before": "Just before the job.",
    "after": "Just after it.",
    "host_read_bytes": "What hosts read.",
    "host_written_bytes": "What hosts wrote.",
    "error_log_entries": "Entries of the drive's error log.",
    "flushes": "Flush commands.",
    "forced_writes": "Writes that had to be durable before they were answered.",
    "forcing": "How the kernel makes a write durable: `nothing` to do, `forced writes` (not counted), `flushes`.",
    "media_errors": "Data the drive could not read back.",
}
"""Words for what the code leaves to the name."""


def page(example: Example) -> str:
    """`bundle.md`."""
    bundle = example.bundles[0]
    _check_files(bundle.path)
    step = next(step for step in bundle.finished() if step.job is not None)
    parts = [
        (
            "# Bundle\n\nA run on disk: `LAB/runs/<UTC time>-<suite>-<drive>/`. It is complete in itself: copy it, zip it, mail it. "
            "Every file is written whole or not at all, and a step counts from the moment its `step_finished` line is durable, so "
            "power loss at any instant leaves a bundle that opens and shows all that was finished.\n\n"
            "Nothing in it changes without being found: a file is believed only if its length and SHA-256 are those that the journal or "
            "`checksums.json` tell, and a line of the journal only if its own `sha256` is right. That is the SHA-256 of the digest of the "
            'line above, as text (empty for the first line), followed by the line without `,"sha256":"..."`. What is damaged is '
            "named, and no number is computed from it; `ssdlab library check` reads everything. Bundles of schema 1 to 3 have lengths "
            "only. Links inside a bundle are not followed, and nothing is written into a bundle that has any.\n\n"
            'Times and durations are in ns, sizes in bytes. A value that could not be had is `{"unknown": why}`. '
            "Why is a message: `id` of the sentence, its `values`, and `english`, the sentence. Bundles of schema 1 to 5 have the "
            "sentence alone.\n"
        ),
        f"## Files\n\n{table(('file', 'what it is'), _files())}",
        (
            f"While a run goes on there is also `{layout.LIVE}`, for those who follow it (`ssdlab attach`, `ssdlab web`): a line every half second with "
            "the step, its share done, its speed, the drive's temperature and the process that writes it. It is no part of the results, and gone "
            f"when the run is over. `{layout.STOP_ASKED}` is there from the moment `ssdlab web --control` asks the run to stop until it has; the journal "
            "says then where that was asked.\n\n"
            f"## Events of the journal\n\nEach line has `event`, `at` (UTC), `clock_ns` (since the start of the run, on the run's own "
            f"clock) and what belongs to the event.\n\n{table(('event', 'meaning'), _events())}"
        ),
        *(
            _parquet(bundle.directory(step) / name, _COLUMNS)
            for name in (layout.SERIES, layout.LATENCY_WINDOWS, layout.HISTOGRAM)
        ),
        _parquet(bundle.directory(step) / layout.SENSORS, _SENSOR_COLUMNS),
        *(_part(cls) for cls in _CLASSES),
        "Metrics: [metrics.md](metrics.md). Checks: [audit.md](audit.md).\n",
    ]
    return "\n".join(parts)


def _check_files(path: Path) -> None:
    """A file that a run leaves and this page does not know is an error."""
    for file in path.rglob("*"):
        if file.is_file():
            _ = _FILES[file.name]


def _files() -> Iterator[tuple[str, str]]:
    for name, meaning in _FILES.items():
        yield code(name if name in _AT_TOP else f"NNN-step/{name}"), meaning
    for name, meaning in _PROBE_FILES.items():
        yield code(f"NNN-probe/{name}"), meaning
    start, end = (layout.drive_directory(moment, 1) for moment in layout.Moment)
    for name, meaning in _DRIVE_FILES.items():
        yield f"{code(f'{start}/{name}')}, {code(f'{end}/{name}')}", meaning


def _events() -> Iterator[tuple[str, str]]:
    for event in Event:
        yield code(event.value), _EVENTS[event]


def _parquet(path: Path, words: Mapping[str, str]) -> str:
    with duckdb.connect() as connection:
        columns = connection.execute("describe select * from read_parquet($1)", [str(path)]).fetchall()
    rows = [(code(name), kind, words[name]) for name, kind, *_ in columns]
    return f"## {path.name}\n\n{table(('column', 'type', 'meaning'), rows)}"


def _part(cls: type[Any]) -> str:
    return f"## {_title(cls)}\n\n{first_line(cls)}\n\n{table(('key', 'type', 'meaning'), _fields(cls))}"


def _fields(cls: type[Any]) -> Iterator[tuple[str, str, str]]:
    words, hints = words_of(cls), get_type_hints(cls)
    for field in dataclasses.fields(cls):
        yield code(field.name), _type(hints[field.name]), words.get(field.name) or _PARTS[field.name]


def _title(cls: type[Any]) -> str:
    """`RunInfo` as it may stand in a heading: `run info`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", cls.__name__).lower().capitalize()


def _type(hint: Any) -> str:
    """A type in words of JSON."""
    if isinstance(hint, UnionType):
        return " or ".join(_type(one) for one in get_args(hint))
    if get_origin(hint) is tuple:
        return f"list of {_type(get_args(hint)[0])}"
    if get_origin(hint) is dict:
        return f"table of {_type(get_args(hint)[1])} by {_type(get_args(hint)[0])}"
    known = {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}
    return known.get(hint) or _title(hint).lower()
