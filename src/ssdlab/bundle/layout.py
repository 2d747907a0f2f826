"""Names of the files of a bundle, and how one is written so that power loss never leaves half of it."""

import json
import os
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from ssdlab.bundle.model import Check, Metric, RunInfo, Step, StepResult
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

RUN_ADAPTER = TypeAdapter(RunInfo)
STATE_ADAPTER = TypeAdapter(DriveState)
STEPS_ADAPTER = TypeAdapter(tuple[Step, ...])
RESULT_ADAPTER = TypeAdapter(StepResult)
METRICS_ADAPTER = TypeAdapter(tuple[Metric, ...])
AUDIT_ADAPTER = TypeAdapter(tuple[Check, ...])


def step_directory(index: int, name: str) -> str:
    """Directory of a step inside the bundle: `03-fill.pass1`."""
    return f"{index:02d}-{name}"


def attempt_directory(number: int) -> str:
    """Where the directories of steps that had to be redone are kept: `attempts/1`; nothing reads them but people."""
    return f"attempts/{number}"


def write_durably(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: temporary name, fsync, rename, fsync of the directory.

    Raises:
        OSError: The host's file system refused, e.g. because it is full.
    """
    temporary = path.with_name(path.name + ".partial")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
        make_durable(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def make_durable(temporary: Path, path: Path) -> None:
    """Give a complete file its final name once its content is on the medium."""
    with temporary.open("rb") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    sync_directory(path.parent)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def pretty_json(adapter: TypeAdapter[Any], value: object) -> bytes:
    """JSON for people and programs: two spaces, a final newline."""
    return adapter.dump_json(value, indent=2) + b"\n"


def one_line_json(value: object) -> bytes:
    """One line of the journal."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
