"""The first set of traces: what is in it, and what the built-in consumer drives score by it, at full size and in virtual time."""

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
    Kind("start", "a program starts: small reads here and there, one after the other, 150 µs of work between them"),
    Kind("office", "somebody works: one I/O at a time, 2 ms between them, made durable every 32"),
    Kind("load", "a level of a game is loaded: 32 reads of 512 KiB, eight at a time, then 8 ms of unpacking"),
    Kind("build", "a compiler at work: 24 I/Os one after the other, then 3 ms of computing"),
    Kind("unpack", "an archive is unpacked: files of 4 to 256 KiB, four writes at a time, a flush every 100"),
    Kind("journal", "a journal: each write of 4 KiB is made durable, 300 µs later comes the next"),
    Kind("copy", "a large file is gone through and half of it written anew, 256 KiB at a time, four in flight"),
    Kind("database", "four sessions of a database beside each other: 8 KiB, some places often, a flush every 16"),
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
    return f"""# The first set of traces

Eight short programs of known structure that may be shared by anyone (CC0), of which drives are scored out of the box: [`docs/traces`](../traces/set.toml). fio
played each on a virtual drive in real time, over NBD, and the drive wrote down what it was asked; [`docs/record_traces.py`](../record_traces.py) says
how. They are no recordings of what people do, but of what is told of it here, so that it is known why a drive is fast or slow at one. Pauses
are at least as long as told: host and fio add to them, a tenth of a millisecond on average, and of three recordings of each the shortest was kept.

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
In real time, over NBD, the host is in it, too: on a host of two processors with other work for six, five runs on `virtual:{REFERENCE_DRIVE}?capacity=8GiB` scored 0.57 to
0.80, a coefficient of variation of 14 %, where the drive in virtual time has 1. Such a host cannot score drives; what one that is idle comes to was not measured.

In `office`, `load`, `build` and `start` most of the time is the program's own, which no drive shortens: that is why drives which differ by factors in a benchmark
without pauses differ by little here. `journal`, where each write waits for a flush, tells the drives apart most.
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
