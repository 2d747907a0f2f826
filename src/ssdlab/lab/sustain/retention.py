"""Data with a tag: that it is written once, and what the lab knows of that day, for a reading weeks later."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from ssdlab.analysis.metrics.sustain import settings_of
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.quantities import BANDWIDTH_MEAN
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.access import DriveError
from ssdlab.errors import SsdlabError
from ssdlab.job import StepKind
from ssdlab.message import Message, message
from ssdlab.method.sustain import NAME, DayOfWriting, SustainSettings, Work
from ssdlab.point import CoordinateAxis, Point

_READING = MetricKey(Point(NAME).at(CoordinateAxis.READING, 1), BANDWIDTH_MEAN)


def require_new_tag(lab: Path, settings: SustainSettings) -> None:
    """Refuse to write the same data again: where a second write is lost, the first one would pass for it.

    Raises:
        DriveError: The lab has a run that began to write data of this tag.
    """
    if settings.work is not Work.WRITE_AND_LEAVE:
        return
    for path in sorted((lab / "runs").glob(f"*-{NAME}-*")):
        bundle, said = _settings(path)
        if (
            bundle is not None
            and _wrote(said, settings.tag)
            and any(step.kind is StepKind.FILL for step in bundle.steps)
        ):
            raise DriveError(
                message("lab-tag-used", tag=str(settings.tag), date=bundle.run.started_at[:10], path=str(path)),
                another_tag(settings),
            )


def another_tag(settings: SustainSettings) -> Message:
    """What to do about it."""
    return message("lab-hint-another-tag", tag=str(settings.tag))


def _wrote(said: Mapping[str, object], tag: str | None) -> bool:
    return said.get("work") == Work.WRITE_AND_LEAVE.value and said.get("tag") == tag


def day_of_writing(lab: Path, settings: SustainSettings) -> DayOfWriting | None:
    """The reading right after the data of this tag was written, the newest where there are several.

    None where the lab has none with chunks of the same size: no other could be compared.
    """
    found = [
        one for path in sorted((lab / "runs").glob(f"*-{NAME}-*")) if (one := _reading(path, settings)) is not None
    ]
    return max(found, key=lambda one: one.date, default=None)


def _reading(path: Path, settings: SustainSettings) -> DayOfWriting | None:
    bundle, said = _settings(path)
    if bundle is None or bundle.status is not RunStatus.FINISHED:
        return None
    return _speed(bundle) if _wrote(said, settings.tag) and said.get("chunk_bytes") == settings.chunk_bytes else None


def _settings(path: Path) -> tuple[Bundle | None, Mapping[str, object]]:
    """A bundle and what was asked of it; none where it cannot be opened."""
    try:
        bundle = open_bundle(path)
        return bundle, settings_of(bundle.run.suite.text)
    except (SsdlabError, tomllib.TOMLDecodeError, KeyError):
        return None, {}


def _speed(bundle: Bundle) -> DayOfWriting | None:
    for metric in bundle.metrics:
        if metric.key == _READING and isinstance(metric.value, int | float):
            return DayOfWriting(bundle.run.started_at, round(metric.value))
    return None
