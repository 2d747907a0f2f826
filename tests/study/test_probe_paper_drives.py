"""The source paper's three drives, opened from outside: its own answers, each of grade A or B."""

import json
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from typer.testing import CliRunner

from ssdlab.cli import app


@pytest.fixture(autouse=True)
def _bundles_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answers_of(target: str, *options: str, probe: str = "all") -> dict[str, tuple[object, str]]:
    done = CliRunner().invoke(app, ["probe", probe, target, "--json", *options])
    assert done.exit_code == 0, done.output
    probes = json.loads(done.stdout)["probes"]
    assert [one["refusal"] for one in probes if one["refusal"]] == []
    return {one["name"]: (one["value"], one["grade"]) for probe in probes for one in probe["answers"]}


@pytest.mark.parametrize(
    ("drive", "block_bytes", "placement", "allocation"),
    [
        ("ssd-a", 16 << 10, "1-channel", "address-like"),
        ("ssd-b", 1 << 20, "multi-channel, k = 1", "address-like"),
        ("ssd-c", 4 << 10, "1-channel", "order-like"),
    ],
)
def test_the_three_questions_are_answered_as_in_the_paper(
    drive: str, block_bytes: int, placement: str, allocation: str
) -> None:
    found = answers_of(f"model:{drive}?capacity=2GiB")
    asked = ("management_block.size", "placement.kind", "allocation.kind")
    assert [found[name][0] for name in asked] == [block_bytes, placement, allocation]
    assert {found[name][1] for name in asked} <= {"A", "B"}


def test_the_papers_own_estimator_is_right_only_where_writes_dip_at_boundaries() -> None:
    """On B every write of 8 to 64 KiB is much smaller than a block: straddles are spikes, whose common divisor is one shift."""
    sizes = {
        name: answers_of(f"model:{name}?capacity=2GiB", "--estimator", "paper", probe="shift-write")[
            "management_block.size"
        ]
        for name in ("ssd-a", "ssd-b", "ssd-c")
    }
    assert sizes == snapshot({"ssd-a": (16384, "C"), "ssd-b": (4096, "C"), "ssd-c": (4096, "C")})


@pytest.mark.parametrize("drive", ["optane-like-960gb", "plp-enterprise-3t84"])
def test_a_buffer_that_hides_merging_is_no_block_size(drive: str) -> None:
    (value, grade) = answers_of(f"model:{drive}?capacity=2GiB", probe="shift-write")["management_block.size"]
    assert grade == "not identifiable"
    assert "unknown" in str(value)
