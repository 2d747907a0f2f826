"""Probes done one after the other on a drive: its region prepared, the acts done, the answers drawn."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ssdlab.bundle.model import Limits
from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.lateness import Lateness, between, late_of, together
from ssdlab.drive.target import names_file
from ssdlab.engine.base import Progress, Replays, Watch
from ssdlab.engine.commands import TimedCommands
from ssdlab.engine.result import RawResult
from ssdlab.engine.standstill import Standstill, standstill_words
from ssdlab.job import DriveState
from ssdlab.lab.bench import Bench
from ssdlab.lab.limits import Watchdog
from ssdlab.message import Message, message
from ssdlab.probe.answer import Answer
from ssdlab.probe.cost import written_bytes_of
from ssdlab.probe.declared import claims_of
from ssdlab.probe.host_time import concluded
from ssdlab.probe.script import (
    UNTOUCHED,
    Act,
    Ask,
    BulkLoad,
    Design,
    Estimator,
    KnownDrive,
    Medium,
    Need,
    Probe,
    ProbeError,
    ProbeEvidence,
    Purge,
    Rest,
    sequential_fill,
)
from ssdlab.scratch import scratch
from ssdlab.unknown import Unknown

_NOTHING_ASKED = Unknown(message("unknown-nothing-asked"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProbeResult:
    """What came of a probe.

    Attributes:
        state: Of the drive when its samples began.
        refusal: Why it was not done; absent where it was.
        repeated: Why it was done twice; empty where once was enough.
    """

    probe: Probe
    state: DriveState
    answers: tuple[Answer, ...] = ()
    evidence: ProbeEvidence | None = None
    refusal: Message | None = None
    repeated: tuple[Standstill, ...] = ()


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
    watchdog: Watchdog = field(default_factory=lambda: Watchdog(Limits()))
    """Holds what is done to the limits of the run."""

    def subject(self) -> KnownDrive:
        """What is known of the drive by now."""
        identity = self.bench.drive.identity
        return subject_of(identity, self.seed, self.answers)

    def run_all(self, probes: Sequence[Probe], estimator: Estimator) -> Iterator[ProbeResult]:
        """Do them in order; one that a drive is not fit for does not keep the others from being done.

        Raises:
            SsdlabError: The drive or the engine failed.
        """
        for probe in probes:
            try:
                yield self.run(probe, estimator)
            except ProbeError as error:
                yield ProbeResult(probe=probe, state=self.left, refusal=error.reason)

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

    def run(self, probe: Probe, estimator: Estimator) -> ProbeResult:
        """Do one.

        Raises:
            ProbeError: The drive is not fit for it.
            SsdlabError: The drive or the engine failed.
        """
        design = probe.design_for(self.subject())
        state = self._state_for(design)
        evidence, repeated = self._undisturbed(probe, design)
        answers = concluded(design, evidence, estimator)
        self.answers |= {answer.name: answer for answer in answers}
        return ProbeResult(probe=probe, state=state, answers=answers, evidence=evidence, repeated=repeated)

    def _undisturbed(self, probe: Probe, design: Design) -> tuple[ProbeEvidence, tuple[Standstill, ...]]:
        """What the drive shows; if measuring stood still, of a second attempt, prepared anew, and why there was one.

        Raises:
            ProbeError: It stood still again, and nothing can be concluded.
        """
        first = self._attempt(probe, design)
        if not first.stood_still:
            return first, ()
        second = self._attempt(probe, design)
        if second.stood_still:
            raise ProbeError(message("probe-stood-still-again", standstills=standstill_words(second.stood_still)))
        return second, first.stood_still

    def _attempt(self, probe: Probe, design: Design) -> ProbeEvidence:
        with scratch() as directory:
            self._prepare(probe, design, directory)
            return self._gather(probe, design, directory)

    def _prepare(self, probe: Probe, design: Design, directory: Path) -> None:
        if design.need is Need.FRESH:
            self._purge()
            self.ordered_bytes = 0
            self.left = DriveState.LEFT_BY_PROBES
        if design.need in {Need.SEQUENTIAL, Need.MAPPED} and self.ordered_bytes < design.region.end_bytes:
            self.left = DriveState.LEFT_BY_PROBES
            fill = sequential_fill("fill", design.region, self.seed)
            self._load(probe, fill, directory)
            self.ordered_bytes = design.region.end_bytes

    def _gather(self, probe: Probe, design: Design, directory: Path) -> ProbeEvidence:
        engine = self.bench.engine
        if not isinstance(engine, Replays):
            raise ProbeError(message("probe-no-single-commands", engine=engine.name))
        asked: dict[str, TimedCommands] = {}
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
                    self._purge()
                case Rest():
                    engine.rest(act.duration_ns, self._watch(probe))
                case BulkLoad():
                    loaded[act.name] = self._load(probe, act, directory)
                case Ask():
                    if act.needed is None or act.needed(ProbeEvidence(asked, loaded)):
                        self._foresee(act)
                        asked[act.name] = engine.replay(act.commands, directory, self._watch(probe))
            late[type(act)] = together(late.get(type(act)), between(before, self.bench.sensor.lateness()))
        return ProbeEvidence(asked, loaded, late_of(late.get(Ask if asked else BulkLoad, _NOTHING_ASKED)))

    def _purge(self) -> None:
        self.watchdog.begin()
        self.watchdog.purged(self.bench.drive.purge())

    def _foresee(self, act: Act) -> None:
        self.watchdog.begin()
        self.watchdog.foresee(written_bytes_of(act), self.bench.sensor)

    def _load(self, probe: Probe, load: BulkLoad, directory: Path) -> RawResult:
        self._foresee(load)
        result = self.bench.engine.run(load.job, directory, self._watch(probe), heed=self.watchdog.heed)
        self.watchdog.done(result)
        return result

    def _watch(self, probe: Probe) -> Watch:
        def watch(progress: Progress) -> None:
            self.watch(probe.name, progress)
            self.watchdog.watch(progress)

        return watch


def subject_of(identity: DriveIdentity, seed: int, answers: dict[str, Answer]) -> KnownDrive:
    """What a drive says of itself, with what was inferred so far."""
    return KnownDrive(
        claims=tuple(claims_of(identity)),
        medium=Medium.FILE if names_file(identity.target) else Medium.DRIVE,
        capacity_bytes=identity.capacity_bytes,
        logical_block_bytes=identity.logical_block_bytes,
        seed=seed,
        answers=dict(answers),
    )
