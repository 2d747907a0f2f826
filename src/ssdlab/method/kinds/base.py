"""A step of a suite, of whatever kind."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

from ssdlab.job import Job, Region, StepKind
from ssdlab.message import Message, message
from ssdlab.method.choices import one_of
from ssdlab.method.draft import PlannedStep, StepContext, draft
from ssdlab.method.tables import DRIVE_REGION, ProfileNames, StepName, SuiteTable

KeyPath = tuple[str | int, ...]
"""Keys and positions that lead to a value, from the step's own table on."""


class SuiteStep(SuiteTable, ABC):
    """What every kind of step says of itself.

    A new kind extends this, `@final` so that the type checker notices what it leaves out, in a module of its own beside this one;
    a line in `AnyStep` (`schema.py`) makes it known, and the type checker then names every place that must have an answer for it.
    """

    kind: str
    name: StepName
    profiles: ProfileNames = None
    """Only under these profiles there is such a step; left out: under all of them."""

    def is_of(self, profile: str) -> bool:
        """Whether the profile has the step."""
        return self.profiles is None or profile in self.profiles

    @abstractmethod
    def faults(self, ground: StepContext) -> Iterator[Message]:
        """Why it cannot be done on this drive."""

    @abstractmethod
    def drafts(self, ground: StepContext) -> Iterator[PlannedStep]:
        """The planned steps it becomes, in order; asked only where there are no faults."""

    @property
    @abstractmethod
    def waits_for_rest(self) -> bool:
        """Whether the suite's rest between steps comes before it."""

    @property
    def opens_loads(self) -> bool:
        """Whether it offers rates that do not wait for the drive, which only ssdlab's own engine can."""
        return False

    @property
    def needs_live_windows(self) -> bool:
        """Whether something in it ends by what is seen of it ten times a second, which fio does not tell."""
        return False

    @property
    def is_by_fio(self) -> bool:
        """Whether it asks for what only fio does, whatever else is done by another engine."""
        return False

    @property
    def files_read(self) -> tuple[str, ...]:
        """Files beside the suite that it reads, by their paths."""
        return ()

    @property
    def region_names(self) -> tuple[str, ...]:
        """Parts of the drive that later steps may name."""
        return ()

    def regions(self, ground: StepContext) -> Mapping[str, Region]:
        """Where those are on this drive."""
        del ground
        return {}

    def contradictions(self, before: "Sequence[SuiteStep]") -> Iterator[tuple[KeyPath, Message]]:
        """What no single key is to blame for: the key to look at, and what is wrong; of a suite with those steps before it."""
        del before
        yield from ()

    def draft(self, name: str, kind: StepKind, job: Job | None = None, rest_ns: int = 0) -> PlannedStep:
        """A planned step that comes from this one."""
        return draft(name, kind, self.name, job, rest_ns)


def unknown_region(region: str, before: Sequence[SuiteStep]) -> Iterator[Message]:
    """What is wrong with the name of a region that none of those steps makes."""
    regions = [DRIVE_REGION, *(name for step in before for name in step.region_names)]
    if region not in regions:
        yield message("suite-unknown-region", region=region, choice=one_of(region, regions))
