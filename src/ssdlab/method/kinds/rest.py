"""The step `rest`."""

from collections.abc import Iterator
from typing import Literal, final

from pydantic import Field

from ssdlab.job import StepKind
from ssdlab.message import Message
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import SuiteStep
from ssdlab.method.tables import StepName
from ssdlab.method.values import Duration


@final
class RestStep(SuiteStep):
    """No host I/O at all for that long."""

    kind: Literal["rest"]
    name: StepName = "rest"
    duration_ns: Duration = Field(alias="duration")
    """How long."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """None: every drive can rest."""
        del ground
        yield from ()

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One rest."""
        yield self.draft(self.name, StepKind.REST, rest_ns=ground.rest_ns(self.duration_ns))

    @property
    def waits_for_rest(self) -> bool:
        """It is one."""
        return False
