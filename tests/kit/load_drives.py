"""Drives of constant service time, whose response latency under random arrivals is known exactly; and runs of loads on them."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
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
from ssdlab.units import MIB, NS_PER_S

SERVICE_NS = 20_000


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
    arrivals: str = "poisson",
) -> str:
    """A suite that fills the drive and offers it loads."""
    return f"""{FILLED}
[[step]]
kind = "load_latency"
arrivals = "{arrivals}"
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


class DriveByForce:
    """A drive of its own, filled and written over, which is offered rates without any of what is tested."""

    def __init__(self, spec: str, capacity_bytes: int | None = None, rewritten_bytes: int = 0) -> None:
        self._drive = _core.ModelDrive(spec, capacity_bytes)
        self._now_ns, self._seed = 0, 5
        whole_bytes = self._drive.capacity_bytes // MIB * MIB
        self._run({"block_bytes": MIB, "queue_depth": 8, "amount_bytes": whole_bytes})
        if rewritten_bytes:
            self._run({"pattern": "random", "queue_depth": 256, "amount_bytes": rewritten_bytes})
        else:
            # It settles before it is asked.
            self._now_ns += 10 * NS_PER_S

    def tail_ns(self, rate_iops: int, ios: int, read_percent: int = 100) -> float:
        """99.9 % of the I/Os at that rate take so long."""
        offered = {"pattern": "random", "queue_depth": 65_536, "rate_iops": rate_iops, "amount_bytes": 4096 * ios}
        found = self._run(offered | {"read_percent": read_percent})
        counts: Counter[int] = Counter()
        for one in (found.read.lat, found.write.lat):
            bins, done = (memoryview(column).cast("Q").tolist() for column in (one.bin_index, one.count))
            counts.update(dict(zip(bins, done, strict=True)))
        (rank,) = _core.nearest_ranks([99.9], counts.total())
        done_before = 0
        for index in sorted(counts):
            done_before += counts[index]
            if done_before >= rank:
                return float(_core.bin_mid(index))
        raise AssertionError("no I/O")

    def _run(self, asked: Mapping[str, object]) -> _core.WorkloadResult:
        self._seed += 72
        fields = {
            "pattern": "sequential",
            "draw": "independent",
            "action": "read_write",
            "read_percent": 0,
            "block_bytes": 4096,
            "jobs": 1,
            "region_offset_bytes": 0,
            "region_length_bytes": self._drive.capacity_bytes // MIB * MIB,
            "duration_ns": None,
            "rate_iops": None,
            "sync": "none",
            "seed": self._seed,
            "log_every_io": "no",
        }
        found = self._drive.run(json.dumps(fields | dict(asked)), self._now_ns)
        self._now_ns = found.end_ns
        return found


def rate_by_force(tail_ns: Callable[[int], float], limit_ns: int, low_iops: int, high_iops: int) -> float:
    """The highest rate whose tail stays within a limit, to a three-hundredth."""
    while 300 * (high_iops - low_iops) > high_iops:
        middle = (low_iops + high_iops) // 2
        kept = tail_ns(middle) <= limit_ns
        low_iops, high_iops = (middle, high_iops) if kept else (low_iops, middle)
    return (low_iops + high_iops) / 2
