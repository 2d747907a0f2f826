"""Where bundles are."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.files import open_inside
from ssdlab.bundle.imported import IMPORT
from ssdlab.message import message

_RUN_BYTES_MAX = 16 << 20
"""A thousand times what a run says of itself."""


@dataclass(frozen=True, slots=True)
class _Begun:
    """All that is read of `run.json`."""

    started_at: datetime


_BEGUN = TypeAdapter(_Begun)
_UNDATED = datetime.min.replace(tzinfo=UTC)


def newest_run(lab: Path) -> Path:
    """The bundle under a lab directory that was begun last, as it says itself: one that was added may be called anything.

    Raises:
        BundleError: There is none.
    """
    runs = _in(lab / "runs")
    if not runs:
        raise _without_runs(lab)
    return runs[-1]


def _without_runs(lab: Path) -> BundleError:
    """What was imported has no moment at which it began, so none of it is the newest."""
    imported = sorted(str(path.parent) for path in lab.glob(f"runs/*/{IMPORT}"))
    if not imported:
        return BundleError(message("bundle-no-run", lab=str(lab)), message("bundle-name-one"))
    return BundleError(
        message("bundle-only-imported", lab=str(lab), count=len(imported)),
        message("bundle-name-imported", path=imported[-1]),
    )


def require_each_once(runs: Sequence[Path]) -> None:
    """That nothing counts as its own repetition, by whatever names it is named.

    Raises:
        BundleError: Something is named twice.
    """
    places = [run.resolve() for run in runs]
    for run, place in zip(runs, places, strict=True):
        if places.count(place) > 1:
            raise BundleError(message("bundle-run-twice", run=str(run)), message("bundle-name-once"))


def runs_below(directory: Path) -> list[Path]:
    """The bundles of a lab, or of its directory of runs, the newest last; none if it is a bundle or anything else."""
    return [] if (directory / layout.JOURNAL).exists() else _in(directory) or _in(directory / "runs")


def _in(directory: Path) -> list[Path]:
    runs = (path for path in directory.glob("*") if (path / layout.JOURNAL).exists())
    return sorted(runs, key=lambda path: (_started_at(path), path.name))


def _started_at(run: Path) -> datetime:
    """Before all others where nothing can be read of it."""
    try:
        with os.fdopen(open_inside(run, layout.RUN), "rb") as file:
            moment = layout.parsed(_BEGUN, file.read(_RUN_BYTES_MAX)).started_at
    except (OSError, DamagedFile, ValueError):
        return _UNDATED
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
