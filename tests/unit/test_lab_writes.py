"""Whether others wrote to a drive while its run was stopped: the drive's counter against the journal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from ssdlab.bundle.journal import Event, JournalEntry
from ssdlab.lab.foreign_writes import Agreed, Disagreed, changed_meanwhile, written_meanwhile
from ssdlab.message import verbatim
from ssdlab.unknown import Unknown

S = 10**9
GB = 10**9
BEGAN = 5_000 * GB
"""What the drive had counted when the run began."""


def happening(event: Event, at_s: float, **data: Any) -> JournalEntry:
    return JournalEntry(event, "2026-01-20T09:30:00+00:00", round(at_s * S), data)


def counted(at_s: float, drive_bytes: Any, kernel_bytes: Any) -> JournalEntry:
    return happening(Event.COUNTED, at_s, drive_bytes=drive_bytes, kernel_bytes=kernel_bytes)


def checkpoint(at_s: float, kernel_bytes: int) -> JournalEntry:
    return happening(Event.CHECKPOINT, at_s, index=2, bytes_done=0, kernel_bytes=kernel_bytes)


START = counted(0, BEGAN, 7 * GB)
CUT_OFF = [START, checkpoint(10, 17 * GB), checkpoint(20, 27 * GB)]
"""Writes 1 GB/s, last heard of after 20 GB."""
ENDED = [*CUT_OFF, counted(25, BEGAN + 24 * GB, 31 * GB), happening(Event.RUN_INTERRUPTED, 25)]


def told(meanwhile: Agreed | Disagreed | Unknown) -> tuple[str, str]:
    """What was found, and its sentence."""
    assert isinstance(meanwhile, Agreed | Disagreed)
    return type(meanwhile).__name__, str(meanwhile.words)


def test_a_run_that_ended_left_the_counter_where_it_stands() -> None:
    assert told(written_meanwhile(ENDED, BEGAN + 24 * GB)) == snapshot(
        ("Agreed", "0 B were written to the drive since the run read its counter, and the run may have written 8.00 MB")
    )


@pytest.mark.parametrize("how", [Event.RUN_FINISHED, Event.RUN_INTERRUPTED, Event.RUN_STOPPED, Event.RUN_FAILED])
def test_however_it_ended_nothing_is_allowed_for_what_it_may_have_gone_on_to_write(how: Event) -> None:
    ended = [*ENDED[:-1], happening(how, 25)]
    assert isinstance(written_meanwhile(ended, BEGAN + 25 * GB), Disagreed)


def test_a_little_more_is_what_the_drive_counted_late() -> None:
    assert isinstance(written_meanwhile(ENDED, BEGAN + 24 * GB + 5 * 10**6), Agreed)


def test_what_others_wrote_after_it_is_noticed() -> None:
    assert told(written_meanwhile(ENDED, BEGAN + 25 * GB)) == snapshot(
        (
            "Disagreed",
            "1.00 GB were written to the drive since the run read its counter, at most 8.00 MB of them by the run",
        )
    )


def test_a_run_that_was_cut_off_may_have_gone_on_for_two_checkpoints() -> None:
    assert told(written_meanwhile(CUT_OFF, BEGAN + 20 * GB + 39 * GB)) == snapshot(
        (
            "Agreed",
            "59.0 GB were written to the drive since the run read its counter, and the run may have written 60.0 GB",
        )
    )
    assert told(written_meanwhile(CUT_OFF, BEGAN + 20 * GB + 41 * GB)) == snapshot(
        (
            "Disagreed",
            "61.0 GB were written to the drive since the run read its counter, at most 60.0 GB of them by the run",
        )
    )


def test_a_run_whose_drive_went_away_could_not_read_its_counter_any_more() -> None:
    gone = counted(25, {"unknown": "it is gone"}, {"unknown": "it is gone"})
    pulled = [*CUT_OFF, happening(Event.RUN_FAILED, 25), gone]
    assert isinstance(written_meanwhile(pulled, BEGAN + 20 * GB + 39 * GB), Agreed)
    assert isinstance(written_meanwhile(pulled, BEGAN + 20 * GB + 41 * GB), Disagreed)


def test_before_its_first_word_a_run_may_be_as_fast_as_a_link() -> None:
    assert isinstance(written_meanwhile([START], BEGAN + 319 * GB), Agreed)
    assert isinstance(written_meanwhile([START], BEGAN + 321 * GB), Disagreed)


def test_only_the_last_session_says_how_fast_it_was() -> None:
    resumed = [*ENDED, happening(Event.RUN_RESUMED, 26, redo=[]), counted(26, BEGAN + 24 * GB, 0)]
    slow = [*resumed, checkpoint(36, GB), checkpoint(46, 2 * GB)]
    assert isinstance(written_meanwhile(slow, BEGAN + 24 * GB + 2 * GB + 3 * GB), Agreed)
    assert isinstance(written_meanwhile(slow, BEGAN + 24 * GB + 2 * GB + 5 * GB), Disagreed)


@pytest.mark.parametrize(
    ("happenings", "now", "reason"),
    [
        (ENDED, Unknown(verbatim("no nvme-cli")), "no nvme-cli"),
        ([counted(0, {"unknown": "no tool"}, 7)], 5, "the run could not read a counter of its drive"),
        ([], 5, "the run could not read a counter of its drive"),
        (CUT_OFF, BEGAN - 1, "its counter is lower than when the run read it, as after a loss of power"),
    ],
)
def test_without_a_counter_nothing_can_be_told(happenings: list[JournalEntry], now: int | Unknown, reason: str) -> None:
    found = written_meanwhile(happenings, now)
    assert isinstance(found, Unknown)
    assert str(found.reason) == reason


LEFT = "0123"
"""Digest of what a run left on its drive."""


def left(at_s: float, content: Any) -> JournalEntry:
    return happening(Event.COUNTED, at_s, drive_bytes={"unknown": "none"}, kernel_bytes=7, content=content)


STOPPED = [left(0, {"unknown": "the run began"}), happening(Event.RUN_INTERRUPTED, 25), left(25, LEFT)]


def test_without_a_counter_sampled_blocks_tell_whether_others_wrote() -> None:
    assert isinstance(changed_meanwhile(STOPPED, LEFT), Agreed)
    assert isinstance(changed_meanwhile(STOPPED, "4567"), Disagreed)
    assert changed_meanwhile(STOPPED, Unknown(verbatim("it cannot be read"))) == Unknown(verbatim("it cannot be read"))


@pytest.mark.parametrize(
    "journal",
    [
        [],
        ENDED,
        STOPPED[:1],
        [*STOPPED, happening(Event.RUN_RESUMED, 26, redo=[])],
        [*STOPPED, left(26, {"unknown": "it cannot be read"})],
    ],
    ids=["empty", "an earlier version", "killed", "killed when it went on", "unreadable"],
)
def test_a_run_that_noted_nothing_proves_nothing(journal: list[JournalEntry]) -> None:
    assert isinstance(changed_meanwhile(journal, LEFT), Unknown)


@given(own=st.lists(st.integers(0, 10 * GB), max_size=8), foreign=st.integers(0, 10**15))
def test_what_the_run_wrote_itself_is_never_laid_on_others(own: list[int], foreign: int) -> None:
    journal, kernel = [START], 7 * GB
    for number, amount in enumerate(own, start=1):
        kernel += amount
        journal.append(checkpoint(10.0 * number, kernel))
    journal.append(happening(Event.RUN_FAILED, 100))
    written = kernel - 7 * GB
    assert isinstance(written_meanwhile(journal, BEGAN + written), Agreed)
    if foreign > 8 * 10**6:
        assert isinstance(written_meanwhile(journal, BEGAN + written + foreign), Disagreed)
