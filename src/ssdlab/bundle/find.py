"""Where bundles are."""

from pathlib import Path

from ssdlab.bundle import layout
from ssdlab.bundle.read import BundleError


def newest_run(lab: Path) -> Path:
    """The bundle under a lab directory that was begun last; their names begin with the time.

    Raises:
        BundleError: There is none.
    """
    runs = [path for path in (lab / "runs").glob("*") if (path / layout.JOURNAL).exists()]
    if not runs:
        raise BundleError(f"there is no run under `{lab}`", "name a bundle, or the lab it is in with `--lab DIR`")
    return max(runs, key=lambda path: path.name)
