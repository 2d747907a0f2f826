"""What a suite can say: the kinds of its steps, and the whole file."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from ssdlab.job import EngineRule, Interface
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep
from ssdlab.method.kinds.demand import DemandStep
from ssdlab.method.kinds.fill import FillStep
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep
from ssdlab.method.kinds.load_latency import LoadLatencyStep
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.method.kinds.mixes import MixesStep
from ssdlab.method.kinds.purge import PurgeStep
from ssdlab.method.kinds.reclaim import ReclaimStep
from ssdlab.method.kinds.replay import ReplayStep
from ssdlab.method.kinds.rest import RestStep
from ssdlab.method.kinds.rounds import RoundsStep
from ssdlab.method.kinds.search import SearchStep
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.method.kinds.trim import TrimStep
from ssdlab.method.kinds.used_state import UsedStateStep
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep
from ssdlab.method.published import Published
from ssdlab.method.tables import NAME_LENGTH_MAX, SuiteProfile, SuiteTable
from ssdlab.method.values import Duration

SuiteName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=NAME_LENGTH_MAX)]
"""Part of the names of bundles."""
AnyStep = Annotated[
    PurgeStep
    | RestStep
    | FillStep
    | UsedStateStep
    | SteadyStateStep
    | MeasureStep
    | ReclaimStep
    | SearchStep
    | LoadLatencyStep
    | RoundsStep
    | IdleRecoveryStep
    | CrossStimulusStep
    | DemandStep
    | WriteAmplificationStep
    | MixesStep
    | ReplayStep
    | TrimStep,
    Field(discriminator="kind"),
]
"""A step of any kind there is."""


class Header(SuiteTable):
    """`[suite]`: what the suite is."""

    name: SuiteName
    """Part of the names of bundles."""
    version: Annotated[str, Field(min_length=1, max_length=NAME_LENGTH_MAX)]
    """Say a new one whenever numbers can change."""
    description: str = ""
    """One line for `ssdlab suites`."""
    rest_ns: Duration = Field(alias="rest", default=0)
    """Before every step but the first and those after a purge, as a step of its own called `STEP.rest_before`."""
    engine: Annotated[EngineRule, Field(strict=False)] = EngineRule.FIO
    """What does the I/O in real time: fio, ssdlab's own engine `load`, or where the method leaves it open either; then fio does unless
    `--engine load` is given."""
    published: Annotated[Published | None, Field(strict=False)] = None
    """The published method whose text it follows: a run then says where it departs from it."""
    interface: Annotated[Interface, Field(strict=False)] = Interface.IO_URING
    """How I/Os are handed to the kernel; a search, whose method is published with libaio, keeps that."""


def _at_least_one(steps: tuple[AnyStep, ...]) -> tuple[AnyStep, ...]:
    if not steps:
        raise PydanticCustomError("no_step", "there is no step")
    return steps


class SuiteTables(SuiteTable):
    """The whole file."""

    header: Header = Field(alias="suite")
    profiles: dict[SuiteName, SuiteProfile] = Field(alias="profile", default_factory=dict)
    steps: Annotated[tuple[AnyStep, ...], Field(alias="step", strict=False), AfterValidator(_at_least_one)]
