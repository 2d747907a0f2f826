"""`concepts/is-it-steady.md`: the criteria of METHODS S held against random drives, and a published mistake made again."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from tests.study.steady_study import TITLES as HARD_TITLES
from tests.study.steady_study import Judged, Verdict
from tests.study.steady_study import row as hard_row

from sources.markdown import code, table
from sources.steady_drives import SteadyDrive, steady_drive
from sources.steady_story import CAPACITY_BYTES, SPEC, Story
from sources.steady_study import MOST, TRUTH, Measured, Method, study
from ssdlab.analysis.infer import steady, written_past
from ssdlab.units import GIB, KIB, NS_PER_S

DRIVES = 64
CLOSE, FAR = 0.03, 0.10
_UNSAID_MAX = 1
_CLOSE_SHARE_MIN = 57 / 60


class NotGoodEnough(Exception):  # noqa: N818 - the error is the finding
    """`held` does not do what the page says of it."""


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


@dataclass(frozen=True, slots=True)
class Studied:
    """A drive and what each method comes to on it."""

    drive: SteadyDrive
    methods: Mapping[Method, Measured | None]


def studied(seed: int) -> Studied:
    """The drive of that number, studied."""
    drive = steady_drive(seed)
    return Studied(drive, study(drive))


def page(rows: Sequence[Studied], told: Story, hard: Sequence[Judged]) -> str:
    """The whole page.

    Raises:
        NotGoodEnough: `held` misses what is promised of it.
    """
    _hold(rows, hard)
    return f"""# Is it steady?

A drive that is written at random slows down until garbage collection is in balance. Whoever measures before that measures a
moment. When the balance is reached is a judgement, and this page shows how good several are: on {len(rows)} virtual drives drawn at
random, whose later speed is known because the writing simply goes on.

## The judgements

- **2 x and go**: twice the user capacity is written, then it is measured.
- **fio**: fio's `steadystate=iops_slope:10%` with `ss_dur=30s`. It compares the slope *a second* with the mean, so within its 30
  seconds a speed may fall to a third. Computed here as fio computes it, and tested on fio's own output.
- **snia**: five rounds within {_percent(steady.SNIA_SPREAD_MAX)} of their mean, their best line within {_percent(steady.SNIA_EXCURSION_MAX)} of it (SNIA PTS 2.0.2, 2.1.24). On a
  continuous stream a round is half an hour of which the last minute counts, as in the standard's own continuous tests.
- **window**, which the lab used until `held` took its place, asks for three things at once:
  1. Over the last {steady.SHORT_NS // NS_PER_S} s, or the time in which {_percent(steady.SHORT_SHARE)} of the drive was written if that is longer, the least-squares line
     moves by at most {_percent(steady.SHORT_EXCURSION_MAX)} of the mean, and the means of the five fifths differ by at most {_percent(steady.SHORT_SPREAD_MAX)}.
  2. The same over the last *capacity* written, with {_percent(steady.LONG_EXCURSION_MAX)} and {_percent(steady.LONG_SPREAD_MAX)}. Random writes forget the past by one e-fold a
     capacity, so less than {_percent(steady.LONG_EXCURSION_MAX)} is left to fall.
  3. In that capacity, stretches as long as a measurement (5 minutes) differ by at most {_percent(steady.REPEAT_SPREAD_MAX)}, or one measurement would
     not repeat another.

- **held**, which the lab uses, asks for what `window` asks for, and for more of what came before:
  1. The last capacity was flat at every moment while another half capacity was written.
  2. The speed has been within {_percent(written_past.LIKE_NOW)} of now's for {written_past.OUTLASTS} times as long as it was elsewhere before: as it was further away than half of
     the height of what came last, and as the longest other level lasted.
  3. Since it first reached now's, its mean is within {_percent(written_past.LIKE_NOW)} of now's. Bursts and rhythms that were seen once are in that mean,
     and a slow beginning that ended at once.

The last four look once a second and not before twice the capacity is written. The second and third conditions of `window` are a
refinement: the first alone is blind to what changes from one capacity to the next, and on a fresh drive it is fulfilled
as soon as fio's.

## How wrong they are

Each drive stands for one of 1 TB; sizes and times are scaled alike. About half begin fresh out of the box, the others written twice in sequence.
Measured is the mean over the 5 minutes after the stop, the truth is the mean over the {TRUTH} capacities after the stop. A judgement that
finds no end within {MOST} capacities says so; that is no error. A measurement scatters by itself: where a cache fills and drains, by
several per cent even when nothing changes any more.

{table(_SUMMARY_TITLES, (_summary(method, rows) for method in Method))}
{_story(told)}
{_hard(hard)}
## Every drive

How far off each method is, and after how many capacities it stopped. {code("begin")}: `fresh` or `filled`. {code("unit/block")}: indirection unit and size of the writes, KiB.
{code("cache")}: what follows the SLC cache. {code("gc")}: free superblocks at which collection begins, and at which the host waits. {code("noise")}:
sigma of every latency.

{table(_TITLES, map(row, rows))}"""


def _hold(rows: Sequence[Studied], hard: Sequence[Judged]) -> None:
    found = [measured for one in rows if (measured := one.methods[Method.HELD]) is not None]
    close = sum(abs(one.apart) <= CLOSE for one in found)
    if close < _CLOSE_SHARE_MIN * len(rows) or any(abs(one.apart) > FAR for one in found):
        worst = max((abs(one.apart) for one in found), default=0)
        raise NotGoodEnough(f"{close} of {len(rows)} drives within {CLOSE:.0%}, the worst {worst:.1%} off")
    unsaid = [one.number for one in hard if one.verdict is Verdict.UNSAID]
    if len(unsaid) > _UNSAID_MAX:
        raise NotGoodEnough(f"of {len(hard)} hard drives {unsaid} are far off and nothing says so")


_SUMMARY_TITLES = (
    "stop by",
    "says steady",
    f"off by more than {_percent(CLOSE)}",
    f"by more than {_percent(FAR)}",
    "worst",
    "median",
    "written, median",
    "most",
)


def _summary(method: Method, rows: Sequence[Studied]) -> tuple[str, ...]:
    found = [measured for one in rows if (measured := one.methods[method]) is not None]
    apart = [one.apart for one in found]
    worst = max(apart, key=abs)
    return (
        method.value,
        f"{len(found)} of {len(rows)}",
        str(sum(abs(one) > CLOSE for one in apart)),
        str(sum(abs(one) > FAR for one in apart)),
        f"{worst:+.1%}",
        f"{median(map(abs, apart)):.1%}",
        f"{median(one.capacities for one in found):.1f} x",
        f"{max(one.capacities for one in found):.1f} x",
    )


_TITLES = ("drive", "begin", "spare", "unit/block", "cache", "gc", "noise", *(one.value for one in Method))


def row(one: Studied) -> tuple[str, ...]:
    """A drive's line in the table."""
    drive = one.drive
    return (
        str(drive.seed),
        drive.begin.value,
        f"{drive.spare_percent:.0f} %",
        f"{drive.unit_bytes // KIB}/{drive.block_bytes // KIB}",
        drive.cache.value,
        f"{drive.collection[0]}/{drive.collection[1]}",
        f"{drive.noise_sigma:.2f}" if drive.noise_sigma else "none",
        *(_cell(one.methods[method]) for method in Method),
    )


def _cell(measured: Measured | None) -> str:
    return "not steady" if measured is None else f"{measured.apart:+.1%} at {measured.capacities:.1f}"


def _story(told: Story) -> str:
    go, held, fio = (told.methods[method] for method in (Method.GO, Method.HELD, Method.FIO))
    if go is None or held is None or fio is None or told.again_steady_at is None:
        raise NotGoodEnough(f"on {SPEC} one of the judgements finds no end")
    block = 4 * KIB
    lines = [
        ("every pass with the same seed", *(_kiops(one) for one in told.again), *[""] * (8 - len(told.again))),
        ("one stream", *map(_kiops, told.once)),
    ]
    return f"""## 650,000 IOPS that were not steady

A review gave a Samsung 970 PRO 1TB 600,000 to 700,000 random write IOPS in steady state, after twice the capacity. With a longer test its
author found that it had not been steady at all, and said so. The same on `model:{SPEC}?capacity={
        CAPACITY_BYTES // GIB
    }GiB`, fresh out of the box, 4 KiB at QD256; thousands of IOPS at
the end of each capacity written:

{table(("", *map(str, range(1, 9))), lines)}
With the same seed in every pass, as fio's default `randrepeat=1` has it, blocks die in the order in which they were written, collection never copies anything, and the
drive stays as fast as new. No criterion can see that, because it *is* steady: `held` too would end it after {
        told.again_steady_at:.1f} capacities. The
lab therefore writes one stream of independent draws that is never re-seeded. On that stream:

{
        table(
            ("stop by", "after", "thousands of IOPS", "off the truth by"),
            [
                (name.value, f"{one.capacities:.1f} x", _kiops(one.bytes_per_s / block), f"{one.apart:+.1%}")
                for name, one in told.methods.items()
                if one is not None
            ],
        )
    }"""


def _hard(found: Sequence[Judged]) -> str:
    counted = Counter(one.verdict for one in found)
    window = [one.window for one in found if one.window is not None]
    far = sum(abs(one.apart) > FAR for one in window)
    return f"""## What is hard to judge

The model's drives settle and stay. Others have rhythms of many capacities, two speeds, bursts, heat, drift and noise. {len(found)} such streams are
drawn here by numbers that nobody looked at while the criterion was made; each is followed for {TRUTH} capacities after the stop, as above.
`window` would call {len(window)} of them steady, {far} of those further than {_percent(FAR)} from the truth, and say nothing. `held`:

{table(("verdict", "drives"), ((verdict.value, str(counted[verdict])) for verdict in Verdict))}
What has not been seen cannot be judged: a second speed that first comes after the stop, a rhythm of twelve capacities at its crest. A run
therefore says with the steady speed **for how long it was flat** ("a rhythm of 2.1 capacities or longer would not have been seen; 3.9 were
written", `flat_bytes`), **what it still changes a capacity**, apart from what is left of the settling, or how much of a change cannot be
excluded (`drift`, with its interval), and **how far stretches as long as a measurement differ** (`measurement_apart`: what a single
measurement may be off by, because heat or collection goes up and down more slowly than it lasts). A look of one capacity sees neither.
"Said by how much" is: within half of {TRUTH} capacities of that drift plus that difference.

{table(HARD_TITLES, map(hard_row, found))}"""


def _kiops(iops: float) -> str:
    return f"{iops / 1000:.0f}"
