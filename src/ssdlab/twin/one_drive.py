"""What is asked of runs before a twin is fitted to them or held against them: that they came to their end, on one drive."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from ssdlab.bundle.model import RunInfo, RunStatus
from ssdlab.bundle.read import Bundle
from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message, size


def require_finished(bundles: Sequence[Bundle]) -> None:
    """That nothing was cut short: what a step that did not end has written is not known, and nothing judged its run.

    Raises:
        SsdlabError: A run is not finished.
    """
    for bundle in bundles:
        if bundle.status is not RunStatus.FINISHED:
            raise SsdlabError(message("twin-unfinished", run=str(bundle.path)), message("twin-hint-runs"))


def require_one_drive(bundles: Sequence[Bundle]) -> None:
    """That no run says of its drive what another run does not; what one of two does not know is no difference.

    Raises:
        SsdlabError: The runs are of several drives, of one with several firmwares, or of several virtual drives; or a run is named twice.
    """
    require_each_once(bundles, lambda one, other: one.run == other.run)
    for bundle in bundles[1:]:
        for difference in _differences(bundles[0].run, bundle.run):
            raise SsdlabError(
                message("twin-several-drives", run=str(bundles[0].path), other=str(bundle.path), difference=difference),
                message("twin-hint-one-drive"),
            )


class _AtPath(Protocol):
    @property
    def path(self) -> Path:
        """Where it stands on disk."""


Measured = TypeVar("Measured", bound=_AtPath)


def require_each_once(runs: Sequence[Measured], is_same: Callable[[Measured, Measured], bool]) -> None:
    """A run that counts twice is no second measurement, and what is held out of the one would be fitted to in the other.

    Raises:
        SsdlabError: Two are the same.
    """
    for place, run in enumerate(runs):
        for before in runs[:place]:
            if is_same(before, run):
                raise SsdlabError(
                    message("twin-same-run", run=str(before.path), other=str(run.path)), message("twin-hint-once")
                )


def _differences(one: RunInfo, other: RunInfo) -> Iterator[Message]:
    ours, theirs = one.drive, other.drive
    marks = {
        "model": (ours.model, theirs.model),
        "serial": (ours.serial, theirs.serial),
        "firmware": (ours.firmware, theirs.firmware),
    }
    for mark, (first, second) in marks.items():
        if isinstance(first, str) and isinstance(second, str) and first != second:
            yield message("twin-differing-mark", mark=mark, one=first, other=second)
    if ours.capacity_bytes != theirs.capacity_bytes:
        sizes = (size(ours.capacity_bytes), size(theirs.capacity_bytes))
        yield message("twin-differing-size", one=sizes[0], other=sizes[1])
    if one.spec_text != other.spec_text:
        # A virtual drive is called as its specification says, whatever else was changed there.
        yield message("twin-differing-spec")
