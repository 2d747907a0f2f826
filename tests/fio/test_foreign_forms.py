"""Files that fio itself writes in forms that its own results here never have: read as what fio counted."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.foreign_forms import FORMS, run

from ssdlab.analysis.log.file import identify
from ssdlab.analysis.log.summary import summarise
from ssdlab.analysis.log.xz import without_xz
from ssdlab.library.foreign.readers import read_foreign
from ssdlab.unknown import Unknown

pytestmark = pytest.mark.fio


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_forms_of_the_installed_fio(form: Callable[[str, Path], None], tmp_path: Path) -> None:
    form("fio", tmp_path)


@pytest.mark.parametrize("coarseness", range(7))
def test_histogram_logs_of_every_coarseness(coarseness: int, tmp_path: Path) -> None:
    logs = ["--write_hist_log=x", "--log_hist_msec=100", f"--log_hist_coarseness={coarseness}"]
    report = tmp_path / "report.json"
    report.write_bytes(run("fio", tmp_path, *logs, "--output-format=json+"))
    (job,) = json.loads(report.read_bytes())["jobs"]
    (of_log,) = summarise([identify(tmp_path / "x_clat_hist.1.log", None)])
    assert of_log.directions  # a host that stands still may leave fio no line of one of the two
    for coarse in of_log.directions:
        exact = [int(ns) for ns, count in job[coarse.direction.value]["clat_ns"]["bins"].items() for _ in range(count)]
        assert not isinstance(coarse.percentiles[0], Unknown)
        assert not isinstance(coarse.io_count, Unknown)
        # The log lacks what completed after its last line; the middle of merged bins is off by half of them.
        least, most = exact[(coarse.io_count - 1) // 2], exact[len(exact) - 1 - (coarse.io_count - 1) // 2]
        width = 0.02 + 0.008 * 2**coarseness
        assert least * (1 - width) <= coarse.percentiles[0] <= most * (1 + width)


@pytest.mark.parametrize("packer", ["xz", "zstd", "gzip"])
def test_packed_json_with_packed_logs_beside_it(packer: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_bytes(
        run("fio", tmp_path, "--write_bw_log=x", "--log_avg_msec=500", "--output-format=json")
    )
    plain = read_foreign(tmp_path / "report.json", tmp_path / "x_bw.1.log")[0]
    subprocess.run([packer, "-q", "-k", "report.json", "x_bw.1.log"], cwd=tmp_path, check=True)
    (end,) = {path.suffix for path in tmp_path.glob("report.json.*")}
    with without_xz([tmp_path / f"report.json{end}", tmp_path / f"x_bw.1.log{end}"]) as files:
        packed = read_foreign(*files)[0]
        logged = summarise([identify(files[1], None)])
    assert packed.numbers == plain.numbers
    (alone,) = summarise([identify(tmp_path / "x_bw.1.log", None)])
    assert [one.mean for one in logged[0].directions] == [one.mean for one in alone.directions]
