"""Warnings of a run have a kind, and those of older bundles, which were sentences alone, get theirs when they are read."""

import json
from contextlib import closing
from pathlib import Path

from inline_snapshot import snapshot
from tests.kit.old_bundle import as_of_schema
from tests.kit.sample_bundle import run_info

from ssdlab.bundle import layout
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.upgrade_notes import bad_bytes_of
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter
from ssdlab.engine.standstill import Cause, Standstill, standstill_words
from ssdlab.message import as_written, message, number, verbatim
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

WARNED = (
    Warned(WarningKind.KERNEL, verbatim("nvme0n1: I/O error, dev `nvme0n1`"), "fill.pass1"),
    Warned(
        WarningKind.STANDSTILL,
        message(
            "lab-done-again",
            step="reads",
            why=standstill_words((Standstill(cause=Cause.ENGINE_STOPPED, duration_ns=2 * NS_PER_S),)),
        ),
        "reads",
    ),
    Warned(
        WarningKind.DRIVE,
        message("drive-late", count=number(12), late=message("drive-late-by", late=number(3), which="max")),
    ),
)


def written(path: Path) -> Path:
    with closing(BundleWriter(path, run_info(1 << 30), ())) as writer:
        for warned in WARNED:
            writer.warning(1, warned)
    return path


def test_kind_step_and_words_are_read_as_they_were_written(tmp_path: Path) -> None:
    bundle = open_bundle(written(tmp_path / "run"))
    assert bundle.warned == WARNED
    assert bundle.warnings == snapshot(
        (
            "kernel, during `fill.pass1`: nvme0n1: I/O error, dev `nvme0n1`",
            "`reads` is done again, because measuring stood still: fio was stopped for 2.00 s",
            "virtual drive: 12 completions left after their due time by 3 µs (largest)",
        )
    )


def test_older_bundles_say_the_same_and_a_line_of_the_kernel_is_known_as_one(tmp_path: Path) -> None:
    new = open_bundle(written(tmp_path / "run"))
    path = as_of_schema(tmp_path / "run", 3, lambda run: run)
    lines = [json.loads(line) for line in (path / layout.JOURNAL).read_text().splitlines()]
    sentences = iter(new.warnings)
    for line in lines:
        if line["event"] == "warning":
            del line["kind"], line["step"]
            line["text"] = next(sentences)
    (path / layout.JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    old = open_bundle(path)
    assert old.warnings == new.warnings
    assert [warned.kind for warned in old.warned] == [WarningKind.KERNEL, WarningKind.OTHER, WarningKind.OTHER]
    assert old.warned[0] == WARNED[0]


def test_a_kind_of_a_newer_ssdlab_is_no_fault(tmp_path: Path) -> None:
    path = as_of_schema(written(tmp_path / "run"), 3, lambda run: run)
    journal = path / layout.JOURNAL
    journal.write_text(journal.read_text().replace('"kind": "drive"', '"kind": "of tomorrow"'))
    bundle = open_bundle(path)
    assert (bundle.faults, bundle.warned[2]) == ((), Warned(WarningKind.OTHER, as_written(str(WARNED[2].text))))


def test_what_an_older_reading_found_is_in_the_note_of_its_step() -> None:
    assert bad_bytes_of(as_written("512 bytes are not what was written")) == 512
    assert bad_bytes_of(as_written("1073741824 bytes at 1000.0 MB/s; 0 bytes are not what was written")) == 0
    assert bad_bytes_of(as_written("the model keeps no data")) == Unknown(as_written("the model keeps no data"))
    assert bad_bytes_of(None) == Unknown(message("unknown-outcome"))
