"""How long reads wait beside writes: on made-up response times, and on drives that suspend programs and drives that do not."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.kit.probe_drives import Noise, probed_drive

from ssdlab.lab.bench import open_bench
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.probes.interference import DELAY, INTERFERENCE, ORDER, TAIL, ReadOrder, Turn, interference
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator


def turns(program_ns: float, sigma: float, read_ns: float = 60e3) -> list[Turn]:
    """Reads that wait for any part of a program."""
    random = np.random.default_rng(1)

    def noisy(level_ns: np.typing.NDArray[np.float64]) -> np.typing.NDArray[np.float64]:
        return np.asarray(level_ns * np.exp(sigma * random.standard_normal(5000)))

    alone = np.full(5000, read_ns)
    return [Turn(noisy(alone), noisy(alone + random.uniform(0, program_ns, 5000))) for _ in range(2)]


def by_name(answers: tuple[Answer, ...]) -> dict[str, Answer]:
    return {one.name: one for one in answers}


@pytest.mark.parametrize("sigma", [0.02, 0.25])
@pytest.mark.parametrize(
    ("program_us", "said", "grade"), [(100, ReadOrder.OVERTAKES, Grade.B), (1000, ReadOrder.WAITS, Grade.A)]
)
def test_the_slower_quarter_tells_whether_reads_wait(
    program_us: float, said: ReadOrder, grade: Grade, sigma: float
) -> None:
    answer = by_name(interference(turns(program_us * 1e3, sigma)))[ORDER]
    assert (answer.value, answer.grade) == (said.value, grade)


@pytest.mark.parametrize(("wait_us", "read_us"), [(520, 240), (180, 20)])
def test_waits_are_judged_beside_the_time_of_a_read(wait_us: float, read_us: float) -> None:
    """A drive that has become slow takes longer to suspend a program, too, and one that has become fast to program."""
    answer = by_name(interference(turns(wait_us * 1e3, 0.02, read_us * 1e3)))[ORDER]
    assert answer.grade is Grade.NONE


def test_a_wait_just_below_that_of_four_short_reads_is_no_answer() -> None:
    """77 us beside 80 us: the error is that of where the answer changes for this drive, not of where it would for a slow one."""
    random = np.random.default_rng(2)
    wait = [random.uniform(0, 77e3 / 0.75, 400) for _ in range(2)]
    alone = [random.normal(20e3, 10, 400) for _ in range(2)]
    found = by_name(interference([Turn(one, 20e3 + more) for one, more in zip(alone, wait, strict=True)]))
    assert found[ORDER].grade is Grade.NONE


def test_a_wait_that_may_be_a_suspension_or_a_short_program_is_no_answer() -> None:
    assert by_name(interference(turns(280e3, 0.1)))[ORDER].grade is Grade.NONE


def test_reads_that_meet_few_programs_are_judged_by_those_that_do() -> None:
    """One in thirty meets a program of 1 ms, or a suspension of 100 us."""
    random = np.random.default_rng(3)

    def found(wait_ns: float) -> Answer:
        met = [random.random(5000) < 1 / 30 for _ in range(2)]
        both = [Turn(random.normal(60e3, 1e3, 5000), random.normal(60e3, 1e3, 5000) + wait_ns * each) for each in met]
        return by_name(interference(both))[ORDER]

    assert found(1e6).grade is Grade.NONE
    assert (found(1e5).value, found(1e5).grade) == (ReadOrder.OVERTAKES.value, Grade.B)


def test_turns_that_disagree_are_a_hint() -> None:
    quick, slow = turns(20e3, 0.02)[0], turns(2e6, 0.02)[1]
    found = by_name(interference([slow, quick]))
    assert found[ORDER].grade in {Grade.C, Grade.NONE}
    assert found[DELAY].grade is Grade.C


def test_the_median_delay_and_the_tail_are_those_of_the_law() -> None:
    found = by_name(interference(turns(1e6, 0.02)))
    for name, truth_ns in ((DELAY, 500e3), (TAIL, 60e3 + 990e3)):
        interval = found[name].interval
        assert interval is not None
        assert interval.low < truth_ns * 1.02
        assert interval.high > truth_ns * 0.98


@pytest.mark.parametrize(("wait_ns", "grade"), [(0, Grade.NONE), (10e3, Grade.A)])
def test_a_delay_within_noise_is_no_delay(wait_ns: float, grade: Grade) -> None:
    random = np.random.default_rng(5)
    both = [Turn(random.normal(60e3, 6e3, 5000), random.normal(60e3 + wait_ns, 6e3, 5000)) for _ in range(2)]
    assert by_name(interference(both))[DELAY].grade is grade


@pytest.mark.parametrize("noise", [Noise.LOW, Noise.HIGH])
@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize(("suspend", "said"), [("60us", ReadOrder.OVERTAKES), ("none", ReadOrder.WAITS)])
def test_drives_that_suspend_programs_are_told_from_those_that_do_not(
    tmp_path: Path, number: int, noise: Noise, suspend: str, said: ReadOrder
) -> None:
    spec = tmp_path / "spec.toml"
    spec.write_text(re.sub(r'suspend = "\w+"', f'suspend = "{suspend}"', probed_drive(number, noise).text))
    with open_bench(f"model:{spec}") as bench:
        answers = Session(bench, seed=number, watch=lambda _name, _progress: None).run(INTERFERENCE, Estimator.ROBUST)
    answer = by_name(answers.answers)[ORDER]
    assert (answer.value, answer.grade in {Grade.A, Grade.B}) == (said.value, True)
