"""The profiles of a desktop benchmark: reads beside writes, the shallow one apart (METHODS C9)."""

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, panel_titles, rows, texts
from tests.kit.sample_client import Made, client_bundle, without

from ssdlab.figure.client.desktop import desktop
from ssdlab.figure.kit.model import Figure
from ssdlab.units import MIB

SLOW, FAST = Made(model="Slow"), Made(model="Fast", factor=2)


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    bundles = [client_bundle(made, suite="cdm") for made in (SLOW, FAST)]
    return {figure.name: figure for figure in desktop(bundles)}


@pytest.fixture(scope="module")
def alone() -> Figure:
    first, _ = desktop([client_bundle(SLOW, suite="cdm")])
    return first


def labels(figure: Figure) -> str:
    """The names of the rows."""
    encoding = figure.spec["hconcat"][0]["layer"][0]["encoding"]
    return str(encoding["y"]["axis"]["labelExpr"])


def test_reads_and_writes_stand_beside_each_other(figures: dict[str, Figure]) -> None:
    assert list(figures) == snapshot(["cdm", "cdm-qd1"])
    assert panel_titles(figures["cdm"]) == snapshot(["read", "write"])
    assert [x for x, _ in axes(figures["cdm"])] == snapshot(["read bandwidth (MiB/s)", "write bandwidth (MiB/s)"])


def test_bars_are_the_best_runs(figures: dict[str, Figure]) -> None:
    reads = [row["x"] for row in rows(figures["cdm"], "key-read")]
    writes = [row["x"] for row in rows(figures["cdm"], "key-write")]

    seq1m_q8 = 400 * 8 * MIB / MIB
    assert reads[:2] == pytest.approx([2 * 2 * seq1m_q8, 2 * seq1m_q8], rel=1e-5)
    assert writes[:2] == pytest.approx([2 * seq1m_q8, seq1m_q8], rel=1e-5)
    assert len(reads) == len(writes) == 2 * 4


def test_drives_are_sorted_by_sequential_read(figures: dict[str, Figure]) -> None:
    words = [row["words"] for row in rows(figures["cdm"], "key-read")]

    assert words[0] == snapshot("Fast, SEQ 1 MiB Q8T1 read: 12,800 MiB/s")
    assert words[1].startswith("Slow, SEQ 1 MiB Q8T1 read")
    assert "Sorted by SEQ 1 MiB Q8T1 read." in figures["cdm"].caption


def test_the_shallow_random_profile_has_a_figure_of_its_own(figures: dict[str, Figure]) -> None:
    shallow = figures["cdm-qd1"]

    assert shallow.title == snapshot("Desktop benchmark profiles: RND 4 KiB Q1T1")
    assert len(rows(shallow, "key-read")) == 2
    assert "Q1T1 read" not in " ".join(
        row["words"] for row in rows(figures["cdm"], "key-read") if "RND" in row["words"]
    )


def test_sequential_128_kib_is_in_the_table_only(figures: dict[str, Figure]) -> None:
    cdm = figures["cdm"]

    assert "SEQ 128 KiB" not in " ".join(row["words"] for row in rows(cdm, "key-read"))
    assert "SEQ 128 KiB Q32T1 read" in [column.title for column in cdm.table.columns]
    assert "SEQ 128 KiB Q32T1 is in the table only." in cdm.caption


def test_rows_of_one_drive_are_its_profiles(alone: Figure) -> None:
    for profile in ("SEQ 1 MiB Q8T1", "SEQ 1 MiB Q1T1", "RND 4 KiB Q32T16", "RND 4 KiB Q32T1"):
        assert profile in labels(alone)
    assert "Slow" not in labels(alone)
    assert texts(alone)[:2] == snapshot(["6,400", "800.0"])


def test_a_suite_of_another_kind_has_no_such_figure() -> None:
    assert list(desktop([client_bundle(SLOW)])) == []
    assert list(desktop([without(client_bundle(SLOW, suite="cdm"), "cdm")])) == []


def test_the_pictures_are_whole(figures: dict[str, Figure], alone: Figure) -> None:
    for figure in (*figures.values(), alone):
        assert_inside_axes(figure)
        assert_whole(figure)
