"""Probes done one after the other on a drive: its region prepared, the acts done, the answers drawn."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.lateness import Lateness, between, late_of, together
from ssdlab.drive.target import FileTarget, parse_target
from ssdlab.engine.base import Progress, Replays, Watch
from ssdlab.engine.commands import Samples
from ssdlab.engine.result import RawResult
from ssdlab.job import DriveState
from ssdlab.lab.open import Bench
from ssdlab.probe.answer import Answer
from ssdlab.probe.declared import claims_of
from ssdlab.probe.host_time import concluded
from ssdlab.probe.script import (
    UNTOUCHED,
    Act,
    Ask,
    Design,
    Estimator,
    Evidence,
    Load,
    Medium,
    Need,
    Probe,
    ProbeError,
    Purge,
    Rest,
    Subject,
    sequential_fill,
)
from ssdlab.unknown import Unknown

_NOTHING_ASKED = Unknown("nothing was asked of the drive")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Finding:
    """What came of a probe.

    Attributes:
        state: Of the drive when its samples began.
        refusal: Why it was not done; absent where it was.
    """

    probe: Probe
    state: DriveState
    answers: tuple[Answer, ...] = ()
    evidence: Evidence | None = None
    refusal: str | None = None


@dataclass(slots=True)
class Session:
    """A drive that is being probed; remembers what is on it and what is known of it."""

    bench: Bench
    seed: int
    watch: Callable[[str, Progress], None]
    ordered_bytes: int = 0
    """Written in order from the start of the drive, and not disturbed since."""
    left: DriveState = DriveState.AS_FOUND
    """By what was done so far."""
    answers: dict[str, Answer] = field(default_factory=dict)

    def subject(self) -> Subject:
        """What is known of the drive by now."""
        identity = self.bench.drive.identity
        return subject_of(identity, self.seed, self.answers)

    def run_all(self, probes: Sequence[Probe], estimator: Estimator) -> Iterator[Finding]:
        """Do them in order; one that a drive is not fit for does not keep the others from being done.

        Raises:
            SsdlabError: The drive or the engine failed.
        """
        for probe in probes:
            try:
                yield self.run(probe, estimator)
            except ProbeError as error:
                yield Finding(probe=probe, state=self.left, refusal=error.message)

    def state_for(self, probe: Probe) -> DriveState:
        """The state it will find, or prepare."""
        try:
            return self._state_for(probe.design_for(self.subject()))
        except ProbeError:
            return self.left

    def _state_for(self, design: Design) -> DriveState:
        match design.need:
            case Need.ANY:
                return self.left
            case Need.MAPPED | Need.SEQUENTIAL:
                return DriveState.REGION_IN_ORDER
            case Need.FRESH:
                fresh = self.bench.drive.identity.purge_leaves is Freshness.FRESH
                return DriveState.FOB if fresh else DriveState.UNKNOWN

    def run(self, probe: Probe, estimator: Estimator) -> Finding:
        """Do one.

        Raises:
            ProbeError: The drive is not fit for it.
            SsdlabError: The drive or the engine failed.
        """
        design = probe.design_for(self.subject())
        state = self._state_for(design)
        with tempfile.TemporaryDirectory(prefix="ssdlab-") as directory:
            self._prepare(probe, design, Path(directory))
            evidence = self._gather(probe, design, Path(directory))
        answers = concluded(design, evidence, estimator)
        self.answers |= {answer.name: answer for answer in answers}
        return Finding(probe=probe, state=state, answers=answers, evidence=evidence)

    def _prepare(self, probe: Probe, design: Design, directory: Path) -> None:
        if design.need is Need.FRESH:
            self.bench.drive.purge()
            self.ordered_bytes = 0
            self.left = DriveState.LEFT_BY_PROBES
        if design.need in {Need.SEQUENTIAL, Need.MAPPED} and self.ordered_bytes < design.region.end_bytes:
            self.left = DriveState.LEFT_BY_PROBES
            fill = sequential_fill("fill", design.region, self.seed)
            self.bench.engine.run(fill.job, directory, self._watch(probe))
            self.ordered_bytes = design.region.end_bytes

    def _gather(self, probe: Probe, design: Design, directory: Path) -> Evidence:
        engine = self.bench.engine
        if not isinstance(engine, Replays):
            raise ProbeError(f"`{engine.name}` does no single commands")
        asked: dict[str, Samples] = {}
        loaded: dict[str, RawResult] = {}
        late: dict[type[Act], Lateness | Unknown] = {}
        if design.first_changed_byte < UNTOUCHED:
            self.left = DriveState.LEFT_BY_PROBES
        self.ordered_bytes = min(self.ordered_bytes, design.first_changed_byte)
        for act in design.acts:
            self.bench.drive.check()
            before = self.bench.sensor.lateness()
            match act:
                case Purge():
                    self.bench.drive.purge()
                case Rest():
                    engine.rest(act.duration_ns, self._watch(probe))
                case Load():
                    loaded[act.name] = engine.run(act.job, directory, self._watch(probe))
                case Ask() if act.needed is None or act.needed(Evidence(asked, loaded)):
                    asked[act.name] = engine.replay(act.commands, directory, self._watch(probe))
            late[type(act)] = together(late.get(type(act)), between(before, self.bench.sensor.lateness()))
        return Evidence(asked, loaded, late_of(late.get(Ask if asked else Load, _NOTHING_ASKED)))

    def _watch(self, probe: Probe) -> Watch:
        return lambda progress: self.watch(probe.name, progress)


def subject_of(identity: DriveIdentity, seed: int, answers: dict[str, Answer]) -> Subject:
    """What a drive says of itself, with what was inferred so far."""
    return Subject(
        claims=tuple(claims_of(identity)),
        medium=Medium.FILE if isinstance(parse_target(identity.target), FileTarget) else Medium.DRIVE,
        capacity_bytes=identity.capacity_bytes,
        logical_block_bytes=identity.logical_block_bytes,
        seed=seed,
        answers=dict(answers),
    )
