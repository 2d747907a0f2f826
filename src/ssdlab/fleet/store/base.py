"""What a store of bundles can do, wherever it is."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol
from uuid import UUID

from ssdlab.errors import SsdlabError

RUNS = "runs"


class StoreError(SsdlabError):
    """The store holds something else than what is to be put there, or does not keep what it is given."""


class Store(Protocol):
    """A place that all hosts reach. OSError of any method: it cannot be reached, or refuses; what is missing is brought by the next try."""

    def of_run(self, run: UUID) -> str | None:
        """The bundle of a run that is whole; None where there is none, or the store is away."""

    def has(self, bundle: Path, run: UUID) -> bool:
        """Whether the bundle of a run is in the store as it is here, so far as that can be told now."""

    def bring(self, bundle: Path, run: UUID, directories: Sequence[str]) -> None:
        """Bring directories of a bundle that is still being written and that will hardly change: the rest comes with `put`.

        Raises:
            OSError: As above.
        """

    def put(self, bundle: Path, run: UUID) -> str:
        """Bring the bundle of a run into the store, the list of its files last. What is there already is not written again.

        Returns:
            Its name there.

        Raises:
            StoreError: A bundle of that name is there, and it is another one; or what was written reads back otherwise.
            OSError: As above.
        """

    def names(self) -> tuple[str, ...]:
        """The bundles that are whole.

        Raises:
            OSError: As above.
        """

    def opened(self, name: str) -> AbstractContextManager[Path]:
        """A bundle of the store as files of this host, held against its manifest.

        Raises:
            ManifestError: It is not what its manifest says.
            OSError: As above.
        """


def name_of(bundle: Path, run: UUID) -> str:
    """What a bundle of a run is called in the store: names that hosts give may be the same."""
    return f"{bundle.name}-{mark_of(run)}"


def plain_files(bundle: Path, directories: Sequence[str]) -> Iterator[str]:
    """Files in directories of a bundle, by their paths in it. They are not looked into: that would take time beside a measurement."""
    for directory in directories:
        for path in sorted((bundle / directory).rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path.relative_to(bundle).as_posix()


def mark_of(run: UUID) -> str:
    """Of a run, in the name of its bundle."""
    return str(run)[:8]
