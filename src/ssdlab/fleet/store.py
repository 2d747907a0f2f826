"""The store of a fleet: a directory of bundles, each of which is whole from the moment its manifest is there, and never changes then.

It is laid out as a lab, so that every command that reads a lab reads a store.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from uuid import UUID

from ssdlab.bundle.files import require_no_link
from ssdlab.bundle.manifest import (
    MANIFEST,
    ListedFile,
    ManifestError,
    files_of,
    listed_in,
    require_as_listed,
    write_manifest_of,
)
from ssdlab.durable import make_durable, sync_directory
from ssdlab.errors import SsdlabError
from ssdlab.message import message

RUNS = "runs"


class StoreError(SsdlabError):
    """The store holds something else than what is to be put there, or does not keep what it is given."""


def name_of(bundle: Path, run: UUID) -> str:
    """What a bundle of a run is called in the store: names that hosts give may be the same."""
    return f"{bundle.name}-{_mark_of(run)}"


def _mark_of(run: UUID) -> str:
    return str(run)[:8]


def of_run(store: Path, run: UUID) -> str | None:
    """The bundle of a run that is whole; None where there is none, or the store is away."""
    with suppress(OSError):
        for path in (store / RUNS).glob(f"*-{_mark_of(run)}"):
            if (path / MANIFEST).exists():
                return path.name
    return None


def has(store: Path, bundle: Path, name: str) -> bool:
    """Whether a bundle is in the store as it is here, so far as that can be told now."""
    try:
        return listed_in(store / RUNS / name) == tuple(files_of(bundle))
    except (ManifestError, OSError):
        return False


def put(bundle: Path, store: Path, name: str) -> None:
    """Bring a bundle into the store: its files, each flushed, and the list of them last. What is there already is not written again.

    Raises:
        StoreError: A bundle of that name is there, and it is another one; or what was written reads back otherwise.
        OSError: The store cannot be reached or is full; what is missing is brought by the next try.
    """
    require_no_link(bundle)
    # A store that is not mounted is an empty directory of the host's own: nothing is made there that is not there.
    names(store)
    place = store / RUNS / name
    listed = tuple(files_of(bundle))
    if (place / MANIFEST).exists():
        _require_same(place, listed)
        return
    place.mkdir(exist_ok=True)
    there = {one.path: one for one in files_of(place)}
    for path in there.keys() - {one.path for one in listed}:
        (place / path).unlink()
    for one in listed:
        if there.get(one.path) != one:
            _copy(bundle / one.path, place / one.path)
    if tuple(files_of(place)) != listed:
        raise StoreError(message("fleet-store-changes", name=name))
    for directory in {(place / one.path).parent for one in listed}:
        sync_directory(directory)
    write_manifest_of(place, listed)
    sync_directory(place.parent)


def check(store: Path, name: str) -> None:
    """Make sure that a bundle of the store is what its manifest says.

    Raises:
        ManifestError: It is not.
        OSError: It cannot be read.
    """
    require_as_listed(store / RUNS / name)


def names(store: Path) -> tuple[str, ...]:
    """The bundles that are whole.

    Raises:
        OSError: The store cannot be read.
    """
    return tuple(sorted(path.name for path in (store / RUNS).iterdir() if (path / MANIFEST).exists()))


def _require_same(place: Path, listed: tuple[ListedFile, ...]) -> None:
    if listed_in(place) != listed:
        raise StoreError(message("fleet-store-has-another", name=place.name))


def _copy(source: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.partial")
    temporary.unlink(missing_ok=True)
    shutil.copyfile(source, temporary)
    make_durable(temporary, path)
