"""What `ssdlab import` refuses before it looks into a file: what no drive can be, and what ssdlab wrote itself."""

from pathlib import Path

import pytest
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.errors import ExitStatus, SsdlabError

DATA = Path(__file__).parent.parent / "data" / "foreign"


def refused(*words: str | Path) -> SsdlabError:
    done = CliRunner().invoke(cli.app, ["import", *map(str, words)])
    assert isinstance(done.exception, SsdlabError)
    assert done.exception.hints
    return done.exception


@pytest.mark.parametrize(
    "told", [("--model", ""), ("--serial", " "), ("--firmware", ""), ("--capacity", "0B"), ("--fill", "175%")]
)
def test_what_no_drive_can_be_is_not_taken_for_it(tmp_path: Path, told: tuple[str, str]) -> None:
    lab = tmp_path / "lab"
    assert refused(DATA / "crystaldiskmark-8-default.txt", *told, "--lab", lab).exit_status is ExitStatus.USAGE
    assert not lab.exists()


def test_what_ssdlab_wrote_is_no_result_of_another_program(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    taken = CliRunner().invoke(cli.app, ["import", str(DATA / "crystaldiskmark-8-default.txt"), "--lab", str(lab)])
    run = write_whole(tmp_path / "other" / "runs" / "one")
    (tmp_path / "one.ssdlab").touch()
    for path in (taken.stdout.strip(), run, tmp_path / "other", tmp_path / "one.ssdlab"):
        assert refused(path, "--lab", lab).message.id == "foreign-own"
