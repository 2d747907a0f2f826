"""Where bundles are."""

from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.damage import BundleError
from ssdlab.message import message


def newest_run(lab: Path) -> Path:
    """The bundle under a lab directory that was begun last; their names begin with the time.

    Raises:
        BundleError: There is none.
    """
    runs = _in(lab / "runs")
    if not runs:
        raise BundleError(message("bundle-no-run", lab=str(lab)), message("bundle-name-one"))
    return runs[-1]


def runs_below(directory: Path) -> list[Path]:
    """The bundles of a lab, or of its directory of runs, the newest last; none if it is a bundle or anything else."""
    return [] if (directory / layout.JOURNAL).exists() else _in(directory) or _in(directory / "runs")


def _in(directory: Path) -> list[Path]:
    runs = (path for path in directory.glob("*") if (path / layout.JOURNAL).exists())
    return sorted(runs, key=lambda path: path.name)
