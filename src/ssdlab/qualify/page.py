"""One page of a batch: serials first, the worst drive first, strip plots of its numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ssdlab.durable import write_durably
from ssdlab.figure.kit.direction import apart
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import drawn_in, say
from ssdlab.figure.strips import Strip, StripValue, strips_figure
from ssdlab.message import Message, message, number
from ssdlab.qualify.batch import Batch, BatchNumber
from ssdlab.qualify.judge import JudgedNumber, Verdict
from ssdlab.qualify.qualification import Qualification, QualifiedDrive
from ssdlab.qualify.words import (
    batch_words,
    bound_words,
    head_words,
    margin_words,
    odd_words,
    reason_words,
    serial_words,
    value_words,
    verdict_words,
)
from ssdlab.report.drawn import Making, drawn_figure
from ssdlab.report.frame import environment, page_frame
from ssdlab.report.render_pool import RenderPool
from ssdlab.report.view import Tone
from ssdlab.report.zoom import Room
from ssdlab.units import clipped
from ssdlab.unknown import Unknown
from ssdlab.words import Language

_STRIPS_MAX = 24
"""Numbers in the picture of a batch: those with odd drives, then those with limits, then others."""
_TONES = {Verdict.FAILED: Tone.BAD, Verdict.NOT_MEASURED: Tone.CAUTION, Verdict.PASSED: Tone.GOOD}


@dataclass(frozen=True, slots=True)
class _LimitRow:
    """A number of a drive against a limit."""

    metric: str
    value: Message
    reason: Message | None
    """Why there is no value."""
    bound: Message
    margin: Message
    verdict: Message
    tone: Tone


@dataclass(frozen=True, slots=True)
class _DriveRow:
    """A drive."""

    serial: Message
    model: str
    firmware: Message
    verdict: Message
    tone: Tone
    worst: _LimitRow
    odd: tuple[Message, ...]
    limits: tuple[_LimitRow, ...]
    runs: tuple[str, ...]


def write_page(found: Qualification, output: Path, language: Language = Language.ENGLISH) -> None:
    """Write the page.

    Args:
        found: What is shown.
        output: The HTML file, replaced as a whole or not at all.
        language: Of all words.

    Raises:
        VendorMissingError: The chart library was not fetched.
        BrokenPictureError: A figure could not be rendered.
        OSError: The file cannot be written.
    """
    write_durably(output, page(found, language).encode(errors="backslashreplace"))


def page(found: Qualification, language: Language = Language.ENGLISH) -> str:
    """The page as text; raises like `write_page`."""
    with RenderPool() as pool, drawn_in(language):
        making = Making(pool, Room(None), language)
        figures = [
            drawn_figure(f"batch{place}-{figure.name}", figure, making)
            for place, figure in enumerate(_figures(found), start=1)
        ]
        text = (
            environment(language)
            .get_template("qualify.html.j2")
            .render(
                title=message("qualify-title", drives=len(found.drives)),
                head=head_words(found),
                tone=Tone.GOOD if found.all_passed else Tone.BAD,
                cautions=found.cautions,
                rows=[_drive_row(one) for one in found.drives],
                said=list(batch_words(found)),
                figures=figures,
                **page_frame(language),
            )
        )
    return text.strip() + "\n"


def _drive_row(one: QualifiedDrive) -> _DriveRow:
    entry = one.drive.first
    firmware = entry.firmware
    return _DriveRow(
        serial=serial_words(one),
        model=entry.drive.model,
        firmware=message("qualify-name", name=firmware) if isinstance(firmware, str) else firmware.reason,
        verdict=verdict_words(one.verdict),
        tone=_TONES[one.verdict],
        worst=_limit_row(one.judged.worst),
        odd=tuple(map(odd_words, one.odd)),
        limits=tuple(map(_limit_row, one.judged.numbers)),
        runs=tuple(run.name for run in one.drive.entries),
    )


def _limit_row(one: JudgedNumber) -> _LimitRow:
    return _LimitRow(
        metric=one.metric,
        value=value_words(one),
        reason=reason_words(one),
        bound=bound_words(one),
        margin=margin_words(one),
        verdict=verdict_words(one.verdict),
        tone=_TONES[one.verdict],
    )


def _figures(found: Qualification) -> Iterator[Figure]:
    """A picture a batch that has several drives and a number that can be drawn as a multiple of its median."""
    by_place = {one.place: one for one in found.drives}
    for batch in found.siblings.batches:
        drawable = [number for number in batch.numbers if _is_drawable(number)]
        wanted = sorted(drawable, key=lambda number: _rank(number, batch, by_place))
        if wanted:
            about = (apart(batch.key.model), say(message("qualify-strips-about", drives=len(batch.drives))))
            left_out = len(batch.numbers) - len(wanted[:_STRIPS_MAX])
            caption = say(message("qualify-strips-left-out", count=left_out)) if left_out else ""
            strips = [_strip(one, batch, by_place, wanted) for one in wanted[:_STRIPS_MAX]]
            yield strips_figure(strips, about, caption)


def _is_drawable(number: BatchNumber) -> bool:
    return len(number.values) > 1 and all(group.median > 0 for group in number.values.values())


def _limits_of(number: BatchNumber, batch: Batch, one: QualifiedDrive) -> list[JudgedNumber]:
    method = (batch.key.method.suite, batch.key.method.profile)
    return [
        judged for judged in one.judged.numbers if (judged.limit.method, judged.metric) == (method, number.key.name)
    ]


def _rank(number: BatchNumber, batch: Batch, by_place: dict[int, QualifiedDrive]) -> int:
    """Order of the strips: odd drives, limits, the rest."""
    if number.odd:
        return 0
    return 1 if any(_limits_of(number, batch, by_place[place]) for place in number.values) else 2


def _strip(one: BatchNumber, batch: Batch, by_place: dict[int, QualifiedDrive], among: Sequence[BatchNumber]) -> Strip:
    name = one.key.name
    if [other.key.name for other in among].count(name) > 1:
        name = f"{name} ({next(iter(one.values.values())).first.state})"
    medians = sorted(group.median for group in one.values.values())
    values, bounds = [], dict[float, None]()
    for place, group in one.values.items():
        judged = _limits_of(one, batch, by_place[place])
        bounds |= dict.fromkeys(limit.bound for limit in judged if limit.bound > 0)
        values.append(StripValue(_picture_name(by_place[place]), group.median, _remark(one, place, judged)))
    return Strip(name, one.unit, medians[len(medians) // 2], tuple(values), tuple(bounds))


def _remark(one: BatchNumber, place: int, judged: Sequence[JudgedNumber]) -> Message | None:
    failed = next((limit for limit in judged if limit.verdict is Verdict.FAILED), None)
    if failed is not None:
        return message("qualify-remark-fails", bound=bound_words(failed))
    odd = one.odd.get(place)
    return None if odd is None else message("qualify-remark-odd", deviations=number(odd.deviations, "+.1f"))


def _picture_name(one: QualifiedDrive) -> str:
    return apart(clipped(one.drive.first.name if isinstance(one.serial, Unknown) else one.serial))
