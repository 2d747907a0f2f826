"""Bundles as they were written before there were checksums."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ssdlab.bundle import layout

Fields = dict[str, Any]


def as_of_schema(path: Path, schema: int, change: Callable[[Fields], Fields] = dict) -> Path:
    """Make an older bundle of one of the present schema: files by their lengths, lines without digests, `run.json` as told."""
    run = change(json.loads((path / layout.RUN).read_bytes())) | {"schema": schema}
    (path / layout.RUN).write_text(json.dumps(run))
    lines = [_older(json.loads(line), run) for line in (path / layout.JOURNAL).read_bytes().splitlines()]
    (path / layout.JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    if (path / layout.METRICS).exists():
        metrics = json.loads((path / layout.METRICS).read_bytes())
        (path / layout.METRICS).write_text(json.dumps([_without_key(metric) for metric in metrics]))
    (path / layout.CHECKSUMS).unlink(missing_ok=True)
    return path


def _without_key(metric: Fields) -> Fields:
    """Up to schema 4 a metric had nothing but its name to say what it is of."""
    return {name: value for name, value in metric.items() if name != "key"}


def _named(step: Fields) -> Fields:
    """Up to schema 4 a point was known by its name."""
    return {**step, "point": layout.STEPS_ADAPTER.validate_python([step])[0].point.name} if "point" in step else step


def _older(line: Fields, run: Fields) -> Fields:
    del line["sha256"]
    # What a line tells was a sentence in English.
    line |= {name: line[name]["english"] for name in ("note", "reason", "text") if isinstance(line.get(name), dict)}
    if "steps" in line:
        line["steps"] = [_named(step) for step in line["steps"]]
    if line["event"] == "plan":
        del line["files"]
        line["run"] = run
    if "files" in line:
        line["files"] = {name: mark["bytes"] for name, mark in line["files"].items()}
    return line
