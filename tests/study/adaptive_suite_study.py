"""What the profile `adaptive` of the enterprise suite costs beside `standard`, and whether both say the same.

`uv run python -m tests.study.adaptive_suite_study [SECONDS [FIRST]]` runs both on the drives of "Is it steady?", one after the other from
the first on, for as long as is given; it prints each, keeps them in `adaptive_suite.json` and writes their part of
`docs/time-to-truth.md`. About a minute of processor time a drive.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import hypot
from pathlib import Path
from statistics import median

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from sources.markdown import table
from sources.steady_drives import CAPACITY_BYTES, steady_drive
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
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

PAGE = Path(__file__).parents[2] / "docs" / "time-to-truth.md"
FOUND = Path(__file__).with_suffix(".json").with_name("adaptive_suite.json")
DRIVES = 64
STANDARD, ADAPTIVE = "standard", "adaptive"
DEPTHS = {1: 1, 32: 8}
"""Measured of the nine queue depths, and for how many of them each stands in the time."""
STANDS_FOR_BYTES = 10**12
TOLERANCE = 0.05
"""Of what has no interval: latencies and consistency."""
_BEGINS, _ENDS = "## A whole suite\n", "## Every drive\n"


@dataclass(frozen=True, slots=True)
class Taken:
    """The time of one run, in seconds of a drive of 1 TB: what is written by the capacity takes it so much longer."""

    conditioning_s: float
    points_s: float
    rests_s: float
    route: str
    """How the drive came to be steady under random writes."""

    @property
    def all_s(self) -> float:
        """Together."""
        return self.conditioning_s + self.points_s + self.rests_s


@dataclass(frozen=True, slots=True)
class Compared:
    """A drive under both profiles."""

    number: int
    standard: Taken
    adaptive: Taken
    rates: int
    """Metrics both have, with intervals."""
    rates_apart: tuple[str, ...]
    """Those of them that differ by more than both intervals allow."""
    rates_far: tuple[str, ...]
    """Those of them that differ by more than the tolerance."""
    others: int
    """Metrics both have, without."""
    others_apart: tuple[str, ...]
    """Those of them that differ by more than the tolerance."""

    @property
    def share(self) -> float:
        """Of the standard's time."""
        return self.adaptive.all_s / self.standard.all_s


def shortened() -> Suite:
    """The enterprise suite without BootBench, which is the same under both profiles, at fewer depths."""
    text = load_suite("enterprise").text
    depths = "qd = [1, 2, 4, 8, 16, 32, 64, 128, 256]"
    if text.count(depths) != len(("seq", "rnd")):
        raise ValueError("the suite has other depths")
    steps, _, _ = text.partition("[[step]]                 # E5: BootBench")
    return parse_suite(steps.replace(depths, f"qd = {list(DEPTHS)}"), "shortened.toml")


def run_under(profile: str, suite: Suite, target: str, directory: Path, seed: int = 1) -> Bundle:
    """A whole run in virtual time, in a directory of the profile's name."""
    place = directory / profile
    place.mkdir()
    with open_bench(target) as bench, (place / "words").open("w") as words:
        plan = expand(suite, profile, bench.drive.identity, seed=seed)
        return execute(plan, bench, place / "lab", PlainDisplay(words))


def taken(bundle: Bundle) -> Taken:
    """What it took, as a drive of 1 TB: points that are measured stand for those that are not."""
    conditioning_s = points_s = rests_s = 0.0
    route = ""
    for step in bundle.finished():
        rests_s += step.rest_ns / NS_PER_S
        if step.job is None:
            continue
        result = bundle.result(step)
        lasted_s = result.elapsed_ns / NS_PER_S
        if step.kind is StepKind.MEASURE or step.name.endswith(".ramp"):
            is_again = step.point.value(CoordinateAxis.RUN) is not None
            points_s += lasted_s * (1 if is_again else DEPTHS[step.job.queue_depth])
        else:
            conditioning_s += lasted_s * STANDS_FOR_BYTES / CAPACITY_BYTES
        if step.name == "precondition.rnd":
            route = _route(result.stopped)
    return Taken(conditioning_s, points_s, rests_s, route)


def _route(stopped: EarlyStop | None) -> str:
    return "not steady" if stopped is None else stopped.criterion


def compared(number: int) -> Compared:
    """The drive of that number."""
    drive, suite = steady_drive(number), shortened()
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        (place / "drive.toml").write_text(drive.text)
        target = f"model:{place / 'drive.toml'}"
        bundles = {name: run_under(name, suite, target, place, drive.seed) for name in (STANDARD, ADAPTIVE)}
        times = {name: taken(bundle) for name, bundle in bundles.items()}
        found = {name: numbers(bundle) for name, bundle in bundles.items()}
    pairs = [(name, one, found[ADAPTIVE][name]) for name, one in found[STANDARD].items() if name in found[ADAPTIVE]]
    with_intervals = [(name, one, other) for name, one, other in pairs if _has_both(one) and _has_both(other)]
    without = [(name, one, other) for name, one, other in pairs if not (_has_both(one) and _has_both(other))]
    return Compared(
        number=number,
        standard=times[STANDARD],
        adaptive=times[ADAPTIVE],
        rates=len(with_intervals),
        rates_apart=tuple(name for name, one, other in with_intervals if not _is_within_both(one, other)),
        rates_far=tuple(name for name, one, other in with_intervals if not _is_near(one, other)),
        others=len(without),
        others_apart=tuple(name for name, one, other in without if not _is_near(one, other)),
    )


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
    "standard",
    "adaptive",
    "share",
    "conditioning, of it",
    "points",
    "steady by",
    "rates within both intervals",
    "off by more than 5 %",
    "others within 5 %",
)


def row(one: Compared) -> tuple[str, ...]:
    """A drive's line in its table."""
    return (
        str(one.number),
        _hours(one.standard.all_s),
        _hours(one.adaptive.all_s),
        f"{one.share:.0%}",
        f"{one.adaptive.conditioning_s / one.standard.conditioning_s:.0%}",
        f"{one.adaptive.points_s / one.standard.points_s:.0%}",
        one.adaptive.route,
        f"{one.rates - len(one.rates_apart)} of {one.rates}",
        str(len(one.rates_far)),
        f"{one.others - len(one.others_apart)} of {one.others}",
    )


def _hours(seconds: float) -> str:
    return format_duration(round(seconds) * NS_PER_S)


def section(found: Sequence[Compared]) -> str:
    """The part of the page, which comes from the kept results alone."""
    if not found:
        return ""
    rates, others = sum(one.rates for one in found), sum(one.others for one in found)
    return _SECTION.format(
        count=len(found),
        all=DRIVES,
        depths=" and ".join(map(str, DEPTHS)),
        rows=table(_TITLES, map(row, found)),
        median=f"{median(one.share for one in found):.0%}",
        best=f"{min(one.share for one in found):.0%}",
        worst=f"{max(one.share for one in found):.0%}",
        quarter=sum(one.share <= 1 / 4 for one in found),
        conditioning=f"{median(one.adaptive.conditioning_s / one.standard.conditioning_s for one in found):.0%}",
        points=f"{median(one.adaptive.points_s / one.standard.points_s for one in found):.0%}",
        rates=rates,
        held=f"{1 - sum(len(one.rates_apart) for one in found) / rates:.1%}",
        far=sum(len(one.rates_far) for one in found),
        others=others,
        near=f"{1 - sum(len(one.others_apart) for one in found) / others:.1%}",
    )


_SECTION = """\
## A whole suite

The enterprise suite under its profiles `standard` and `adaptive` (± 1 %), on {count} of the {all} model drives: as many as there was time for.
They are whole runs in virtual time, without BootBench, which is the same under both, and at queue depths {depths} alone; the second stands for
eight of the nine in the times. The drives have 4 GiB and stand for 1 TB: what is written by the capacity is counted as so much longer, points
are not. So small a drive writes its capacity within a minute, which is less of a past than a writing point asks for; nearly all of those take
their whole limit, as they do on larger drives, where ± 1 % is out of reach.

{rows}
- **Time**: {median} of the standard's in the median, from {best} to {worst}; a quarter or less on {quarter} of {count} drives. Conditioning takes
  {conditioning} of what it takes there, by the short way; the points take {points}: those that only read are short, and those that write are not.
- **Agreement**: of {rates} rates that both have with an interval, {held} differ by no more than both intervals allow; {far} by more than 5 %. Of
  {others} latencies and other numbers without an interval, {near} are within 5 %. What differs are high percentiles beside writes, which
  differ from run to run: of two runs of `standard` on `model:demo?capacity=256MiB` that had other seeds and points of 30 s, 31 of 263 numbers were further apart.

A quarter of the time on most drives, and every number within its interval, were hoped for.

"""


def kept() -> list[Compared]:
    """What was found so far."""
    if not FOUND.exists():
        return []
    return list(map(_read, json.loads(FOUND.read_text())))


def _read(fields: dict[str, object]) -> Compared:
    """JSON has neither tuples nor classes of ours."""
    made: dict[str, object] = {}
    for key, value in fields.items():
        if isinstance(value, dict):
            made[key] = Taken(**value)
        else:
            made[key] = tuple(value) if isinstance(value, list) else value
    return Compared(**made)  # type: ignore[arg-type]


def write_page(found: Sequence[Compared]) -> None:
    """Put the section where it belongs; all else stays."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(_ENDS)
    before, _, _ = head.partition(_BEGINS)
    PAGE.write_text(f"{before}{section(found)}{_ENDS}{rest}", encoding="utf-8")


def _in_time(seconds: float, first: int) -> Iterator[Compared]:
    end_s = time.monotonic() + seconds
    for number in range(first, DRIVES):
        if time.monotonic() >= end_s:
            return
        yield compared(number)


def main(arguments: Sequence[str]) -> int:
    """Study as many drives as there is time for, and write what came of them."""
    seconds, first = (*map(int, arguments), *(1200, 0)[len(arguments) :])
    found = {one.number: one for one in kept()}
    for one in _in_time(seconds, first):
        found[one.number] = one
        print(*row(one), sep="  ", flush=True)
        FOUND.write_text(json.dumps([asdict(found[number]) for number in sorted(found)], indent=1) + "\n")
    write_page([found[number] for number in sorted(found)])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
