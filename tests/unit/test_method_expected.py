"""What a plan is likely to take where its steps end by themselves."""

import json
from pathlib import Path

import pytest
from tests.kit.plans import plan_of
from typer.testing import CliRunner

from ssdlab.cli import app
from ssdlab.method.cost import FAST, Cost
from ssdlab.method.expected import (
    AFTER_PASS_CAPACITIES,
    FROM_FILLED_CAPACITIES,
    FROM_FRESH_CAPACITIES,
    KNOWN_READS_NS,
    PASS_CAPACITIES,
    expected_cost,
)
from ssdlab.method.plan import Plan
from ssdlab.units import GIB, NS_PER_S

PURGE = '[[step]]\nkind = "purge"\n'
STEADY = """[[step]]
kind = "steady"
name = "conditioning"
job = {{ pattern = "{pattern}", bs = "16KiB", qd = 256 }}
at_least = "2x"
at_most = "{most}"
measured = "5min"
{more}
"""
FILL = '[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 32 }\n'
LOAD = '[suite]\nname = "mine"\nversion = "1"\nengine = "load"\n'
POINT = """[[step]]
kind = "measure"
name = "rnd"
job = {{ pattern = "random", bs = "16KiB", qd = 1, read = "{read}", limit = "5min", until = "1%" }}
"""


def steady(pattern: str = "random", most: str = "23x", more: str = "") -> str:
    return PURGE + STEADY.format(pattern=pattern, most=most, more=more)


def written(plan: Plan) -> float:
    return expected_cost("", plan.steps).bytes_to_write / GIB


@pytest.mark.parametrize(
    ("steps", "capacities"),
    [
        (steady(), FROM_FRESH_CAPACITIES),
        (PURGE + FILL + steady().removeprefix(PURGE), 1 + FROM_FILLED_CAPACITIES),
        (steady(most="3x"), 3),
        (steady(pattern="sequential"), 2),
        (steady(more='route = "short"'), PASS_CAPACITIES + AFTER_PASS_CAPACITIES),
    ],
)
def test_a_drive_is_likely_to_be_steady_as_soon_as_most_are_and_within_what_the_step_allows(
    steps: str, capacities: float
) -> None:
    assert written(plan_of(steps)) == pytest.approx(capacities, abs=0.02)


@pytest.mark.parametrize(
    ("read", "tail", "took_s"),
    [
        ("100%", "99.9999%", 10_000_000 * 50e-6),
        ("100%", "99.99%", 20),
        ("0%", "99.9999%", 10_000_000 * 50e-6),
        ("0%", "99.99%", 300),
    ],
)
def test_a_point_is_likely_to_last_until_its_percentile_can_be_told(read: str, tail: str, took_s: float) -> None:
    steps = POINT.format(read=read).replace("until", f'tail = "{tail}", budget = "20min", until')
    plan = plan_of(PURGE + steps, header=LOAD)
    assert expected_cost("", plan.steps).duration_ns(FAST) == pytest.approx(took_s * NS_PER_S)
    assert Cost(group="", steps=plan.steps).duration_ns(FAST) == 1200 * NS_PER_S


@pytest.mark.parametrize(("read", "took_ns"), [("100%", KNOWN_READS_NS), ("50%", 300 * NS_PER_S)])
def test_only_reads_are_likely_to_be_known_long_before_their_limit(read: str, took_ns: int) -> None:
    plan = plan_of(PURGE + POINT.format(read=read), header=LOAD)
    assert expected_cost("", plan.steps).duration_ns(FAST) == took_ns


def test_the_plan_tells_both_and_nothing_where_all_is_decided_before() -> None:
    runner = CliRunner()
    ends = runner.invoke(app, ["plan", "wsat", "model:demo?capacity=1GiB"]).output
    assert "some of it ends by itself: likely 6.20 GiB" in ends
    assert "ends by itself" not in runner.invoke(app, ["plan", "fill", "model:demo"]).output
    told = json.loads(runner.invoke(app, ["plan", "wsat", "model:demo?capacity=1GiB", "--json"]).stdout)
    assert told["expected"]["fast_drive_bytes_to_write"] < told["bytes_to_write"] == 23 * GIB


def test_what_is_likely_counts_what_is_written_for_a_time(tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    suite.write_text(LOAD + PURGE + POINT.format(read="0%"))
    expected = json.loads(CliRunner().invoke(app, ["plan", str(suite), "model:demo", "--json"]).stdout)["expected"]
    slow, fast = (expected[f"{name}_drive_bytes_to_write"] for name in ("slow", "fast"))
    assert 25 * GIB < slow < fast
