"""Every suite after SNIA PTS as it is written, in all of its hours, from the purge to the report, in virtual time."""

from dataclasses import dataclass

import pytest
from tests.kit.load_drives import constant_drive, run_on
from tests.kit.pts_reports import FIGURES

from ssdlab.analysis.audit.run import failed
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import Bundle
from ssdlab.job import StepKind
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.report.page import write_report

SLOW = constant_drive().replace('raw = "96 MiB"', 'raw = "128 MiB"').replace('"200us"', '"3ms"')
"""Few I/Os a second, so that hours of them are seconds of the host."""
LONG = SLOW.replace("64 MiB", "2 GiB").replace("128 MiB", "4 GiB").replace("3ms", "30ms")
"""Where a suite ends with a multiple of the capacity, five half hours come before it."""


@dataclass(frozen=True, slots=True)
class Whole:
    """A run, and the page of its report."""

    name: str
    bundle: Bundle
    page: str


@pytest.fixture(scope="module", params=FIGURES)
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    name: str = request.param
    directory = tmp_path_factory.mktemp(name)
    bundle = run_on(LONG if name == "pts-wsat" else SLOW, load_suite(name).text, directory)
    write_report([bundle], directory / "report.html")
    return Whole(name, bundle, (directory / "report.html").read_text(encoding="utf-8"))


def test_every_suite_after_the_method_is_among_them() -> None:
    assert set(FIGURES) == {one for one in builtin_names() if one.startswith("pts-")}


def test_it_begins_with_a_purge_and_all_of_it_is_done(whole: Whole) -> None:
    assert whole.bundle.steps[0].kind is StepKind.PURGE
    assert (whole.bundle.status, whole.bundle.faults) == (RunStatus.FINISHED, ())
    assert {step.status for step in whole.bundle.steps} == {StepStatus.FINISHED}
    assert whole.bundle.run.profile == "standard"


def test_no_check_of_the_audit_fails(whole: Whole) -> None:
    assert failed(whole.bundle.audit) == ()


def test_its_report_has_the_figures_of_the_method(whole: Whole) -> None:
    missing = {one for one in FIGURES[whole.name] if f'id="run1-{one}"' not in whole.page}
    assert missing == set()
