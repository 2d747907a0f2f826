"""What is turned in one draft of a drive is carried over to another one of it."""

import pytest

from ssdlab.twin.draft import Draft, Quantity, as_size, as_time
from ssdlab.twin.knobs import Block, knobs_of, with_points_of


def draft(pages: int, sense_us: float, program_us: float) -> Draft:
    timing: dict[str, Quantity] = {
        "sense": tuple(as_time(1000 * sense_us * (1 + 0.2 * page)) for page in range(pages)),
        "sense_slc": as_time(500 * sense_us),
        "program": as_time(1000 * program_us),
        "command": as_time(10 * sense_us),
    }
    return Draft("one", "", {"timing": timing, "slc": {"static": as_size(10), "max": as_size(100)}})


def values(of: Draft, block: Block) -> dict[str, float]:
    return {knob.name: knob.start for knob in knobs_of(of, block)}


def test_points_are_carried_over_to_another_number_of_bits_and_writing_is_not() -> None:
    three, four = draft(3, 60, 900), draft(4, 45, 1200)
    found = with_points_of(four, three)
    assert len(found.times("timing", "sense")) == 4
    assert values(found, Block.POINTS) == pytest.approx(values(three, Block.POINTS), rel=1e-4)
    assert values(found, Block.WRITING) == values(four, Block.WRITING)


def test_what_only_one_of_them_has_stays() -> None:
    four = draft(4, 45, 1200).having("map", hit=as_time(300))
    found = with_points_of(four, draft(1, 60, 900))
    assert found.number("map", "hit") == 300
    assert values(found, Block.POINTS)["timing.sense.slope"] == values(four, Block.POINTS)["timing.sense.slope"]


def test_together_is_all_that_passes_and_points_turn() -> None:
    one = draft(3, 60, 900)
    assert values(one, Block.TOGETHER) == {**values(one, Block.WRITING), **values(one, Block.POINTS)}
