"""A published copy has the numbers and the audit of its original, to the last digit."""

from pathlib import Path

import pytest
from tests.kit.five_drives import shared_run
from tests.kit.published import computed, copy_of, stored
from typer.testing import CliRunner

from ssdlab.bundle.imported import is_imported, open_imported
from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app
from ssdlab.library.take_in import GivenFacts, take_in

FOREIGN = Path(__file__).parent.parent / "data" / "foreign"
OLD = Path(__file__).parent.parent / "data" / "bundles"
FIO = Path(__file__).parent.parent / "data" / "fio-3.33"


def bundle_in(lab: Path) -> Path:
    (bundle,) = (lab / "runs").iterdir()
    return bundle


def named(path: Path) -> tuple[object, ...]:
    """What of the drive is public."""
    drive = open_imported(path).info.drive if is_imported(path) else open_bundle(path).run.drive
    return drive.model, drive.firmware, drive.capacity_bytes


def require_same(bundle: Path, tmp_path: Path) -> None:
    copy, _ = copy_of(bundle, tmp_path / "copy")
    assert named(copy) == named(bundle)
    assert stored(copy) == stored(bundle)
    assert computed(copy) == computed(bundle)


@pytest.mark.parametrize("suite", ["fill", "client", "enterprise", "bootbench"])
def test_a_run_of_a_suite_keeps_its_numbers(tmp_path: Path, suite: str) -> None:
    require_same(shared_run("pm9e1-1tb", suite).path, tmp_path)


@pytest.mark.parametrize("path", sorted(OLD.iterdir()), ids=lambda path: path.name)
def test_bundles_of_older_ssdlabs_keep_theirs(tmp_path: Path, path: Path) -> None:
    require_same(path, tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        ["sustain", "model:demo?capacity=1GiB", "--passes", "3"],
        ["probe", "noise", "model:ssd-a?capacity=1GiB"],
        ["probe", "stripe", "model:ssd-a?capacity=1GiB"],
    ],
)
def test_sustained_writes_and_probes_keep_theirs(tmp_path: Path, words: list[str]) -> None:
    done = CliRunner().invoke(app, [*words, "--lab", str(tmp_path / "lab")])
    assert done.exit_code == 0, done.output
    require_same(bundle_in(tmp_path / "lab"), tmp_path)


NOT_ALONE = {"3dmark-storage", "corpus", "real"}
"""Directories of which none is a result as it is."""


@pytest.mark.parametrize(
    "path",
    [
        *(path for path in sorted(FOREIGN.iterdir()) if path.suffix != ".md" and path.name not in NOT_ALONE),
        *sorted((FIO / "audit").glob("*.json")),
    ],
    ids=lambda path: path.name,
)
def test_imported_results_keep_theirs(tmp_path: Path, path: Path) -> None:
    bundle = take_in(path, tmp_path / "lab", GivenFacts(serial="S5GXNF0R123456"))
    require_same(bundle, tmp_path)
