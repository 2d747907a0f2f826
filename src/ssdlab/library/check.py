"""Whether all files of many bundles still are what was written."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from ssdlab.bundle.examine import BundleExamination, examine
from ssdlab.library.catalogue import LibraryError
from ssdlab.message import message


def check(paths: Iterable[Path]) -> Iterator[BundleExamination]:
    """Examine each bundle, and each in the labs among the paths; one that cannot be opened is damaged.

    Raises:
        LibraryError: There is nothing at a path, or no run in a lab.
    """
    for path in paths:
        for bundle in _bundles(path):
            yield examine(bundle)


def check_lab(lab: Path) -> Iterator[BundleExamination]:
    """Examine each bundle of a lab; raises like `check`."""
    if lab.is_dir() and not (lab / "runs").is_dir():
        raise LibraryError(message("library-no-run", lab=str(lab)), message("library-add-or-name"))
    return check([lab])


def _bundles(path: Path) -> list[Path]:
    if not path.is_dir():
        raise LibraryError(message("library-no-directory", path=str(path)), message("library-give-bundles"))
    if not (path / "runs").is_dir():
        return [path]
    bundles = sorted(one for one in (path / "runs").iterdir() if one.is_dir() and not one.name.startswith("."))
    if not bundles:
        raise LibraryError(message("library-no-run", lab=str(path)), message("library-add-or-name"))
    return bundles
