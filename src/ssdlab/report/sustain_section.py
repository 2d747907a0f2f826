"""What a sustained write comes to, as the texts of a section of the page: verdict of each pass, and what came back wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.metrics.sustain import SHARES
from ssdlab.analysis.metrics.sustain_words import FLAT_MEANS, PassRow, pass_rows, sentences
from ssdlab.bundle.read import Bundle
from ssdlab.engine.sustain.bad_data import BadKind
from ssdlab.figure.kit.passes import is_sustained
from ssdlab.figure.sustain.bad_bytes import bad_readings
from ssdlab.message import Message, message
from ssdlab.report.drive_facts import Shown
from ssdlab.report.metric_tables import yes_or_no
from ssdlab.units import format_bandwidth, format_bandwidth_decimal, format_quantity
from ssdlab.unknown import Unknown

FOLDED_FROM = 20
"""Rows; a longer table is folded."""
_KINDS = {
    BadKind.ELSEWHERE: message("sustain-elsewhere"),
    BadKind.STALE: message("sustain-stale"),
    BadKind.ZERO: message("sustain-zero"),
    BadKind.CORRUPTED: message("sustain-corrupted"),
    BadKind.FOREIGN: message("sustain-foreign"),
    BadKind.UNREADABLE: message("sustain-unreadable"),
}
_MEANINGS = {
    BadKind.ELSEWHERE: message("sustain-means-elsewhere"),
    BadKind.STALE: message("sustain-means-stale"),
    BadKind.ZERO: message("sustain-means-zero"),
    BadKind.CORRUPTED: message("sustain-means-corrupted"),
    BadKind.FOREIGN: message("sustain-means-foreign"),
    BadKind.UNREADABLE: message("sustain-means-unreadable"),
}
_NOT_KNOWN = message("report-unknown")


@dataclass(frozen=True, slots=True)
class BadRow:
    """One kind of wrong data that one reading found."""

    reading: int
    kind: Message
    """With what it means."""
    ranges: str
    length: str
    first: str


@dataclass(frozen=True, slots=True)
class PassCell:
    """One number of a pass."""

    text: Shown
    binary: str | None = None
    """A speed in MiB/s; None of what is no speed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainSection:
    """All of it."""

    sentences: tuple[Message, ...]
    flat_means: Message
    columns: tuple[Message, ...]
    passes: tuple[tuple[Message, tuple[PassCell, ...]], ...]
    """Name of the pass, and the cells of its row."""
    bad: tuple[BadRow, ...]

    @property
    def folded(self) -> bool:
        """Whether the table of the passes is too long to stand open."""
        return len(self.passes) > FOLDED_FROM


def sustain_section(bundle: Bundle) -> SustainSection | None:
    """The section; None of other runs."""
    if not is_sustained(bundle):
        return None
    rows = pass_rows(bundle.metrics)
    asked = [row.need for row in rows if row.need_met is not None and row.need is not None]
    return SustainSection(
        sentences=tuple(sentences(bundle.metrics, bundle.not_whole)),
        flat_means=FLAT_MEANS,
        columns=(
            message("sustain-column-mean"),
            message("sustain-column-worst"),
            *(message("sustain-column-under", share=share) for share in SHARES),
            message("sustain-column-flat"),
            message("sustain-column-fell"),
            *asked[:1],
        ),
        passes=tuple((message("sustain-row", number=row.number), tuple(_cells(row, asked))) for row in rows),
        bad=tuple(_bad_rows(bundle)),
    )


def _cells(row: PassRow, asked: Sequence[Message]) -> Iterator[PassCell]:
    yield _speed(row.mean)
    yield PassCell(_NOT_KNOWN) if isinstance(row.worst, Unknown) else _speed(row.worst)
    for share in row.below.values():
        yield PassCell(_NOT_KNOWN if isinstance(share, Unknown) else f"{share:.1f} %")
    yield PassCell(_NOT_KNOWN if isinstance(row.flat, Unknown) else yes_or_no(row.flat))
    cliff = None if row.flat is not False or isinstance(row.cliff_bytes, Unknown) else row.cliff_bytes
    yield PassCell("" if cliff is None else format_quantity(cliff, "B"))
    if asked:
        yield PassCell(_NOT_KNOWN if row.need_met is None else f"{row.need_met:.1f} %")


def _speed(bytes_per_s: float) -> PassCell:
    return PassCell(format_bandwidth_decimal(bytes_per_s), format_bandwidth(bytes_per_s))


def _bad_rows(bundle: Bundle) -> Iterator[BadRow]:
    for reading, ranges in bad_readings(bundle).items():
        for kind in BadKind:
            found = [one for one in ranges if one.kind is kind]
            if found:
                yield BadRow(
                    reading,
                    message("sustain-bad-kind", kind=_KINDS[kind], meaning=_MEANINGS[kind]),
                    f"{len(found):,}",
                    f"{sum(one.length_bytes for one in found):,}",
                    f"{found[0].offset_bytes:,}",
                )
