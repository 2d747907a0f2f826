"""What is kept of real drives that twins are fitted to, and a fit to a few of the jobs."""

from tests.study.real_twins import (
    Fitting,
    Use,
    answers,
    drives,
    fitting_of,
    kept_steps,
    predicted,
    twin_of,
)

from ssdlab.twin.acts import Deed

(DRIVE,) = drives()


def kept() -> Fitting:
    return fitting_of(DRIVE, kept_steps(DRIVE))


def test_nothing_that_is_held_out_is_shown_to_the_fit() -> None:
    fitting = kept()
    shown = set(fitting.division.fitted)
    assert shown
    assert {fitting.uses[place] for place in shown} == {Use.FITTED}
    assert {place for place, use in fitting.uses.items() if use is not Use.FITTED} == set(fitting.division.held)
    assert set(fitting.uses.values()) == set(Use)


def test_there_is_a_fill_and_a_ladder_of_one_drive() -> None:
    acts = kept().acts
    writes = [act for act in acts if act.run == 0]
    written = sum(act.work.amount_bytes or 0 for act in writes if act.deed is Deed.OVERWRITE)
    assert written > 1.5 * kept().capacity_bytes
    assert len({act.work.in_flight for act in acts if act.run == 1}) >= 8


def test_every_number_that_was_kept_has_a_prediction() -> None:
    fitting = kept()
    directions = sum(len(fitting.acts[place].measured.iops) for place in fitting.uses)
    assert sum(one.quantity == "iops" for one in answers()) == directions
    found = {(one.run, one.job, one.direction): one.measured for one in answers() if one.quantity == "iops"}
    for place, name in fitting.names.items():
        act = fitting.acts[place]
        for direction, rate in act.measured.iops.items():
            assert found[name, act.point.words, direction.value] == rate


def test_a_fit_to_a_few_reads_predicts_those_between() -> None:
    reads = DRIVE.model_copy(update={"run": (DRIVE.run[1],)})
    steps = [step for step in kept_steps(DRIVE)[1] if step.load.queue_depth == 1][:5]
    fitting = fitting_of(reads, [steps], 500_000_000)
    twin = twin_of(reads, fitting)
    found = [one for one in predicted(reads, fitting, twin) if one.quantity == "iops"]
    assert [one.use for one in found] == [Use.FITTED, Use.THIRD, Use.FITTED, Use.FITTED, Use.THIRD]
    assert all(abs(one.off) < 0.3 for one in found)
    assert [one.twin for one in predicted(reads, fitting, twin) if one.quantity == "iops"] == [
        one.twin for one in found
    ]
