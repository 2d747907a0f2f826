"""That a run is asked to stop, and where: `stop.json`, put there before the signal that ends it, because a signal says nothing of its sender.

No part of the results: the run itself takes it up into the journal, and it is gone when the run is over.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import open_inside
from ssdlab.durable import write_durably

_BYTES_MAX = 1000


class AskedIn(Enum):
    """Where somebody asked."""

    BROWSER = "browser"


@dataclass(frozen=True, slots=True)
class StopAsked:
    """What the file says.

    Attributes:
        process_id: Of the ssdlab that is asked: what an earlier one of the same run was asked is no longer meant.
    """

    process_id: int
    asked_in: AskedIn


_ASKED: TypeAdapter[StopAsked] = TypeAdapter(StopAsked)


def note_stop_asked(bundle: Path, asked: StopAsked) -> None:
    """Leave word; raises OSError."""
    write_durably(bundle / layout.STOP_ASKED, _ASKED.dump_json(asked))


def stop_asked_of(bundle: Path, process_id: int) -> AskedIn | None:
    """Where that process was asked to stop the run; None of a signal that somebody sent by other means."""
    try:
        descriptor = open_inside(bundle, layout.STOP_ASKED)
    except (OSError, DamagedFile):
        return None
    try:
        asked = layout.parsed(_ASKED, os.read(descriptor, _BYTES_MAX))
    except (OSError, ValidationError, ValueError):
        return None
    finally:
        os.close(descriptor)
    return asked.asked_in if asked.process_id == process_id else None


def forget_stop_asked(bundle: Path) -> None:
    """The run is over, or nobody could be asked."""
    with suppress(OSError):
        (bundle / layout.STOP_ASKED).unlink(missing_ok=True)
