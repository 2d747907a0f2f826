"""Twins of random drives: fitted to `client`, `cdm` and all probes, they predict suites that they were not fitted to, and how long runs take.

The drives are those of the consumer analysis; half of them are uneven. Fitters were made with the first of them, and those that follow are the
test. Writes `docs/twin-study.md` from what was found, drive by drive, in `tests/study/twin_study.jsonl`.

uv run python -m tests.study.twin_study FIRST LAST   # studies drives, one line each
uv run python -m tests.study.twin_study enterprise NUMBER...   # adds how long `enterprise` takes
uv run python -m tests.study.twin_study chance NUMBER...       # adds how far a drive is from itself
uv run python -m tests.study.twin_study              # writes the page
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from io import StringIO
from math import ceil
from pathlib import Path

from tests.study.random_drives import Evenness, RandomDrive, random_drive

from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.message import Message
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import Plan, expand
from ssdlab.method.suite import Suite, parse_suite
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.run import ProbeResult, Session
from ssdlab.probe.script import Estimator
from ssdlab.probe.store.writer import record_probes
from ssdlab.twin.check import compared_metrics
from ssdlab.twin.errors import Kind
from ssdlab.twin.foretell import foretold
from ssdlab.twin.make import Twin, make_twin
from ssdlab.twin.repeats import HourlyDrift
from ssdlab.unknown import Unknown

FOUND = Path(__file__).with_suffix(".jsonl")
MEASURED = Path(__file__).parents[2] / "target" / "twin_study"
"""Runs of each drive and its twin, so that what is measured already is not measured again; some ten megabytes a drive."""
PAGE = Path(__file__).parents[2] / "docs" / "twin-study.md"
ASKED = 20
"""Drives that were asked for."""
QUICK_TIMES = {"enterprise": "1/250", "mixes": "1/50"}
"""What share of the published time points last in the profile `quick` of those suites."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A suite in a profile.

    Attributes:
        lasts: What share of the published time its points last instead of what the profile says; None where they last as that says.
    """

    suite: str
    profile: str
    lasts: str | None = None

    @property
    def name(self) -> str:
        """Of the run."""
        return f"{self.suite} {self.profile}" + (f", points of {self.lasts}" if self.lasts else "")

    def read(self) -> Suite:
        """The suite."""
        suite = load_suite(self.suite)
        if self.lasts is None:
            return suite
        text = suite.text.replace(f'time = "{QUICK_TIMES[self.suite]}"', f'time = "{self.lasts}"')
        assert text != suite.text
        return parse_suite(text, self.suite)


FITTED = (Asked("client", "standard"), Asked("cdm", "standard"))
PREDICTED = (Asked("enterprise", "quick", "1/10"), Asked("mixes", "quick", "1/10"))
"""Suites the fit knows nothing of, with points of 6 to 30 s: what a drive does in the second of the profile `quick` is chance, where it dips by the half."""
FITTER = 11
"""Raised when a change of the fitter makes other twins."""
SAME_PAST_CACHE_SINCE = 10
"""The oldest fitter that makes the same twins as this one of drives that do not write all through their cache."""
LOOKED_AT = frozenset({*range(72), 73, 75, 82, 89, 100, 101, 103, 104, 108, 109, 113, 115, 127, 157})
"""Drives that fitters were made with: what is found of them is no test of this one."""
SEED, OTHER_SEED = 1, 2
"""Of runs, and of those that tell how far a drive is from itself."""
LONGEST = "enterprise standard"
_TAILS = ("rnd.read.q1.clat_p99", "rnd.write.q1.clat_p99")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFound:
    """Predicted metrics of one kind.

    Attributes:
        errors: Without signs, in thousandths, in order.
        outside: How many were off by more than the twin states.
        stated: Error that the twin states of this kind; None where it states none.
    """

    errors: list[int]
    outside: int
    stated: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Took:
    """How long a run takes, in virtual time.

    Attributes:
        run: Suite and profile.
        drive_s: On the drive.
        twin_s: On its twin, as `ssdlab plan --twin` tells.
    """

    run: str
    drive_s: float
    twin_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Studied:
    """A drive, and what became of its twin.

    Attributes:
        kinds: What was predicted, by kind.
        worst: Metric that was off most, and by how much.
        tails: Errors of 99th percentiles with a queue of one.
        took: Durations.
        cpu_s: Processor time of the fit.
        silent: Keys of which the runs said nothing.
        drift: What the fit found of a drift by the hour, in words; empty where the fitter did not look for one.
        fitter: Which fitter made the twin.
        chance: By kind, by how much what is predicted differs on the drive itself if it is done once more with other random numbers, in
            thousandths, in order; empty where that was not done.
    """

    number: int
    after: str
    uneven: str
    kinds: dict[str, KindFound]
    worst: str
    worst_error: float
    tails: dict[str, float]
    took: list[Took]
    cpu_s: float
    silent: list[str]
    drift: str = ""
    fitter: int = 1
    chance: dict[str, list[int]] = field(default_factory=dict)


def studied(number: int) -> Studied:
    """Measure a drive, fit a twin to it, and predict."""
    drive = _drive(number)
    place = MEASURED / str(number)
    place.mkdir(parents=True, exist_ok=True)
    spec, twin = place / "drive.toml", place / "twin.toml"
    spec.write_text(drive.text)
    began = time.process_time()
    made = make_twin([*(_measured(place, asked) for asked in FITTED), _probed(place)], twin)
    cpu_s = time.process_time() - began
    twin.write_text(made.draft.text)
    errors: dict[str, list[tuple[float, str]]] = {kind.value: [] for kind in Kind}
    took = [_client(place, spec, twin)]
    for asked in PREDICTED:
        truth, told = _measured(place, asked), _run(twin, asked, place)
        for one in compared_metrics(truth.metrics, told.metrics):
            errors[one.kind.value].append((one.share, one.key.name))
        took.append(Took(run=asked.name, drive_s=_span_s(truth), twin_s=_span_s(told)))
    everything = [one for of_kind in errors.values() for one in of_kind]
    worst = max(everything, key=lambda one: abs(one[0]))
    return Studied(
        number=number,
        after="none" if drive.after is None else drive.after.value,
        uneven=", ".join(drive.unevenness),
        kinds={kind: _kind_found(found, made, kind) for kind, found in errors.items() if found},
        worst=worst[1],
        worst_error=round(worst[0], 3),
        tails={name: round(share, 4) for share, name in everything if name in _TAILS},
        took=took,
        cpu_s=round(cpu_s, 1),
        silent=list(made.fitted.silent),
        drift=_drift_cell(made.fitted.drift),
        fitter=FITTER,
    )


def _drift_cell(drift: HourlyDrift | Unknown) -> str:
    """By which share of its first speed the drive changes each hour, and the standard error of that."""
    if isinstance(drift, Unknown):
        return "unknown"
    return (
        f"{-100 * drift.lost:+.0f} ± {100 * drift.error:.1f} %" if drift.lost else f"none, ± {100 * drift.error:.1f} %"
    )


def _kind_found(found: Sequence[tuple[float, str]], made: Twin, kind: str) -> KindFound:
    stated = made.stated.get(Kind(kind))
    sizes = sorted(abs(share) for share, _ in found)
    outside = sum(one > (stated or 0.0) for one in sizes)
    return KindFound(
        errors=[round(1000 * one) for one in sizes],
        outside=outside,
        stated=None if stated is None else round(stated, 4),
    )


def _client(place: Path, spec: Path, twin: Path) -> Took:
    """The drive did it to be fitted to; the twin does it as it is foretold."""
    truth = _measured(place, FITTED[0])
    told = foretold(_plan(spec, FITTED[0]), truth.run.drive.capacity_bytes, str(twin))
    return Took(run="client standard", drive_s=_span_s(truth), twin_s=told.took_ns / 1e9)


def enterprise(number: int) -> Took:
    """How long `enterprise` takes in its standard profile, which nobody has time for: on the drive, too, as it is foretold."""
    place = MEASURED / str(number)
    plan = _plan(place / "drive.toml", Asked("enterprise", "standard"))
    capacity_bytes = _measured(place, FITTED[0]).run.drive.capacity_bytes
    drive_s, twin_s = (
        foretold(plan, capacity_bytes, str(place / name)).took_ns / 1e9 for name in ("drive.toml", "twin.toml")
    )
    return Took(run=LONGEST, drive_s=drive_s, twin_s=twin_s)


def chance(number: int) -> dict[str, list[int]]:
    """How far the drive is from itself, in thousandths by kind: no twin can be expected to be nearer."""
    place = MEASURED / str(number)
    place.mkdir(parents=True, exist_ok=True)
    spec = place / "drive.toml"
    spec.write_text(_drive(number).text)
    found: dict[str, list[int]] = {}
    for asked in PREDICTED:
        once, again = _measured(place, asked), _run(spec, asked, place, OTHER_SEED)
        for one in compared_metrics(once.metrics, again.metrics):
            found.setdefault(one.kind.value, []).append(round(1000 * abs(one.share)))
    return {kind: sorted(shares) for kind, shares in found.items()}


def _drive(number: int) -> RandomDrive:
    return random_drive(number, Evenness.UNEVEN if number % 2 else Evenness.EVEN)


def _plan(spec: Path, asked: Asked) -> Plan:
    with open_bench(f"model:{spec}") as bench:
        return expand(asked.read(), asked.profile, bench.drive.identity, seed=SEED)


def _span_s(bundle: Bundle) -> float:
    spans = [(step.started_ns, step.ended_ns) for step in bundle.steps]
    begin = min(one for one, _ in spans if one is not None)
    return (max(one for _, one in spans if one is not None) - begin) / 1e9


def _measured(place: Path, asked: Asked) -> Bundle:
    """A run of the drive of that place, done now unless it was."""
    return _kept(
        place, asked.suite if asked.lasts is None else asked.name, lambda: _run(place / "drive.toml", asked, place)
    )


def _probed(place: Path) -> Bundle:
    """All probes of the drive of that place, likewise."""
    return _kept(place, "probe", lambda: _probe(place))


def _kept(place: Path, name: str, done: Callable[[], Bundle]) -> Bundle:
    paths_file = place / "paths.json"
    paths: dict[str, str] = json.loads(paths_file.read_text()) if paths_file.exists() else {}
    if name in paths:
        return open_bundle(Path(paths[name]))
    bundle = done()
    paths_file.write_text(json.dumps({**paths, name: str(bundle.path)}))
    return bundle


def _run(spec: Path, asked: Asked, lab: Path, seed: int = SEED) -> Bundle:
    with open_bench(f"model:{spec}") as bench:
        plan = expand(asked.read(), asked.profile, bench.drive.identity, seed=seed)
        return execute(plan, bench, lab, PlainDisplay(StringIO()))


def _probe(place: Path) -> Bundle:
    with open_bench(f"model:{place / 'drive.toml'}") as bench:
        session = Session(bench, seed=7, watch=lambda _, __: None)
        return record_probes(session, PROBES, Estimator.ROBUST, place, _Deaf())


class _Deaf:
    """Nobody reads what the probes find on the way."""

    def found(self, finding: ProbeResult) -> None:
        pass

    def warning(self, text: Message) -> None:
        pass


def page(found: Sequence[Studied]) -> str:
    """What the study found, good or bad."""
    return "\n".join(_lines(found)) + "\n"


def _lines(studied: Sequence[Studied]) -> Iterator[str]:
    found = [drive for drive in studied if _is_test(drive)]
    yield "<!-- Written by tests/study/twin_study.py. Change the code, then run it again. -->"
    yield ""
    yield "# Twins against known drives"
    yield ""
    yield (
        f"Drives studied: {len(found)} of the {ASKED} that were asked for, of the generator of random drives that the analysis of fills is held against. None of them was"
        f" looked at before the fitter that made its twin: {FITTER} or, where not all is written through the cache, {SAME_PAST_CACHE_SINCE}, whose twins of such drives {FITTER} leaves as they are. Those with odd numbers are uneven (wandering speed, drift, dips, spread of operations, rewriting of old data), which the fitter"
        " knows only in part. Each was measured by `client`, `cdm` and all probes, and a [twin](guide/twin.md) fitted to these. The twin then predicted `enterprise` and"
        " `mixes`, which nobody had shown it: in their profile `quick`, but with points that last a tenth of what is published, 6 to 30 s. In the one second that the points of"
        " `enterprise quick` last, what a drive does is chance where its speed wanders or dips."
    )
    yield ""
    yield (
        "Compared are the speeds, times and latencies that both have; the few that only one has are not counted here. Where a share of the I/Os waits for a program and the rest"
        " for nothing, a percentile that falls between the two is off by a factor of ten and more if the share is off by a little: the worst metrics are of this kind."
    )
    yield ""
    yield from _goals(found, _errors(found))
    yield ""
    yield "`client standard` is foretold as `ssdlab plan --twin` does it; the others were done whole, by the drive and by its twin."
    if any(took.run == LONGEST for drive in found for took in drive.took):
        yield (
            f" `{LONGEST}` would take hours of processor time: there drive and twin alike are asked as `ssdlab plan --twin` asks a twin, which looks for two seconds"
            " at steps that end by the clock. Most of it is steps that last as long as they are told to, on any drive, so that its whole time is hard to get wrong"
            " unless the twin is never called steady where the drive is."
            " The quick profile is mostly writing until the drive is steady, which is what a twin has to know."
        )
    yield ""
    yield "A stated error that is wide is easily kept; the table by drive has it for each."
    yield ""
    yield from _by_kind(found)
    yield from _by_evenness(found)
    yield from _by_chance(found)
    yield "Drive by drive; the stated error is of speeds, of means and medians, and of percentiles from 90 on; what is foretold of durations is longer by so much than it was on the drive:"
    yield ""
    yield from _by_drive(found)
    yield ""
    yield from _others([drive for drive in studied if not _is_test(drive)])


def _is_test(drive: Studied) -> bool:
    """Whether it is a test of this fitter."""
    same_since = FITTER if drive.after == AfterCache.CACHE_ONLY.value else SAME_PAST_CACHE_SINCE
    return drive.fitter >= same_since and drive.number not in LOOKED_AT


def _others(found: Sequence[Studied]) -> Iterator[str]:
    """What fitters were made with is no test of them, nor is what an older one was tried on."""
    yield "## Drives that the fitters were made with, and those of older fitters"
    yield ""
    yield (
        "Fitter 1 was made with drives 100 and 104 at hand, knew no drift by the hour, and was tried on drives 0 to 7. Fitter 2 was made because of what was bad there, with drives 100, 101,"
        " 109, 113, 115, 127 and 157 at hand: it looks for a drift, writes for good in blocks as small as the probe's, and tries a cache that is refilled from several sides."
        " Fitter 3, made with 103 and 108 and by what was wrong with 12, tells a drive that writes all through its cache (F) from one that writes past it (D) by random writes for good."
        " Fitter 4 was made with 2, 3, 5, 7, 9, 11, 13 and 19 at hand. It looks for a drift in the middle window of each repeated run, so that dips do not hide it;"
        " tells what operations of the flash scatter from the noise of commands, by reads that touch no flash; rehearses points that write as long as they were, on what all runs before"
        " them left; turns what suspending a program costs; and takes fewer parallel units for granted where no probe counted them."
        " Fitter 5 lets the speed wander from window to window, because the duration that was foretold of 21 was too short; where no speed wanders, its twins are those of fitter 4."
        " Fitter 6, made with 3, 5, 9 and 15 at hand, lets a twin dip."
        " Fitter 7, made with 20 to 28 and 36 to 38 at hand, compares numbers of bits in a cell by points, too, once these are turned; takes times of operations for even where reads"
        " of flash scatter no more than others; and keeps the rate of the link that lone writes tell. On 15 drives that nobody had looked at (29 to 35, 39 to 44, 50 and 51) nine of"
        " ten metrics were within 16 %; 42 was the worst."
        " Fitter 8, made with 42, 44 and 50 at hand, turns the beginning of collection and the time of an erase until random writes for good wait as they were seen to, tells bits by that, and"
        " holds what a read waits for a program, and the rate of a channel, nearer to what probes have of them. On six drives that nobody had looked at (45 to 49 and 51) nine of ten"
        " metrics were within 22.3 %; 47 was the worst, of which the kind of cache was wrong."
        " Fitter 9, made with 29 to 51 at hand, chooses the kind of cache with the number of bits that suits each; turns points of the usual number of bits once more from where those of"
        " others ended; tells dips hardly longer than a window of 100 ms; begins with the rate of the channel where lone reads tell it by little, but surely; takes the rate of"
        " the link from all lone writes, and keeps it; and begins to turn collection from several starts, held nearer to these. On 20 drives that nobody had looked at (52 to 71) nine of ten"
        " metrics were within 15.1 %; 60 was the worst."
        " Fitter 10, made with 59, 60, 67, 69, 71 and 73 at hand, gives twins the reserve of a cache, and rewriting that comes again by the clock. On 73 its first state failed (nine of ten"
        " metrics within 137 %): how writes for good wait for rewriting was explained by erases of 97 ms. Now they are within 36 %; a drift of 6 % an hour is not seen there."
        " 72, 74 to 80 and 82 were tried with that first state, which made the same twins where no rewriting is seen."
        " On 20 drives that nobody had looked at (72, 74 to 91 and 93) nine of ten metrics were within 14.9 %, and 19 of 20 durations of `enterprise standard` within 10 %: the twin of 89, which"
        " writes all through its cache, had three bits in a cell for two and was never steady in order."
        f" Fitter {FITTER}, made with 54, 61, 68, 75, 82 and 89 at hand, tells bits by passes where all is written through the cache, if one number does much better than another. Of other"
        f" drives its twins are those of fitter {SAME_PAST_CACHE_SINCE}, and were not made anew."
        " Up to fitter 5, what is predicted here are the quick profiles as they are, with points of 1 to 6 s, and so in part chance."
    )
    yield ""
    yield "Each drive with the fitter that was tried on it last:"
    yield ""
    yield from _by_drive(found)


def _by_drive(found: Sequence[Studied]) -> Iterator[str]:
    runs = tuple(dict.fromkeys(took.run for drive in found for took in drive.took))
    columns = (
        "drive",
        "fitter",
        "after the cache",
        "uneven",
        "drift found",
        "median",
        "nine of ten",
        "worst",
        "stated",
        "fit",
        *runs,
    )
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join(['---'] * len(columns))} |"
    for drive in found:
        yield f"| {' | '.join(_cells(drive, runs))} |"


def _errors(found: Sequence[Studied]) -> list[int]:
    return [one for drive in found for kind in drive.kinds.values() for one in kind.errors]


def _goals(found: Sequence[Studied], everything: Sequence[int]) -> Iterator[str]:
    yield "| | found | goal |"
    yield "| --- | --- | --- |"
    yield f"| median error of {len(everything):,} predicted metrics | {_percent(_rank(everything, 0.5))} | 5 % at most |"
    yield f"| nine of ten are within | {_percent(_rank(everything, 0.9))} | 15 % |"
    outside = sum(kind.outside for drive in found for kind in drive.kinds.values())
    yield f"| outside the stated error | {_percent(outside / len(everything))} | 7 % at most |"
    for name in _TAILS:
        near = sum(abs(drive.tails.get(name, float("inf"))) <= 0.2 for drive in found)
        yield f"| `{name}` within 20 % | {near} of {len(found)} drives | four of five |"
    slowest = max(drive.cpu_s for drive in found)
    yield f"| processor time of the slowest fit | {slowest:.0f} s | 15 min on 2 cores |"
    for run in dict.fromkeys(took.run for drive in found for took in drive.took):
        shares = [abs(_share(took)) for drive in found for took in drive.took if took.run == run]
        near = sum(share <= 0.1 for share in shares)
        yield f"| predicted duration of `{run}` within 10 % | {near} of {len(shares)} drives, worst {_percent(max(shares))} | all |"


def _by_kind(found: Sequence[Studied]) -> Iterator[str]:
    yield "By kind:"
    yield ""
    yield "| | metrics | median | nine of ten | outside the stated error |"
    yield "| --- | --- | --- | --- | --- |"
    for kind in Kind:
        parts = [drive.kinds[kind.value] for drive in found if kind.value in drive.kinds]
        of_kind = [one for part in parts for one in part.errors]
        if of_kind:
            left_out = sum(part.outside for part in parts) / len(of_kind)
            cells = (_rank(of_kind, 0.5), _rank(of_kind, 0.9), left_out)
            yield f"| {kind.value} | {len(of_kind):,} | {' | '.join(map(_percent, cells))} |"
    yield ""


def _by_evenness(found: Sequence[Studied]) -> Iterator[str]:
    yield "Even drives and uneven ones:"
    yield ""
    yield "| | drives | metrics | median | nine of ten |"
    yield "| --- | --- | --- | --- | --- |"
    for name, among in (
        ("even", _among(found, 0)),
        ("uneven", _among(found, 1)),
        ("all but those that drift", _steady(found)),
        ("those that drift", _drifting(found)),
    ):
        of_drives = [one for drive in among for kind in drive.kinds.values() for one in kind.errors]
        if of_drives:
            middle, most = (_percent(_rank(of_drives, share)) for share in (0.5, 0.9))
            yield f"| {name} | {len(among)} | {len(of_drives):,} | {middle} | {most} |"
    yield ""


def _by_chance(found: Sequence[Studied]) -> Iterator[str]:
    """How near a drive is to itself, beside how near its twin is."""
    done = [drive for drive in found if drive.chance]
    if not done:
        return
    yield (
        f"How much of that is chance: the same suites on the drive itself with other random numbers, {len(done)} drives. The metrics of a drive differ from"
        " those of the same drive by so much, and no twin can be expected to be nearer:"
    )
    yield ""
    yield "| | the drive itself: median | nine of ten | its twin: median | nine of ten |"
    yield "| --- | --- | --- | --- | --- |"
    rows: list[tuple[str, list[Studied], tuple[str, ...]]] = [
        ("all", done, tuple(kind.value for kind in Kind)),
        *((kind.value, done, (kind.value,)) for kind in Kind),
        *((name, _among(done, odd), tuple(kind.value for kind in Kind)) for name, odd in (("even", 0), ("uneven", 1))),
    ]
    for name, among, kinds in rows:
        itself = [one for drive in among for kind in kinds for one in drive.chance.get(kind, [])]
        twin = [one for drive in among for kind in kinds if kind in drive.kinds for one in drive.kinds[kind].errors]
        if itself and twin:
            cells = (_percent(_rank(of, share)) for of in (itself, twin) for share in (0.5, 0.9))
            yield f"| {name} | {' | '.join(cells)} |"
    yield ""


def _cells(drive: Studied, runs: Sequence[str]) -> Iterator[str]:
    errors = [one for kind in drive.kinds.values() for one in kind.errors]
    took = {one.run: one for one in drive.took}
    stated = (drive.kinds[kind.value].stated for kind in Kind if kind.value in drive.kinds)
    yield str(drive.number)
    yield str(drive.fitter)
    yield drive.after
    yield drive.uneven or "no"
    yield drive.drift
    yield _percent(_rank(errors, 0.5))
    yield _percent(_rank(errors, 0.9))
    yield f"`{drive.worst}` {_percent(drive.worst_error)}"
    yield ", ".join("none" if one is None else _percent(one) for one in stated)
    yield f"{drive.cpu_s:.0f} s"
    for run in runs:
        yield f"{100 * _share(took[run]):+,.1f} %" if run in took else ""


def _among(found: Sequence[Studied], odd: int) -> list[Studied]:
    return [drive for drive in found if drive.number % 2 == odd]


def _steady(found: Sequence[Studied]) -> list[Studied]:
    return [drive for drive in found if "an hour" not in drive.uneven]


def _drifting(found: Sequence[Studied]) -> list[Studied]:
    return [drive for drive in found if "an hour" in drive.uneven]


def _share(took: Took) -> float:
    return took.twin_s / took.drive_s - 1


def _rank(errors: Sequence[int], share: float) -> float:
    ranked = sorted(errors)
    return ranked[ceil(share * len(ranked)) - 1] / 1000


def _percent(share: float) -> str:
    return f"{100 * share:,.1f} %"


def read_found(path: Path = FOUND) -> list[Studied]:
    """What was found so far, by the numbers of the drives."""
    lines = path.read_text().splitlines() if path.exists() else []
    return sorted(map(_drive_of, lines), key=lambda one: one.number)


def _drive_of(line: str) -> Studied:
    one: dict[str, object] = json.loads(line)
    kinds, took = one.pop("kinds"), one.pop("took")
    assert isinstance(kinds, Mapping)
    assert isinstance(took, Sequence)
    return Studied(
        **one,  # type: ignore[arg-type]
        kinds={kind: KindFound(**found) for kind, found in kinds.items()},
        took=[Took(**each) for each in took],
    )


def write_found(found: Sequence[Studied]) -> None:
    """All of it, one line a drive."""
    ranked = sorted(found, key=lambda one: one.number)
    FOUND.write_text("".join(json.dumps(asdict(one), separators=(",", ":")) + "\n" for one in ranked))


def _with(found: Sequence[Studied], one: Studied) -> list[Studied]:
    return [*(other for other in found if other.number != one.number), one]


if __name__ == "__main__":
    if sys.argv[1:2] == ["enterprise"]:
        for drive in read_found():
            if drive.number in map(int, sys.argv[2:]):
                others = [one for one in drive.took if one.run != LONGEST]
                longest = enterprise(drive.number)
                write_found(_with(read_found(), replace(drive, took=[*others, longest])))
    elif sys.argv[1:2] == ["chance"]:
        for number in map(int, sys.argv[2:]):
            apart = chance(number)
            write_found([replace(one, chance=apart) if one.number == number else one for one in read_found()])
    elif len(sys.argv) == 3:
        for each in range(int(sys.argv[1]), int(sys.argv[2])):
            one = studied(each)
            write_found(_with(read_found(), one))
    else:
        PAGE.write_text(page(read_found()))
