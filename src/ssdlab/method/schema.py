"""What a suite can say: the models of its TOML, one class a table.

A new kind of step is a new class in `AnyStep` and an expansion in `plan.py`; nothing else knows the kinds.
"""

from collections.abc import Callable
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from ssdlab.job import Pattern
from ssdlab.units import Share, UnitError, parse_bytes, parse_duration_ns, parse_share

WHOLE = Share(1, 1)


def _text_only(parse: Callable[[str], int | Share], example: str) -> Callable[[object], int | Share]:
    """A parser that also says what to write where somebody gave a bare number."""

    def parsed(value: object) -> int | Share:
        if not isinstance(value, str):
            raise UnitError(f"`{value}` has no unit", f"write it in quotes like `{example}`")
        return parse(value)

    return parsed


def _positive_bytes(text: str) -> int:
    size_bytes = parse_bytes(text)
    if size_bytes == 0:
        raise UnitError(f"`{text}` is nothing", "write a size above zero like `128KiB`")
    return size_bytes


def _proper_share(text: str) -> Share:
    share = parse_share(text)
    if not 0 < share.numerator <= share.denominator:
        raise UnitError(f"`{text}` is out of range", "a share is above 0 and at most `100%`")
    return share


def _amount(text: str) -> int | Share:
    return _proper_share(text) if "%" in text or "/" in text else _positive_bytes(text)


Size = Annotated[int, BeforeValidator(_text_only(_positive_bytes, "128KiB"))]
Duration = Annotated[int, BeforeValidator(_text_only(parse_duration_ns, "15min"))]
ProperShare = Annotated[Share, BeforeValidator(_text_only(_proper_share, "1/60"))]
Amount = Annotated[int | Share, BeforeValidator(_text_only(_amount, "100%"))]

SuiteName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$")]
"""Part of the names of bundles."""
StepName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
"""Prefix of the names of metrics; dots are put in by the plan."""


class Table(BaseModel):
    """Any table of a suite: unknown keys are faults, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", arbitrary_types_allowed=True)


class Header(Table):
    """`[suite]`: what the suite is."""

    name: SuiteName
    version: Annotated[str, Field(min_length=1)]
    description: str = ""


class Profile(Table):
    """`[profile.NAME]`: the suite scaled down. The profile `standard` is the suite as it stands."""

    time: ProperShare = WHOLE
    """Scales durations and rests."""
    size: ProperShare = WHOLE
    """Scales absolute amounts; shares of the drive stay."""

    @property
    def comparable(self) -> bool:
        """Whether its numbers may stand beside those of the suite as published."""
        return self.time.numerator == self.time.denominator and self.size.numerator == self.size.denominator


STANDARD = "standard"


class FillJob(Table):
    """How a fill writes. Every block is written exactly once, also in random order (METHODS 0)."""

    pattern: Annotated[Pattern, Field(strict=False)]
    block_bytes: Size = Field(alias="bs")
    queue_depth: Annotated[int, Field(alias="qd", ge=1, le=65_536)]


class PurgeStep(Table):
    """Back to fresh out of the box, then rest."""

    kind: Literal["purge"]
    name: StepName = "purge"
    rest_ns: Duration = Field(alias="rest", default=0)


class RestStep(Table):
    """No host I/O at all for that long."""

    kind: Literal["rest"]
    name: StepName = "rest"
    duration_ns: Duration = Field(alias="duration")


class FillStep(Table):
    """Write a part of the drive, or all of it, from its first byte on; several passes rest in between."""

    kind: Literal["fill"]
    name: StepName = "fill"
    job: FillJob
    amount: Amount = WHOLE
    """Share of the user capacity, or bytes."""
    passes: Annotated[int, Field(ge=1, le=100)] = 1
    rest_ns: Duration = Field(alias="rest", default=0)
    """Between the passes."""


AnyStep = Annotated[PurgeStep | RestStep | FillStep, Field(discriminator="kind")]


def _at_least_one(steps: tuple[AnyStep, ...]) -> tuple[AnyStep, ...]:
    if not steps:
        raise PydanticCustomError("no_step", "there is no step")
    return steps


class SuiteTables(Table):
    """The whole file."""

    header: Header = Field(alias="suite")
    profiles: dict[SuiteName, Profile] = Field(alias="profile", default_factory=dict)
    steps: Annotated[tuple[AnyStep, ...], Field(alias="step", strict=False), AfterValidator(_at_least_one)]
