"""Which files of a bundle are published, and how each is read and written again; a file that is not here is left out."""

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import PurePosixPath
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.imported import IMPORT, ORIGINAL
from ssdlab.bundle.publication import PrivateKind
from ssdlab.bundle.tables import KNOWN_COLUMNS
from ssdlab.drive.block import answers
from ssdlab.drive.block import details as block_details
from ssdlab.drive.sense import parse as sense_read
from ssdlab.engine.fio.document import FioDocument
from ssdlab.engine.fio.job_file import JSON_FILE
from ssdlab.engine.fio.replay import COMMANDS_FILE
from ssdlab.engine.fio.text import JOB_FILE
from ssdlab.engine.sustain.bad_data import BAD_ADAPTER, BAD_FILE
from ssdlab.engine.workload import WORKLOAD_FILE
from ssdlab.lab.sustain.records import CSV_HEAD, RECORDS
from ssdlab.probe.store.files import ACTS, ACTS_ADAPTER, ANSWERS, ANSWERS_ADAPTER, SAMPLES
from ssdlab.publish.rules import FIO_OPTIONS
from ssdlab.publish.values import Redactor

Rewriter = Callable[[bytes, Redactor], bytes]


class Unpublishable(Exception):  # noqa: N818 - the error is the state
    """The content is not what such a file holds, so nothing is known of what is private in it."""


class LeftOut(Enum):
    """Why a file is not published."""

    ORIGINAL = "another program's file, with whatever that wrote into it"
    ATTEMPT = "what a step left that was done again; no number comes of it"
    RAW = "fio's logs as text; their numbers are in the Parquet"
    REPLAY = "commands with the name of the drive; what came of them is in the Parquet"
    ANSWER = "an answer of the drive that no number needs"
    UNREAD = "it cannot be read, so what is private in it is not known"
    UNKNOWN = "ssdlab does not know what is in it"


def why_left_out(path: PurePosixPath) -> LeftOut:
    """Why a file is not published for which there is no way."""
    if path.parts[0] == ORIGINAL:
        return LeftOut.ORIGINAL
    if path.parts[0] == "attempts":
        return LeftOut.ATTEMPT
    if layout.RAW in path.parts:
        return LeftOut.RAW
    if path.name == COMMANDS_FILE:
        return LeftOut.REPLAY
    return LeftOut.ANSWER if path.name == block_details.HDPARM else LeftOut.UNKNOWN


def typed(adapter: TypeAdapter[Any]) -> Rewriter:
    """A file of ssdlab's own."""

    def rewrite(content: bytes, redactor: Redactor) -> bytes:
        try:
            return layout.pretty_json(adapter, redactor.of(layout.parsed(adapter, content)))
        except ValueError as error:
            raise Unpublishable from error

    return rewrite


def foreign(*forms: type[BaseModel]) -> Rewriter:
    """Another program's JSON: what ssdlab reads of it and nothing else."""

    def rewrite(content: bytes, redactor: Redactor) -> bytes:
        try:
            read = [redactor.of(form.model_validate_json(content)) for form in forms]
        except ValidationError as error:
            raise Unpublishable from error
        merged: Any = {}
        for one in read:
            merged = _merged(merged, one.model_dump(mode="json", by_alias=True, exclude_unset=True))
        return json.dumps(merged, indent=2).encode() + b"\n"

    return rewrite


def _merged(one: Any, other: Any) -> Any:
    if isinstance(one, dict) and isinstance(other, dict):
        return one | {key: _merged(one[key], value) if key in one else value for key, value in other.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [_merged(mine, its) for mine, its in zip(one, other, strict=True)]
    return other


def _job_file(content: bytes, redactor: Redactor) -> bytes:
    lines = [_job_line(line, redactor) for line in content.decode(errors="replace").splitlines()]
    return "\n".join([*(line for line in lines if line), ""]).encode()


def _job_line(line: str, redactor: Redactor) -> str:
    name, equals, value = line.partition("=")
    if line.startswith(("; written by ssdlab", "[")):
        return redactor.words(line)
    if name in FIO_OPTIONS or name in _LOG_OPTIONS:
        return f"{name}{equals}{redactor.words(value)}"
    if re.fullmatch(r"[a-z0-9_]+", name) and equals:
        return f"{name}={redactor.option(name, value)}"
    redactor.found.left_out(PrivateKind.OPTION, line)
    return ""


_LOG_OPTIONS = frozenset({"write_bw_log", "write_hist_log", "write_lat_log", "write_iops_log"})
"""ssdlab writes the same prefix into every job file."""


def _workload(content: bytes, redactor: Redactor) -> bytes:
    """The model's driver is told numbers and words of enumerations."""
    try:
        said = json.loads(content)
    except ValueError as error:
        raise Unpublishable from error
    return json.dumps(_plain(said, redactor), indent=2).encode() + b"\n"


def _plain(said: Any, redactor: Redactor) -> Any:
    match said:
        case dict():
            return {key: _plain(value, redactor) for key, value in said.items() if key in _WORKLOAD_KEYS}
        case list():
            return [_plain(one, redactor) for one in said]
        case str():
            return redactor.words(said)
        case _:
            return said


_WORKLOAD_KEYS = frozenset(
    """
    access action amount_bytes arrivals beside block_bytes blocks_percent draw duration_ns flush_every ios_percent jobs kind latency_over_time
    length_bytes log_every_io memory mix offset_bytes operation order pattern queue_depth rate_bytes_per_s rate_iops read_percent
    region_length_bytes region_offset_bytes seed sizes sync weight window_ns zipf zones
    """.split()  # noqa: SIM905
)
_RECORD = re.compile(r"\d+,(?:read|write)\d+,\d+,\d+\.\d+,\d+\.\d+")


def _records(content: bytes, redactor: Redactor) -> bytes:
    """Lines of numbers."""
    del redactor
    head, *lines = content.decode(errors="replace").splitlines()
    if f"{head}\n" != CSV_HEAD or not all(_RECORD.fullmatch(line) for line in lines):
        raise Unpublishable
    return "".join(f"{line}\n" for line in (head, *lines)).encode()


def _feature(content: bytes, redactor: Redactor) -> bytes:
    """A line of nvme-cli."""
    del redactor
    line = answers.feature_line(content.decode(errors="replace"))
    if line is None:
        raise Unpublishable
    return f"{line}\n".encode()


_FIO_JSON = foreign(FioDocument)
_STEP_FILES: Mapping[str, Rewriter] = {
    layout.RESULT: typed(layout.RESULT_ADAPTER),
    JSON_FILE: _FIO_JSON,
    JOB_FILE: _job_file,
    WORKLOAD_FILE: _workload,
    BAD_FILE: typed(BAD_ADAPTER),
    RECORDS: _records,
    ANSWERS: typed(ANSWERS_ADAPTER),
    ACTS: typed(ACTS_ADAPTER),
}
_ROOT_FILES: Mapping[str, Rewriter] = {
    layout.METRICS: typed(layout.METRICS_ADAPTER),
    layout.AUDIT: typed(layout.AUDIT_ADAPTER),
}
_ANSWERS: Mapping[str, Rewriter] = {
    block_details.ID_CTRL: foreign(answers.CONTROLLER_FORM),
    block_details.ID_NS: foreign(answers.NAMESPACE_FORM),
    block_details.SMART_LOG: foreign(answers.SMART_LOG_FORM, sense_read.SMART_LOG_FORM),
    block_details.POWER_STATE: _feature,
    block_details.AUTONOMOUS: _feature,
    block_details.SMARTCTL: foreign(answers.SMARTCTL_FORM, sense_read.SMARTCTL_FORM),
}
TABLES: Mapping[str, tuple[str, ...]] = {
    **KNOWN_COLUMNS,
    SAMPLES: ("act", "verb", "offset_bytes", "length_bytes", "pause_ns", "issue", "submitted_ns", "completed_ns"),
}
"""Parquet: its columns; others are left out."""
_HEADS = (layout.RUN, layout.JOURNAL, IMPORT, layout.CHECKSUMS)


def rewriter_of(path: PurePosixPath) -> Rewriter | None:
    """How a file is published by its path in the bundle; None for tables, heads, and what is left out."""
    match path.parts:
        case (name,):
            return _ROOT_FILES.get(name)
        case ("drive", moment, name) if re.fullmatch(r"(?:start|end)(?:-\d+)?", moment):
            return _ANSWERS.get(name)
        case ("drive" | "attempts" | "original", *_):
            return None
        case (_, name) | (_, _, name) if is_of_step(path):
            return _STEP_FILES.get(name)
    return None


def is_of_step(path: PurePosixPath) -> bool:
    """Whether it lies in the directory of a step, or of a load of a probe in it."""
    return bool(re.fullmatch(r"\d+-[^/]+/(?:load\d+/)?[^/]+", str(path)))


def is_table(path: PurePosixPath) -> bool:
    """Whether it is one of a step's tables."""
    return is_of_step(path) and path.name in TABLES


def is_head(path: PurePosixPath) -> bool:
    """Whether it makes a directory a bundle, or says what the others are; these are written last."""
    return len(path.parts) == 1 and path.name in _HEADS


def is_published(path: PurePosixPath) -> bool:
    """Whether there is a way to publish a file of that path."""
    return is_head(path) or is_table(path) or rewriter_of(path) is not None
