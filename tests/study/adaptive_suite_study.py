"""What the profile `adaptive` of the enterprise suite costs beside `standard`, and whether both say the same.

`uv run python -m tests.study.adaptive_suite_study [SECONDS [FIRST]]` runs both on the drives of "Is it steady?", one after the other from
the first on, for as long as is given; it prints each, keeps them in `adaptive_suite.json` and writes their part of `docs/time-to-truth.md`.
`again NUMBER...` runs `standard` on these drives once more with another seed, to tell how far apart its numbers are by chance. About 15 s of processor time a drive. Runs of `standard` stay in `target/`, as they are the same until the
model or the suite changes; what is concluded from them is concluded anew.

A drive has 16 GiB and takes for everything as many times longer as 1 TB is more than that. So its capacity is written in the time in which a
drive of 1 TB writes its own, a point writes the same share of it, and windows, ramps, limits and rests are as published. What is not the
same is how many I/Os there are in a second: 58 times fewer, whose chance averages out less, so points here take longer rather than shorter
than on a drive of 1 TB. The percentile that points go on for is the one that needs 58 times fewer I/Os likewise.
"""

import hashlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from statistics import median
from typing import TypeVar

from pydantic import TypeAdapter

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from tests.kit.slowed_drives import seldom_judged, slowed

from sources.markdown import table
from sources.steady_drives import CAPACITY_BYTES, steady_drive
from ssdlab.analysis.conclude import conclude
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.engine.result import EarlyStop
from ssdlab.job import StepKind
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand
from ssdlab.method.suite import Suite, parse_suite
from ssdlab.point import CoordinateAxis
from ssdlab.units import NS_PER_S, format_duration

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "time-to-truth.md"
FOUND = Path(__file__).with_name("adaptive_suite.json")
KEPT_RUNS = ROOT / "target" / "adaptive_suite"
DRIVES = 64
STANDARD, ADAPTIVE = "standard", "adaptive"
DEPTHS = {1: 1, 32: 8}
"""Measured of the nine queue depths, and for how many of them each stands in the time."""
LARGER = 4
"""Than the drives are elsewhere, for more I/Os in the same time."""
SLOWER = 10**12 / (LARGER * CAPACITY_BYTES)
"""Than they are elsewhere: they take as long as 1 TB."""
TAIL_ABOVE_PERCENT = 0.001
"""Of the suite's percentile."""
TOLERANCE = 0.05
"""Of what has no interval."""
_BEGINS, _ENDS = "## A whole suite\n", "## Every drive\n"


@dataclass(frozen=True, slots=True)
class Taken:
    """The time of one run, s."""

    sequential_s: float
    """Of sequential conditioning."""
    random_s: float
    """Of random conditioning, a pass before it included."""
    reads_s: float
    """Of points that only read."""
    writes_s: float
    """Of the other points."""
    rests_s: float
    steady_by: tuple[str, ...]
    """What called the drive steady under sequential and under random writes."""
    written_capacities: tuple[float, ...]
    """Until it did, without a pass."""

    @property
    def conditioning_s(self) -> float:
        """With the rests after purges, which it begins with."""
        return self.sequential_s + self.random_s + self.rests_s

    @property
    def points_s(self) -> float:
        """Reading and writing."""
        return self.reads_s + self.writes_s

    @property
    def all_s(self) -> float:
        """Together."""
        return self.conditioning_s + self.points_s


@dataclass(frozen=True, slots=True)
class Agreement:
    """Metrics of one quantity that both profiles have."""

    told: int = 0
    """With an interval under both."""
    told_apart: int = 0
    """Those of them that differ by more than both intervals allow."""
    told_far: int = 0
    """Those of them that differ by more than the tolerance."""
    others: int = 0
    others_apart: int = 0
    """Those of them that differ by more than the tolerance."""

    def __add__(self, other: "Agreement") -> "Agreement":
        return Agreement(*(one + more for one, more in zip(_counts(self), _counts(other), strict=True)))


def _counts(one: Agreement) -> tuple[int, ...]:
    return (one.told, one.told_apart, one.told_far, one.others, one.others_apart)


@dataclass(frozen=True, slots=True)
class Compared:
    """A drive under both profiles."""

    number: int
    does: str
    """Its cache and its spare space."""
    standard: Taken
    adaptive: Taken
    agreement: Mapping[str, Agreement]
    """By quantity."""

    @property
    def share(self) -> float:
        """Of the standard's time."""
        return self.adaptive.all_s / self.standard.all_s

    @property
    def least_share(self) -> float:
        """If points took no time at all."""
        return self.adaptive.conditioning_s / self.standard.all_s

    @property
    def all(self) -> Agreement:
        """Over all quantities."""
        return sum(self.agreement.values(), Agreement())


@dataclass(frozen=True, slots=True)
class Repeated:
    """A drive under `standard` twice, with two seeds: how far apart numbers are that nothing was changed of."""

    number: int
    agreement: Mapping[str, Agreement]
    """By quantity."""


One = TypeVar("One", Compared, Repeated)


@dataclass(frozen=True, slots=True)
class Kept:
    """What was found so far, by number of the drive."""

    drives: tuple[Compared, ...] = ()
    repeated: tuple[Repeated, ...] = ()


def shortened() -> Suite:
    """The enterprise suite without BootBench, which is the same under both profiles, at fewer depths; see above for the percentile."""
    text = load_suite("enterprise").text
    depths, tail = "qd = [1, 2, 4, 8, 16, 32, 64, 128, 256]", f"{100 - TAIL_ABOVE_PERCENT:g}%"
    if text.count(depths) != len(("seq", "rnd")) or text.count(tail) != 1:
        raise ValueError("the suite has other depths, or another percentile")
    steps, _, _ = text.partition("[[step]]                 # E5: BootBench")
    steps = steps.replace(tail, f"{100 - TAIL_ABOVE_PERCENT * SLOWER:.3f}%")
    return parse_suite(steps.replace(depths, f"qd = {list(DEPTHS)}"), "shortened.toml")


def run_under(profile: str, suite: Suite, target: str, directory: Path, seed: int = 1) -> Bundle:
    """A whole run in virtual time, in a directory of the profile's name."""
    place = directory / profile
    place.mkdir(parents=True)
    with open_bench(target) as bench, (place / "words").open("w") as words:
        plan = expand(suite, profile, bench.drive.identity, seed=seed)
        return execute(plan, seldom_judged(bench), place / "lab", PlainDisplay(words))


def _standard_run(suite: Suite, target: str, spec: str, seed: int) -> Bundle:
    """Kept from the last time, with today's conclusions, where plan, drive and model are the same."""
    with open_bench(target) as bench:
        steps = expand(suite, STANDARD, bench.drive.identity, seed=seed).steps
    place = KEPT_RUNS / hashlib.sha256(f"{spec}{steps!r}".encode()).hexdigest()[:16]
    if (whole := place / "whole").exists():
        bundle = open_bundle(Path(whole.read_text()))
        metrics, audit = conclude(bundle)
        return replace(bundle, metrics=metrics, audit=audit)
    shutil.rmtree(place, ignore_errors=True)
    bundle = run_under(STANDARD, suite, target, place, seed)
    whole.write_text(str(bundle.path))
    return bundle


def taken(bundle: Bundle) -> Taken:
    """What it took: points that are measured stand for those that are not."""
    sequential_s = random_s = reads_s = writes_s = rests_s = 0.0
    steady_by: list[str] = []
    written: list[float] = []
    for step in bundle.finished():
        rests_s += step.rest_ns / NS_PER_S
        if step.job is None:
            continue
        result = bundle.result(step)
        lasted_s = result.elapsed_ns / NS_PER_S
        if step.group in {"seq", "rnd"}:
            is_again = step.point.value(CoordinateAxis.RUN) is not None
            lasted_s *= 1 if is_again else DEPTHS[step.job.queue_depth]
            if step.job.read_percent == 100:
                reads_s += lasted_s
            else:
                writes_s += lasted_s
        elif step.point.name == "precondition.seq":
            sequential_s += lasted_s
        else:
            random_s += lasted_s
        if step.kind is StepKind.PRECONDITION:
            steady_by.append(_steady_by(result.stopped))
            wrote_bytes = sum(one.io_bytes for one in result.directions.values())
            written.append(wrote_bytes / bundle.run.drive.capacity_bytes)
    return Taken(sequential_s, random_s, reads_s, writes_s, rests_s, tuple(steady_by), tuple(written))


def _steady_by(stopped: EarlyStop | None) -> str:
    return "never" if stopped is None else stopped.criterion


def compared(number: int) -> Compared:
    """The drive of that number."""
    drive, suite = steady_drive(number), shortened()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        target, spec = _slow_drive(number, place)
        standard = _standard_run(suite, target, spec, drive.seed)
        adaptive = run_under(ADAPTIVE, suite, target, place, drive.seed)
        return Compared(
            number=number,
            does=f"cache: {drive.cache.value}, spare {drive.spare_percent:.0f} %",
            standard=taken(standard),
            adaptive=taken(adaptive),
            agreement=agreement(numbers(standard), numbers(adaptive)),
        )


def _slow_drive(number: int, place: Path) -> tuple[str, str]:
    """Its target, and its specification."""
    spec = slowed(steady_drive(number).text, larger=LARGER, slower=SLOWER)
    (place / "drive.toml").write_text(spec)
    return f"model:{place / 'drive.toml'}", spec


def repeated(number: int) -> Repeated:
    """The drive of that number, with another seed of what is written where."""
    suite, seed = shortened(), steady_drive(number).seed
    with tempfile.TemporaryDirectory() as directory:
        target, spec = _slow_drive(number, Path(directory))
        once, again = (_standard_run(suite, target, spec, one) for one in (seed, seed + DRIVES))
        return Repeated(number, agreement(numbers(once), numbers(again)))


def agreement(standard: Mapping[str, Metric], adaptive: Mapping[str, Metric]) -> Mapping[str, Agreement]:
    """Of what both have, by quantity."""
    found: dict[str, Agreement] = {}
    for name, one in standard.items():
        if name in adaptive:
            word = one.key.quantity_word
            found[word] = found.get(word, Agreement()) + _agreement(one, adaptive[name])
    return found


def _agreement(one: Metric, other: Metric) -> Agreement:
    is_far = not _is_near(one, other)
    if _has_both(one) and _has_both(other):
        return Agreement(told=1, told_apart=int(not _is_within_both(one, other)), told_far=int(is_far))
    return Agreement(others=1, others_apart=int(is_far))


def numbers(bundle: Bundle) -> Mapping[str, Metric]:
    """What could agree: of points alone, as what conditioning wrote, and by which way, is not the same by intent."""
    return {
        metric.name: metric
        for metric in bundle.metrics
        if isinstance(metric.value, int | float)
        and not isinstance(metric.value, bool)
        and metric.name.startswith(("seq.", "rnd."))
        and not metric.name.endswith((".silence", ".write_amplification"))
    }


def _has_both(metric: Metric) -> bool:
    return metric.low is not None and metric.high is not None


def _reach(metric: Metric) -> float:
    return 0.0 if metric.low is None or metric.high is None else (metric.high - metric.low) / 2


def _apart(one: Metric, other: Metric) -> float:
    if isinstance(one.value, int | float) and isinstance(other.value, int | float):
        return abs(one.value - other.value)
    raise ValueError(f"{one.name} is no number")


def _is_within_both(one: Metric, other: Metric) -> bool:
    return _apart(one, other) <= hypot(_reach(one), _reach(other))


def _is_near(one: Metric, other: Metric) -> bool:
    return isinstance(one.value, int | float) and _apart(one, other) <= TOLERANCE * abs(one.value)


_TITLES = (
    "drive",
    "",
    "standard",
    "adaptive",
    "share",
    "if points took no time",
    "sequential conditioning, of the standard's",
    "random conditioning",
    "points that read",
    "points that write",
    "steady by",
    "within both intervals",
    "of them off by more than 5 %",
    "others within 5 %",
)


def row(one: Compared) -> tuple[str, ...]:
    """A drive's line in its table."""
    of, than = one.adaptive, one.standard
    all_of = one.all
    return (
        str(one.number),
        one.does,
        _hours(than.all_s),
        _hours(of.all_s),
        f"{one.share:.0%}",
        f"{one.least_share:.0%}",
        f"{of.sequential_s / than.sequential_s:.0%}",
        f"{of.random_s / than.random_s:.0%}",
        f"{of.reads_s / than.reads_s:.0%}",
        f"{of.writes_s / than.writes_s:.0%}",
        f"{', '.join(than.steady_by)}; {', '.join(of.steady_by)}",
        f"{all_of.told - all_of.told_apart} of {all_of.told}",
        str(all_of.told_far),
        f"{all_of.others - all_of.others_apart} of {all_of.others}",
    )


def _hours(seconds: float) -> str:
    return format_duration(round(seconds) * NS_PER_S)


def section(kept_now: Kept) -> str:
    """The part of the page, which comes from the kept results alone."""
    found = kept_now.drives
    if not found:
        return ""
    every = sum((one.all for one in found), Agreement())
    return _SECTION.format(
        drives=f"{'all' if len(found) == DRIVES else f'{len(found)} of'} {DRIVES}",
        depths=" and ".join(map(str, DEPTHS)),
        slower=f"{SLOWER:.0f}",
        rows=table(_TITLES, map(row, found)),
        quantities=table(_QUANTITY_TITLES, _quantities(kept_now)),
        count=len(found),
        repeated=len(kept_now.repeated),
        quarter=sum(one.share <= 1 / 4 for one in found),
        dear=sum(one.least_share > 1 / 4 for one in found),
        **{name: _middle(found, of) for name, of in _SHARES.items()},
        best=f"{min(one.share for one in found):.0%}",
        worst=f"{max(one.share for one in found):.0%}",
        never=sum(one.adaptive.steady_by[0] == "never" for one in found),
        told=every.told,
        held=f"{1 - every.told_apart / every.told:.1%}",
        far=every.told_far,
        others=every.others,
        near=f"{1 - every.others_apart / every.others:.1%}",
        once_more=_share_alike(sum((of for one in kept_now.repeated for of in one.agreement.values()), Agreement())),
    )


def _middle(found: Sequence[Compared], of: Callable[[Taken], float]) -> str:
    return f"{median(of(one.adaptive) / of(one.standard) for one in found):.0%}"


_SHARES: Mapping[str, Callable[[Taken], float]] = {
    "median": lambda one: one.all_s,
    "sequential": lambda one: one.sequential_s,
    "random": lambda one: one.random_s,
    "reads": lambda one: one.reads_s,
    "writes": lambda one: one.writes_s,
}

_QUANTITY_TITLES = (
    "quantity",
    "within both intervals",
    "of them off by more than 5 %",
    "without an interval, within 5 %",
    "all of them within 5 %",
    "of two runs of standard",
)


def _quantities(kept_now: Kept) -> Iterator[tuple[str, ...]]:
    found, again = (_by_quantity(one.agreement for one in of) for of in (kept_now.drives, kept_now.repeated))
    for word, of in found.items():
        yield (
            f"`{word}`",
            f"{of.told - of.told_apart} of {of.told}" if of.told else "",
            str(of.told_far) if of.told else "",
            f"{of.others - of.others_apart} of {of.others}" if of.others else "",
            _share_alike(of),
            _share_alike(again.get(word, Agreement())),
        )


def _by_quantity(found: Iterable[Mapping[str, Agreement]]) -> Mapping[str, Agreement]:
    every: dict[str, Agreement] = {}
    for one in found:
        for word, of in one.items():
            every[word] = every.get(word, Agreement()) + of
    return every


def _share_alike(of: Agreement) -> str:
    """Within the tolerance, whether there are intervals or not."""
    count = of.told + of.others
    return f"{1 - (of.told_far + of.others_apart) / count:.1%}" if count else ""


_SECTION = """\
## A whole suite

The enterprise suite under its profiles `standard` and `adaptive` (± 3 %), on {drives} model drives. They are whole runs in virtual time, without
BootBench, which takes the same time under both and is in no number here, and at queue depths {depths} alone; the second stands for eight of
the nine in the times. Each drive has 16 GiB and takes {slower} times as long for everything as it would otherwise, so it takes as long as one
of 1 TB to write its capacity, and a point writes the same share of that; limits, ramps and rests are as published. There are as many fewer
I/Os in a second, though, whose chance averages out less: points here take longer than on a drive of 1 TB, above all those that read, which
would be over after 10 to 15 s. The percentile that points go on for at queue depth 1 needs as many fewer I/Os in turn, so as long as it would there.

{rows}
- **Time**: {median} of the standard's in the median, from {best} to {worst}; a quarter or less on {quarter} of {count} drives. It is {random} for random
  conditioning, by the short way, {sequential} for sequential conditioning, which ends by one even capacity, {reads} for points that read and {writes}
  for those that write.
- **Why not less**: conditioning and the rests after purges alone are more than a quarter of the standard's time on {dear} of {count} drives. Twice the
  capacity in order is the least that the method writes (E1), and a pass and a stretch of random writes come after it. On {never} drives
  sequential writes are never called steady, under either profile, as their cache fills and drains all the time: `standard` goes on for 23 capacities,
  `adaptive` for four.
- **Agreement**: of {told} numbers that both have with an interval, {held} differ by no more than both intervals allow; {far} by more than 5 %. Of
  {others} without an interval, {near} are within 5 %. The last column of the second table is of two runs of `standard` on each of {repeated} drives that
  differ in the seed of what is written where, and in nothing else; in all {once_more} of their numbers are within 5 %. High percentiles of
  latency are set by what collection and caches happen to do in those minutes, so they differ by chance, too; under `adaptive` a point sees fewer minutes of it.

{quantities}
Hoped for were a quarter of the time on 50 of 64 drives, and every number within its interval.

"""


def kept() -> Kept:
    """What was found so far."""
    return Kept() if not FOUND.exists() else _KEPT.validate_json(FOUND.read_bytes())


_KEPT = TypeAdapter(Kept)


def _keep(one: Compared | Repeated) -> None:
    """In the place of what was found of that drive before."""
    before = kept()
    if isinstance(one, Compared):
        now = replace(before, drives=_in_order((*before.drives, one)))
    else:
        now = replace(before, repeated=_in_order((*before.repeated, one)))
    FOUND.write_bytes(_KEPT.dump_json(now, indent=1) + b"\n")


def _in_order(found: Sequence[One]) -> tuple[One, ...]:
    latest = {one.number: one for one in found}
    return tuple(latest[number] for number in sorted(latest))


def write_page() -> None:
    """Put the section where it belongs; all else stays."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(_ENDS)
    before, _, _ = head.partition(_BEGINS)
    PAGE.write_text(f"{before}{section(kept())}{_ENDS}{rest}", encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Study as many drives as there is time for, or run `standard` on some once more, and write what came of it."""
    if arguments[:1] == ["again"]:
        for number in map(int, arguments[1:]):
            _keep(repeated(number))
        write_page()
        return 0
    seconds, first = (*map(int, arguments), *(1200, 0)[len(arguments) :])
    end_s = time.monotonic() + seconds
    for number in range(first, DRIVES):
        if time.monotonic() >= end_s:
            break
        _keep(one := compared(number))
        print(*row(one), sep="  ", flush=True)
    write_page()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
