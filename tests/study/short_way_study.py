"""Where does the short way to steady state lead, and what does it save?

`uv run python -m tests.study.short_way_study [PROCESSES]` writes `docs/short-way.md`; some ten minutes on two processors.
"""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

sys.path.append(str(Path(__file__).parents[2] / "docs"))

from sources.markdown import table
from sources.steady_drives import CAPACITY_BYTES, TIME, SteadyDrive, steady_drive
from sources.steady_study import MEASURED_NS, MINIMUM, MOST, TRUTH, WINDOW_NS, workload
from ssdlab import _core
from ssdlab.analysis.infer.steady import Criterion, SteadyContext, SteadyJudge
from ssdlab.analysis.statistics.written_curve import WrittenCurve
from ssdlab.engine.base import Judge
from ssdlab.engine.result import EarlyStop
from ssdlab.engine.workload import workload_fields
from ssdlab.job import Job, Pattern, Region, StepKind
from ssdlab.lab.short_way import PassPace, ShortThenLong
from ssdlab.message import message
from ssdlab.method.short_way import (
    AGAIN_SHARE,
    ASSUMED_SPARE,
    LIMIT_SHARE,
    PARTS,
    PIECE_SHARE,
    SPARE_MAX,
    STRETCH_SHARE,
    short_pass,
)
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "short-way.md"
DRIVES = 64
"""Those of "Is it steady?", on which the numbers of the way were chosen; as many that come after them were not looked at."""
OFF, FAR, OFF_MAX = 0.03, 0.10, 2
WRITTEN_MEDIAN_MAX, LONGER_MAX = 1.6, 0.5
_WINDOWS_AT_ONCE = 500
_UNTOLD = Unknown(message("unknown-no-block-device"))


@dataclass(frozen=True, slots=True)
class Came:
    """Where a way came to.

    Attributes:
        capacities: Written in all.
        apart: Share by which a measurement made then differs from the mean over the next eight capacities; None where there was no end.
    """

    capacities: float
    apart: float | None


@dataclass(frozen=True, slots=True)
class Studied:
    """A drive, by both ways; `left` tells whether the short one went on as the long one."""

    number: int
    drive: SteadyDrive
    passed: float
    short: Came
    left: bool
    long: Came


class _Watcher:
    """Puts a stream before a judge, and lets it go on until what came after its verdict is known."""

    def __init__(self, judge: Judge, block_bytes: int) -> None:
        self._judge = judge
        self._block_bytes = block_bytes
        self._waiting: list[NDArray[np.uint64]] = []
        self._windows = 0
        self.curve = WrittenCurve()
        self.stopped: EarlyStop | None = None

    def __call__(self, ios_of_windows: bytes) -> bool:
        """Take in the I/Os of some windows; true once the stream may end."""
        self._waiting.append(np.frombuffer(ios_of_windows, dtype=np.uint64))
        if sum(map(len, self._waiting)) < _WINDOWS_AT_ONCE:
            return False
        done = np.concatenate(self._waiting).astype(np.float64) * self._block_bytes
        self._waiting = []
        time_ns = (self._windows + 1 + np.arange(len(done))) * WINDOW_NS
        self._windows += len(done)
        self.curve.append(time_ns, done)
        if self.stopped is None:
            self.stopped = self._judge.feed(time_ns, done)
        last = MOST * CAPACITY_BYTES if self.stopped is None else self.stopped.at_bytes + TRUTH * CAPACITY_BYTES
        return self.curve.end_bytes >= last

    def came(self, before_bytes: int) -> Came:
        """To where, after so much was written before."""
        if self.stopped is None:
            return Came(MOST, None)
        begin_s, measured_s = self.stopped.at_ns / NS_PER_S, TIME.of(MEASURED_NS) / NS_PER_S
        at_bytes = float(self.stopped.at_bytes)
        measured = (float(self.curve.bytes_at(np.array([begin_s + measured_s]))[0]) - at_bytes) / measured_s
        truth_bytes = TRUTH * CAPACITY_BYTES
        took_s = float(self.curve.time_at(np.array([at_bytes + truth_bytes]))[0]) - begin_s
        return Came((before_bytes + at_bytes) / CAPACITY_BYTES, measured / (truth_bytes / took_s) - 1)


def _ground(drive: SteadyDrive) -> SteadyContext:
    return SteadyContext(CAPACITY_BYTES, drive.block_bytes, MINIMUM * CAPACITY_BYTES, TIME.of(MEASURED_NS), TIME)


def _job(drive: SteadyDrive) -> Job:
    return Job(
        name="rnd",
        pattern=Pattern.RANDOM,
        read_percent=0,
        block_bytes=drive.block_bytes,
        queue_depth=256,
        region=Region(0, CAPACITY_BYTES),
        amount_bytes=MOST * CAPACITY_BYTES,
        duration_ns=None,
        seed=1,
    )


def _by(judge: Judge, core: _core.ModelDrive, now_ns: int, drive: SteadyDrive, before_bytes: int) -> tuple[Came, str]:
    watcher = _Watcher(judge, drive.block_bytes)
    text = workload("random", drive.block_bytes, CAPACITY_BYTES, MOST + TRUTH + 1, 1)
    core.run(text, now_ns, None, watcher)
    return watcher.came(before_bytes), "" if watcher.stopped is None else watcher.stopped.criterion


def studied(number: int) -> Studied:
    """A purged drive by both ways; nobody says how much spare space it has, nor what its unit is."""
    drive = steady_drive(number)
    job, core, now_ns = _job(drive), _core.ModelDrive(drive.text), 0
    pace = PassPace(CAPACITY_BYTES, _UNTOLD)
    for seed, (kind, one) in enumerate(short_pass(job, _UNTOLD), start=100):
        if kind is StepKind.RAMP and pace.collects:
            continue
        fields = workload_fields(one) | {"seed": seed}
        done = core.run(json.dumps(fields), now_ns)
        pace.take(kind, one, done.write.bytes, done.write.runtime_ns)
        now_ns = done.end_ns
    seen = pace.seen
    short, by = _by(ShortThenLong(_ground(drive), seen, 1.0), core, now_ns, drive, seen.written_bytes)
    fresh = _core.ModelDrive(drive.text)
    long, _ = _by(SteadyJudge(_ground(drive), Criterion.HELD), fresh, 0, drive, 0)
    return Studied(number, drive, seen.written_bytes / CAPACITY_BYTES, short, by != Criterion.WINDOW.value, long)


_TITLES = (
    "drives",
    "way",
    "finds an end",
    "off by more than 3 %",
    "by more than 10 %",
    "worst",
    "median",
    "written, median",
    "most",
)


def _summary(name: str, way: str, found: Sequence[Came]) -> tuple[str, ...]:
    apart = [one.apart for one in found if one.apart is not None]
    written = [one.capacities for one in found]
    return (
        name,
        way,
        f"{len(apart)} of {len(found)}",
        str(sum(abs(one) > OFF for one in apart)),
        str(sum(abs(one) > FAR for one in apart)),
        f"{max(apart, key=abs):+.1%}",
        f"{median(map(abs, apart)):.1%}",
        f"{median(written):.2f} x",
        f"{max(written):.1f} x",
    )


def _cell(came: Came) -> str:
    return "not steady" if came.apart is None else f"{came.apart:+.1%} at {came.capacities:.2f}"


def row(one: Studied) -> tuple[str, ...]:
    """Its line in the table."""
    drive = one.drive
    return (
        str(one.number),
        f"{drive.spare_percent:.0f} %",
        f"{drive.unit_bytes // 1024}/{drive.block_bytes // 1024}",
        drive.cache.value,
        f"{drive.noise_sigma:.2f}",
        f"{one.passed:.2f}",
        _cell(one.short) + (", by the long way" if one.left else ""),
        _cell(one.long),
    )


def _told(rows: Sequence[Studied]) -> str:
    longer = [one for one in rows if one.short.capacities > one.long.capacities + LONGER_MAX]
    left = sum(one.left for one in rows)
    most = max(one.short.capacities - one.long.capacities for one in rows)
    return (
        f"{left} of {len(rows)} went on by the long way. "
        f"{len(longer)} wrote more than half a capacity more than the long way alone, the most was {most:+.2f} capacities"
        + (f" (drives {', '.join(str(one.number) for one in longer)})." if longer else ".")
    )


def _met(rows: Sequence[Studied]) -> str:
    """Which of what was asked for did not come about."""
    apart = [abs(one.short.apart) for one in rows if one.short.apart is not None]
    written = median(one.short.capacities for one in rows)
    missed = [
        said
        for said, holds in (
            (f"{sum(one > OFF for one in apart)} are off by more than 3 %", sum(one > OFF for one in apart) <= OFF_MAX),
            (f"{sum(one > FAR for one in apart)} by more than 10 %", not any(one > FAR for one in apart)),
            (f"the median is {written:.2f}", written <= WRITTEN_MEDIAN_MAX),
            (
                "some wrote more than that beyond the long way",
                all(one.short.capacities <= one.long.capacities + LONGER_MAX for one in rows),
            ),
        )
        if not holds
    ]
    return f"not met: {', '.join(missed)}" if missed else "all of it came about"


def page(rows: Sequence[Studied]) -> str:
    """The whole page."""
    parts = {"those the way was made with": rows[:DRIVES], "those that follow them": rows[DRIVES:]}
    lines = [
        _summary(name, way, [getattr(one, way) for one in found])
        for name, found in parts.items()
        for way in ("short", "long")
    ]
    return _PAGE.format(
        spare=f"{ASSUMED_SPARE:.0%}",
        parts=PARTS,
        stretch=f"{STRETCH_SHARE:.0%}",
        again=f"{AGAIN_SHARE:.0%}",
        piece=f"{PIECE_SHARE:.0%}",
        most=f"{SPARE_MAX:.0%}",
        limit=f"{LIMIT_SHARE:g}",
        summary=table(_TITLES, lines),
        asked=f"{WRITTEN_MEDIAN_MAX:g}",
        met=" ".join(f"Of {name}: {_met(found)}." for name, found in parts.items()),
        told="\n".join(f"- {name}: {_told(found)}" for name, found in parts.items()),
        drives=table(_DRIVE_TITLES, map(row, rows)),
    )


_DRIVE_TITLES = ("drive", "spare", "unit/block", "cache", "noise", "pass", "short way", "long way")

_PAGE = """\
<!-- Written by `uv run python -m tests.study.short_way_study`; do not edit. -->

# The short way to steady state

Until a drive is steady under random writes, several capacities are written to it. Most of that is spent on the past of the drive: the
blocks of flash that were written in order have to be collected and written again in the order of chance. `route = "short"` in a step of
kind `steady` never lets that past come about.

## The way

1. **Purge.** Without one there is no short way; a suite that asks for it elsewhere is refused, and a drive whose purge proves nothing is
   written the long way, which the run says.
2. **One pass.** In the balance of random writes the flash that was written longest ago holds the least valid data: its share falls by
   `exp(-age)`. The pass makes the same on a fresh drive, where the host's new data take the place of what collection would have moved. The
   drive is filled in {parts} parts, in order, and after each the parts so far are overwritten at random. This is the idea of fio's
   `sprandom`; here it is {parts} fills and as many random jobs, which any engine does.
3. **Spare space.** How much is overwritten depends on it, and nobody asks for it: the pass takes {spare} of the capacity. Then it overwrites on in
   pieces of {piece}, the older parts more, as they would have been on a drive with more spare space, until the drive is seen to collect: two
   overwrites in a row slower than 85 % of the slowest before anything had to be collected, and by so much that a drive of no more spare space than was
   written by then would be. A drive that has less than {spare} collects before that and is near its balance then; its other overwrites are left
   out, too. At {most} that ends.
4. **Judgement.** Random writes go on. As soon as {stretch} of the capacity were written at an even speed (the line through them moves by at most
   3 %, fifths differ by at most 6 %), and the same held when {again} less were written, the drive is called steady; the bundle says `window`. As
   long as it is faster than 85 % of what the pass saw of it before there was anything to collect, nothing is said; nor where the fall is small and less
   was written before than 1.2 times what the spare space takes that such a fall tells of.
5. **The long way.** What was not even within {limit} capacity goes on until `held`, as if there had been no short way; the bundle says so.

## What comes of it

The 64 drives of ["Is it steady?"](concepts/is-it-steady.md), all purged, and the 64 that follow them. The numbers of the way, {spare}, {stretch} and the others, were
chosen with both at hand, and with 64 more that a simpler program held against it, so that none of them is unseen. How many are off by more than 3 %
depends on chance: with other seeds of what is written where it was none to four of the first 64. The long way is the same step without `route`: random writes from the purge until `held`. Measured is the mean of the
5 minutes after the end, the truth is the mean of the 8 capacities after it. Written is all that the host wrote, the pass too.

{summary}
{told}

What was asked for is at most 2 of 64 off by more than 3 %, none by more than 10 %, a median of at most {asked} capacities, and nowhere more than
half a capacity beyond the long way. {met}

## What this does not show

- Drives whose collection prefers other blocks than those with the least valid data, wear levelling that moves cold data, and compression: the
  model has none. There the pass is off the balance and the stretch after it has to show that.
- A drive with much to spare whose cache is collected first may look for a while as one with less spare space does.
- A rhythm slower than the stretch cannot be seen on it. The long way sees rhythms of a capacity and more, and says of how many.

## The drives

Off the truth, at so many capacities written.

{drives}"""


def main(arguments: Sequence[str]) -> int:
    """Study all drives and write the page."""
    processes = int(arguments[0]) if arguments else 2
    with ProcessPoolExecutor(processes) as pool:
        rows = list(pool.map(studied, range(2 * DRIVES)))
    PAGE.write_text(page(rows), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
