"""The set of traces: what is in it, and what the built-in consumer drives score by it, at full size and in virtual time."""

import io
from dataclasses import dataclass
from pathlib import Path

from sources.markdown import code, table
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.method.tables import STANDARD
from ssdlab.score.score import REFERENCE_DRIVE, ScoreTable, score_table
from ssdlab.trace.look import TraceProfile, profile_of
from ssdlab.units import format_bytes, format_duration

TRACES = Path(__file__).parents[1] / "traces"
SUITE = TRACES / "set.toml"
DRIVES = (
    REFERENCE_DRIVE,
    "pm9e1-1tb",
    "folding-tlc-1tb",
    "qlc-dramless-1tb",
    "flat-cfexpress-800gb",
    "optane-like-960gb",
)
"""Those of consumers that hold the set at the same places: `demo` has 2 GB."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a trace stands for, in words."""

    name: str
    words: str


KINDS = (
    Kind("install", "`dpkg` unpacks ten packages of Debian, some of a thousand small files, some of a few large ones"),
    Kind(
        "clone",
        "`git clone` of this repository, a checkout of what it was 300 commits ago and back, and what changed in the last 50",
    ),
    Kind("compile", "`cargo build` of the virtual drive and all it needs, on two processors"),
    Kind("postgresql", "PostgreSQL starts, four clients of `pgbench` make 4,000 transactions (scale 20), and it stops"),
    Kind(
        "sqlite",
        "one program makes 800 transactions in SQLite, half of them with a rollback journal, half with a write-ahead log",
    ),
    Kind("rocksdb", "`db_bench` fills RocksDB in random order, then two threads read for ten seconds while one writes"),
    Kind("browser", "Chromium starts, none of it in memory, shows a page and ends"),
    Kind("copy", "`cp` of a file of 600 MiB"),
)


def run_on(drive: str, lab: Path, size: str = "", traces: Path = TRACES) -> Bundle:
    """The set, or other traces of these names, on a built-in drive in virtual time."""
    text = SUITE.read_text(encoding="utf-8").replace('trace = "', f'trace = "{traces}/')
    with open_bench(f"model:{drive}{size}") as bench:
        plan = expand(parse_suite(text, SUITE.name), STANDARD, bench.drive.identity, seed=1)
        return execute(plan, bench, lab, PlainDisplay(io.StringIO()))


def scores(directory: Path) -> ScoreTable:
    """All drives, by the reference."""
    bundles = [run_on(drive, directory / drive) for drive in DRIVES]
    return score_table(bundles, bundles[0])


def page(directory: Path) -> str:
    """`trace-set.md`."""
    found = scores(directory)
    times = [
        (one.key.step, *(format_duration(round(drive.traces[place].time_ns)) for drive in found.drives))
        for place, one in enumerate(found.reference.traces)
    ]
    names = [_name(drive.entries[0].drive.model) for drive in found.drives]
    total = [("**score**", *(f"**{drive.score:.3f}**" for drive in found.drives))]
    return f"""# The set of traces

What eight programs ask of a drive, to be shared by anyone (CC0); drives are scored by it out of the box: [`docs/traces`](../traces/set.toml). Each ran as it is on an
ext4 file system that had just been mounted, on a virtual `{REFERENCE_DRIVE}` of 8 GiB which served NBD in real time, and the drive wrote down what it was asked until all was
written; [`docs/record_traces.py`](../record_traces.py) is how, and records them anew on any Linux. The host was idle otherwise, with two processors and
24 GiB of memory: what a program read twice came from there the second time. Between file system and drive lie a loop device and `nbdfuse`, which add some tenths of a
millisecond to each pause.

{table(("trace", "what it is", "I/Os", "reads", "bytes", "working set", "takes"), [_described(kind) for kind in KINDS])}
The suite purges, fills three quarters of the drive, rests five minutes, and does all of them at the pace `dependent`: each I/O waits for those that it waited for when it
was recorded, and as long after them. It fits on drives from 8 GiB on:

```sh
cd docs/traces
ssdlab run set.toml model:{REFERENCE_DRIVE} --lab reference
ssdlab run set.toml /dev/nvme1n1 --erase SERIAL --lab scored
ssdlab score scored/runs/* --reference reference/runs/*
```

## What the built-in consumer drives score

Time of each trace, and the score: time of `{REFERENCE_DRIVE}` over time of the drive, geometric mean over the eight. Each at full size and in virtual time: whoever runs it
gets these numbers, and two runs of one drive take the same time to the nanosecond (`tests/model/test_trace_set.py`).

![Scores of the built-in consumer drives](../images/trace-set.png)

{table(("trace", *names), [*times, *total])}
In `compile` nearly all of the time is the processor's, which no drive shortens, and most of it in `clone` and `browser`: that is why drives which differ by factors in a
benchmark without pauses differ by little here. `sqlite` and `postgresql`, which wait for each flush, tell the drives apart most.

In real time, over NBD, the host is in it, too: five runs on a virtual drive of 8 GiB each, on a host of two processors. Scores had a coefficient of variation of 0.2 to 0.6 % on
all six drives, times of single traces of 0.01 to 2.4 %. A trace took between 1.00 times as long as in virtual time (`compile`) and 2.5 times (`sqlite` on `pm9e1-1tb`, which answers faster than the
host). `{REFERENCE_DRIVE}` was alone on the host; for the others there was work beside them, and they had priority over it (`chrt -f`). Without that, scores varied by 1.7 to 5.4 %
(`tests/study/real_time_scores.py`).
"""


def _described(kind: Kind) -> tuple[str, ...]:
    profile = profile_of(TRACES / f"{kind.name}.ssdtrace")
    reads = sum(one.ios for one in profile.ops if one.op == "read")
    moved = sum(one.bytes for one in profile.ops)
    return (
        code(kind.name),
        kind.words,
        f"{profile.ios:,}",
        f"{reads / profile.ios:.0%}",
        format_bytes(moved),
        _working_set(profile),
        format_duration(profile.arrivals_ns or 0),
    )


def _working_set(profile: TraceProfile) -> str:
    return "unknown" if profile.working_set_bytes is None else format_bytes(profile.working_set_bytes)


def _name(model: object) -> str:
    return code(str(model).removeprefix("ssdlab "))
