"""A run on a block device, published."""

from pathlib import Path

import pytest
from tests.kit.processes import OVER, ssdlab
from tests.kit.published import computed, copy_of, stored, without_words
from tests.kit.suites import write_short
from tests.loop.conftest import Loop

pytestmark = [pytest.mark.loop, pytest.mark.fio]


def test_a_run_on_a_device_keeps_its_numbers_and_not_the_path_of_its_file(loop: Loop, tmp_path: Path) -> None:
    suite = write_short(tmp_path)
    ended = ssdlab("run", suite, str(loop.path), "--lab", tmp_path / "lab", "--erase", str(loop.file))
    assert ended.status in OVER, ended.stderr
    bundle = Path(ended.stdout.strip())
    copy, _ = copy_of(bundle, tmp_path / "copy")
    assert stored(copy)[0] == stored(bundle)[0]
    assert without_words(stored(copy)[1]) == without_words(stored(bundle)[1])
    (metrics, audit), (ours, checks) = computed(copy), computed(bundle)
    assert (metrics, without_words(audit)) == (ours, without_words(checks))
    text = "".join(path.read_bytes().decode(errors="replace") for path in copy.rglob("*.*") if path.is_file())
    assert str(loop.file) not in text
    assert loop.file.name not in text
