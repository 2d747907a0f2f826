"""Names of the files of a bundle, and their JSON."""

import json
from enum import Enum
from typing import Any

from pydantic import TypeAdapter

from ssdlab.bundle.model import Check, Metric, RunInfo, Step, StepResult
from ssdlab.drive.restore import Restoration
from ssdlab.drive.tune import Tuning
from ssdlab.job import DriveState

RUN = "run.json"
JOURNAL = "journal.jsonl"
METRICS = "metrics.json"
AUDIT = "audit.json"
RESULT = "result.json"
SERIES = "series.parquet"
HISTOGRAM = "histogram.parquet"
LATENCY_WINDOWS = "latency_windows.parquet"
EVERY_IO = "io.parquet"
SENSORS = "sensors.parquet"

RUN_ADAPTER = TypeAdapter(RunInfo)
STATE_ADAPTER = TypeAdapter(DriveState)
STEPS_ADAPTER = TypeAdapter(tuple[Step, ...])
RESULT_ADAPTER = TypeAdapter(StepResult)
METRICS_ADAPTER = TypeAdapter(tuple[Metric, ...])
AUDIT_ADAPTER = TypeAdapter(tuple[Check, ...])
TUNING_ADAPTER = TypeAdapter(Tuning)
RESTORATION_ADAPTER = TypeAdapter(Restoration)


def step_directory(run: RunInfo, step: Step) -> str:
    """Directory of a step inside the bundle: `003-fill.pass1`."""
    return f"{step.index:0{run.index_digits}d}-{step.name}"


class Moment(Enum):
    """When a drive was asked what it says of itself."""

    START = "start"
    END = "end"


def drive_directory(moment: Moment, session: int) -> str:
    """Where the answers of the programs that know drives are kept: `drive/start`, and `drive/start-2` once it was resumed."""
    return f"drive/{moment.value}" if session == 1 else f"drive/{moment.value}-{session}"


def attempt_directory(number: int) -> str:
    """Where the directories of steps that had to be redone are kept: `attempts/1`; nothing reads them but people."""
    return f"attempts/{number}"


def pretty_json(adapter: TypeAdapter[Any], value: object) -> bytes:
    """JSON for people and programs: two spaces, a final newline."""
    return adapter.dump_json(value, indent=2) + b"\n"


def one_line_json(value: object) -> bytes:
    """One line of the journal."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
