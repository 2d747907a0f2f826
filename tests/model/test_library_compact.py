"""Compacted runs: a few files that say the same as the bundles, made from them, and never believed where they do not match."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import numpy as np
import pytest
from tests.kit.hints import hints_of
from tests.kit.library_runs import METRIC, Made, write_run
from tests.kit.sample_bundle import Plateau, run_info, write_whole
from typer.testing import CliRunner, Result

from ssdlab import cli, durable
from ssdlab.analysis.statistics.percentile import bin_percentiles_ns, merged
from ssdlab.bundle import layout
from ssdlab.bundle.read import open_bundle
from ssdlab.engine.result import Direction, LatencyKind
from ssdlab.library.ask import answer
from ssdlab.library.catalogue import COMPACTED, open_catalogue
from ssdlab.library.compact import compact
from ssdlab.library.compacted import INDEX, CompactedError, read_index
from ssdlab.library.latency import pooled_latencies

_STEP = "fill.pass1"
_SHORT = ((Plateau(9e9, 1_200), Plateau(20e9, 900)), (Plateau(9e9, 1_200), Plateau(20e9, 900)))


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli.app, [str(one) for one in arguments])


def measured(lab: Path, name: str, model: str = "Lab PM1 1TB") -> Path:
    """A run with steps."""
    info = run_info(29_000_000_000, model)
    return write_whole(lab / "runs" / name, replace(info, drive=replace(info.drive, serial=name)), _SHORT)


def every_question(lab: Path) -> Iterator[str]:
    for words in (["list"], ["list", "--json"], ["rank", METRIC], ["rank", METRIC, "--json"], ["show", "PM1"]):
        result = run("library", *words, "--lab", lab)
        yield result.stdout + result.stderr
    query = "select run, name, value, key, unknown_because from metrics order by all"
    yield str(answer(open_catalogue(lab), query).rows)
    yield str(answer(open_catalogue(lab), "from runs order by all").rows)


def a_lab(lab: Path) -> Path:
    """Of five runs, one with steps, one that cannot be opened."""
    for number in range(3):
        write_run(lab, f"r{number}", Made(serial=f"S{number % 2}", days=number, value=1e9 + number))
    measured(lab, "whole")
    (lab / "runs" / "bad").mkdir()
    return lab


# What is asked


def test_answers_are_the_same_with_and_without_what_is_compacted(tmp_path: Path) -> None:
    lab = a_lab(tmp_path)
    before = list(every_question(lab))
    assert compact(lab).runs == 5
    assert list(every_question(lab)) == before
    write_run(lab, "later", Made(days=30, value=7.0))
    partly = list(every_question(lab))
    assert "later" in partly[0]
    shutil.rmtree(lab / COMPACTED)
    assert list(every_question(lab)) == partly


def test_what_is_compacted_is_not_opened_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = a_lab(tmp_path)
    compact(lab)
    before = open_catalogue(lab)
    monkeypatch.setattr("ssdlab.library.collect.open_bundle", lambda path: pytest.fail(f"opened {path}"))
    assert open_catalogue(lab) == before
    assert before.in_cache == 0
    assert compact(lab).added == 0


def test_what_is_new_changed_or_gone_is_noticed(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_run(tmp_path, name, Made(serial=name, value=1.0))
    compact(tmp_path)
    for name in ("one", "two"):
        shutil.rmtree(tmp_path / "runs" / name)
    write_run(tmp_path, "two", Made(serial="two", value=222.0))
    for _ in range(2):
        found = open_catalogue(tmp_path)
        assert answer(found, "select run, value from metrics order by run").rows == (("two", 222.0),)
        assert compact(tmp_path).runs == 1
    (part,) = read_index(tmp_path / COMPACTED).parts
    assert part.runs == 1


def test_series_and_histograms_can_be_asked_for(tmp_path: Path) -> None:
    bundle = open_bundle(measured(tmp_path, "whole"))
    compact(tmp_path)
    found = open_catalogue(tmp_path)
    step = bundle.step(_STEP)
    series = bundle.series(step, Direction.WRITE)
    ((rows, done),) = answer(
        found,
        "select count(*), sum(bandwidth_bytes_per_s * length) from (select *, "
        "(time_ns - lag(time_ns, 1, 0) over (order by time_ns)) / 1e9 as length from series where step = 'fill.pass1')",
    ).rows
    assert rows == np.ceil(series.time_ns[-1] / 1e9)
    assert done == pytest.approx(series.bytes_done[-1])
    query = "select bin_index, count from histograms where step = 'fill.pass1' and kind = 'clat' order by 1"
    bins = answer(found, query).rows
    histogram = bundle.histogram(step, Direction.WRITE, LatencyKind.CLAT)
    assert [one for one, _ in bins] == histogram.bin_index.tolist()
    assert [count for _, count in bins] == histogram.count.tolist()


# Latencies of many runs


def test_latencies_of_many_runs_are_those_of_all_their_ios(tmp_path: Path) -> None:
    bundles = [open_bundle(measured(tmp_path, name)) for name in ("a", "b", "c")]
    measured(tmp_path, "other", "Other")
    compact(tmp_path)
    other, pooled = sorted(pooled_latencies(open_catalogue(tmp_path), _STEP), key=lambda one: one.runs)
    together = merged([one.histogram(one.step(_STEP), Direction.WRITE, LatencyKind.CLAT) for one in bundles])
    assert (other.model, pooled.model, pooled.runs) == ("Other", "Lab PM1 1TB", 3)
    assert pooled.count.tolist() == together.count.tolist()
    assert pooled.percentiles_ns == bin_percentiles_ns(together.bin_index, together.count)


def test_the_command_shows_a_line_a_model_and_what_is_left_out(tmp_path: Path) -> None:
    measured(tmp_path, "a")
    refused = run("library", "latency", _STEP, "--lab", tmp_path)
    assert str(refused.exception) == f"no run of `{tmp_path}` is compacted"
    compacted = run("library", "compact", "--lab", tmp_path)
    assert compacted.stdout.startswith("compacted runs: 1, 1 of them now; one part, ")
    measured(tmp_path, "b")
    result = run("library", "latency", _STEP, "--lab", tmp_path)
    assert "one run is not compacted and is left out" in result.stderr
    head, columns, line = result.stdout.splitlines()
    assert head == "clat of writes in fill.pass1: fill 2025.12, profile standard, fio, drive state FOB"
    assert columns.split()[:5] == ["model", "runs", "I/Os", "50", "%"]
    assert line.startswith("Lab PM1 1TB     1  ")
    (fields,) = json.loads(run("library", "latency", _STEP, "--lab", tmp_path, "--json").stdout)
    assert fields["clat_ns"]["99.9999"] == {"unknown": f"fewer than 10 of {fields['ios']} samples lie above it"}


def test_a_step_that_is_not_there_is_told_with_those_that_are_like_it(tmp_path: Path) -> None:
    measured(tmp_path, "a")
    compact(tmp_path)
    refused = run("library", "latency", "fill.pas1", "--lab", tmp_path)
    assert str(refused.exception) == "no compacted run has latencies of a step `fill.pas1`"
    assert "did you mean `fill.pass1` or `fill.pass2`?" in hints_of(refused.exception)


# Files


def test_parts_are_merged_so_that_there_are_few(tmp_path: Path) -> None:
    for number in range(9):
        write_run(tmp_path, f"r{number}", Made(serial=str(number), value=1.0 + number))
        compact(tmp_path)
    parts = read_index(tmp_path / COMPACTED).parts
    assert len(parts) <= 3
    assert sum(part.runs for part in parts) == 9
    files = {path.name for path in (tmp_path / COMPACTED).glob("*.parquet")}
    assert {name for part in parts for name in part.names} <= files


@pytest.mark.parametrize("table", ["runs", "metrics", "histograms", "index"])
def test_what_was_changed_is_refused_and_made_anew(tmp_path: Path, table: str) -> None:
    lab = a_lab(tmp_path)
    compact(lab)
    (path,) = (lab / COMPACTED).glob(f"{table}*")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(CompactedError, match=path.name) as refused:
        answer(open_catalogue(lab), "select count(*) from runs, metrics, histograms")
    assert [str(hint) for hint in refused.value.hints] == ["`ssdlab library compact` makes it anew from the bundles"]
    done = compact(lab)
    assert (done.runs, done.added) == (5, 5)
    assert path.name in str(done.faults[0])
    assert compact(lab).faults == ()


def test_a_compaction_that_is_cut_off_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = a_lab(tmp_path)
    compact(lab)
    write_run(lab, "later", Made(days=30))
    before = list(every_question(lab))
    for cut in (durable.make_durable, durable.write_durably):
        with monkeypatch.context() as patched:
            patched.setattr(durable, cut.__name__, lambda *_: (_ for _ in ()).throw(OSError("cut")))
            with pytest.raises(OSError, match="cut"):
                compact(lab)
        assert list(every_question(lab)) == before
    assert compact(lab).runs == 6
    assert list(every_question(lab)) == before


def test_a_step_of_which_data_changed_is_left_out_and_told(tmp_path: Path) -> None:
    path = measured(tmp_path, "a")
    bundle = open_bundle(path)
    file = path / bundle.name(bundle.step(_STEP), layout.HISTOGRAM)
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 0xFF
    file.write_bytes(content)
    done = compact(tmp_path)
    assert [str(fault) for fault in done.faults] == [f"`{file}` is not as it was written: its SHA-256 is another"]
    steps = answer(open_catalogue(tmp_path), "select distinct step from histograms").rows
    assert steps == (("fill.pass2",),)


def test_links_by_the_names_of_compacted_files_are_not_written_through(tmp_path: Path) -> None:
    lab, elsewhere = tmp_path / "lab", tmp_path / "elsewhere"
    write_run(lab, "one", Made())
    elsewhere.mkdir()
    (lab / COMPACTED).symlink_to(elsewhere)
    with pytest.raises(OSError, match=r"Not a directory|symbolic links"):
        compact(lab)
    assert list(elsewhere.iterdir()) == []
    (lab / COMPACTED).unlink()
    (lab / COMPACTED).mkdir()
    (elsewhere / "precious").write_text("precious")
    (lab / COMPACTED / INDEX).symlink_to(elsewhere / "precious")
    compact(lab)
    assert (elsewhere / "precious").read_text() == "precious"


def test_compacted_files_are_plain_parquet(tmp_path: Path) -> None:
    measured(tmp_path, "a")
    compact(tmp_path)
    (path,) = (tmp_path / COMPACTED).glob("histograms-*.parquet")
    with duckdb.connect() as connection:
        assert connection.execute("select count(distinct step) from read_parquet(?)", [str(path)]).fetchall() == [(2,)]
