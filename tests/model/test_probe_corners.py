"""The source paper's fourth question: the same measurement of a drive at two dates, and how it has aged."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app
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
