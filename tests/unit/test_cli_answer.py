"""`ssdlab show` begins with what a run or a result comes to, in lines that fit the terminal; `--all` has what it rests on."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_bundle import write_whole
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.imported import open_imported
from ssdlab.bundle.read import open_bundle
from ssdlab.bundle.write import write_conclusions
from ssdlab.cli import terminal
from ssdlab.cli.terminal import columns_of, wrapped
from ssdlab.report.first_screen.screen import first_screen, first_screen_of_imports

IMPORTED = Path(__file__).parents[1] / "data" / "bundles" / "import-1"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("lab") / "runs" / "20260101T000000Z-fill-x")


def shown(*arguments: str | Path) -> str:
    return CliRunner().invoke(cli.app, ["show", *map(str, arguments)]).stdout


def test_a_run_begins_with_its_verdict_and_its_key_numbers(bundle: Path) -> None:
    assert shown(bundle) == snapshot("""\
fill 2025.12 (profile standard) on /dev/nvme0n1
NVMe drive, 1.00 TB, fio-3.41, 2026-01-20T09:30:00+00:00
finished
note: the drive reached 71 °C in fill.pass2

Pass 1 (FOB): 12,200 MiB/s (12,180 to 12,220) within an SLC cache of 233 GiB (232 to 234); past it, first 1,200 MiB/s (1,198 to 1,202) while folding, then 1,500 MiB/s (1,498 to 1,501) writing directly.
The whole of pass 1 took 544.0 s at 1,750 MiB/s (1,730 to 1,770) on average; the slowest 1 % of its windows stayed at or below 1,131 MiB/s.
Pass 2 (filled once): 1,400 MiB/s ✗ (1,380 to 1,410) on average, with an SLC cache of 41.0 GiB ✗ (40.8 to 41.1).

speed within the cache, pass 1  12,200 MiB/s  [12,180 to 12,220 MiB/s]
SLC cache, pass 1                    233 GiB  [232 to 234 GiB]
speed past the cache, pass 1     1,500 MiB/s  [1,498 to 1,501 MiB/s]
speed while folding, pass 1      1,200 MiB/s  [1,198 to 1,202 MiB/s]
fill: mean speed                 1,750 MiB/s  [1,730 to 1,770 MiB/s]
fill: slowest 1 %, pass 1        1,131 MiB/s

audit: 1 failed, 1 to look at, 1 unknown, 1 passed
  fail: fill.pass2: coverage.fill: 931 GiB of 932 GiB written (99.8927%)
    to do: fill with sequential passes, or one job with `random_generator=lfsr` or fio's random map
  warn: fill.pass1: host.cpu: fio used 97 % of a core (jobs: 1), the host has 8
    to do: take a larger block size, or with fio more jobs on a host with more cores; stop what else runs
""")


def test_where_there_is_no_key_number_each_metric_is_shown(tmp_path: Path) -> None:
    path = write_whole(tmp_path / "run")
    mean = next(one for one in open_bundle(path).metrics if one.key.name == "fill.bandwidth_mean")
    write_conclusions(path, [replace(mean, key=key_of_name("mine.bandwidth_mean", "mine"))], ())
    lines = shown(path).splitlines()
    assert [line.split()[0] for line in lines if line][3:] == ["note:", "mine.bandwidth_mean", "audit:"]


def test_a_result_of_another_program_begins_with_its_key_numbers() -> None:
    assert shown(IMPORTED) == snapshot("""\
Samsung SSD 970 EVO Plus 250GB
measured by AS SSD Benchmark, not by ssdlab

AS SSD Benchmark measured SEQ 16 MiB Q1T1 read 3,003 MB/s; SEQ 16 MiB Q1T1 write 2,231 MB/s; RND 4 KiB Q1T1 read 51.98 MB/s; RND 4 KiB Q1T1 write 93.52 MB/s.

SEQ 16 MiB Q1T1 read   3,003 MB/s
SEQ 16 MiB Q1T1 write  2,231 MB/s
RND 4 KiB Q1T1 read    51.98 MB/s
RND 4 KiB Q1T1 write   93.52 MB/s
RND 4 KiB Q1T64 read   828.6 MB/s
RND 4 KiB Q1T64 write  1,118 MB/s

caution: its MB are 2^20 bytes
caution: a file in a file system; the write access time is of 512-byte writes within 1 GB
note: not checked: written before checksums
""")


def test_it_is_what_the_page_says(bundle: Path) -> None:
    for screen, text in (
        (first_screen([open_bundle(bundle)]), shown(bundle)),
        (first_screen_of_imports([open_imported(IMPORTED)]), shown(IMPORTED)),
    ):
        assert screen.verdict
        assert screen.tiles
        assert all(str(told) in text for told in screen.verdict)
        assert all(str(tile.label) in text and str(tile.metric.text) in text for tile in screen.tiles)


def test_the_metrics_follow_on_request(bundle: Path) -> None:
    assert "fill.pass2.duration" not in shown(bundle)
    assert "fill.pass2.duration" in shown(bundle, "--all")
    assert "as_ssd.score.total" not in shown(IMPORTED)
    assert "as_ssd.score.total" in shown(IMPORTED, "--all")


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("language", ["en", "ko"])
def test_lines_fit_the_terminal(bundle: Path, monkeypatch: pytest.MonkeyPatch, columns: int, language: str) -> None:
    monkeypatch.setattr(terminal, "width", lambda: columns)
    for run in (bundle, IMPORTED):
        lines = shown(run, "--lang", language).splitlines()
        assert max(map(columns_of, lines)) <= columns
        # A terminal has 24 lines at least: the key numbers, and whether they can be trusted, are on its first screen.
        assert [place for place, line in enumerate(lines) if not line][1] < 22


def test_a_line_is_broken_between_words_and_keeps_its_indent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "width", lambda: 12)
    assert list(wrapped("  one two three four")) == ["  one two", "    three", "    four"]
    assert list(wrapped("한국어 문장은 두 칸씩")) == ["한국어", "  문장은 두", "  칸씩"]
    assert list(wrapped("unbreakable-word")) == ["unbreakable-word"]


def test_a_pipe_gets_whole_lines() -> None:
    assert list(wrapped("word " * 100)) == ["word " * 100]
