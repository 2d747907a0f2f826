"""The first draft of a twin is taken from what lone I/Os and probes tell."""

from dataclasses import replace

import pytest

from ssdlab.analysis.infer.phases import Cache, PassPhases
from ssdlab.analysis.infer.plateau import Plateau, PlateauChange
from ssdlab.analysis.infer.policy import AfterCache
from ssdlab.message import message
from ssdlab.point import Point
from ssdlab.twin.acts import Act, Deed
from ssdlab.twin.draft import Draft
from ssdlab.twin.errors import Errors, Kind, stated_errors
from ssdlab.twin.knobs import Block, knobs_of
from ssdlab.twin.known import Fastest, OriginalDrive
from ssdlab.twin.rehearse import needed_for
from ssdlab.twin.scatter import Scatter
from ssdlab.twin.structure import Hypothesis, first_draft, hypotheses, other_bits, probed, refilling, written_link
from ssdlab.twin.wander import Wander
from ssdlab.units import GIB, KIB, MIB
from ssdlab.unknown import Unknown


def known(at_once: float = 0.0, **numbers: float) -> OriginalDrive:
    names = {name.replace("__", "."): value for name, value in numbers.items()}
    ends = {"write_buffer.size": (14e6, 21e6)} if "write_buffer.size" in names else {}
    return OriginalDrive(
        numbers=names,
        ends=ends,
        words={},
        first=None,
        second=None,
        after=None,
        reach_bytes=float("nan"),
        outlier_share=0.0,
        outlier_ns=0.0,
        fastest=Fastest(3e9, 200e6, 700e3),
        at_once=at_once,
    )


def after_cache(size_bytes: float) -> PassPhases:
    rise, cliff = (PlateauChange(at, at, at) for at in (0.0, size_bytes))
    return PassPhases(
        Cache(Plateau(0, 10, 2e9), rise, cliff), Unknown(message("unknown-no-slower-phase")), Plateau(10, 90, 4e8)
    )


def draft_of(drive: OriginalDrive) -> Draft:
    return first_draft("drive", 64 * GIB, drive, Hypothesis(None, 3))


def test_a_larger_write_that_takes_longer_tells_the_rate_of_the_link() -> None:
    corners = {"corners.random_write.4KiB": 9_000.0, "corners.random_write.32KiB": 11_240.0}
    drive = known(**corners)
    assert draft_of(drive).number("timing", "link_write") == pytest.approx(28 * KIB / 2_240e-9)


def test_a_larger_write_that_may_take_no_longer_tells_nothing_of_the_link() -> None:
    corners = {
        "corners.random_write.4KiB": 9_000.0,
        "corners.random_write.32KiB": 10_000.0,
        "corners.random_write.128KiB": 28_840.0,
    }
    doubtful = {"corners.random_write.32KiB": (4_000.0, 16_000.0), "corners.random_write.128KiB": (28_800.0, 28_880.0)}
    assert written_link(replace(known(**corners), ends=doubtful)) == pytest.approx(124 * KIB / 19_840e-9)


def test_a_read_of_a_page_that_takes_a_little_longer_tells_the_channel_where_it_surely_does() -> None:
    read = known(**{"corners.random_read.4KiB": 58_085.0, "corners.random_read.16KiB": 61_039.0})
    sure = {"corners.random_read.4KiB": (58_080.0, 58_090.0), "corners.random_read.16KiB": (61_030.0, 61_050.0)}
    told = replace(read, ends=sure)
    assert draft_of(told).number("timing", "channel") == pytest.approx(12 * KIB / 2_954e-9)
    assert "timing.channel" in probed(told)
    unsure = {**sure, "corners.random_read.16KiB": (59_000.0, 63_000.0)}
    for other in (read, replace(read, ends=unsure), replace(told, wander=Wander(0.05, 0.5))):
        assert "timing.channel" not in probed(other)


def test_the_link_is_to_be_turned_where_lone_writes_do_not_tell_it() -> None:
    told = known(**{"corners.random_write.4KiB": 9_000.0, "corners.random_write.32KiB": 11_240.0})
    assert written_link(told) > 0
    assert written_link(replace(told, ends={"corners.random_write.32KiB": (10_240.0, 12_240.0)})) == 0
    # Something else was faster: then the flash is what lone writes waited for.
    assert written_link(replace(told, fastest=Fastest(30e9, 20e9, 700e3))) == 0
    assert written_link(known()) == 0


@pytest.mark.parametrize(("cache_gib", "bits"), [(22.8, 3), (17.4, 4), (35.1, 2), (9.0, 3)])
def test_a_cache_of_the_whole_drive_tells_how_many_bits_a_cell_has(cache_gib: float, bits: int) -> None:
    phases = after_cache(cache_gib * GIB)
    drive = replace(known(**{"spare.share": 0.1}), first=phases, after=AfterCache.WHOLE_DRIVE)
    assert hypotheses(drive, 64 * GIB) == (Hypothesis(AfterCache.WHOLE_DRIVE, bits),)


def test_a_cache_of_a_part_of_the_drive_tells_nothing_of_bits() -> None:
    drive = replace(known(), first=after_cache(17.4 * GIB), after=AfterCache.SAWTOOTH)
    (likeliest,) = hypotheses(drive, 64 * GIB)
    assert likeliest.bits == 3
    assert set(other_bits(likeliest)) == {2, 4}


def test_a_larger_read_that_takes_longer_tells_the_rate_of_a_channel() -> None:
    drive = known(**{"corners.random_read.4KiB": 40_000.0, "corners.random_read.16KiB": 55_360.0})
    assert draft_of(drive).number("timing", "channel") == pytest.approx(800e6)


def test_what_operations_scatter_is_no_noise_of_commands() -> None:
    told = known(**{"noise.sigma": 0.25})
    assert draft_of(told).number("noise", "sigma") == 0.25
    uneven = draft_of(replace(told, scatter=Scatter(0.15, 0.2)))
    assert uneven.number("noise", "sigma") == 0.15
    assert uneven.number("spread", "flash") > 0.2 > draft_of(told).number("spread", "flash") > 0


def test_operations_that_were_seen_to_scatter_no_more_than_commands_take_even_times() -> None:
    even = draft_of(replace(known(), scatter=Scatter(0.15, 0.0)))
    assert (even.number("spread", "flash"), even.number("spread", "controller")) == (0, 0)


def test_as_many_units_are_there_as_were_busy_at_once() -> None:
    geometry = draft_of(known(at_once=71.0)).sections["geometry"]
    assert geometry["dies"] == 16
    assert draft_of(known(at_once=36.0)).sections["geometry"]["dies"] == 8
    assert draft_of(known(at_once=40.7)).sections["geometry"]["dies"] == 8


def test_what_a_flush_takes_beyond_the_programs_is_of_the_journal() -> None:
    plain = draft_of(known(**{"stripe.width": 1024.0 * KIB}))
    programs_ns = plain.number("timing", "program") + plain.number("timing", "program_slc")
    drive = known(
        **{"stripe.width": 1024.0 * KIB, "flush.cost": programs_ns + 815e3, "flush.cost_nothing_written": 15e3}
    )
    assert draft_of(drive).number("buffer", "flush_metadata") == pytest.approx(800e3)


def test_a_buffer_has_a_round_size_where_what_was_seen_allows_one() -> None:
    assert draft_of(known(**{"write_buffer.size": 14.3e6})).number("buffer", "size") == 16 * MIB


@pytest.mark.parametrize("after", [AfterCache.WHOLE_DRIVE, AfterCache.DIRECT_THEN_FOLD])
def test_a_cache_that_has_to_be_folded_when_flash_runs_short_keeps_a_reserve_whose_size_is_turned(
    after: AfterCache,
) -> None:
    cached = first_draft("drive", 64 * GIB, known(), Hypothesis(after, 3))
    turned = {knob.name: knob for knob in knobs_of(cached, Block.WRITING)}
    assert turned["slc.reserve"].start == 2 * cached.number("geometry", "superblock")


def test_a_cache_that_is_never_folded_keeps_none() -> None:
    cached = first_draft("drive", 64 * GIB, known(), Hypothesis(AfterCache.DIRECT, 3))
    assert "slc.reserve" not in {knob.name for knob in knobs_of(cached, Block.WRITING)}


def test_a_cache_that_is_refilled_is_tried_from_several_sides() -> None:
    cached = first_draft("drive", 64 * GIB, known(), Hypothesis(AfterCache.SAWTOOTH, 3))
    found = refilling(cached)
    shares = {one.number("slc", "refill_below") / one.number("slc", "max") for one in found}
    assert min(shares) < 0.35
    assert max(shares) > 0.7
    assert len({(one.number("slc", "refill_below"), one.number("slc", "fold")) for one in found}) == len(found)
    assert refilling(draft_of(known())) == ()


def act(deed: Deed, run: int = 0) -> Act:
    return Act(run=run, group="one", point=Point("one"), deed=deed)


def test_only_what_came_after_the_last_purge_before_what_is_wanted_is_done_again() -> None:
    deeds = [Deed.PURGE, Deed.PREPARE, Deed.MEASURE, Deed.PURGE, Deed.PREPARE, Deed.PURGE, Deed.PREPARE, Deed.MEASURE]
    acts = [*map(act, deeds), act(Deed.PREPARE, run=1), act(Deed.MEASURE, run=1), act(Deed.MEASURE, run=1)]
    assert needed_for(acts, {2, 7, 9}) == [0, 1, 2, 5, 6, 7, 8, 9]


def test_a_twin_says_no_less_than_what_other_twins_were_off_by() -> None:
    held = {Kind.SPEED: Errors(3, 0.01, 0.02, 0.03), Kind.TAIL: Errors(3, 0.5, 4.0, 5.0)}
    stated = stated_errors(held)
    assert stated[Kind.SPEED] > 0.03
    assert stated[Kind.TAIL] == 5.0
