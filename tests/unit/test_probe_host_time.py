"""A virtual drive's answers when the host let it wait: hints, and they say so."""

import numpy as np
import pytest

from ssdlab.drive.lateness import Late
from ssdlab.engine.commands import Commands, Forced, TimedCommands, Verb
from ssdlab.job import Region
from ssdlab.message import message, verbatim
from ssdlab.probe.answer import Answer, Grade, Reason, not_identifiable
from ssdlab.probe.host_time import concluded, host_share
from ssdlab.probe.script import Design, Estimator, Need, ProbeEvidence
from ssdlab.unknown import Unknown

GRADES = (Grade.A, Grade.B, Grade.C, Grade.CLAIMED)


def evidence(late: Late | Unknown) -> ProbeEvidence:
    """Reads of 100 us."""
    commands = Commands.one_by_one(Verb.READ, np.zeros(100, dtype=np.int64), 4096)
    submitted = np.arange(100, dtype=np.int64) * 1_000_000
    return ProbeEvidence({"reads": TimedCommands(commands, submitted, submitted + 100_000, Forced.YES)}, {}, late)


def late_by(p50_ns: int | Unknown) -> Late:
    return Late(count=100, mean_ns=1e6, p50_ns=p50_ns, p99_ns=10_000_000)


def answers(late: Late | Unknown) -> list[Answer]:
    said = tuple(Answer(name=grade.name, value=1, grade=grade) for grade in GRADES)
    none = not_identifiable("none", Reason.FLAT, verbatim("there is nothing"))
    design = Design(need=Need.ANY, region=Region(0, 4096), acts=(), estimate=lambda _, __: (*said, none))
    return list(concluded(design, evidence(late), Estimator.ROBUST))


def test_replies_that_were_late_by_a_fifth_leave_hints_that_say_so() -> None:
    found = answers(late_by(20_000))
    assert [one.grade for one in found] == [Grade.C, Grade.C, Grade.C, Grade.CLAIMED, Grade.NONE]
    words = "no more than a hint: 20% of the time of its commands the host held replies back"
    assert [str(one.note) for one in found] == [words, words, "None", "None", "None"]


@pytest.mark.parametrize(
    "late",
    [
        # The processor was taken away for 200 ms: a few replies were late by much, and medians do not move.
        late_by(9_000),
        late_by(Unknown(message("unknown-few-replies-above", least=10, replies=12))),
        Unknown(message("unknown-replies-by-itself")),
    ],
)
def test_answers_keep_their_grades_otherwise(late: Late | Unknown) -> None:
    assert [one.grade for one in answers(late)] == [*GRADES, Grade.NONE]


def test_nothing_asked_leaves_no_share() -> None:
    assert host_share(ProbeEvidence({}, {}, late_by(9_000))) == Unknown(message("unknown-no-latency"))
