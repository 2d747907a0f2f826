"""A probe on a block device of the kernel, with fio: guarded like a run, and without a claim where there is nothing to find."""

import json
from pathlib import Path

import pytest
from tests.kit.processes import ssdlab
from tests.loop.conftest import Loop

from ssdlab.bundle.read import open_bundle
from ssdlab.job import DriveState
from ssdlab.probe.answer import Grade
from ssdlab.probe.store.reader import findings_of

pytestmark = [pytest.mark.loop, pytest.mark.fio]


def test_a_drive_that_is_not_named_is_not_probed(loop: Loop, tmp_path: Path) -> None:
    ended = ssdlab("probe", "units", str(loop.path), "--lab", tmp_path / "lab")
    assert ended.status == 1
    assert "would be lost, and it was not named to be erased" in ended.stderr
    assert not any(loop.file.read_bytes())


def test_a_file_below_a_loop_device_is_never_said_for_certain_to_have_units_of_flash(
    loop: Loop, tmp_path: Path
) -> None:
    """Pairs of reads wait for each other only by chance, however often the host has other work."""
    ended = ssdlab("probe", "units", str(loop.path), "--erase", str(loop.file), "--json", "--lab", tmp_path / "lab")
    assert ended.status == 0, ended.stderr
    bundle = open_bundle(Path(json.loads(ended.stdout)["bundle"]))
    (finding,) = findings_of(bundle)
    assert bundle.run.drive.target == str(loop.path)
    assert finding.state is DriveState.REGION_IN_ORDER
    assert loop.file.read_bytes().count(bytes(4096)) == 0
    assert finding.evidence is not None
    alone, pairs = (finding.evidence.asked[name] for name in ("alone", "pairs"))
    assert (len(alone.commands), len(pairs.commands)) == (14_000, 154_000)
    assert (alone.latency_ns > 0).all()
    assert (pairs.latency_ns > 0).all()
    (answer,) = finding.answers
    assert answer.grade is not Grade.A, answer
