"""Probes of drives of known specification: each number of their first screens is the drive's own, or what was recorded of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.drawn_screens import by_name, is_known
from tests.kit.first_screen_claims import Known, wrong_on
from tests.kit.portrait_claims import OPEN, PORTRAIT
from tests.kit.portrait_truths import OF_SPECIFICATION, RECORDED, true_values
from tests.kit.probe_drives import Noise, ProbedDrive, probed_drive
from tests.kit.probe_runs import record
from tests.study.passed import Study, runs_whole

from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.probe.answer import Grade
from ssdlab.probe.probes.registry import PROBES
from ssdlab.probe.probes.slc import SLC
from ssdlab.probe.probes.thermal import THERMAL
from ssdlab.probe.store.files import ANSWERS, ANSWERS_ADAPTER
from ssdlab.report.first_screen.answers import LABELS
from ssdlab.report.first_screen.screen import FirstScreen, first_screen

pytestmark = pytest.mark.timeout(1800)
WHOLE, FEW = range(200, 250), range(200, 206)
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW
"""Nothing was made looking at these: the study of the probes has lower numbers. Every third drive is one of the source paper's kind."""
ALL_BUT_HEAT = tuple(one for one in PROBES if one is not THERMAL)
"""No temperature is told on a first screen, and it takes longest."""
NO_TRUTH = {"reclaim.rate"}
"""How fast a cache comes back is held against drives in `test_analysis_reclaim.py`; of these none shows it."""
CACHE = {"slc.largest", "slc.smallest"}
PADS = "write_through"
"""Drives of this kind pad each write, use up their flash early and fall then: from outside that is no other than the end of a cache, as the
limits of the probe say."""


@dataclass(frozen=True, slots=True, eq=False)
class Probed:
    """A drive, its portrait, and what a page says of it first."""

    drive: ProbedDrive
    bundle: Bundle
    screen: FirstScreen

    @property
    def told(self) -> Known:
        """What may be told: answers of grade A or B of which there is a value."""
        kept = [
            self.bundle.files.parsed(self.bundle.name(step, ANSWERS), ANSWERS_ADAPTER)
            for step in self.bundle.finished()
            if self.bundle.holds(step, ANSWERS)
        ]
        sure = {f"probe.{one.name}" for probe in kept for one in probe.answers if one.grade in {Grade.A, Grade.B}}
        return {name: one for name, one in by_name(self.bundle.metrics).items() if name in sure and is_known(one)}

    @property
    def first(self) -> Known:
        """Those of them that a first screen has words for."""
        names = {f"probe.{name}": name for name in LABELS}
        return {names[name]: metric for name, metric in self.told.items() if name in names}


@pytest.fixture(scope="module", params=NUMBERS)
def probed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Probed:
    number: int = request.param
    directory = tmp_path_factory.mktemp("probed")
    drive = probed_drive(number, list(Noise)[number % 2])
    specification = directory / "drive.toml"
    specification.write_text(drive.text)
    path, _ = record(ALL_BUT_HEAT, directory, lambda _name, _progress: None, f"model:{specification}")
    bundle = open_bundle(path)
    return Probed(drive, bundle, first_screen([bundle]))


def test_every_sentence_and_tile_is_the_answer_it_is_called(probed: Probed) -> None:
    assert wrong_on(probed.screen, (OPEN,), PORTRAIT, probed.told) == []
    assert len(probed.screen.tiles) == min(6, len(probed.first))
    assert len(probed.first) >= 3


def test_every_answer_is_that_of_the_specification_or_of_what_was_recorded(probed: Probed) -> None:
    assert list(wrong_answers(probed)) == []


def test_what_looks_like_the_end_of_a_cache_and_may_be_another_is_no_answer_of_grade_a(tmp_path: Path) -> None:
    """Drive 205 has no cache and falls where its flash is used up."""
    specification = tmp_path / "drive.toml"
    specification.write_text(probed_drive(205, list(Noise)[1]).text)
    path, _ = record((SLC,), tmp_path, lambda _name, _progress: None, f"model:{specification}")
    bundle = open_bundle(path)
    (step,) = [step for step in bundle.finished() if bundle.holds(step, ANSWERS)]
    found = bundle.files.parsed(bundle.name(step, ANSWERS), ANSWERS_ADAPTER).answers
    assert [one.name for one in found if one.grade is Grade.A] == []
    assert any(one.name == "slc.largest" and one.grade is Grade.B for one in found)


def wrong_answers(probed: Probed) -> Iterator[str]:
    for name, metric in probed.first.items():
        if name in RECORDED:
            low, high = RECORDED[name](probed.bundle)
            if not low <= value_of(metric) <= high:
                yield f"{name}: {metric.value}, recorded was {low} to {high}"
        elif name not in NO_TRUTH and not (name in CACHE and probed.drive.kind.startswith(PADS)):
            truths = true_values(probed.drive, name)
            if not any(is_near(metric, truth, OF_SPECIFICATION[name]) for truth in truths):
                yield f"{name}: {metric.value} ({metric.low} to {metric.high}), the drive has {truths}"


def is_near(metric: Metric, truth: float, share: float) -> bool:
    is_inside = metric.low is not None and metric.high is not None and metric.low <= truth <= metric.high
    return (is_inside and share > 0) or value_of(metric) == pytest.approx(truth, rel=share)


def value_of(metric: Metric) -> float:
    return float(str(metric.value))
