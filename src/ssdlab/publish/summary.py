"""What is told before a copy is written: by kind, how many, and an example of each."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from ssdlab.bundle.imported import ImportInfo
from ssdlab.bundle.model import RunInfo
from ssdlab.bundle.publication import PrivateKind
from ssdlab.message import Message, message
from ssdlab.publish.copy import Account
from ssdlab.publish.found import WITHHELD
from ssdlab.publish.kind_names import KIND_NAMES


class Fate(Enum):
    """What becomes of what was found."""

    HASHED = "hashed"
    LEFT_OUT = "left out"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class KindCount:
    """So many of a kind.

    Attributes:
        example: One of them, as it is at home.
        stand_in: What others will read in its place; empty where there is nothing.
    """

    fate: Fate
    what: Message
    count: int
    example: str
    stand_in: str = ""


def summary_of(account: Account) -> tuple[KindCount, ...]:
    """Private values, then files."""
    return (*_values(account), *_files(account))


def _values(account: Account) -> Iterator[KindCount]:
    rows: dict[tuple[Fate, PrivateKind], KindCount] = {}
    for value, (kind, stand_in) in account.found.values.items():
        fate = Fate.LEFT_OUT if stand_in == WITHHELD else Fate.HASHED
        first = rows.get(
            (fate, kind), KindCount(fate, KIND_NAMES[kind], 0, value, "" if stand_in == WITHHELD else stand_in)
        )
        rows[fate, kind] = KindCount(fate, first.what, first.count + 1, first.example, first.stand_in)
    yield from sorted(rows.values(), key=lambda row: (list(Fate).index(row.fate), str(row.what)))


def _files(account: Account) -> Iterator[KindCount]:
    reasons = Counter(account.left_out.values())
    for reason, count in reasons.items():
        example = next(path for path, why in account.left_out.items() if why is reason)
        yield KindCount(
            Fate.LEFT_OUT,
            message("publish-files", why=message("publish-left-out", reason=reason.name.lower())),
            count,
            str(example),
        )
    yield KindCount(Fate.KEPT, message("publish-kept-files"), len(account.kept), str(account.kept[0]))
    yield from _facts(account.head)


def _facts(head: RunInfo | ImportInfo) -> Iterator[KindCount]:
    """What is public of drive and host, and what its owner wrote; no more than that needs a look."""
    if isinstance(head.drive.model, str):
        yield KindCount(Fate.KEPT, message("publish-kept-models"), 1, head.drive.model)
    if isinstance(head, RunInfo):
        yield KindCount(Fate.KEPT, message("publish-kept-hosts"), 1, f"{head.host.cpu}, {head.host.os}")
        yield KindCount(Fate.KEPT, message("publish-kept-suite"), head.suite.text.count("\n"), head.suite.text)
    else:
        yield KindCount(
            Fate.KEPT,
            message("publish-kept-settings"),
            len(head.settings),
            ", ".join(one.name for one in head.settings),
        )
