"""Drives of constant service time, whose response latency under random arrivals is known exactly; and runs of loads on them."""

import json
from decimal import Decimal, localcontext
from math import factorial
from pathlib import Path

from ssdlab import _core
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.plan import expand
from ssdlab.method.suite import parse_suite
from ssdlab.units import MIB

SERVICE_NS = 20_000
CAPACITY_BYTES = 64 * MIB


def constant_drive(dies: int = 1) -> str:
    """Each die takes 20 us a read, one after the other; nothing else takes any time."""
    return f"""\
name = "constant"
description = "Reads of one length"
[geometry]
capacity = "64 MiB"
raw = "96 MiB"
superblock = "2 MiB"
channels = {dies}
dies = {dies}
bits_per_cell = 1
stripe_unit = "16 KiB"
page = "16 KiB"
[timing]
sense = ["{SERVICE_NS // 1000}us"]
program = "200us"
erase = "1ms"
channel = "unlimited"
link_read = "unlimited"
link_write = "unlimited"
[buffer]
kind = "protected"
size = "1 MiB"
[collection]
start = 6
hard = 3
"""


FILLED = """\
[suite]
name = "loads"
version = "1"
engine = "load"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "1MiB", qd = 8 }
"""


ASKED = ("10%", "20%", "50%", "70%", "80%", "90%")


def loads(
    ios: int = 1_000_000,
    limits: tuple[str, ...] = ("200us", "1ms", "10ms"),
    mix: tuple[str, ...] = ("read",),
    offered: tuple[str, ...] = ASKED,
    ramp: str = "0s",
) -> str:
    """A suite that fills the drive and offers it loads."""
    return f"""{FILLED}
[[step]]
kind = "load_latency"
job = {{ pattern = "random", bs = "4KiB" }}
mix = {json.dumps(mix)}
ladder = {{ qd = "1..64 doubling", limit = "1s" }}
offered = {{ loads = {json.dumps(offered)}, ramp = "{ramp}", ios = {ios}, at_least = "1s", at_most = "10min" }}
limit = {{ p99_9 = {json.dumps(limits)} }}
"""


def run_on(spec: str, suite: str, directory: Path, seed: int = 1) -> Bundle:
    """A whole run of a suite on a drive of that specification."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "drive.toml"
    path.write_text(spec)
    with open_bench(f"model:{path}") as bench, (directory / "words").open("w") as words:
        plan = expand(parse_suite(suite, "mine.toml"), "standard", bench.drive.identity, seed=seed)
        return execute(plan, bench, directory / "lab", PlainDisplay(words))


def metrics_of(bundle: Bundle) -> dict[str, Metric]:
    """By name."""
    return {metric.name: metric for metric in bundle.metrics}


def number(metrics: dict[str, Metric], name: str) -> float:
    """A metric that must be known."""
    value = metrics[name].value
    assert isinstance(value, int | float), (name, value)
    return float(value)


def mean_response_ns(load: float) -> float:
    """M/D/1: half the load over the idle share of a service time is waited for (Pollaczek & Khinchine)."""
    return SERVICE_NS * (1 + load / (2 * (1 - load)))


def response_share(load: float, response_ns: float) -> float:
    """M/D/1: share of all I/Os that take at most so long (Erlang, "The theory of probabilities and telephone conversations", 1909)."""
    waited = Decimal(response_ns - SERVICE_NS) / SERVICE_NS
    if waited < 0:
        return 0.0
    rho = Decimal(load)
    with localcontext() as context:
        # Terms of both signs that are far larger than their sum.
        context.prec = 400
        late = [rho * (k - waited) for k in range(1, int(waited) + 1)]
        terms = [one**k / factorial(k) * (-one).exp() for k, one in enumerate(late, start=1)]
        return float((1 - rho) * sum(terms, (rho * waited).exp()))


def percentile_response_ns(load: float, share: float) -> float:
    """The response latency that a share of the I/Os stays within."""
    low, high = float(SERVICE_NS), 200.0 * SERVICE_NS
    while high - low > SERVICE_NS / 1000:
        middle = (low + high) / 2
        low, high = (middle, high) if response_share(load, middle) < share else (low, middle)
    return high


def tail_by_force_ns(spec: str, rate_iops: int, ios: int) -> float:
    """99.9 % of the reads at that rate take so long, on a drive of its own and without any of what is tested."""
    drive = _core.ModelDrive(spec)
    fill = {
        "pattern": "sequential",
        "draw": "independent",
        "action": "read_write",
        "read_percent": 0,
        "block_bytes": MIB,
        "queue_depth": 8,
        "jobs": 1,
        "region_offset_bytes": 0,
        "region_length_bytes": CAPACITY_BYTES,
        "amount_bytes": CAPACITY_BYTES,
        "duration_ns": None,
        "rate_iops": None,
        "sync": "none",
        "seed": 5,
        "log_every_io": "no",
    }
    filled = drive.run(json.dumps(fill), 0)
    reads = fill | {
        "pattern": "random",
        "read_percent": 100,
        "block_bytes": 4096,
        "queue_depth": 65_536,
        "amount_bytes": 4096 * ios,
        "rate_iops": rate_iops,
        "seed": 77,
    }
    # The drive settles before it is asked.
    found = drive.run(json.dumps(reads), filled.end_ns + 10**10).read.lat
    counts = list(memoryview(found.count).cast("Q"))
    (rank,) = _core.nearest_ranks([99.9], sum(counts))
    done = 0
    for index, count in zip(memoryview(found.bin_index).cast("Q"), counts, strict=True):
        done += count
        if done >= rank:
            return float(_core.bin_mid(index))
    raise AssertionError("no read")


def rate_by_force(spec: str, limit_ns: int, low_iops: int, high_iops: int, ios: int) -> float:
    """The highest rate at which 99.9 % of the reads stay within a limit, to a three-hundredth of the highest that is tried."""
    step = high_iops // 300
    while high_iops - low_iops > step:
        middle = (low_iops + high_iops) // 2
        kept = tail_by_force_ns(spec, middle, ios) <= limit_ns
        low_iops, high_iops = (middle, high_iops) if kept else (low_iops, middle)
    return (low_iops + high_iops) / 2
