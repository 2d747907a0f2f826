"""What every bundle begins with, whatever was asked for: where it is, and what was fixed before the first step."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ssdlab import version
from ssdlab.bundle.model import SCHEMA_VERSION, Limits, RunInfo, SuiteText
from ssdlab.drive.identity import DriveIdentity
from ssdlab.lab.host import look_at_host

_NAME_BYTES_MAX = 120
"""File systems take 255, and a name may be sent on with more added to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is done, and with which seed.

    Attributes:
        comparable: Whether its numbers may stand beside those of other drives.
    """

    suite: SuiteText
    profile: str
    comparable: bool
    seed: int
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What it is done to, and what does it.

    Attributes:
        spec_text: Of a virtual drive, complete; None of every other.
        engine: Its name and version.
    """

    drive: DriveIdentity
    spec_text: str | None
    engine: str


def bundle_path(lab: Path, suite: str, drive: DriveIdentity) -> Path:
    """Where the bundle of a run that begins now goes; nothing is there yet."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    called = drive.model if isinstance(drive.model, str) else drive.target
    words = "".join(letter if letter.isalnum() else "-" for letter in called).strip("-").lower()
    name = f"{moment}-{suite}-{words}".encode()[:_NAME_BYTES_MAX].decode(errors="ignore")
    paths = (lab / "runs" / (name if number == 1 else f"{name}-{number}") for number in range(1, 1000))
    return next(path for path in paths if not path.exists())


def info_of(asked: Asked, subject: Subject) -> RunInfo:
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
