"""What is said of qualified drives, the same on the terminal, on the page and in the sheet."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.statistics.standing import ALIKE
from ssdlab.message import Message, message, number, size_decimal
from ssdlab.qualify.batch import Batch, OddNumber
from ssdlab.qualify.judge import JudgedNumber, Verdict
from ssdlab.qualify.outliers import DRIVES_MIN, LEVEL
from ssdlab.qualify.qualification import Qualification, QualifiedDrive
from ssdlab.units import format_quantity_short
from ssdlab.unknown import Unknown


def serial_words(one: QualifiedDrive) -> Message:
    """The serial number; of a drive whose serial is unknown the run."""
    if isinstance(one.serial, Unknown):
        return message("qualify-no-serial", run=one.drive.first.name)
    return message("qualify-name", name=one.serial)


def verdict_words(verdict: Verdict) -> Message:
    """`passes`."""
    return message("qualify-verdict", verdict=verdict.value)


def bound_words(one: JudgedNumber) -> Message:
    """`at least 150.0 MiB/s`."""
    return message("qualify-bound", side=one.limit.side.value, value=format_quantity_short(one.bound, one.unit).strip())


def value_words(one: JudgedNumber) -> Message:
    """The number with a mark where its audit failed; why there is none is said by `reason_words`."""
    if isinstance(one.number, Unknown):
        return message("qualify-no-margin")
    value = format_quantity_short(one.number.median, one.unit)
    return message("qualify-value", value=value, marked="yes" if one.failed_checks else "no")


def reason_words(one: JudgedNumber) -> Message | None:
    """Why it was not measured; None where it was."""
    return message("qualify-unmeasured", why=one.number.reason) if isinstance(one.number, Unknown) else None


def margin_words(one: JudgedNumber) -> Message:
    """`+4.2 %`; that it cannot be told, where the interval of the number has the limit in it; empty where there is none."""
    if isinstance(one.margin, Unknown):
        return message("qualify-no-margin")
    return message("qualify-margin", percent=number(100 * one.margin, "+.1f"), told="yes" if one.is_told else "no")


def odd_words(odd: OddNumber) -> Message:
    """`fill.bandwidth_mean 0.87 x the median, -9.4 standard deviations`."""
    return message(
        "qualify-odd",
        metric=odd.key.name,
        ratio=number(odd.ratio, ".3g"),
        deviations=number(odd.deviations, "+.1f"),
    )


def odd_column(odd: Sequence[OddNumber]) -> Message:
    """The farthest, and how many more."""
    if not odd:
        return message("qualify-not-odd")
    return message("qualify-odd-first", first=odd_words(odd[0]), more=len(odd) - 1)


def head_words(found: Qualification) -> Message:
    """How many drives, and what became of them."""
    verdicts = [one.verdict for one in found.drives]
    return message(
        "qualify-head",
        count=len(found.drives),
        limits=len(found.limits),
        passed=verdicts.count(Verdict.PASSED),
        failed=verdicts.count(Verdict.FAILED),
        unmeasured=verdicts.count(Verdict.NOT_MEASURED),
        odd=sum(bool(one.odd) for one in found.drives),
    )


def batch_words(found: Qualification) -> Iterator[Message]:
    """What was looked at of each batch; then what the test is, where any was judged."""
    for batch in found.siblings.batches:
        yield _of_batch(found, batch)
    if any(batch.judged for batch in found.siblings.batches):
        yield message(
            "qualify-test", batches=number(1 / LEVEL, ",.0f"), percent=number(100 * ALIKE, "g"), least=DRIVES_MIN
        )


def _of_batch(found: Qualification, batch: Batch) -> Message:
    key, judged, drives = batch.key, batch.judged, len(batch.drives)
    suite, profile = f"{key.method.suite} {key.method.version} ({key.method.sha256[:8]})", key.method.profile
    who = message("qualify-of", model=key.model, size=_size(key.capacity_bytes), suite=suite, profile=profile)
    if drives < DRIVES_MIN or not judged:
        return message("qualify-batch-few", who=who, drives=drives, least=DRIVES_MIN)
    return message(
        "qualify-batch",
        who=who,
        drives=drives,
        odd=len({place for one in judged for place in one.odd}),
        numbers=len(judged),
        others=len(batch.numbers) - len(judged),
        reach=number(found.siblings.reach_of(batch), ".1f"),
    )


def _size(capacity_bytes: int | None) -> Message:
    if capacity_bytes is None:
        return message("qualify-size-unknown")
    return message("qualify-size", size=size_decimal(capacity_bytes))
