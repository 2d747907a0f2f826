"""Probes on a drive whose controller keeps the pages of flash that it read last: what comes from there is not taken for anything else."""

from collections import OrderedDict
from dataclasses import replace

import numpy as np
import pytest

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Forced, Issue, TimedCommands
from ssdlab.message import verbatim
from ssdlab.probe.answer import Answer, Grade, Presence
from ssdlab.probe.probes.reach import BYTES, beside_buffer
from ssdlab.probe.probes.read_ahead import PRESENT, READ_AHEAD
from ssdlab.probe.probes.read_buffer import SIZE
from ssdlab.probe.probes.units import COUNT, UNITS
from ssdlab.probe.script import Ask, Estimator, KnownDrive, Probe, ProbeEvidence
from ssdlab.units import GIB, KIB, MIB
from ssdlab.unknown import Unknown

FLASH_NS, KEPT_NS = 80_000, 12_000
DRIVE = KnownDrive(capacity_bytes=GIB, logical_block_bytes=512, seed=1)


class Keeping:
    """A drive of four units that keeps so many bytes in pages of so many, and reads the next ones with each where it reads ahead."""

    def __init__(self, kept_bytes: int, page_bytes: int, ahead: int = 0) -> None:
        self.pages = kept_bytes // page_bytes
        self.page_bytes = page_bytes
        self.ahead = ahead
        self.kept: OrderedDict[int, None] = OrderedDict()
        self.last = -1

    def is_kept(self, page: int) -> bool:
        held = page in self.kept
        follows = page in {self.last, self.last + 1}
        self.last = page
        for one in range(page, page + 1 + (self.ahead if follows else 0)):
            self.kept.pop(one, None)
            self.kept[one] = None
            if len(self.kept) > self.pages:
                self.kept.popitem(last=False)
        return held

    def replay(self, commands: Commands) -> TimedCommands:
        done_ns, free_ns, previous_ns = list[int](), [0] * 4, 0
        starts: list[int] = []
        for page, issue in zip(
            (commands.offset_bytes // self.page_bytes).tolist(), commands.issue.tolist(), strict=True
        ):
            start = previous_ns if issue == Issue.ALONE or commands.queue_depth == 1 else starts[-1]
            starts.append(start)
            if self.is_kept(page):
                done_ns.append(start + KEPT_NS)
            else:
                unit = page * 2_654_435_761 // 65_536 % 4
                free_ns[unit] = max(start, free_ns[unit]) + FLASH_NS
                done_ns.append(free_ns[unit])
            previous_ns = max(previous_ns, done_ns[-1])
        return TimedCommands(commands, np.array(starts), np.array(done_ns), Forced.YES)


def answers(probe: Probe, drive: Keeping) -> dict[str, Answer]:
    design = probe.design_for(DRIVE)
    asked: dict[str, TimedCommands] = {}
    for act in design.acts:
        assert isinstance(act, Ask)
        if act.needed is None or act.needed(ProbeEvidence(asked, {})):
            asked[act.name] = drive.replay(act.commands)
    return {one.name: one for one in design.estimate(ProbeEvidence(asked, {}), Estimator.ROBUST)}


@pytest.mark.parametrize("page_bytes", [8 * KIB, 16 * KIB, 32 * KIB])
def test_the_rest_of_a_page_that_was_read_is_not_read_ahead(page_bytes: int) -> None:
    value = answers(READ_AHEAD, Keeping(4 * MIB, page_bytes))[PRESENT].value
    assert isinstance(value, Unknown)
    assert "falling order" in str(value.reason)


def test_pages_as_long_as_a_read_bring_no_neighbours() -> None:
    assert answers(READ_AHEAD, Keeping(4 * MIB, 4 * KIB))[PRESENT].value == Presence.NO.value


@pytest.mark.parametrize("page_bytes", [4 * KIB, 8 * KIB, 16 * KIB])
def test_what_is_read_ahead_is_seen_beside_pages_that_are_kept(page_bytes: int) -> None:
    found = answers(READ_AHEAD, Keeping(4 * MIB, page_bytes, ahead=4))[PRESENT]
    assert (found.value, found.grade) == (Presence.YES.value, Grade.A)


@pytest.mark.parametrize("kept_bytes", [MIB, 4 * MIB])
def test_units_are_not_counted_by_pages_that_are_kept(kept_bytes: int) -> None:
    value = answers(UNITS, Keeping(kept_bytes, 8 * KIB))[COUNT].value
    assert isinstance(value, Unknown)
    assert "buffer holds some of the pages" in str(value.reason)


def test_no_units_are_counted_where_all_pages_are_kept() -> None:
    assert isinstance(answers(UNITS, Keeping(32 * MIB, 8 * KIB))[COUNT].value, Unknown)


def test_units_are_counted_where_little_is_kept() -> None:
    found = answers(UNITS, Keeping(64 * KIB, 8 * KIB))[COUNT]
    assert found.value == pytest.approx(4, rel=0.1)


def said(name: str, low: float, high: float) -> Answer:
    return Answer(name=name, value=(low * high) ** 0.5, unit="B", interval=Interval(low, high), grade=Grade.B)


@pytest.mark.parametrize(("low", "high"), [(3.5 * MIB, 5 * MIB), (5 * MIB, 7 * MIB), (MIB, 1.5 * MIB)])
def test_a_reach_as_long_as_a_read_buffer_is_no_answer(low: float, high: float) -> None:
    value = beside_buffer(said(BYTES, low, high), said(SIZE, 2 * MIB, 4 * MIB)).value
    assert isinstance(value, Unknown)
    assert "read buffer of 2.00 MiB to 4.00 MiB" in str(value.reason)


def test_a_reach_far_beyond_the_read_buffer_stays_an_answer() -> None:
    found = said(BYTES, 100 * MIB, 150 * MIB)
    assert beside_buffer(found, said(SIZE, 2 * MIB, 4 * MIB)) is found
    assert beside_buffer(found, None) is found
    unknown = replace(said(SIZE, 1, 2), value=Unknown(verbatim("not asked")), interval=None)
    assert beside_buffer(found, unknown) is found
