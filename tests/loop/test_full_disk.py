"""A run by the load engine whose bundle finds no more room: what was finished is kept, and the run goes on once there is some."""

from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from tests.kit.load_suite import load_suite, random_ios
from tests.kit.processes import OVER, ssdlab, ssdlab_started, wait_until
from tests.loop.conftest import Loop, tool

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import ExitStatus
from ssdlab.units import KIB, MIB

pytestmark = [pytest.mark.loop, pytest.mark.fio]

SUITE = load_suite("points", random_ios("points", 'limit = "2s"', 'mix = ["read", "r70w30"], qd = [1, 4]'))
BEFORE_THE_POINTS = 2


@pytest.fixture
def lab(tmp_path: Path, undo: ExitStack) -> Path:
    """On a disk of its own, in memory."""
    place = tmp_path / "lab"
    place.mkdir()
    tool("mount", "-t", "tmpfs", "-o", f"size={64 * MIB}", "tmpfs", place)
    undo.callback(tool, "umount", place)
    return place


def test_a_disk_that_is_full_ends_the_run_which_goes_on_where_it_was_once_there_is_room(
    loop: Loop, lab: Path, tmp_path: Path
) -> None:
    suite = tmp_path / "points.toml"
    suite.write_text(SUITE)
    filler = lab / "filler"
    command = ("run", suite, f"{loop.path}?purge=discard", "--lab", lab, "--erase", str(loop.file))
    with ssdlab_started(*command) as process:
        wait_until(lambda: _finished(lab) > BEFORE_THE_POINTS or process.poll() is not None, "a point is finished")
        _fill(filler)
        _, stderr = process.communicate(timeout=240)
    assert process.returncode == ExitStatus.REFUSED, stderr
    assert "the disk is full" in stderr
    kept = open_bundle(newest_run(lab))
    assert (kept.status in {RunStatus.FAILED, RunStatus.UNFINISHED}, kept.faults) == (True, ())
    before = _ios(kept)
    assert len(before) > 1
    assert "audit: not made yet" in ssdlab("show", kept.path).stdout
    filler.unlink()
    # Whether the run could still note what it left on the drive depends on how much room the journal's last page had.
    ended = ssdlab("resume", kept.path, "--erase", str(loop.file))
    assert ended.status in OVER, ended.stderr
    whole = open_bundle(kept.path)
    assert (whole.status, whole.faults, len(whole.finished())) == (RunStatus.FINISHED, (), len(whole.steps))
    assert before.items() <= _ios(whole).items()


def _finished(lab: Path) -> int:
    return sum(one.read_text().count("step_finished") for one in lab.glob(f"runs/*/{layout.JOURNAL}"))


def _fill(filler: Path) -> None:
    """To the last byte, however often something gives way a moment later."""
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(64 * KIB))


def _ios(bundle: Bundle) -> dict[str, int]:
    """I/Os of each finished step that does I/O."""
    steps = [step for step in bundle.finished() if step.job is not None]
    return {step.name: sum(one.io_count for one in bundle.result(step).directions.values()) for step in steps}
