"""The load engine, and fio beside it, on a drive that takes the same time for each command, in a guest whose time goes by what it does.

So no host is too busy: what is seen here is what the engines do, and the same each time.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, product
from pathlib import Path
from statistics import median
from typing import TypeAlias

import pytest
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.paced import paced_spec
from tests.vm.block_trace import Command, commands, traced
from tests.vm.closed_loops import IOS, PERCENTS, READ_PERCENTS, Turn
from tests.vm.conftest import short_directory
from tests.vm.guest import REPOSITORY, SSDLAB, Clock, Guest, booted
from tests.vm.paced_drive import PATH, SERIAL, making

from ssdlab.analysis.audit.rules.silence import GAP_NS_MAX
from ssdlab.bundle.model import Outcome, RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import StepKind
from ssdlab.units import KIB, NS_PER_MS, NS_PER_US

pytestmark = [pytest.mark.vm, pytest.mark.timeout(3000)]

LATENCY_NS = 200 * NS_PER_MS
"""So long that what else the guest's only processor does for some milliseconds, which falls into one engine's turn or the other's, is less than
what is compared. While many are in flight the slowest thousandth are all of one such moment."""
Load: TypeAlias = tuple[int, int]
"""Depth, and share of reads."""
LOADS = list(product(IOS, READ_PERCENTS))
TURNS = 1
VIRTUAL_LATENCY_NS, VIRTUAL_COMMAND_NS = 300 * NS_PER_MS, 100 * NS_PER_US
"""So long for the same reason; its server is a program on the same processor, too."""
IOPS_SHARE = 0.01
LATENCY_SHARE = 1 / 64 + 0.02
"""A bin of fio's, and 2 %."""
SUITE = load_suite("points", random_ios("points", 'ramp = "2s", limit = "4s"', 'mix = ["read", "r70w30"], qd = [1, 8]'))
FILL_SECTORS = 128 * KIB // 512
POINTS = {StepKind.RAMP, StepKind.MEASURE}


@pytest.fixture(scope="module")
def paced() -> Iterator[Guest]:
    """With the drive."""
    with short_directory() as place, booted(place, [], clock=Clock.OF_ITS_OWN) as guest:
        guest.must(making(LATENCY_NS))
        # While the host reads a file for it no time passes but that of its timers, and limits are soon over: once read it is at hand.
        guest.run("fio --cmdhelp=all; fio --enghelp")
        yield guest


@dataclass(frozen=True, slots=True)
class Sweep:
    """A run of the suite, and what the kernel saw meanwhile."""

    bundle: Bundle
    commands: Sequence[Command]

    @property
    def gaps_ns(self) -> Mapping[str, float]:
        """By point, as the audit tells them."""
        told = [one for one in self.bundle.audit if one.name == "points.gap" and one.numbers]
        return {one.step: float(one.numbers[0].value) for one in told}

    @property
    def ios(self) -> Mapping[str, int]:
        """By point, in order."""
        points = [step for step in self.bundle.finished() if step.kind in POINTS]
        directions = {step.name: self.bundle.result(step).directions for step in points}
        return {name: sum(one.io_count for one in found.values()) for name, found in directions.items()}

    @property
    def seen_gaps_ns(self) -> Sequence[int]:
        """Between points, as the kernel saw the drive idle. They begin after the last large command, which is of the fill."""
        begin = max(at for at, command in enumerate(self.commands) if command.sectors == FILL_SECTORS) + 1
        firsts = [begin + done for done in accumulate(self.ios.values())][:-1]
        return [self.commands[at].idle_ns for at in firsts]


@pytest.fixture(scope="module")
def by_load(paced: Guest) -> Sweep:
    (paced.share / "points.toml").write_text(SUITE)
    # In the guest's memory: nothing of the run waits for the host.
    run = f"{SSDLAB} run /mnt/points.toml {PATH} --erase {SERIAL} --lab /tmp/lab"
    ended = paced.run(traced(run, "/mnt/trace"))
    paced.must("cp -r /tmp/lab/runs/* /mnt/points")
    bundle = open_bundle(paced.share / "points")
    assert (bundle.status, bundle.faults) == (RunStatus.FINISHED, ()), ended.stderr
    number = paced.must(f"cat /sys/block/{Path(PATH).name}/dev").replace(":", ",")
    return Sweep(bundle, commands((paced.share / "trace").read_text(), number))


def test_the_kernel_sees_the_drive_idle_for_less_than_five_milliseconds_between_two_points(by_load: Sweep) -> None:
    assert len(by_load.seen_gaps_ns) == 7
    assert max(by_load.seen_gaps_ns) < GAP_NS_MAX


def test_the_audit_passes_each_gap_of_the_sweep(by_load: Sweep) -> None:
    assert list(by_load.gaps_ns) == list(by_load.ios)[1:]
    assert {one.outcome for one in by_load.bundle.audit if one.name == "points.gap" and one.numbers} == {Outcome.PASS}
    assert max(by_load.gaps_ns.values()) < GAP_NS_MAX


def test_the_kernel_counts_what_each_point_did(by_load: Sweep) -> None:
    counted = [one for one in by_load.bundle.audit if one.name in {"device.bytes", "device.other_io"}]
    assert {one.outcome for one in counted if one.step in by_load.ios} == {Outcome.PASS}, counted


@pytest.fixture(scope="module", params=["nvme", "virtual"])
def turns(paced: Guest, request: pytest.FixtureRequest) -> Mapping[Load, Mapping[str, Sequence[Turn]]]:
    """Of each load those of each engine."""
    (paced.share / "paced.toml").write_text(paced_spec(VIRTUAL_LATENCY_NS, VIRTUAL_COMMAND_NS))
    # The host's own fio knows virtual drives, the newest does not.
    path, drive = {"nvme": ("$PATH", f"{PATH} {SERIAL}"), "virtual": ("/usr/bin:$PATH", "/mnt/paced.toml")}[
        request.param
    ]
    # The guest's time runs ahead while it waits for the host, and fio has a limit to answer in: it is read from the host before.
    asked = "fio --version >/dev/null && fio --cmdhelp=all >/dev/null"
    told = paced.must(
        f"cd {REPOSITORY} && export PATH={path} && {asked} && .venv/bin/python -m tests.vm.closed_loops {drive} {TURNS}"
    )
    found: dict[Load, dict[str, list[Turn]]] = {}
    for one in json.loads(told):
        turn = Turn(**one)
        found.setdefault((turn.queue_depth, turn.read_percent), {}).setdefault(turn.engine, []).append(turn)
    return found


@pytest.mark.parametrize("load", LOADS, ids=lambda load: f"QD{load[0]}, {load[1]} % reads")
def test_the_engine_measures_what_fio_does(turns: Mapping[Load, Mapping[str, Sequence[Turn]]], load: Load) -> None:
    ours, fios = (turns[load][engine] for engine in ("load", "fio"))
    assert {turn.ios for turn in (*ours, *fios)} == {IOS[load[0]]}
    iops = [median(turn.iops for turn in side) for side in (ours, fios)]
    assert iops[0] == pytest.approx(iops[1], rel=IOPS_SHARE)
    for at, percent in enumerate(PERCENTS):
        ns = [median(turn.percentiles_ns[at] for turn in side) for side in (ours, fios)]
        assert ns[0] == pytest.approx(ns[1], rel=LATENCY_SHARE), f"p{percent:g}"
