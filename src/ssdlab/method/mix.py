"""What the file of a mix can say, and the parts that a mix becomes on a drive."""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, model_validator

from ssdlab.job import MixAction, MixPart, MixSize, Pattern, Region, Zipf
from ssdlab.message import message
from ssdlab.method.tables import SuiteTable
from ssdlab.method.values import ReadPercent
from ssdlab.units import MIB, UnitError, parse_bytes

_LONGEST_BYTES = MIB
"""Of `load::LENGTH_BYTES_MAX`."""
_WHOLE = 100


class MixOrigin(Enum):
    """Whose distribution it is."""

    PUBLISHED = "published"
    """As the source has it."""
    OURS = "ours"
    """Ours, after what the source says of such loads: their exact distribution is not public."""


def _sizes(value: object) -> object:
    """Lengths as TOML has them are text, which `parse_bytes` reads."""
    if not isinstance(value, dict):
        return value
    found: dict[int, object] = {}
    for text, share in value.items():
        length_bytes = parse_bytes(str(text))
        if not length_bytes or length_bytes % 512 or length_bytes > _LONGEST_BYTES:
            raise UnitError(message("mix-no-length", text=str(text)))
        found[length_bytes] = share
    return found


class MixZone(SuiteTable):
    """A part of the blocks, behind that of the zone before it, and its share of the I/Os."""

    of: ReadPercent
    """Share of the blocks."""
    ios: ReadPercent
    """Share of the I/Os of the stream."""


_EVERYWHERE = MixZone.model_validate({"of": "100%", "ios": "100%"})


class MixStream(SuiteTable):
    """I/Os that are alike in all but length and direction."""

    share: ReadPercent
    """Of all I/Os of the mix; those of all streams come to 100 %."""
    read_percent: ReadPercent = Field(alias="read")
    """Share of reads."""
    order: Annotated[Pattern, Field(strict=False)]
    """Sequential: each begins where the one before it of the same stream and direction ended. Random: independent draws."""
    zipf: Annotated[float, Field(gt=0, le=2)] | None = None
    """Exponent of zipf's law by which random blocks are chosen; all alike without it."""
    zones: Annotated[tuple[MixZone, ...], Field(strict=False)] = (_EVERYWHERE,)
    """One behind the other from the begin of the drive; the whole of it without any."""
    sizes: Annotated[Mapping[int, Annotated[int, Field(ge=1, le=100)]], BeforeValidator(_sizes)]
    """Lengths up to 1 MiB and the share of each, in per cent."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        _whole_or_refused("sizes", sum(self.sizes.values()))
        _whole_or_refused("zones", sum(zone.of for zone in self.zones))
        _whole_or_refused("zones", sum(zone.ios for zone in self.zones))
        if self.zipf is not None and self.order is not Pattern.RANDOM:
            raise UnitError(message("mix-zipf-in-order"))
        return self


class Mix(SuiteTable):
    """A whole file."""

    title: Annotated[str, Field(min_length=1, max_length=80)]
    """What it stands for."""
    origin: Annotated[MixOrigin, Field(strict=False)]
    """`published` or `ours`."""
    source: Annotated[str, Field(min_length=1)]
    """Where its numbers are from, or what ours follow."""
    streams: Annotated[tuple[MixStream, ...], Field(alias="stream", strict=False, min_length=1)]
    """What it consists of."""

    @model_validator(mode="after")
    def _shares(self) -> Self:
        _whole_or_refused("share", sum(stream.share for stream in self.streams))
        if sum(stream.share * stream.read_percent for stream in self.streams) % _WHOLE:
            raise UnitError(message("mix-uneven-reads"))
        return self

    @property
    def read_percent(self) -> int:
        """Of all I/Os."""
        return sum(stream.share * stream.read_percent for stream in self.streams) // _WHOLE

    @property
    def shortest_bytes(self) -> int:
        """The shortest of all lengths."""
        return min(length for stream in self.streams for length in stream.sizes)

    @property
    def mean_bytes(self) -> float:
        """Mean length of an I/O."""
        return sum(
            stream.share * share * length / _WHOLE**2
            for stream in self.streams
            for length, share in stream.sizes.items()
        )

    @property
    def random_percent(self) -> int:
        """Share of the I/Os that go to random places."""
        return sum(stream.share for stream in self.streams if stream.order is Pattern.RANDOM)

    def parts(self, region: Region) -> tuple[MixPart, ...]:
        """What the engine is given: one for each stream, zone and direction.

        Zones end at multiples of the longest length, so that blocks of every length lie in them as they lie on the drive.
        """
        return tuple(part for stream in self.streams for part in _parts(stream, region))


def _whole_or_refused(key: str, total: int) -> None:
    if total != _WHOLE:
        raise UnitError(message("mix-no-whole", key=key, total=str(total)))


def _parts(stream: MixStream, region: Region) -> Iterator[MixPart]:
    unit_bytes = max(stream.sizes)
    sizes = tuple(MixSize(length, share) for length, share in sorted(stream.sizes.items()))
    order = (
        Pattern.SEQUENTIAL
        if stream.order is Pattern.SEQUENTIAL
        else Zipf(stream.zipf)
        if stream.zipf
        else Pattern.RANDOM
    )
    before = 0
    for zone in stream.zones:
        begin, end = (_at(share, region.length_bytes, unit_bytes) for share in (before, before + zone.of))
        before += zone.of
        for action, percent in ((MixAction.READ, stream.read_percent), (MixAction.WRITE, _WHOLE - stream.read_percent)):
            weight = stream.share * percent * zone.ios
            if weight:
                yield MixPart(weight, action, Region(region.offset_bytes + begin, end - begin), order, sizes)


def _at(percent: int, length_bytes: int, unit_bytes: int) -> int:
    return length_bytes * percent // _WHOLE // unit_bytes * unit_bytes
