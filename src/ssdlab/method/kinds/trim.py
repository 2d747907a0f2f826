"""The step `trim`: a drive is rarely full, and what is trimmed is free for it to work with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal, final

from ssdlab.job import Region, StepKind
from ssdlab.message import Message, message, size
from ssdlab.method.draft import PlannedStep, StepContext
from ssdlab.method.kinds.base import KeyPath, SuiteStep, unknown_region
from ssdlab.method.tables import DRIVE_REGION, StepName
from ssdlab.method.trimming import end_of, trim_job
from ssdlab.method.values import Amount
from ssdlab.units import Share


@final
class TrimStep(SuiteStep):
    """Trim the end of the drive or of a part of it; what of that stays in use is a region of the step's name."""

    kind: Literal["trim"]
    name: StepName = "trim"
    region: StepName = DRIVE_REGION
    """Whose end it is: `drive`, or a part that an earlier step has made."""
    amount: Amount
    """Share of that part, or bytes, in whole MiB."""

    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""
        whole, wanted_bytes = ground.region(self.region), self._wanted_bytes(ground)
        if wanted_bytes > whole.length_bytes:
            wanted, length = size(wanted_bytes), size(whole.length_bytes)
            yield message("suite-trims-beyond", step=self.name, wanted=wanted, whole=length)
        elif not self._trimmed(ground).length_bytes:
            yield message("suite-trims-too-little", step=self.name, whole=size(whole.length_bytes))

    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """One job, which trims every block once."""
        trimmed = self.draft(self.name, StepKind.TRIM, trim_job(self.name, self._trimmed(ground)))
        yield replace(trimmed, skip=ground.drive.cannot_trim)

    @property
    def waits_for_rest(self) -> bool:
        """What it takes is not measured; what is measured after it waits."""
        return False

    @property
    def region_names(self) -> tuple[str, ...]:
        """What stays in use."""
        return (self.name,)

    def regions(self, ground: StepContext) -> Mapping[str, Region]:
        """What stays in use."""
        whole, trimmed = ground.region(self.region), self._trimmed(ground)
        return {self.name: Region(whole.offset_bytes, trimmed.offset_bytes - whole.offset_bytes)}

    def contradictions(self, before: Sequence[SuiteStep]) -> Iterator[tuple[KeyPath, Message]]:
        """A part that nothing has made."""
        for fault in unknown_region(self.region, before):
            yield ("region",), fault

    def _wanted_bytes(self, ground: StepContext) -> int:
        if isinstance(self.amount, Share):
            return self.amount.of(ground.region(self.region).length_bytes)
        return ground.scale.size.of(self.amount)

    def _trimmed(self, ground: StepContext) -> Region:
        return end_of(ground.region(self.region), self._wanted_bytes(ground))
