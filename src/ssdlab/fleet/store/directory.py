"""A store that is a directory, which all hosts have mounted."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from ssdlab.bundle.files import require_no_link
from ssdlab.bundle.manifest import (
    MANIFEST,
    ManifestError,
    files_of,
    listed_in,
    require_as_listed,
    write_manifest_of,
)
from ssdlab.durable import make_durable, sync_directory
from ssdlab.fleet.store.base import RUNS, StoreError, mark_of, name_of, plain_files
from ssdlab.message import message

_ARRIVING = "arriving"


@dataclass(frozen=True, slots=True)
class DirectoryStore:
    """See `Store`; each file is flushed before the next one is believed in."""

    path: Path

    def of_run(self, run: UUID) -> str | None:
        """See `Store`."""
        with suppress(OSError):
            for path in (self.path / RUNS).glob(f"*-{mark_of(run)}"):
                if (path / MANIFEST).exists():
                    return path.name
        return None

    def has(self, bundle: Path, run: UUID) -> bool:
        """See `Store`."""
        try:
            return listed_in(self.path / RUNS / name_of(bundle, run)) == tuple(files_of(bundle))
        except (ManifestError, OSError):
            return False

    def bring(self, bundle: Path, run: UUID, directories: Sequence[str]) -> None:
        """See `Store`."""
        name = name_of(bundle, run)
        if (self.path / RUNS / name).exists():
            return
        place = self._arriving(name)
        for path in plain_files(bundle, directories):
            there = place / path
            if not there.exists() or there.stat().st_size != (bundle / path).stat().st_size:
                _copy(bundle, path, place)

    def put(self, bundle: Path, run: UUID) -> str:
        """See `Store`."""
        require_no_link(bundle)
        name = name_of(bundle, run)
        listed, whole = tuple(files_of(bundle)), self.path / RUNS / name
        if whole.exists():
            if not (whole / MANIFEST).exists() or listed_in(whole) != listed:
                raise StoreError(message("fleet-store-has-another", name=name))
            return name
        place = self._arriving(name)
        for path in {one.path for one in files_of(place)} - {one.path for one in listed}:
            (place / path).unlink()
        there = {one.path: one for one in files_of(place)}
        for one in listed:
            if there.get(one.path) != one:
                _copy(bundle, one.path, place)
        if tuple(files_of(place)) != listed:
            raise StoreError(message("fleet-store-changes", name=name))
        for directory in {(place / one.path).parent for one in listed}:
            sync_directory(directory)
        write_manifest_of(place, listed)
        place.rename(whole)
        sync_directory(whole.parent)
        return name

    def names(self) -> tuple[str, ...]:
        """See `Store`."""
        return tuple(sorted(path.name for path in (self.path / RUNS).iterdir() if (path / MANIFEST).exists()))

    @contextmanager
    def opened(self, name: str) -> Iterator[Path]:
        """See `Store`."""
        require_as_listed(self.path / RUNS / name)
        yield self.path / RUNS / name

    def _arriving(self, name: str) -> Path:
        """Where a bundle is put together.

        Raises:
            OSError: The store is not there. One that is not mounted is an empty directory of the host's own: nothing is made in that.
        """
        store = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.stat(RUNS, dir_fd=store)
            with suppress(FileExistsError):
                os.mkdir(_ARRIVING, dir_fd=store)
        finally:
            os.close(store)
        place = self.path / _ARRIVING / name
        place.mkdir(exist_ok=True)
        return place


def _copy(bundle: Path, name: str, place: Path) -> None:
    """A file of a bundle; the place is not made anew if the store went away meanwhile."""
    source, path = bundle / name, place / name
    for parent in reversed(Path(name).parents[:-1]):
        (place / parent).mkdir(exist_ok=True)
    temporary = path.with_name(f"{path.name}.partial")
    temporary.unlink(missing_ok=True)
    shutil.copyfile(source, temporary)
    make_durable(temporary, path)
