"""All of the first screen but its figure, for a page on runs or on results of other programs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.passes import is_sustained
from ssdlab.message import Message, message
from ssdlab.report.comparison import comparable_groups
from ssdlab.report.first_screen.imports import import_tiles, import_verdict
from ssdlab.report.first_screen.masthead import Masthead, masthead, masthead_of_imports
from ssdlab.report.first_screen.quoted import DecimalMetrics
from ssdlab.report.first_screen.repeats import has_repeats, metrics_of_drive, repeats_of
from ssdlab.report.first_screen.tiles import Tile, tiles_of
from ssdlab.report.first_screen.verdict import verdict_of
from ssdlab.report.stated.datasheet import datasheet_of
from ssdlab.report.subjects import by_drive


class SpeedFamily(Enum):
    """Whether speeds are in MiB/s, as in fill figures, or in MB/s, as cameras, desktop benchmarks and labels of drives have them."""

    BINARY = "binary"
    DECIMAL = "decimal"


@dataclass(frozen=True, slots=True)
class FirstScreen:
    """What is read before anything else."""

    masthead: Masthead
    verdict: tuple[Message, ...]
    verdict_switched: tuple[Message, ...]
    """The same sentences with their speeds in the other unit."""
    tiles: tuple[Tile, ...]
    speeds: SpeedFamily = SpeedFamily.BINARY
    """What it begins in, which is what its main figure has."""
    repeats: Message | None = None
    """Of how many runs the numbers are the median; None of one run."""
    datasheet: Message | None = None
    """How many of its stated values the drive keeps; None where none are stated."""

    @property
    def has_intervals(self) -> bool:
        """Whether any number has one, which then has to be explained."""
        return any(tile.metric.interval is not None for tile in self.tiles)


def first_screen(bundles: Sequence[Bundle]) -> FirstScreen:
    """That of the drive under test; drives that ran its suite, too, stand beside it."""
    beside = next((group for group in comparable_groups(bundles) if bundles[0] in group), (bundles[0],))
    own = next(runs for runs in by_drive(beside) if bundles[0] in runs)
    runs = repeats_of(bundles[0], own) if has_repeats(bundles[0]) else bundles[:1]
    told = message("verdict-median-of-runs", count=len(runs)) if len(runs) > 1 else None
    datasheet = datasheet_of(bundles[0])
    metrics = metrics_of_drive(runs)
    binary, decimal = (verdict_of(bundles[0], one) for one in (metrics, DecimalMetrics(metrics)))
    is_decimal = is_sustained(bundles[0])
    return FirstScreen(
        masthead(bundles),
        decimal if is_decimal else binary,
        binary if is_decimal else decimal,
        tiles_of(beside, bundles),
        SpeedFamily.DECIMAL if is_decimal else SpeedFamily.BINARY,
        told,
        None if datasheet is None else datasheet.summary,
    )


def first_screen_of_imports(runs: Sequence[ImportedRun]) -> FirstScreen:
    """That of the first result of another program; those of the same program and method stand beside it."""
    tiles = import_tiles(runs)
    labels = [tile.label for tile in tiles]
    verdict = import_verdict(runs[0], labels, [tile.metric for tile in tiles])
    switched = import_verdict(runs[0], labels, [tile.switched or tile.metric for tile in tiles])
    return FirstScreen(masthead_of_imports(runs), verdict, switched, tiles, SpeedFamily.DECIMAL)
