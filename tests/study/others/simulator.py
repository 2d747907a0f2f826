"""What a simulator of others is to the study: where it comes from, how it is built, its settings, and what is true of each of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.kit.probe_drives import Truth
from tests.study.others.source import Pinned

Counts = Mapping[str, int]
"""What a simulator has done since it began, by the names of `Simulator.counted`."""
HOST_READ_BYTES = "host_read_bytes"
HOST_WRITTEN_BYTES = "host_written_bytes"


class Settings(Protocol):
    """Of a simulated drive."""

    @property
    def raw_bytes(self) -> int:
        """All of the flash."""

    @property
    def written_bytes(self) -> int:
        """What is written in one piece: blocks of random writes are as long."""

    @property
    def block_pages(self) -> int:
        """Pages that are collected together."""

    def files(self) -> Mapping[str, bytes]:
        """The settings in the simulator's own words, by the names of its files."""

    def command(self, program: Path, directory: Path) -> list[str]:
        """How it is started where those files are."""

    def media_bytes(self, counts: Counts) -> int:
        """Programmed into flash."""

    def holding_bytes(self, counts: Counts) -> int | None:
        """Flash that holds data now, valid or not; None where the simulator's counters do not say."""

    def own_amplification(self, before: Counts, after: Counts) -> float:
        """By the simulator's own statistics of what it wrote by itself."""

    def truth(self, capacity_bytes: int, own_spare: float | None) -> dict[str, Truth]:
        """What may be answered, by the names of the answers; of the spare space what the simulator counts."""

    def row(self) -> tuple[str, ...]:
        """Of the table of settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulator:
    """One that others wrote.

    Attributes:
        name: In its authors' writing.
        pinned: Its source.
        build: Makes the adapter as a program from the mended tree.
        adapter: The adapter's own files.
        counted: Names of its counters, in the order of its adapter.
        settings: To be examined, by name.
        hot: Names of settings that are also written hot and cold, and how many per cent of the writes go to the rest of the blocks.
        intro: What it is, for the page.
        defaults: What its settings have in common, for the page.
        streams: What it does with hot and cold data, for the page.
        columns: Of the table of settings, without name and capacity.
        why: What is known of what disagrees: a file of the page's lines.
        page: Name of the page.
    """

    name: str
    pinned: Pinned
    build: Callable[[Path, Path], None]
    adapter: tuple[Path, ...]
    counted: tuple[str, ...]
    settings: Mapping[str, Settings]
    hot: tuple[tuple[str, int], ...] = field(default=())
    intro: str
    defaults: str
    streams: str
    columns: tuple[str, ...]
    why: Path
    page: str

    @property
    def key(self) -> str:
        """In paths and options."""
        return self.name.lower()

    def built(self, source: str | None = None) -> Path:
        """The adapter as a program, which is built where that was not done yet.

        Args:
            source: A clone of the simulator, or where one can be had; None: its public repository.

        Raises:
            SourceError: Its files are others.
            CalledProcessError: It could not be fetched or built.
        """
        return self.pinned.built(self.adapter, self.build, source)
