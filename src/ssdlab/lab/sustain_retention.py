"""What the lab knows of the day on which data with a tag was written, for a reading weeks later."""

import tomllib
from pathlib import Path

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.method.sustain import NAME, DayOfWriting, Wish, Work

_READING = f"{NAME}.verify1.bandwidth_mean"


def day_of_writing(lab: Path, wish: Wish) -> DayOfWriting | None:
    """The reading right after the data of this tag was written, the newest where there are several.

    None where the lab has none with chunks of the same size: no other could be compared.
    """
    found = [one for path in sorted((lab / "runs").glob(f"*-{NAME}-*")) if (one := _reading(path, wish)) is not None]
    return max(found, key=lambda one: one.date, default=None)


def _reading(path: Path, wish: Wish) -> DayOfWriting | None:
    try:
        bundle = open_bundle(path)
        said = tomllib.loads(bundle.run.suite.text).get("sustain", {})
    except (SsdlabError, tomllib.TOMLDecodeError):
        return None
    wrote = {"work": Work.WRITE_AND_LEAVE.value, "tag": wish.tag, "chunk_bytes": wish.chunk_bytes}
    if bundle.status is not RunStatus.FINISHED or any(said.get(key) != value for key, value in wrote.items()):
        return None
    return _speed(bundle)


def _speed(bundle: Bundle) -> DayOfWriting | None:
    for metric in bundle.metrics:
        if metric.name == _READING and isinstance(metric.value, int | float):
            return DayOfWriting(bundle.run.started_at, round(metric.value))
    return None
