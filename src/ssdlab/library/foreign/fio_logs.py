"""fio's text logs, alone or beside the JSON of their run, and what the audit says of the JSON with them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab import _core
from ssdlab.analysis.audit.of_fio_json import FactsOfReport
from ssdlab.analysis.audit.run import audit_facts
from ssdlab.analysis.log.file import LogError, LogFormat, LogKind, LogUnit, identify, kind_of_name
from ssdlab.analysis.log.summary import DirectionSummary, LogSummary, Value, summarise
from ssdlab.analysis.statistics.percentile import PERCENTS
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Check
from ssdlab.bundle.quantities import Quantity, quantity_of
from ssdlab.engine.fio.document import FioDocument
from ssdlab.engine.fio.foreign_document import is_of_fio_2
from ssdlab.engine.result import Direction
from ssdlab.library.foreign.result import Foreign, ForeignError, ForeignNumber
from ssdlab.message import message
from ssdlab.point import Point
from ssdlab.units import KIB
from ssdlab.unknown import Unknown

FILES = "fio, text logs and histogram logs, alone or with the JSON of their run"
_BEGIN_BYTES = 4096
_ROW = re.compile(rb"\s*\d+,\s*\d+,\s*[012],\s*\d+")
_HISTOGRAM_ROW = re.compile(rb"\s*\d+,\s*[012],\s*\d+,(\s*\d+,){100}")
"""Time, direction and block size, then bins by the hundred."""


def is_fio_log(path: Path) -> bool:
    """Whether a file is named as fio names its logs and begins with a row of one, compressed or not."""
    if kind_of_name(path.name) is None or not path.is_file():
        return False
    try:
        form = identify(path, None, LogUnit.NANOSECONDS).form
        row = _HISTOGRAM_ROW if form is LogFormat.HISTOGRAM else _ROW
        return form is not LogFormat.JSON and bool(row.match(_core.read_fio_file(path, _BEGIN_BYTES)))
    except (LogError, _core.FioLogError, OSError, ValueError):
        return False


def read_fio_logs(paths: Sequence[Path], unit: LogUnit | None) -> Foreign:
    """Logs without the JSON of their run.

    Raises:
        ForeignError: One is damaged, or has no I/O.
    """
    numbers, notes = log_numbers(paths, unit)
    if not numbers and all(path.stat().st_size for path in paths):
        raise ForeignError(
            message("foreign-log-rates-of-each", path=str(paths[0])),
            message("foreign-log-rates-instead"),
        )
    if not numbers:
        raise ForeignError(message("foreign-log-no-io", path=str(paths[0])))
    kinds = dict.fromkeys(number.key.quantity.word.partition("_")[0] for number in numbers)
    return Foreign(
        program="fio",
        program_version=Unknown(message("unknown-log-silent")),
        method=f"logs of {', '.join(kinds)}",
        numbers=numbers,
        measured_at=Unknown(message("unknown-log-silent")),
        cautions=(
            "there is no JSON beside the logs, so nothing can be held against them",
            "nothing is known of what the drive went through before",
            *notes,
        ),
    )


def log_numbers(paths: Sequence[Path], unit: LogUnit | None) -> tuple[tuple[ForeignNumber, ...], tuple[str, ...]]:
    """What logs say, those of one kind together; and what must be known of it.

    Raises:
        ForeignError: One is damaged.
    """
    try:
        summaries = summarise([identify(path, None, unit) for path in paths])
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
    numbers = (
        number for one in summaries for direction in one.directions for number in _direction_numbers(one, direction)
    )
    return tuple(numbers), tuple(dict.fromkeys(str(note) for one in summaries for note in one.notes))


_UNITS = {LogKind.BANDWIDTH: ("bandwidth", "B/s", KIB), LogKind.IOPS: ("iops", "1/s", 1)}
"""What a rate is called, its unit, and how much of it is one of fio's."""


def _direction_numbers(summary: LogSummary, one: DirectionSummary) -> Iterator[ForeignNumber]:
    kind, unit, factor = _UNITS.get(summary.kind, (summary.kind.value, "ns", 1))
    word = f"{kind}_hist" if summary.form is LogFormat.HISTOGRAM else kind
    windows = "" if one.window_count is None else f"of {one.window_count:,} windows that fio averaged"
    values: list[tuple[Quantity, str | None, Value]] = [
        (quantity_of(f"{word}_mean"), None, one.mean),
        (quantity_of(f"{word}_max"), None, one.largest),
        *((quantity_of(word), percent, value) for percent, value in zip(PERCENTS, one.percentiles, strict=True)),
    ]
    for quantity, percent, value in values:
        if not isinstance(value, Unknown):
            key = MetricKey(Point("fio_log"), quantity, percent, Direction(one.direction.value))
            yield ForeignNumber(key=key, value=value * factor, unit=unit, note=windows)


def unit_beside(report: FioDocument) -> LogUnit:
    """In what the logs of the same run have their latencies."""
    return LogUnit.MICROSECONDS if is_of_fio_2(report.version) else LogUnit.NANOSECONDS


@dataclass(frozen=True, slots=True, eq=False)
class ChecksOfJobs(Iterable[Check]):
    """What the audit says of every job, made whenever it is gone through: of many jobs it is far longer than what fio said."""

    name: str
    facts: FactsOfReport

    def __iter__(self) -> Iterator[Check]:
        """All checks of the first job, then those of the next.

        Raises:
            ForeignError: A value is not what fio writes.
        """
        try:
            for facts in self.facts:
                yield from audit_facts(facts)
        except (ValueError, TypeError, ArithmeticError, LookupError) as error:
            raise ForeignError(
                message("foreign-cannot-judge", path=self.name, error=str(error)[:160]), message("foreign-fio-whole")
            ) from error


def audit_of_report(name: str, report: FioDocument, logs: Sequence[Path]) -> ChecksOfJobs:
    """The checks of every job of fio's JSON, with its logs if there are any.

    Raises:
        ForeignError: A log is damaged, or it cannot be told which job it is of.
    """
    try:
        # Of logs only how many I/Os and bytes there were is counted, which is the same in every unit.
        return ChecksOfJobs(name, FactsOfReport(report, [identify(log, None, LogUnit.NANOSECONDS) for log in logs]))
    except LogError as error:
        raise ForeignError(error.message, *error.hints) from error
