"""A bundle may come from a stranger: what it names as its drive is taken only as far as a user could have typed it."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.kit.fake_lab import FakeDrive
from tests.kit.stopped_run import stopped

from ssdlab.bundle.read import Bundle
from ssdlab.drive.target import TargetError
from ssdlab.lab.bench import open_bench
from ssdlab.lab.find_drive import find_drive


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return stopped(tmp_path, FakeDrive(), "fill.pass1")


INJECTED = (
    "file:{here}/x\nexec_prerun=touch {here}/pwned",
    "file:{here}/x\n[global]\nexec_prerun=touch {here}/pwned\n[y",
    "nbd+unix:///?socket=/x\nexec_prerun=touch {here}/pwned",
    "nbd+unix:///?socket=/x%0Aexec_prerun=touch%20{here}/pwned",
    "/dev/null\nexec_prerun=touch {here}/pwned",
)


@pytest.mark.parametrize("target", INJECTED)
def test_a_bundle_with_an_injected_target_is_refused(bundle: Bundle, tmp_path: Path, target: str) -> None:
    foreign = replace(bundle.run, drive=replace(bundle.run.drive, target=target.format(here=tmp_path)))
    before = sorted(tmp_path.iterdir())
    with pytest.raises(TargetError, match="is no target: it contains the control character U\\+000A"):
        find_and_open(replace(bundle, run=foreign))
    assert sorted(tmp_path.iterdir()) == before


def find_and_open(bundle: Bundle) -> None:
    again = find_drive(bundle, erase=None)
    with open_bench(again.target, again.erase):
        raise AssertionError("it was opened")
