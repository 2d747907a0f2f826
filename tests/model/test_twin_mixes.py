"""Points that mix reads with writes: what they find of a drive is what all that wrote before has left, and is rehearsed so."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.load_drives import run_on
from tests.kit.twin_drives import DRIVE, PREPARED, SENSE_US

from ssdlab.bundle.read import Bundle
from ssdlab.job import Job, Pattern, Region
from ssdlab.point import labelled
from ssdlab.twin.acts import Act, Deed, acts_of
from ssdlab.twin.draft import Draft, as_time
from ssdlab.twin.fit import fit_to_acts
from ssdlab.twin.held_out import divided
from ssdlab.twin.known import known_of
from ssdlab.twin.rehearse import POINTS_IOS_MAX, WRITTEN_IOS_MAX, ios_of_each, rehearse
from ssdlab.twin.residuals import residuals
from ssdlab.twin.scatter import Scatter
from ssdlab.units import GIB, KIB, MIB

TIGHT = DRIVE.replace("384 MiB", "352 MiB").replace('"16 MiB"', '"1 MiB"')
"""With so little spare flash that what is written at random is soon collected, and no buffer that holds a part of it worth the name."""
MIXES = f"""{PREPARED}
[[step]]
kind = "measure"
name = "mixed"
job = {{ pattern = "random", bs = "4KiB", qd = 4, amount = "64MiB", limit = "60s" }}
sweep = {{ read = "20%..40% step 10%" }}
repeat = {{ times = 3 }}
"""
READS = """
[[step]]
kind = "measure"
name = "read"
job = { pattern = "random", bs = "4KiB", read = "100%", amount = "16MiB", limit = "5s" }
sweep = { qd = [1, 2, 4] }
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(TIGHT, MIXES, tmp_path_factory.mktemp("mixed"))


def the_drive_itself() -> Draft:
    sections = {name: section for name, section in tomllib.loads(TIGHT).items() if isinstance(section, dict)}
    return Draft("measured", "", sections).having("timing", sense=(as_time(1000 * SENSE_US),) * 2)


def off_by(acts: tuple[Act, ...], scratch: Path) -> float:
    """The largest residual of all points on the drive itself."""
    return float(abs(residuals(acts, rehearse(the_drive_itself(), acts, set(divided(acts).points), scratch))).max())


def test_runs_that_write_are_done_again_and_one_act_of_a_point_is_compared(mixed: Bundle) -> None:
    acts = [act for act in acts_of([mixed]) if act.point.name == "mixed.r20"]
    runs = [act for act in acts if act.deed is Deed.MEASURE]
    assert [act.seen is not None for act in runs] == [False, True, False], "the run of median speed stands for all"
    assert len({act.work.seed for act in runs}) == len(runs), "each goes to places of its own"
    assert {act.work.duration_ns for act in runs} == {None}


def test_points_that_mix_are_rehearsed_on_what_the_runs_before_them_left(mixed: Bundle, tmp_path: Path) -> None:
    acts = acts_of([mixed])
    others = [act for act in acts if act.deed is Deed.MEASURE and act.seen is None]
    assert off_by(acts, tmp_path) < 0.1
    assert off_by(tuple(act for act in acts if act not in others), tmp_path) > 0.2


def test_what_reads_wait_beside_writes_is_not_taken_for_what_suspending_a_program_costs(tmp_path: Path) -> None:
    run = run_on(TIGHT, MIXES + READS, tmp_path)
    acts = acts_of([run])
    known = known_of([run], acts)
    probed = {"units.count": 16.0, "stripe.width": 256.0 * KIB, "write_buffer.size": 1.0 * MIB, "spare.share": 0.328}
    known = replace(known, numbers={**probed, "interference.delay": 240e3}, scatter=Scatter(0.02, 0.14))
    found = fit_to_acts(acts, divided(acts), known, None, "twin", run.run.drive.capacity_bytes)
    assert found.draft.number("timing", "suspend") == pytest.approx(60e3, rel=0.4)


def written(ios: int) -> Act:
    job = Job(
        name="made",
        pattern=Pattern.RANDOM,
        read_percent=0,
        block_bytes=4 * KIB,
        queue_depth=1,
        region=Region(0, GIB),
        amount_bytes=ios * 4 * KIB,
        duration_ns=None,
        seed=1,
    )
    return Act(run=0, group="made", point=labelled("made"), deed=Deed.MEASURE, job=job)


def test_where_one_point_writes_little_others_may_write_more() -> None:
    assert ios_of_each([written(1000), written(2000)]) == POINTS_IOS_MAX
    assert ios_of_each([written(1000), written(10 * POINTS_IOS_MAX)]) == POINTS_IOS_MAX - 1000
    assert ios_of_each([written(POINTS_IOS_MAX)] * 4) == POINTS_IOS_MAX // 4
    assert ios_of_each([written(POINTS_IOS_MAX)] * 400) == WRITTEN_IOS_MAX
