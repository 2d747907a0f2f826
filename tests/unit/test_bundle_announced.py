"""A step that may begin before the one before it is written down: the journal says so first, and what it wrote is counted however it ends."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from tests.kit.sample_bundle import fill_plan, run_info

from ssdlab.bundle.model import StepStatus
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.job import DriveState
from ssdlab.units import GIB, NS_PER_S

STEP = 1
MOST_BYTES = 1000


def after(place: Path, write: Callable[[BundleWriter], None]) -> Bundle:
    """The run as it stands when nothing more was written to its journal."""
    with closing(BundleWriter(place / "run", run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        write(writer)
    return open_bundle(place / "run")


def announced(writer: BundleWriter, most_bytes: int | None = MOST_BYTES) -> None:
    writer.step_announced(STEP, 100, DriveState.FILLED_ONCE, most_bytes)


def status(bundle: Bundle) -> StepStatus:
    (found,) = (step.status for step in bundle.steps if step.index == STEP)
    return found


def test_a_step_that_was_announced_may_have_begun(tmp_path: Path) -> None:
    bundle = after(tmp_path, announced)
    assert (status(bundle), bundle.faults) == (StepStatus.STARTED, ())


@pytest.mark.parametrize(("most_bytes", "counted_bytes"), [(MOST_BYTES, MOST_BYTES), (0, 0), (None, 0)])
def test_what_was_not_heard_of_again_counts_with_what_it_may_have_written(
    tmp_path: Path, most_bytes: int | None, counted_bytes: int
) -> None:
    assert after(tmp_path, lambda writer: announced(writer, most_bytes)).written_bytes == counted_bytes


def test_a_step_that_was_withdrawn_is_still_to_be_done_and_what_it_wrote_counts(tmp_path: Path) -> None:
    def write(writer: BundleWriter) -> None:
        announced(writer)
        writer.step_withdrawn(STEP, 200, 30)

    bundle = after(tmp_path, write)
    assert (status(bundle), bundle.written_bytes, bundle.faults) == (StepStatus.PLANNED, 30, ())


def test_both_attempts_at_a_step_that_was_withdrawn_count(tmp_path: Path) -> None:
    def write(writer: BundleWriter) -> None:
        announced(writer)
        writer.step_withdrawn(STEP, 200, 30)
        announced(writer)
        writer.step_started(STEP, 300, DriveState.FILLED_ONCE)
        writer.step_finished(STEP, 400, None, written_bytes=500)

    bundle = after(tmp_path, write)
    assert (status(bundle), bundle.written_bytes) == (StepStatus.FINISHED, 530)


@pytest.mark.parametrize("heard_bytes", [0, 400])
def test_what_a_step_is_heard_to_have_written_counts_in_place_of_what_was_announced(
    tmp_path: Path, heard_bytes: int
) -> None:
    def write(writer: BundleWriter) -> None:
        announced(writer)
        writer.step_started(STEP, 200, DriveState.FILLED_ONCE)
        writer.checkpoint(STEP, 300, None, heard_bytes)

    bundle = after(tmp_path, write)
    assert (status(bundle), bundle.written_bytes) == (StepStatus.STARTED, heard_bytes)


def test_a_step_that_is_done_again_counts_what_it_was_announced_to_write_the_second_time_too(tmp_path: Path) -> None:
    def write(writer: BundleWriter) -> None:
        writer.step_started(STEP, 100, DriveState.FILLED_ONCE)
        writer.checkpoint(STEP, 200, None, 40)
        announced(writer)

    assert after(tmp_path, write).written_bytes == 40 + MOST_BYTES
