"""What the analysis says of fills that are hard to read, against the truth.

`uv run python -m tests.study.fill_study` writes `docs/adverse-fills.md`, two minutes on one processor; with `FAMILY [COUNT]` it prints what
it finds about another family.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tests.kit.adverse_fills import AdverseFill, adverse_fill, stalled_fill
from tests.kit.drawn_fills import drawn_fill
from tests.kit.fill_evidence import evidence_of_fill

from ssdlab.analysis.infer.phases import Cache, phases_of
from ssdlab.analysis.infer.policy import Policy, policy_of
from ssdlab.analysis.metrics.fill import fill_metrics
from ssdlab.bundle.model import Metric
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "adverse-fills.md"
PAGE_FAMILY = 60013
"""The analysis was made looking at fills of other families."""
STALLS_FAMILY = 60017
DRAWN_FAMILY = 60029
PAGE_COUNT = 600
ABSURD = 0.2
"""Share by which a size may be off before it is absurd."""


class Score(Enum):
    """How an answer stands to the truth."""

    RIGHT = "right"
    OPEN = "open"
    """Unknown, though there is an answer: not wrong, and not useful."""
    WRONG = "WRONG"
    ABSURD = "ABSURD"


@dataclass(frozen=True, slots=True)
class Speed:
    """An interval of a speed beside the truth."""

    held: bool
    width: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A fill and how its answers stand."""

    number: int
    fill: AdverseFill
    cache: Score
    after: Score
    speeds: tuple[Speed, ...]
    words: str

    @property
    def worst(self) -> Score:
        """Of both answers."""
        return max(self.cache, self.after, key=list(Score).index)


def judged(number: int, family: int, drawn: Callable[[int, int], AdverseFill] = adverse_fill) -> Judged:
    """Analyse the fill of that number."""
    fill = drawn(number, family)
    phases = phases_of(fill.series, fill.capacity_bytes, fill.sensors)
    policy = policy_of(fill.series, phases, fill.capacity_bytes, None)
    size = (
        f"{phases.cache.size_bytes / 1e9:.1f} [{phases.cache.interval.low / 1e9:.1f}, {phases.cache.interval.high / 1e9:.1f}] GB"
        if isinstance(phases.cache, Cache)
        else str(phases.cache.reason)
    )
    truth = "none" if fill.cache_bytes is None else f"{fill.cache_bytes / 1e9:.1f} GB"
    letter = policy.after.value if isinstance(policy, Policy) else "?"
    return Judged(
        number,
        fill,
        _cache(fill, phases.cache),
        _after(fill, policy),
        tuple(_speeds(fill, phases.cache)),
        f"{fill.shape.value}; {fill.disturbance.value} {fill.detail}: cache {truth}, said {size}, class {letter}",
    )


def _cache(fill: AdverseFill, found: Cache | Unknown) -> Score:
    if isinstance(found, Unknown):
        return Score.RIGHT if fill.cache_bytes is None else Score.OPEN
    if fill.cache_bytes is None:
        return Score.ABSURD
    if found.interval.low <= fill.cache_bytes <= found.interval.high:
        return Score.RIGHT
    return Score.ABSURD if abs(found.size_bytes / fill.cache_bytes - 1) > ABSURD else Score.WRONG


def _after(fill: AdverseFill, found: Policy | Unknown) -> Score:
    if isinstance(found, Unknown):
        return Score.RIGHT if fill.after is None else Score.OPEN
    return Score.RIGHT if found.after is fill.after else Score.WRONG


def _speeds(fill: AdverseFill, found: Cache | Unknown) -> Iterable[Speed]:
    """Of cache and second level as the metrics state them, where both are levels of the truth."""
    if fill.after is None or _cache(fill, found) is not Score.RIGHT:
        return
    evidence = evidence_of_fill(fill.series)
    metrics = {one.name: one for one in fill_metrics("fill", [evidence.step], [evidence])}
    second = "folding" if fill.after.value == "B" else "folding" if fill.after.value == "E" else "direct"
    for name, truth in (("cache", fill.cache_speed), (second, fill.second_speed)):
        metric = metrics[f"fill.pass1.{name}_bandwidth"]
        if truth is not None and fill.after.value != "C":
            yield from _speed(metric, truth)


def _speed(metric: Metric, truth: float) -> Iterable[Speed]:
    if not isinstance(metric.value, float):
        return
    if metric.low is None or metric.high is None:
        yield Speed(held=False, width=float("nan"))
    else:
        yield Speed(metric.low <= truth <= metric.high, (metric.high - metric.low) / metric.value)


def table(found: Sequence[Judged]) -> str:
    """How many of each kind came to what."""
    lines = [f"{'':34}" + "".join(f"{score.value:>8}" for score in Score)]
    for key in ("shape", "disturbance"):
        for kind in dict.fromkeys(getattr(one.fill, key) for one in found):
            counted = Counter(one.worst for one in found if getattr(one.fill, key) is kind)
            lines.append(f"{kind.value:34}" + "".join(f"{counted[score]:8}" for score in Score))
    counted = Counter(one.worst for one in found)
    lines.append(f"{'all':34}" + "".join(f"{counted[score]:8}" for score in Score))
    for disturbance in (*dict.fromkeys(one.fill.disturbance for one in found), None):
        speeds = [speed for one in found if disturbance in {None, one.fill.disturbance} for speed in one.speeds]
        held = sum(speed.held for speed in speeds)
        name = "all" if disturbance is None else disturbance.value
        lines.append(
            f"speeds inside their interval, {name}: {held} of {len(speeds)} ({held / max(1, len(speeds)):.1%})"
        )
    return "\n".join(lines)


def page(disturbed: Sequence[Judged], stalled: Sequence[Judged], drawn: Sequence[Judged]) -> str:
    """How many of each kind came to what, and every answer that is wrong or open."""
    return "\n".join(
        [
            "<!-- Written by `uv run python -m tests.study.fill_study`; do not edit. -->",
            "",
            "# Fills that are hard to read",
            "",
            f"{len(disturbed)} fills of known levels, disturbed by dips, stalls and noise as drives and hosts disturb them, and what the analysis",
            "says of the size of their cache and the class of the drive. They were drawn by a seed that was not looked at while the analysis",
            "was made. How they are drawn: `tests/kit/adverse_fills.py`.",
            "",
            "A size is wrong where the truth is outside its interval; a class where it is another one, or where none is right.",
            "",
            *_answers(disturbed),
            "",
            "## Stalls that take what there is to see",
            "",
            f"{len(stalled)} more, with long stalls at the beginning, across the end of the cache, at the very end, or several of them. Where the",
            "cache ends during a stall its size is known to the bytes that were written in it. The stall counts in no speed on either side of it.",
            "",
            *_answers(stalled),
            "",
            "## Everything drawn at once",
            "",
            f"{len(drawn)} more, of which the number of levels, their drift, stalls, dips and noise are all drawn at once",
            "(`tests/kit/drawn_fills.py`): stalls that write up to a fifth of the speed, in any number, anywhere.",
            "",
            *_answers(drawn),
            "",
        ]
    )


def _answers(found: Sequence[Judged]) -> Iterable[str]:
    """How they came out, by kind, and each that is not right."""
    worst = Counter(one.worst for one in found)
    speeds = [speed for one in found for speed in one.speeds]
    wrong = worst[Score.WRONG] + worst[Score.ABSURD]
    return [
        f"Right are {worst[Score.RIGHT]}; open {worst[Score.OPEN]}, where the answer is unknown, with the reason, though there is one;",
        f"wrong {wrong} ({wrong / len(found):.1%}), {worst[Score.ABSURD]} of these absurd: a size off by more than {ABSURD:.0%}, or a cache where there is none.",
        f"{sum(speed.held for speed in speeds)} of {len(speeds)} intervals of speeds hold the truth.",
        "",
        *_counted(found, "shape"),
        "",
        *_counted(found, "disturbance"),
        "",
        *_listed("Wrong", [one for one in found if one.worst in {Score.WRONG, Score.ABSURD}]),
        "",
        *_listed("Open", [one for one in found if one.worst is Score.OPEN]),
    ]


def _listed(title: str, found: Sequence[Judged]) -> list[str]:
    return [f"{title}:", "", *(f"- {one.number}: {one.words}" for one in found)] if found else [f"{title}: none."]


def _counted(found: Sequence[Judged], key: str) -> list[str]:
    """A table of one kind a row."""
    rows = [f"| {key} | right | open | wrong | absurd |", "| --- | --- | --- | --- | --- |"]
    for kind in dict.fromkeys(getattr(one.fill, key) for one in found):
        counted = Counter(one.worst for one in found if getattr(one.fill, key) is kind)
        rows.append(f"| {kind.value} | " + " | ".join(str(counted[score]) for score in Score) + " |")
    return rows


def main(arguments: Sequence[str]) -> int:
    """Judge a family of fills and print what is wrong; without one named, write the page."""
    if not arguments:
        numbers = range(PAGE_COUNT)
        disturbed = [judged(number, PAGE_FAMILY) for number in numbers]
        stalled = [judged(number, STALLS_FAMILY, stalled_fill) for number in numbers]
        drawn = [judged(number, DRAWN_FAMILY, drawn_fill) for number in numbers]
        PAGE.write_text(page(disturbed, stalled, drawn), encoding="utf-8")
        return 0
    family, count = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 450
    found = [judged(number, family) for number in range(count)]
    for one in found:
        if one.worst is not Score.RIGHT or not all(speed.held for speed in one.speeds):
            print(f"{one.number:4} {one.worst.value:7}{one.words}")
    print(table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
