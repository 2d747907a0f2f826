"""The same suites on a drive in virtual time and, by real fio, in real time: what no host's speed can change is the same.

The drive does nothing of its own accord: it neither reclaims its cache nor empties its buffer in a silence. So its state follows
from the commands alone, and a host that is slow, or stands still, changes when they come and nothing else. Compared is what
follows from that state: what was done where an amount ends the job, and the write amplification of it. All the rest, such as IOPS and
latencies of both, is on the page `docs/model-and-virtual.md`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.processes import OVER, ssdlab

from ssdlab.bundle.model import Outcome, Step
from ssdlab.bundle.quantities import CLAT, LAT, WRITE_AMPLIFICATION
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.target import spec_text
from ssdlab.method.builtin import load_suite
from ssdlab.units import MIB

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes ten times as long

CAPACITY_BYTES = 128 * MIB
WITHIN = 0.05
CONDITIONED = """\
[suite]
name = "conditioned"
version = "1"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 256 }
passes = 2

[[step]]
kind = "measure"
name = "conditioning"
job.write = { pattern = "random", bs = "4KiB", qd = 256, read = "0%", amount = "256MiB" }

[[step]]
kind = "measure"
name = "rnd"
job.write = { pattern = "random", bs = "4KiB", read = "0%", limit = "200ms" }
sweep = { qd = [1, 32] }
"""
"""As `enterprise` conditions a drive, twice in order and twice at random, but ended by no clock; then points without a rest between."""


@dataclass(frozen=True, slots=True)
class Pair:
    model: Bundle
    virtual: Bundle

    def steps_ended_by_amount(self) -> Iterator[tuple[Step, Step]]:
        for of_model, of_virtual in zip(self.model.steps, self.virtual.steps, strict=True):
            if of_model.job is not None and of_model.job.duration_ns is None:
                yield of_model, of_virtual


def _pair(directory: Path, suite: str | Path, *options: str) -> Pair:
    spec = directory / "by-commands.toml"
    text = spec_text("demo")
    for old, new in (('flush_window = "200ms"', 'flush_window = "none"'), ('"1s"', '"never"')):
        assert old in text
        text = text.replace(old, new)
    spec.write_text(text)

    def run(kind: str) -> Bundle:
        target = f"{kind}:{spec}?capacity={CAPACITY_BYTES}B"
        ended = ssdlab("run", suite, target, "--seed", "5", *options, "--lab", directory / kind)
        assert ended.status in OVER, ended.stderr
        return open_bundle(Path(ended.stdout.strip()))

    return Pair(run("model"), run("virtual"))


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The suite `client`, profile `quick`, but for rests, in which this drive does nothing, and with fewer points that a clock ends."""
    directory = tmp_path_factory.mktemp("client")
    suite = directory / "client.toml"
    text = load_suite("client").text
    for old, new in (
        ('rest = "1/300"', 'rest = "1/30000"'),
        ("100% step 10%", "100% step 50%"),
        ('["5s", "10s", "15s", "30s", "1min", "2min", "4min"]', '["5s", "4min"]'),
    ):
        assert old in text
        text = text.replace(old, new)
    suite.write_text(text)
    return _pair(directory, suite, "--profile", "quick")


@pytest.fixture(scope="module")
def conditioned(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    directory = tmp_path_factory.mktemp("conditioned")
    suite = directory / "conditioned.toml"
    suite.write_text(CONDITIONED)
    return _pair(directory, suite)


@pytest.fixture(params=["client", "conditioned"])
def pair(request: pytest.FixtureRequest) -> Pair:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Pair)
    return found


def test_both_were_asked_for_the_same(pair: Pair) -> None:
    assert [(step.name, step.kind, step.job) for step in pair.model.steps] == [
        (step.name, step.kind, step.job) for step in pair.virtual.steps
    ]


def test_both_have_the_same_metrics_but_for_those_that_want_enough_ios_and_a_clock_counts_them(pair: Pair) -> None:
    by_a_clock = {CLAT.word, LAT.word, WRITE_AMPLIFICATION.word}
    names = [
        {metric.name for metric in bundle.metrics if metric.key.quantity.word not in by_a_clock}
        for bundle in (pair.model, pair.virtual)
    ]
    assert names[0] == names[1]


def test_what_an_amount_ends_is_done_to_the_last_byte(pair: Pair) -> None:
    compared = 0
    for of_model, of_virtual in pair.steps_ended_by_amount():
        ours, theirs = pair.model.result(of_model).directions, pair.virtual.result(of_virtual).directions
        done = {way: (totals.io_bytes, totals.io_count) for way, totals in theirs.items()}
        assert done == {way: (totals.io_bytes, totals.io_count) for way, totals in ours.items()}, of_model.name
        compared += 1
    assert compared >= 2


def test_the_flash_programs_as_much_for_it(pair: Pair) -> None:
    compared = {}
    theirs = {metric.name: metric for metric in pair.virtual.metrics}
    by_amount = {of_model.name for of_model, _ in pair.steps_ended_by_amount()}
    for metric in pair.model.metrics:
        if metric.key.quantity == WRITE_AMPLIFICATION and metric.step in by_amount:
            found = theirs[metric.name].value
            compared[metric.name] = found
            assert found == pytest.approx(metric.value, rel=WITHIN), metric.name
    assert len(compared) >= 2, compared


def test_a_pause_between_two_fios_is_said_of_every_point_that_has_no_rest_before_it(conditioned: Pair) -> None:
    unbroken = [check for check in conditioned.virtual.audit if check.name == "load.unbroken"]
    said = {check.step: check.outcome for check in unbroken if check.step.startswith("rnd.write")}
    assert said == {"rnd.write.q1": Outcome.WARN, "rnd.write.q32": Outcome.WARN}
