"""Names in a bundle that came from elsewhere: none of them leads out of it, wherever it stands."""

import json
import os
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.reseal import Fields, reseal
from tests.kit.sample_bundle import fill_plan, run_info
from tests.kit.small_bundle import write_small

from ssdlab.bundle import layout
from ssdlab.bundle.checksums import read_checksums, write_checksums
from ssdlab.bundle.damage import BundleError, DamagedFile
from ssdlab.bundle.examine import examine
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.imported import IMPORT
from ssdlab.bundle.journal import Event
from ssdlab.bundle.manifest import ListedFile, ManifestError, files_of, require_as_listed, write_manifest_of
from ssdlab.bundle.mark import mark_of
from ssdlab.bundle.model import Step
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.durable import write_durably
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.place import is_file_name
from ssdlab.units import GIB, NS_PER_S

PRECIOUS = b"mine\n"
OUT = "../precious"
IMPORTED = Path(__file__).parent.parent / "data" / "foreign" / "crystaldiskmark-8-nvme-mix.txt"

parts = st.sampled_from(
    ["..", ".", "", "precious", "a", "003-fill.pass1", "original", "x\0", "x" * 300, "\udcff", "\ud800"]
)
paths = st.lists(parts, min_size=1, max_size=6).map("/".join)
names = st.one_of(paths, st.text(max_size=5))


def neighbour_of(bundle: Path) -> Path:
    """What belongs to somebody, as near as can be."""
    path = bundle.parent / "precious"
    path.write_bytes(PRECIOUS)
    return path


@given(names)
def test_a_name_of_a_file_stays_in_its_directory(name: str) -> None:
    if is_file_name(name):
        place = os.path.normpath(f"/runs/run/{name}")
        assert os.path.split(place) == ("/runs/run", name)
        assert os.fsencode(name)


# Steps, whose directories are made, moved and removed


def planned(path: Path, name: str, index: int = 5) -> Path:
    """A run whose plan has a step of that name."""
    plan = fill_plan(GIB, NS_PER_S)
    with closing(BundleWriter(path, run_info(GIB), [*plan[:4], replace(plan[4], name=name, index=index)])):
        return path


def asked(path: Path, name: str, index: int = 50) -> Path:
    """A run in which a search asked for one."""
    plan = fill_plan(GIB, NS_PER_S)
    with closing(BundleWriter(path, run_info(GIB), plan)) as writer:
        writer.steps_added(1, [replace(plan[4], name=name, index=index, asked_by=3)])
    return path


def first_and_last(steps: Sequence[Step]) -> list[tuple[int, str]]:
    return [(step.index, step.name) for step in (steps[0], steps[-1])]


@pytest.mark.parametrize("write", [planned, asked])
@pytest.mark.parametrize(
    "name", ["x/../../../precious", "/precious", "..", ".", "", "a\0b", "a/b", "x" * 256, "y" * 254]
)
def test_a_bundle_does_not_open_whose_step_would_leave_its_files_elsewhere(
    tmp_path: Path, write: Callable[[Path, str], Path], name: str
) -> None:
    path = write(tmp_path / "run", name)
    with pytest.raises(BundleError):
        open_bundle(path)


def test_why_it_does_not_open_is_said(tmp_path: Path) -> None:
    with pytest.raises(BundleError) as refused:
        open_bundle(planned(tmp_path / "run", "x/../../precious"))
    assert str(refused.value).replace(str(tmp_path), "") == snapshot(
        "`/run` calls a step 'x/../../precious', which is no name that a directory in it can have"
    )
    assert list(map(str, refused.value.hints)) == snapshot(["do not trust its sender"])


@given(names)
def test_the_directory_of_a_step_is_in_its_bundle_or_nowhere(name: str) -> None:
    step = replace(fill_plan(GIB, NS_PER_S)[0], name=name)
    with suppress(ValueError):
        directory = layout.step_directory(run_info(GIB), step)
        assert os.path.split(os.path.normpath(f"/runs/run/{directory}")) == ("/runs/run", directory)


def test_a_step_that_is_there_already_is_not_replaced_by_one_that_was_asked_for(tmp_path: Path) -> None:
    bundle = open_bundle(asked(tmp_path / "run", "another", index=5))
    assert first_and_last(bundle.steps) == [(1, "purge"), (5, "fill.pass2")]
    assert [str(one).partition(" of ")[0] for one in bundle.faults] == ["journal.jsonl: steps_added"]


# Files, which are read


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("bundles") / "run")


@given(names, st.sampled_from(Unlisted))
def test_a_file_that_a_bundle_names_is_in_it_or_damaged(bundle: Path, name: str, unlisted: Unlisted) -> None:
    neighbour_of(bundle)
    for files in (BundleFiles(bundle, {}, unlisted), BundleFiles(bundle, {name: mark_of(PRECIOUS)}, unlisted)):
        files.holds(name)
        with suppress(DamagedFile):
            assert files.read(name) != PRECIOUS
    assert files.size_fault(name) is not None


def of_a_step(path: Path) -> Path:
    def with_another(line: Fields) -> Fields:
        is_its = line["event"] == Event.STEP_FINISHED.value and line["files"]
        return {**line, "files": {**line["files"], f"../{OUT}": 0}} if is_its else line

    reseal(write_small(path), with_another)
    return path


def of_the_checksums(path: Path) -> Path:
    write_checksums(write_small(path), {OUT: mark_of(PRECIOUS)})
    return path


def of_an_import(path: Path) -> Path:
    taken = take_in(IMPORTED, path.parent / "lab", GivenFacts(model="a drive"))
    fields = json.loads((taken / IMPORT).read_bytes())
    fields["originals"][0]["name"] = OUT
    write_durably(taken / IMPORT, json.dumps(fields).encode())
    write_checksums(taken, read_checksums(taken, []) | {IMPORT: mark_of((taken / IMPORT).read_bytes())})
    return taken


@pytest.mark.parametrize("write", [of_a_step, of_the_checksums, of_an_import])
def test_who_looks_through_a_bundle_is_told_of_a_file_outside_of_it(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    neighbour_of(tmp_path / "run")
    assert [str(one) for one in examine(write(tmp_path / "run")).damaged if "leads out of the bundle" in str(one)]


def test_a_manifest_lists_nothing_outside(tmp_path: Path) -> None:
    path = write_small(tmp_path / "run")
    neighbour_of(path)
    write_manifest_of(path, (*files_of(path), ListedFile(path=OUT, size_bytes=5, sha256="0" * 64)))
    with pytest.raises(ManifestError, match=r"`\.\./precious` .*missing"):
        require_as_listed(path)
