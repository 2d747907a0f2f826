"""The source paper's fourth question: the same measurement of a drive at two dates, and how it has aged."""

from pathlib import Path

import pytest
from tests.kit import figure_content as content
from typer.testing import CliRunner

from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app
from ssdlab.figure.probe.corners_beside import ageing_times, corners_beside
from ssdlab.figure.registry import figures_comparing
from ssdlab.probe.probes.corners import SIZES_BYTES, Corner, aged
from ssdlab.probe.store.reader import evidence_of

NEW = Path(__file__).parents[2] / "crates" / "vdrive" / "specs" / "ssd-c.toml"


def measured(lab: Path, spec: str) -> Path:
    (lab / "c.toml").write_text(spec)
    target = f"model:{lab / 'c.toml'}?capacity=1GiB"
    done = CliRunner().invoke(app, ["probe", "corners", target, "--lab", str(lab)])
    assert done.exit_code == 0, done.output
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """SSD C, and the same drive with pages that take longer to read."""
    lab, spec = tmp_path_factory.mktemp("lab"), NEW.read_text()
    return measured(lab, spec), measured(lab, spec.replace('page_read = "85us"', 'page_read = "130us"'))


def test_pages_that_take_longer_are_seen_in_reads_of_every_size_and_in_no_write(runs: tuple[Path, Path]) -> None:
    first, last = (evidence_of(one, one.finished()[0]) for one in map(open_bundle, runs))
    found = aged(first, last)
    assert [(one.corner, one.size_bytes) for one in found] == [(one, size) for one in Corner for size in SIZES_BYTES]
    reads = {Corner.RANDOM_READ, Corner.SEQUENTIAL_READ}
    assert [one for one in found if one.has_changed] == [one for one in found if one.corner in reads]
    # One page of 4 KiB is read in 203 us on a new drive, of which 85 are the page's.
    assert found[0].ratio == pytest.approx((203 + 45) / 203, rel=0.03)


def test_the_same_drive_twice_has_not_aged(runs: tuple[Path, Path]) -> None:
    bundle = open_bundle(runs[0])
    evidence = evidence_of(bundle, bundle.finished()[0])
    assert [one for one in aged(evidence, evidence) if one.has_changed] == []


def test_two_runs_of_a_drive_have_a_figure_of_its_ageing(runs: tuple[Path, Path]) -> None:
    figures = figures_comparing([open_bundle(one) for one in runs])
    (figure,) = [one for one in figures if one.name == "ageing"]
    assert figure.subtitle[1] == "of 28 sizes and corners 14 surely take 5 % longer and more, 0 shorter"
    corner, size, earlier, later, *_ = figure.table.rows[0]
    assert (corner, size) == ("random read", 4096)
    assert float(earlier) < float(later)


def test_two_runs_of_a_drive_have_their_times_at_both_dates_with_intervals(runs: tuple[Path, Path]) -> None:
    reads, writes = ageing_times([open_bundle(one) for one in runs])
    assert (reads.name, writes.name) == ("ageing-read-times", "ageing-write-times")
    assert content.panel_titles(reads) == ["Random read", "Sequential read"]
    first, last = (row for row in content.rows(reads, "key-random-read") if row["x"] == 4096)
    assert first["y"] == pytest.approx(203, rel=0.05)
    assert last["y"] == pytest.approx(203 + 45, rel=0.05)
    for line, corner, size, median, low, high, _ in reads.table.rows:
        assert float(str(low)) <= float(str(median)) <= float(str(high)), (line, corner, size)
    for figure in (reads, writes):
        content.assert_whole(figure)
        content.assert_inside_axes(figure)


def test_one_drive_is_not_beside_itself(runs: tuple[Path, Path]) -> None:
    assert list(corners_beside([open_bundle(one) for one in runs])) == []


def test_several_drives_stand_in_one_plot_and_in_a_table_relative_to_the_first(
    runs: tuple[Path, Path], tmp_path: Path
) -> None:
    other = CliRunner().invoke(app, ["probe", "corners", "model:ssd-b?capacity=1GiB", "--lab", str(tmp_path)])
    bundles = [open_bundle(runs[0]), open_bundle(Path(other.stdout.splitlines()[-1]))]
    reads, _ = corners_beside(bundles)
    assert reads.name == "corners-read-times"
    assert content.axes(reads) == [("size of the request", "response time (log scale)")] * 2
    labels = list(dict.fromkeys(str(row[0]) for row in reads.table.rows))
    assert {row["label"] for row in content.rows(reads, "key-sequential-read")} == set(labels)
    of_first, of_other = ([row for row in reads.table.rows if row[0] == label] for label in labels)
    assert {str(row[-1]) for row in of_first} == {"1.000"}
    for mine, theirs in zip(of_first, of_other, strict=True):
        assert float(str(theirs[-1])) == pytest.approx(float(str(theirs[3])) / float(str(mine[3])), abs=0.002)
    assert f"over that of {labels[0]}" in reads.caption
    content.assert_whole(reads)
