"""Names of the files of a bundle, and their JSON."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import (
    BeforeValidator,
    FailFast,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    WrapSerializer,
)
from pydantic_core import to_json

from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.metric_key import key_at_point, key_from_json, point_as_json
from ssdlab.bundle.model import Check, Metric, RunInfo, Step, StepResult
from ssdlab.bundle.older_check import upgraded_check, upgraded_note
from ssdlab.engine.standstill import Standstill
from ssdlab.host.restore import Restoration
from ssdlab.host.tune import Tuning
from ssdlab.job import DriveState
from ssdlab.message import Message
from ssdlab.message_json import message_as_json, remark_as_json
from ssdlab.place import is_file_name
from ssdlab.unknown import Unknown

RUN = "run.json"
JOURNAL = "journal.jsonl"
LIVE = "live.jsonl"
"""There while the run goes on (`ssdlab.bundle.live`)."""
STOP_ASKED = "stop.json"
"""There from the moment a program asks the run to stop until it has (`ssdlab.bundle.stop_asked`)."""
METRICS = "metrics.json"
AUDIT = "audit.json"
CHECKSUMS = "checksums.json"
RESULT = "result.json"
SERIES = "series.parquet"
HISTOGRAM = "histogram.parquet"
LATENCY_WINDOWS = "latency_windows.parquet"
EVERY_IO = "io.parquet"
SENSORS = "sensors.parquet"
RAW = "raw"
"""Directory of the logs of fio, where they were kept."""
DRIVE = "drive/"
"""What the names of the answers of programs that know drives begin with."""

RUN_ADAPTER = TypeAdapter(RunInfo)
STATE_ADAPTER = TypeAdapter(DriveState)
STEPS_ADAPTER = TypeAdapter(tuple[Step, ...])
RESULT_ADAPTER = TypeAdapter(StepResult)


def _metric_fields(fields: Any) -> Any:
    """A metric's fields with its key; up to schema 4 there was only the name, which is now written for people alone."""
    if not isinstance(fields, dict) or not {"name", "step"} <= fields.keys():
        return fields
    others = {name: value for name, value in fields.items() if name != "name"}
    key = fields.get("key")
    if "note" in others:
        others["note"] = upgraded_note(others["note"])
    return {
        **others,
        "key": key_of_name(str(fields["name"]), str(fields["step"])) if key is None else key_from_json(key),
    }


def _metric_json(metric: Metric, others: SerializerFunctionWrapHandler) -> dict[str, Any]:
    """The name first, for people and for programs that look for it; what it is of last."""
    fields: dict[str, Any] = others(metric)
    key = fields.pop("key")
    return {"name": metric.name, **fields, "key": key}


_KeptMetric = Annotated[Metric, BeforeValidator(_metric_fields), WrapSerializer(_metric_json)]
METRICS_ADAPTER: TypeAdapter[tuple[Metric, ...]] = TypeAdapter(Annotated[tuple[_KeptMetric, ...], FailFast()])


def _check_json(check: Check) -> dict[str, Any]:
    """A check's fields, in the order of the file."""
    return {
        "name": check.name,
        "step": check.step,
        "outcome": check.outcome.value,
        "finding": message_as_json(check.finding),
        "meaning": None if check.meaning is None else message_as_json(check.meaning),
        "remedy": None if check.remedy is None else message_as_json(check.remedy),
        "numbers": _numbers_json(check),
    }


def _numbers_json(check: Check) -> list[dict[str, Any]]:
    return [{"name": one.name, "value": one.value, "unit": one.unit} for one in check.numbers]


_KeptCheck = Annotated[Check, BeforeValidator(upgraded_check), PlainSerializer(_check_json)]
AUDIT_ADAPTER: TypeAdapter[tuple[Check, ...]] = TypeAdapter(Annotated[tuple[_KeptCheck, ...], FailFast()])
TUNING_ADAPTER = TypeAdapter(Tuning)
RESTORATION_ADAPTER = TypeAdapter(Restoration)
STANDSTILLS_ADAPTER = TypeAdapter(tuple[Standstill, ...] | Unknown)
_VALUES_MAX = 4_000_000
"""The longest file that was seen, the audit of SNIA's test of host idle recovery, has half as many."""
_DIGITS_MAX = 20
_LONG_NUMBER = re.compile(rb"[0-9]{20}")
T = TypeVar("T")
_AT_A_TIME = 1000


def step_directory(run: RunInfo, step: Step) -> str:
    """Directory of a step inside the bundle: `003-fill.pass1`.

    Raises:
        ValueError: It would be somewhere else; a bundle of which that is true does not open.
    """
    directory = f"{step.index:0{run.index_digits}d}-{step.name}"
    if not (is_file_name(step.name) and is_file_name(directory)):
        raise ValueError(f"{directory!r} is no directory in a bundle")
    return directory


def by_directory(names: Iterable[str]) -> dict[str, list[str]]:
    """Names of files that numbers come from, by the directory of their step; logs that fio left may be thrown away."""
    found: dict[str, list[str]] = {}
    for name in names:
        directory, _, rest = name.partition("/")
        if rest and not rest.startswith(f"{RAW}/"):
            found.setdefault(directory, []).append(name)
    return found


class Moment(Enum):
    """When a drive was asked what it says of itself."""

    START = "start"
    END = "end"


def drive_directory(moment: Moment, session: int) -> str:
    """Where the answers of the programs that know drives are kept: `drive/start`, and `drive/start-2` once it was resumed."""
    return f"{DRIVE}{moment.value}" if session == 1 else f"{DRIVE}{moment.value}-{session}"


def attempt_directory(number: int) -> str:
    """Where the directories of steps that were done again are kept: `attempts/1`; nothing reads them but people."""
    return f"attempts/{number}"


def read_json(content: bytes) -> Any:
    """JSON of a bundle, with no whole number that nothing can hold.

    Raises:
        ValueError: It is none, or has more values than a file of a bundle.
    """
    _require_few_values(content)
    try:
        return json.loads(content, parse_int=_whole)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _require_few_values(content: bytes) -> None:
    """A stranger's archive of some kilobytes unpacks to a file of which each byte would take fifty in memory."""
    if sum(content.count(mark) for mark in (b",", b"[", b"{")) > _VALUES_MAX:
        raise ValueError("it has more values than any file of a bundle")


def _whole(text: str) -> int:
    """Counters of 64 bits are the largest numbers that drives, kernels and fio know."""
    if len(text) > _DIGITS_MAX:
        raise ValueError(f"no number has {len(text)} digits")
    return int(text)


def parsed(adapter: TypeAdapter[T], content: bytes) -> T:
    """What a file of a bundle holds.

    Raises:
        ValueError: It is not what the adapter reads, or has a number that nothing can hold, or too many values.
    """
    _require_few_values(content)
    if _LONG_NUMBER.search(content):
        read_json(content)
    return adapter.validate_json(content)


def pretty_json(adapter: TypeAdapter[Any], value: object) -> bytes:
    """JSON for people and programs: two spaces, a final newline."""
    return adapter.dump_json(value, indent=2) + b"\n"


def metric_parts(metrics: Iterable[Metric]) -> Iterator[bytes]:
    """The bytes of `pretty_json` of many metrics, of which only a few are in memory at a time; those of a job are of one point."""
    left, mark = iter(metrics), b"["
    while part := tuple(islice(left, _AT_A_TIME)):
        points = {id(metric.key.point): metric.key.point for metric in part}
        plain = {place: point_as_json(point) for place, point in points.items()}
        fields = [_plain_metric(metric, plain[id(metric.key.point)]) for metric in part]
        yield mark + to_json(fields, indent=2, inf_nan_mode="null")[1:-2]
        mark = b","
    yield b"[]\n" if mark == b"[" else b"\n]\n"


def _plain_metric(metric: Metric, point: Mapping[str, Any]) -> dict[str, Any]:
    """A metric's fields, in the order of the file."""
    value = metric.value
    return {
        "name": metric.name,
        "value": {"unknown": message_as_json(value.reason)} if isinstance(value, Unknown) else value,
        "unit": metric.unit,
        "state": metric.state.value,
        "step": metric.step,
        "low": None if metric.low is None else float(metric.low),
        "high": None if metric.high is None else float(metric.high),
        "note": remark_as_json(metric.note),
        "failed_checks": metric.failed_checks,
        "key": key_at_point(metric.key, point),
    }


def audit_parts(checks: Iterable[Check]) -> Iterator[bytes]:
    """The bytes of `pretty_json` of an audit, of which only a few checks are in memory at a time.

    An import of 20,000 jobs has a million checks; texts and sentences that many of them share are put into JSON once.
    """
    left, mark = iter(checks), b"["
    while part := tuple(islice(left, _AT_A_TIME)):
        yield mark + b",".join(map(_check_bytes, part))
        mark = b","
    yield b"[]\n" if mark == b"[" else b"\n]\n"


_CHECK = b"""
  {
    "name": %b,
    "step": %b,
    "outcome": %b,
    "finding": %b,
    "meaning": %b,
    "remedy": %b,
    "numbers": %b
  }"""


def _check_bytes(check: Check) -> bytes:
    return _CHECK % (
        _text_bytes(check.name),
        _text_bytes(check.step),
        _text_bytes(check.outcome.value),
        _message_bytes(check.finding),
        _message_bytes(check.meaning),
        _message_bytes(check.remedy),
        _field_bytes(_numbers_json(check)) if check.numbers else b"[]",
    )


@lru_cache(maxsize=1000)
def _text_bytes(text: str) -> bytes:
    return to_json(text)


def _message_bytes(told: Message | None) -> bytes:
    if told is None:
        return b"null"
    # Of others equal values may differ in JSON, as 1 and 1.0 do.
    return _field_bytes(message_as_json(told)) if told.pairs or told.english else _bare_bytes(told.id)


@lru_cache(maxsize=1000)
def _bare_bytes(id_: str) -> bytes:
    return _field_bytes(message_as_json(Message(id_)))


def _field_bytes(value: object) -> bytes:
    """As deep as a field of a check stands; there is no end of a line within a text of JSON."""
    return to_json(value, indent=2, inf_nan_mode="null").replace(b"\n", b"\n    ")


def plain_json(value: object) -> bytes:
    """The same of plain values."""
    # Python's own library lays it out letter by letter: that of a few checksums took a part of what an import of a small file takes.
    return to_json(value, indent=2) + b"\n"


def one_line_json(value: object) -> bytes:
    """One line of the journal."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
