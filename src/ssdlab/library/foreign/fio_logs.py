"""fio's text logs, alone or beside the JSON of their run, and what the audit says of the JSON with them."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ssdlab import _core
from ssdlab.analysis.audit import audit_facts
from ssdlab.analysis.audit_foreign import facts_of_files
from ssdlab.analysis.log import PERCENTS, DirectionSummary, LogSummary, Value, summarise
from ssdlab.analysis.log_file import Form, LogError, LogFile, LogKind, identify
from ssdlab.bundle.model import Check
from ssdlab.library.foreign.result import Foreign, ForeignError, Number
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

FILES = "fio, text logs and histogram logs, alone or with the JSON of their run"
_BEGIN_BYTES = 4096
_ROW = re.compile(rb"\s*\d+,\s*\d+,\s*[012],\s*\d+")
_HISTOGRAM_ROW = re.compile(rb"\s*\d+,\s*[012],\s*\d+,(\s*\d+,){100}")
"""Time, direction and block size, then bins by the hundred."""


def is_fio_log(path: Path) -> bool:
    """Whether a file is named as fio names its logs and begins with a row of one, compressed or not."""
    if not path.is_file():
        return False
    try:
        form = identify(path, None).form
        row = _HISTOGRAM_ROW if form is Form.HISTOGRAM else _ROW
        return form is not Form.JSON and bool(row.match(_core.read_fio_file(path, _BEGIN_BYTES)))
    except (LogError, _core.FioLogError, OSError, ValueError):
        return False


def read_fio_logs(paths: Sequence[Path]) -> Foreign:
    """Logs without the JSON of their run.

    Raises:
        ForeignError: One is damaged, or has no I/O.
    """
    numbers, notes = log_numbers(paths)
    if not numbers:
        raise ForeignError(f"`{paths[0]}` has no row of an I/O")
    kinds = dict.fromkeys(number.name.rpartition(".")[2].partition("_")[0] for number in numbers)
    return Foreign(
        program="fio",
        program_version=Unknown("logs do not say"),
        method=f"logs of {', '.join(kinds)}",
        numbers=numbers,
        measured_at=Unknown("logs do not say"),
        cautions=(
            "there is no JSON beside the logs, so nothing can be held against them",
            "nothing is known of what the drive went through before",
            *notes,
        ),
    )


def log_numbers(paths: Sequence[Path]) -> tuple[tuple[Number, ...], tuple[str, ...]]:
    """What logs say, those of one kind together; and what must be known of it.

    Raises:
        ForeignError: One is damaged.
    """
    try:
        summaries = summarise([identify(path, None) for path in paths])
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
    numbers = (
        number for one in summaries for direction in one.directions for number in _direction_numbers(one, direction)
    )
    return tuple(numbers), tuple(dict.fromkeys(note for one in summaries for note in one.notes))


_UNITS = {LogKind.BANDWIDTH: ("bandwidth", "B/s", KIB), LogKind.IOPS: ("iops", "1/s", 1)}
"""What a rate is called, its unit, and how much of it is one of fio's."""


def _direction_numbers(summary: LogSummary, one: DirectionSummary) -> Iterator[Number]:
    kind, unit, factor = _UNITS.get(summary.kind, (summary.kind.value, "ns", 1))
    bins = "_hist" if summary.form is Form.HISTOGRAM else ""
    prefix = f"fio_log.{one.direction.value}.{kind}{bins}"
    windows = "" if one.window_count is None else f"of {one.window_count:,} windows that fio averaged"
    values: list[tuple[str, Value]] = [("mean", one.mean), ("max", one.largest)]
    values += [
        (f"p{percent.replace('.', '_')}", value) for percent, value in zip(PERCENTS, one.percentiles, strict=True)
    ]
    for name, value in values:
        if not isinstance(value, Unknown):
            yield Number(name=f"{prefix}_{name}", value=value * factor, unit=unit, note=windows)


def audit_of_json(path: Path, logs: Sequence[Path]) -> tuple[Check, ...]:
    """The checks of every job of fio's JSON, with its logs if there are any.

    Raises:
        ForeignError: A file is damaged, or it cannot be told which job a log is of.
    """
    files = [LogFile(path, LogKind.COMPLETION_LATENCY, Form.JSON), *(identify(log, None) for log in logs)]
    try:
        return tuple(check for facts in facts_of_files(files) for check in audit_facts(facts))
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        raise ForeignError(f"`{path}` cannot be judged: {str(error)[:160]}", "is it what fio wrote, whole?") from error
