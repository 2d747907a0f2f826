"""Nothing of a bundle changes without its being found: files by their SHA-256, lines of the journal by their digests."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from tests.kit.reseal import reseal
from tests.kit.sample_bundle import write_whole
from tests.kit.small_bundle import flip, write_small

from ssdlab.bundle import layout, seal
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.mark import NOT_CHECKED
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.seal import LineState, SealedLine
from ssdlab.engine.result import Direction

OLD = Path(__file__).parents[1] / "data" / "bundles" / "schema-3"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_small(tmp_path_factory.mktemp("whole") / "run")


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "run")


# Files


def test_every_file_is_told_of_with_its_digest(whole: Path) -> None:
    bundle = open_bundle(whole)
    there = {str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file()}
    assert set(bundle.files.marks) == there - {layout.JOURNAL, layout.CHECKSUMS}
    assert bundle.files.unchecked is None


def test_a_flipped_bit_of_a_file_is_found_when_it_is_read(copy: Path) -> None:
    flip(copy / "003-fill.pass1" / layout.SERIES, 1234)
    bundle = open_bundle(copy)
    with pytest.raises(DamagedFile) as error:
        bundle.series(bundle.step("fill.pass1"), Direction.WRITE)
    assert str(error.value.fault) == snapshot(
        "003-fill.pass1/series.parquet is not as it was written: its SHA-256 is another"
    )


def test_conclusions_that_have_changed_are_not_believed(copy: Path) -> None:
    text = (copy / layout.METRICS).read_text()
    (copy / layout.METRICS).write_text(text.replace("1", "7", 1))
    bundle = open_bundle(copy)
    assert bundle.metrics == ()
    assert tuple(map(str, bundle.faults)) == snapshot(
        (
            "metrics.json is not as it was written: its SHA-256 is another (it can be computed again: `ssdlab show --again`)",
        )
    )


def test_conclusions_without_their_checksum_are_not_believed(copy: Path) -> None:
    (copy / layout.CHECKSUMS).unlink()
    bundle = open_bundle(copy)
    assert (bundle.metrics, bundle.audit) == ((), ())
    assert str(bundle.faults[0]) == snapshot(
        "metrics.json has no checksum (it can be computed again: `ssdlab show --again`)"
    )


def test_run_json_that_has_changed_is_replaced_by_its_copy(whole: Path, copy: Path) -> None:
    flip(copy / layout.RUN, 900)
    bundle = open_bundle(copy)
    assert bundle.run == open_bundle(whole).run
    assert tuple(map(str, bundle.faults)) == ("run.json is not as it was written: its SHA-256 is another",)


# Lines


BODIES = st.lists(
    st.binary(max_size=40).map(lambda text: json.dumps({"a": text.hex()}).encode()), min_size=1, max_size=6
)


def sealed(bodies: list[bytes]) -> list[bytes]:
    return list(seal.sealed_again(SealedLine(body, body, LineState.SOUND) for body in bodies))


@given(BODIES)
def test_lines_are_read_as_they_were_written(bodies: list[bytes]) -> None:
    lines = list(seal.opened(sealed(bodies)))
    assert [line.body for line in lines] == bodies
    assert {line.standing for line in lines} == {LineState.SOUND}


@given(BODIES, st.data())
def test_of_a_flipped_bit_only_the_lines_it_is_in_are_lost(bodies: list[bytes], data: st.DataObject) -> None:
    content = bytearray(b"\n".join(sealed(bodies)))
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    content[bit // 8] ^= 1 << bit % 8
    sound = [line.body for line in seal.opened(bytes(content).split(b"\n")) if line.standing is LineState.SOUND]
    left = iter(bodies)
    assert all(body in left for body in sound)
    # A line that ends too late takes the next one with it.
    assert len(sound) >= len(bodies) - 2


@given(BODIES, st.data())
def test_a_line_that_is_missing_is_found(bodies: list[bytes], data: st.DataObject) -> None:
    lines = sealed([*bodies, b'{"last":1}'])
    gone = data.draw(st.integers(0, len(bodies) - 1))
    del lines[gone]
    assert LineState.DAMAGED in {line.standing for line in seal.opened(lines)}


def test_a_line_that_was_put_in_is_found(whole: Path, copy: Path) -> None:
    journal = copy / layout.JOURNAL
    first, *others = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(
        b"".join([first, b'{"event":"warning","at":"now","clock_ns":1,"text":"all is well"}\n', *others])
    )
    bundle = open_bundle(copy)
    assert tuple(map(str, bundle.faults)) == ("journal.jsonl line 2 is damaged",)
    assert bundle.warnings == open_bundle(whole).warnings


def test_a_journal_does_not_become_an_old_one_by_damage(copy: Path) -> None:
    journal = copy / layout.JOURNAL
    first, *others = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([first.replace(b'"sha256":"', b'"sha257":"'), *others]))
    assert "journal.jsonl line 1 is damaged" in map(str, open_bundle(copy).faults)


# Bundles written before


def test_a_bundle_of_schema_3_opens_with_the_same_numbers() -> None:
    bundle = open_bundle(OLD)
    assert bundle.faults == ()
    assert bundle.files.unchecked is NOT_CHECKED
    assert {
        metric.name: metric.value for metric in bundle.metrics if metric.name.endswith("bandwidth_mean")
    } == snapshot(
        {
            "fill.pass1.bandwidth_mean": 87385172.2504252,
            "fill.pass2.bandwidth_mean": 82546781.07425159,
            "fill.bandwidth_mean": 84897096.06420584,
        }
    )
    assert len(bundle.series(bundle.step("fill.pass1"), Direction.WRITE).time_ns) == snapshot(8)


def test_run_json_and_its_copy_tell_of_each_other(tmp_path: Path) -> None:
    path = shutil.copytree(OLD, tmp_path / "run")
    text = (path / layout.RUN).read_text()
    (path / layout.RUN).write_text(text.replace('"seed": 1', '"seed": 3', 1))
    assert tuple(map(str, open_bundle(path).faults)) == snapshot(
        ("run.json and its copy in journal.jsonl are not the same: one of them is damaged",)
    )


# Changed on purpose


def test_what_was_changed_on_purpose_is_sealed_again(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    before = open_bundle(path)
    (path / layout.RUN).write_bytes(
        (path / layout.RUN).read_bytes().replace(before.run.host.hostname.encode(), b"left out")
    )
    result = path / "003-fill.pass1" / layout.RESULT
    result.write_bytes(result.read_bytes() + b"\n")

    def without_host(line: dict[str, object]) -> dict[str, object]:
        if isinstance(run := line.get("run"), dict):
            run["host"]["hostname"] = "left out"
        return line

    reseal(path, without_host)
    bundle = open_bundle(path)
    assert (bundle.faults, bundle.run.host.hostname) == ((), "left out")
    assert (bundle.metrics, bundle.steps) == (before.metrics, before.steps)
    for name in bundle.files.marks:
        bundle.files.check(name)
