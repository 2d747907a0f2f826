"""No test of a booted kernel is left out where they run side by side."""

from pathlib import Path

from tests.vm.lanes import tasks
from tests.vm.test_power_cut import RUNS
from tests.vm.test_runs import SUITES

VM = Path(__file__).parents[1] / "vm"


def test_every_file_of_tests_is_in_a_task() -> None:
    named = {word for task in tasks() for word in task if word.endswith(".py")}
    assert named == {path.name for path in VM.glob("test_*.py")}


def test_every_run_of_a_file_whose_runs_are_apart_is_in_a_task() -> None:
    runs = {(task[0], task[2]) for task in tasks() if "-k" in task}
    assert runs == {
        *(("test_runs.py", suite) for suite in SUITES),
        *(("test_power_cut.py", run) for run in RUNS),
    }
