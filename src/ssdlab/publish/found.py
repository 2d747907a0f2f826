"""What is private in a bundle, as it is come upon: values, what stands for them, and how often each kind occurred."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ssdlab.bundle.publication import PrivateKind
from ssdlab.publish.owner import Owner

WITHHELD = "left out by its owner"
"""In place of a text that says nothing without what is private in it."""
SEARCHED_MIN, _PART_MIN, _DIGITS_MIN = 4, 6, 8
"""Letters that a value, a part of one, and a number must have to be looked for: shorter ones are found everywhere."""
_PLACES = frozenset(
    """
    Users block boot by-id by-label by-partuuid by-path by-uuid data dev disk disks export exports home image images
    lib libexec local mapper media mnt nvme opt private proc root run scratch share shared sock socket srv ssdlab sys temp test
    tests tmp user users usr var work
    """.split()  # noqa: SIM905
)
"""Names of directories that say nothing of whose they are."""


GUESSABLE = frozenset({PrivateKind.HOST, PrivateKind.PATH, PrivateKind.FILE, PrivateKind.OPTION})
"""Kinds whose values may be words of every bundle: a host called `client`."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A value that must not remain, and what stands for it."""

    value: str
    kind: PrivateKind
    stand_in: str


@dataclass(slots=True)
class Findings:
    """Collected by a first look at all files, used by a second one that writes.

    Attributes:
        values: Private ones, with what stands for each; None where nothing does.
        parts: Likewise names of directories and files in paths, and first names of hosts.
        public: Words, in small letters, of what is kept.
    """

    owner: Owner
    values: dict[str, tuple[PrivateKind, str]] = field(default_factory=dict)
    parts: dict[str, str] = field(default_factory=dict)
    public: set[str] = field(default_factory=lambda: {"localhost"})

    def hashed(self, kind: PrivateKind, text: str) -> str:
        """What stands for a private value."""
        value = text.strip()
        if not value:
            return text
        stand_in = self.owner.pseudonym(value)
        self.values.setdefault(value, (kind, stand_in))
        if kind is PrivateKind.PATH:
            self.parts |= {part: self.owner.pseudonym(part) for part in path_parts(value)}
        if kind is PrivateKind.HOST:
            first = value.partition(".")[0]
            self.parts[first] = self.owner.pseudonym(first)
        return stand_in

    def left_out(self, kind: PrivateKind, text: str) -> str:
        """What is said in place of a value that nothing stands for."""
        if text.strip():
            self.values.setdefault(text.strip(), (kind, WITHHELD))
        return WITHHELD

    def kept(self, text: str) -> str:
        """Remember words of what is public anyway."""
        self.public |= words_of(text)
        return text

    def looked_for(self) -> Iterator[Sought]:
        """What must not remain anywhere, the longest first."""
        parts = {part: (PrivateKind.PATH, stand_in) for part, stand_in in self.parts.items()}
        for value, (kind, stand_in) in sorted((parts | self.values).items(), key=lambda item: -len(item[0])):
            if not self._is_common(value, kind):
                yield Sought(value, kind, stand_in)

    def _is_common(self, value: str, kind: PrivateKind) -> bool:
        """Whether looking for it would find others: too short, or a host or file called by words that are public here anyway."""
        least = _DIGITS_MIN if value.isdigit() else _PART_MIN if value in self.parts else SEARCHED_MIN
        return len(value) < least or (kind in GUESSABLE and words_of(value) <= self.public)


def words_of(text: str) -> set[str]:
    """In small letters."""
    return set(re.findall(r"\w+", text.casefold()))


def path_parts(text: str) -> Iterator[str]:
    """Names in a path that may say whose it is."""
    for part in PurePosixPath(text.replace("\\", "/")).parts:
        if part.strip("/") and part not in _PLACES:
            yield part
