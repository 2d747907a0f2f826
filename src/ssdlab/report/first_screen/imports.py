"""The key numbers and the verdict of a result of another program: its profiles where it has any, else the first it gives."""

from collections.abc import Iterator, Sequence
from itertools import islice

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH
from ssdlab.engine.result import Direction
from ssdlab.figure.kit.profiles import LoadProfile
from ssdlab.job import Pattern
from ssdlab.message import Message, message, semicolons
from ssdlab.point import CoordinateAxis, Load
from ssdlab.report.first_screen.place import place_among
from ssdlab.report.first_screen.quoted import Metrics, QuotedMetric, metrics_of, quoted
from ssdlab.report.first_screen.tiles import TILES_MAX, Tile, decimal_tile
from ssdlab.unknown import Unknown

_TOLD_MAX = 4


def import_tiles(runs: Sequence[ImportedRun]) -> tuple[Tile, ...]:
    """Those of the first result, with its places among those of the same program and method."""
    first = runs[0]
    drives: dict[tuple[object, ...], list[Metrics]] = {}
    for run in runs:
        if _is_alike(run, first):
            drives.setdefault(_identity(run), []).append(metrics_of(run.metrics))
    # Nothing tells when, with which firmware or in which state other programs found the drive: such results are not repetitions.
    own, *others = (results[0] for results in drives.values())
    return tuple(islice((tile for key in _chosen(first) for tile in _tiles(key, own, others)), TILES_MAX))


def _identity(run: ImportedRun) -> tuple[object, ...]:
    """What the results of a drive have in common; a result that names no drive stands alone."""
    drive = run.info.drive
    return (run.path,) if isinstance(drive.model, Unknown) else (drive.model, drive.serial)


def import_verdict(run: ImportedRun, labels: Sequence[Message], shown: Sequence[QuotedMetric]) -> tuple[Message, ...]:
    """One sentence: what the program says of the drive, in its first and most telling numbers.

    Args:
        run: The result.
        labels: Of its tiles.
        shown: Their numbers, in the unit the sentence is to have.
    """
    parts = [
        message("verdict-labelled", label=label, value=metric.inline)
        for label, metric in list(zip(labels, shown, strict=True))[:_TOLD_MAX]
    ]
    if not parts:
        return ()
    return (message("verdict-program", program=run.info.program, parts=semicolons(*parts)),)


def _is_alike(run: ImportedRun, other: ImportedRun) -> bool:
    return (run.info.program, run.info.method) == (other.info.program, other.info.method)


def _tiles(key: MetricKey, own: Metrics, others: Sequence[Metrics]) -> Iterator[Tile]:
    found = quoted(own, key)
    if found is not None:
        theirs = [[other] if (other := quoted(metrics, key)) is not None else [] for metrics in others]
        place = place_among([found], theirs, key.better(found.unit))
        yield decimal_tile(_label(key), found, place)


def _chosen(run: ImportedRun) -> list[MetricKey]:
    """The deepest sequential profile, then random ones with one I/O in flight and with most; reads and writes of each."""
    keys = [metric.key for metric in run.metrics if not isinstance(metric.value, Unknown)]
    loads = {load for key in keys if isinstance(load := key.point.value(CoordinateAxis.PROFILE), Load)}
    by_depth = sorted(loads, key=lambda load: load.queue_depth * load.jobs)
    sequential = [load for load in by_depth if load.pattern is Pattern.SEQUENTIAL and not _profile(load).listed_only]
    random = [load for load in by_depth if load.pattern is Pattern.RANDOM]
    told = [*sequential[-1:], *random[:1], *random[-1:]]
    profiles = [
        key
        for load in dict.fromkeys(told)
        for key in keys
        if key.quantity == BANDWIDTH and key.direction is not None and key.point.value(CoordinateAxis.PROFILE) == load
    ]
    return profiles or [key for key in keys if not key.is_detail]


def _label(key: MetricKey) -> Message:
    load = key.point.value(CoordinateAxis.PROFILE)
    if not isinstance(load, Load):
        return message("verdict-of-point", point=key.point.words or key.point.name, quantity=key.label)
    if key.direction is Direction.READ:
        return message("report-load-read", load=_profile(load).label)
    return message("report-load-write", load=_profile(load).label)


def _profile(load: Load) -> LoadProfile:
    return LoadProfile(load.pattern, load.block_bytes, load.queue_depth, load.jobs)
