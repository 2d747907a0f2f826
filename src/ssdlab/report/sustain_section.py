"""What a sustained write comes to, as the texts of a section of the page: verdict of each pass, and what came back wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ssdlab.analysis.sustain import SHARES
from ssdlab.analysis.sustain_words import FLAT_MEANS, PassRow, pass_rows, sentences
from ssdlab.bundle.read import Bundle
from ssdlab.engine.bad_data import BadKind
from ssdlab.figure.bad_bytes import bad_readings
from ssdlab.figure.fill import is_sustained
from ssdlab.units import format_bandwidth_decimal, format_quantity
from ssdlab.unknown import Unknown

FOLDED_FROM = 20
"""Rows; a longer table is folded."""
_MEANINGS = {
    BadKind.ELSEWHERE: "whole data of another place",
    BadKind.STALE: "whole data of an earlier pass or run",
    BadKind.ZERO: "nothing but zeros",
    BadKind.CORRUPTED: "the right data with wrong bits",
    BadKind.FOREIGN: "nothing that was written by this run or another of ssdlab",
    BadKind.UNREADABLE: "an error in place of data",
}


@dataclass(frozen=True, slots=True)
class BadRow:
    """One kind of wrong data that one reading found."""

    reading: int
    kind: str
    meaning: str
    ranges: str
    length: str
    first: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SustainSection:
    """All of it."""

    sentences: tuple[str, ...]
    flat_means: str
    columns: tuple[str, ...]
    passes: tuple[tuple[str, tuple[str, ...]], ...]
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
    asked = [row.need for row in rows if row.need_met is not None]
    return SustainSection(
        sentences=tuple(sentences(bundle.metrics, bundle.not_whole)),
        flat_means=FLAT_MEANS,
        columns=(
            "mean",
            "worst second",
            *(f"under {share} %" for share in SHARES),
            "flat",
            "fell after",
            *asked[:1],
        ),
        passes=tuple((f"pass {row.number}", tuple(_cells(row, asked))) for row in rows),
        bad=tuple(_bad_rows(bundle)),
    )


def _cells(row: PassRow, asked: Sequence[str]) -> Iterator[str]:
    yield format_bandwidth_decimal(row.mean)
    yield "unknown" if isinstance(row.worst, Unknown) else format_bandwidth_decimal(row.worst)
    for share in row.below.values():
        yield "unknown" if isinstance(share, Unknown) else f"{share:.1f} %"
    yield "unknown" if isinstance(row.flat, Unknown) else "yes" if row.flat else "no"
    yield "" if row.flat is not False or isinstance(row.cliff_bytes, Unknown) else format_quantity(row.cliff_bytes, "B")
    if asked:
        yield "unknown" if row.need_met is None else f"{row.need_met:.1f} %"


def _bad_rows(bundle: Bundle) -> Iterator[BadRow]:
    for reading, ranges in bad_readings(bundle).items():
        for kind in BadKind:
            found = [one for one in ranges if one.kind is kind]
            if found:
                yield BadRow(
                    reading,
                    kind.value,
                    _MEANINGS[kind],
                    f"{len(found):,}",
                    f"{sum(one.length_bytes for one in found):,}",
                    f"{found[0].offset_bytes:,}",
                )
