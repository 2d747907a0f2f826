"""The step `purge`."""

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
class PurgeStep(SuiteStep):
    """Back to fresh out of the box, then rest."""

    kind: Literal["purge"]
    name: StepName = "purge"
    rest_ns: Duration = Field(alias="rest", default=0)
    """Right after the purge, as a step of its own called `purge.rest`."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """None: a drive that cannot be purged is left in a state that is told."""
        del ground
        yield from ()

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """`purge` and `purge.rest`."""
        yield self.draft(self.name, StepKind.PURGE)
        if self.rest_ns:
            yield self.draft(f"{self.name}.rest", StepKind.REST, rest_ns=ground.rest_ns(self.rest_ns))

    @property
    def waits_for_rest(self) -> bool:
        """What was before is gone after it."""
        return False
