"""Suites that nobody can mean: refused in words, and before they are expanded."""

import time
from pathlib import Path

import pytest
from tests.kit.plans import HEADER, plan_of

from ssdlab.errors import SsdlabError
from ssdlab.method.builtin import load_suite
from ssdlab.method.suite import parse_suite

NINES = "9" * 10_000
FILL = '[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 1 }\n'
SWEEP = '[[step]]\nkind = "measure"\njob = { pattern = "random", limit = "1s" }\n[step.sweep]\n'


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (f"{FILL}passes = {NINES}\n", "a number has thousands of digits"),
        (FILL.replace("128KiB", f"{NINES}KiB"), f"`{'9' * 60}...` is not a size"),
        (FILL.replace("128KiB", "9999999999TiB"), "`9999999999TiB` is too large for a size"),
        (f'{FILL}amount = "{NINES}%"\n', f"`{'9' * 60}...` is not a share"),
        (f"{FILL}passes = inf\n", "`inf` is no whole number"),
        (f'[[step]]\nkind = "rest"\nduration = "{NINES}d"\n', "is not a duration"),
        ('[[step]]\nkind = "rest"\nduration = "99999999999d"\n', "is too large for a duration"),
        (f'[[step]]\nkind = "rest"\nname = "{"a" * 300}"\nduration = "1s"\n', "is too long; the most is 32 letters"),
        (f'{SWEEP}qd = "1..{NINES} step 1"\n', "is no queue depth"),
        (f'{SWEEP}qd = "1..9 step 0"\n', "`0` is no queue depth"),
        (f"x = {'[' * 100_000}\n", "recurs"),
    ],
)
def test_a_number_beyond_all_measure_is_a_fault_with_its_line(steps: str, said: str) -> None:
    with pytest.raises(SsdlabError) as refused:
        parse_suite(HEADER + steps, "mine.toml")
    assert said in str(refused.value)
    assert str(refused.value).startswith("mine.toml:")
    assert len(str(refused.value)) < 500


def test_a_milliard_of_points_is_refused_at_once() -> None:
    sweep = f'{SWEEP}qd = "1..1000 step 1"\nbs = "4KiB..4000KiB step 4KiB"\nread = "0%..100% step 1%"\n'
    began_s = time.process_time()
    with pytest.raises(SsdlabError, match=r"comes to 101,000,000 runs of points, more than 20,000"):
        plan_of(sweep)
    assert time.process_time() - began_s < 5


def test_many_steps_that_are_each_allowed_are_too_many_together() -> None:
    step = (
        SWEEP.replace("[[step]]", '[[step]]\nname = "s{n}"')
        + 'bs = ["4KiB"]\nqd = "1..150 step 1"\nread = "0%..100% step 1%"\n'
    )
    with pytest.raises(SsdlabError, match=r"more than 20,000 steps"):
        plan_of("".join(step.replace("{n}", str(n)) for n in range(2)))


def test_rests_of_a_century_are_refused() -> None:
    step = '[[step]]\nkind = "rest"\nname = "r{n}"\nduration = "100000d"\n'
    with pytest.raises(SsdlabError, match=r"more than ten years"):
        plan_of("".join(step.replace("{n}", str(n)) for n in range(40)))


def test_a_suite_without_end_is_not_read_to_it() -> None:
    with pytest.raises(SsdlabError, match=r"is no suite: it is longer than 1,000,000 bytes"):
        load_suite("/dev/zero")


def test_a_suite_that_is_no_text_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xff")
    with pytest.raises(SsdlabError, match="is no text in UTF-8"):
        load_suite(str(tmp_path / "x.toml"))
