"""A specification in the making: sections of keys, and its text."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum


class Unit(Enum):
    """What a number of a specification is of; the value is how it is written there."""

    TIME = "ns"
    SIZE = " B"
    RATE = " B/s"


@dataclass(frozen=True, slots=True)
class SpecNumber:
    """A number with its unit, whole ones in the text.

    Attributes:
        value: In nanoseconds, bytes, or bytes a second.
    """

    value: float
    unit: Unit

    @property
    def text(self) -> str:
        """As a specification has it."""
        least = 1 if self.unit is Unit.RATE else 0
        return f"{max(least, round(self.value))}{self.unit.value}"


Quantity = SpecNumber | tuple[SpecNumber, ...] | str | int | float


@dataclass(frozen=True, slots=True)
class Draft:
    """A virtual drive before it is written down.

    Attributes:
        name: Of the drive, letters, digits and dashes.
        description: One sentence; what is known of its errors stands there, because it goes wherever the drive goes.
        sections: Keys by section (`docs/reference/spec.md`).
    """

    name: str
    description: str
    sections: Mapping[str, Mapping[str, Quantity]]

    def having(self, section: str, **keys: Quantity) -> "Draft":
        """The same with other keys of a section."""
        return replace(self, sections={**self.sections, section: {**self.sections.get(section, {}), **keys}})

    def with_section(self, section: str, keys: Mapping[str, Quantity]) -> "Draft":
        """The same with these keys of a section, and no others."""
        return replace(self, sections={**self.sections, section: keys})

    def without(self, section: str) -> "Draft":
        """The same without a section."""
        return replace(self, sections={name: keys for name, keys in self.sections.items() if name != section})

    def number(self, section: str, key: str) -> float:
        """A number that stands there; 0 where none does."""
        found = self.sections.get(section, {}).get(key, 0.0)
        if isinstance(found, SpecNumber):
            return found.value
        return float(found) if isinstance(found, int | float) else 0.0

    def word(self, section: str, key: str) -> str:
        """A word that stands there; an empty one where none does."""
        found = self.sections.get(section, {}).get(key, "")
        return found if isinstance(found, str) else ""

    @property
    def writes_through_cache(self) -> bool:
        """Whether all that is written goes through its cache, with none past it."""
        return self.word("slc", "after") == "cache_only"

    def times(self, section: str, key: str) -> tuple[float, ...]:
        """A list of times, nanoseconds."""
        found = self.sections[section][key]
        return tuple(one.value for one in found) if isinstance(found, tuple) else (self.number(section, key),)

    @property
    def text(self) -> str:
        """TOML, as `ssdlab vdrive show` prints it."""
        lines = [f"name = {_toml(self.name)}", f"description = {_toml(self.description)}", "seed = 1"]
        for name, section in self.sections.items():
            lines += ["", f"[{name}]", *(f"{key} = {_toml(_written(value))}" for key, value in section.items())]
        return "\n".join(lines) + "\n"


def _toml(value: str | float | list[str]) -> str:
    """JSON but for two things: TOML knows no halves of a character, and has DEL escaped."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _written(value: Quantity) -> str | int | float | list[str]:
    match value:
        case SpecNumber():
            return value.text
        case tuple():
            return [one.text for one in value]
        case float():
            return float(f"{value:.6g}")
        case str() | int():
            return value


def as_time(time_ns: float) -> SpecNumber:
    """A time."""
    return SpecNumber(time_ns, Unit.TIME)


def as_size(size_bytes: float) -> SpecNumber:
    """A size."""
    return SpecNumber(size_bytes, Unit.SIZE)


def as_rate(rate_bytes_per_s: float) -> SpecNumber:
    """A rate."""
    return SpecNumber(rate_bytes_per_s, Unit.RATE)
