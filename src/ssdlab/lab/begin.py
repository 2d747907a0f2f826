"""What every bundle begins with, whatever was asked for: where it is, and what was fixed before the first step."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ssdlab import os_errors, version
from ssdlab.bundle.journal import Event
from ssdlab.bundle.model import SCHEMA_VERSION, Limits, RunInfo, Step, SuiteText
from ssdlab.bundle.stop_asked import AskedIn, stop_asked_of
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.identity import DriveIdentity
from ssdlab.errors import SsdlabError
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.lab.host import look_at_host
from ssdlab.message import Message, message

_NAME_BYTES_MAX = 120
"""File systems take 255, and a name may be sent on with more added to it."""
_SAME_NAME_MAX = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is done, and with which seed.

    Attributes:
        comparable: Whether its numbers may stand beside those of other drives.
    """

    suite: SuiteText
    seed: int
    profile: str = "standard"
    comparable: bool = True
    limits: Limits = field(default_factory=Limits)


def suite_text(name: str, version: str, text: str) -> SuiteText:
    """What was asked for as a text made for the run."""
    return SuiteText(name=name, version=version, text=text, sha256=hashlib.sha256(text.encode()).hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSubject:
    """What it is done to, and what does it.

    Attributes:
        spec_text: Of a virtual drive, complete; None of every other.
        engine: Its name and version.
    """

    drive: DriveIdentity
    spec_text: str | None
    engine: str


class CannotBegin(SsdlabError):  # noqa: N818 - the error is the state
    """No bundle can be made; nothing was done to the drive."""


BY_OPERATOR = message("lab-by-operator")
_BY_OPERATOR_IN = {AskedIn.BROWSER: message("lab-by-operator-in-browser")}


def asked_to_stop(bundle: Path) -> Message | None:
    """That a program asked this process to stop its run, and for whom; None where none did."""
    asked_in = stop_asked_of(bundle, os.getpid())
    return None if asked_in is None else _BY_OPERATOR_IN[asked_in]


@contextmanager
def new_bundle(lab: Path, info: RunInfo, steps: Sequence[Step]) -> Iterator[BundleWriter]:
    """The bundle of a run that begins now, closed at the end.

    Raises:
        CannotBegin: The lab cannot be written to.
        KeyboardInterrupt: The operator stopped it while it was made; the bundle says so.
    """
    writer: BundleWriter | None = None
    try:
        # Whoever finds a bundle finds what it is of, and how it ended.
        with uninterrupted():
            writer = _made(lab, info, steps)
    except KeyboardInterrupt:
        if writer is not None:
            writer.run_ended(0, Event.RUN_INTERRUPTED, BY_OPERATOR)
            writer.close()
        raise
    with closing(writer):
        yield writer


def _made(lab: Path, info: RunInfo, steps: Sequence[Step]) -> BundleWriter:
    try:
        for path in _paths(lab, info):
            # Whoever makes the directory has the name, however many runs begin at once.
            with suppress(FileExistsError):
                return BundleWriter(path, info, steps)
    except OSError as error:
        raise CannotBegin(
            message("lab-no-bundle", lab=str(lab), error=os_errors.reason_of(error)),
            message("lab-hint-space"),
        ) from error
    raise CannotBegin(message("lab-same-names", lab=str(lab), count=_SAME_NAME_MAX), message("lab-hint-elsewhere"))


def _paths(lab: Path, info: RunInfo) -> Iterator[Path]:
    """Names of such a run, in the order in which they are tried."""
    moment = datetime.fromisoformat(info.started_at).strftime("%Y%m%dT%H%M%SZ")
    called = info.drive.model if isinstance(info.drive.model, str) else info.drive.target
    words = "".join(letter if letter.isalnum() else "-" for letter in called).strip("-").lower()
    name = f"{moment}-{info.suite.name}-{words}".encode()[:_NAME_BYTES_MAX].decode(errors="ignore")
    for number in range(1, _SAME_NAME_MAX + 1):
        yield lab / "runs" / (name if number == 1 else f"{name}-{number}")


def info_of(asked: Asked, subject: RunSubject) -> RunInfo:
    """Everything that is fixed before the first step of a run that begins now on this host."""
    return RunInfo(
        schema=SCHEMA_VERSION,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        drive=subject.drive,
        host=look_at_host(),
        suite=asked.suite,
        profile=asked.profile,
        comparable=asked.comparable,
        seed=asked.seed,
        engine=subject.engine,
        ssdlab_version=version(),
        spec_text=subject.spec_text,
        limits=asked.limits,
    )
