"""A drive that fails I/Os ends the run, and the bundle says which error, on what and where."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.processes import ssdlab
from tests.kit.sample_fio import sequential_fill
from tests.kit.suites import write_short

from ssdlab import _core
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.drive.access import FioAddress
from ssdlab.drive.kinds.file import FileDrive
from ssdlab.drive.target import FileTarget
from ssdlab.engine.fio.binary import find_fio
from ssdlab.engine.fio.engine import FioEngine, FioFailed
from ssdlab.units import MIB

pytestmark = pytest.mark.fio


def failed(tmp_path: Path, fault: str) -> str:
    """What the bundle of a run on an ill drive says."""
    spec = tmp_path / "ill.toml"
    spec.write_text(f"{_core.spec_text('demo')}\n[[fault]]\n{fault}\n")
    lab = tmp_path / "lab"
    ended = ssdlab("run", write_short(tmp_path), f"virtual:{spec}?capacity=64MiB", "--lab", lab)
    bundle = open_bundle(newest_run(lab))
    assert (ended.status, ended.stdout) == (1, "")
    assert (bundle.status, bundle.faults) == (RunStatus.FAILED, ())
    assert bundle.step("purge").status is StepStatus.FINISHED
    assert bundle.step("fill.pass1").status is StepStatus.FAILED
    assert bundle.step("fill.pass1").reason == bundle.reason
    assert bundle.reason is not None
    assert f"error: {bundle.reason}\n" in ended.stderr
    return str(bundle.reason).replace(str(spec), "ill.toml")


def test_a_medium_error(tmp_path: Path) -> None:
    fault = 'kind = "error"\non = "write"\noffset = "256 MiB"\nlength = "1 MiB"'
    assert failed(tmp_path, fault).partition(", and")[0] == snapshot(
        "`virtual:ill.toml?capacity=64MiB` failed a write of 128 KiB at byte 8,388,608: Input/output error (EIO)"
    )


def test_a_drive_that_becomes_read_only(tmp_path: Path) -> None:
    said = failed(tmp_path, 'kind = "read_only"\nafter = 100')
    assert said.startswith("`virtual:ill.toml?capacity=64MiB` failed a write of 128 KiB at byte ")
    assert "Operation not permitted (EPERM)" in said
    assert len(said) < 200


class NamedFile(FileDrive):
    """Reached by its path, as devices are."""

    @property
    def address(self) -> FioAddress:
        return replace(super().address, descriptor=None)


def test_what_has_gone_is_named_and_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "drive.bin"
    drive = NamedFile(f"file:{path}", FileTarget(path, 64 * MIB))
    path.unlink()
    with pytest.raises(FioFailed) as error:
        FioEngine(find_fio(), drive).run(sequential_fill(), tmp_path, lambda _: None)
    assert str(error.value).replace(str(tmp_path), "HERE") == snapshot(
        "`HERE/drive.bin` is gone, or its size has changed; fio ended with status 1: file creation disallowed by allow_file_create=0"
    )
    assert not path.exists()
