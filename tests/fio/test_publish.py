"""Runs of real fio, published: the same numbers, and nothing of where they were made."""

import platform
from pathlib import Path

import pytest
from tests.kit.processes import OVER, ssdlab
from tests.kit.published import computed, copy_of, stored
from tests.kit.suites import write_short

pytestmark = pytest.mark.fio


@pytest.mark.parametrize("target", ["virtual:demo?capacity=64MiB", "file:{}/Qz1Kwjx?size=64MiB"])
def test_a_run_of_fio_keeps_its_numbers_and_names_no_place(tmp_path: Path, target: str) -> None:
    place = tmp_path / "Qz2Kwjx"
    place.mkdir()
    ended = ssdlab("run", write_short(tmp_path), target.format(place), "--lab", place / "lab", "--keep-raw")
    assert ended.status in OVER, ended.stderr
    bundle = Path(ended.stdout.strip())
    copy, account = copy_of(bundle, tmp_path / "copy")
    assert stored(copy) == stored(bundle)
    assert computed(copy) == computed(bundle)
    text = "".join(
        str(path) + path.read_bytes().decode(errors="replace") for path in copy.rglob("*.*") if path.is_file()
    )
    assert not [
        word for word in ("Qz1Kwjx", "Qz2Kwjx", ".sock", f'"{platform.node()}"') if word.casefold() in text.casefold()
    ]
    assert {path.name for path in account.kept} >= {"fio.json", "job.fio", "series.parquet"}
