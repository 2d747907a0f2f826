"""Paths that DuckDB takes for patterns, with DuckDB itself as the judge."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.kit.library_runs import Made, write_run
from typer.testing import CliRunner

from ssdlab import parquet
from ssdlab.bundle.read import open_bundle
from ssdlab.cli import app

NAMES = st.text(st.sampled_from("ab*?[]{}\\'\"!-^,. \n$%~é"), min_size=1, max_size=8).filter(
    lambda name: name not in {".", ".."}
)
HARD = ("a*", "a?", "[ab]", "**", "a\\*b", "it's", "a[", "{a,b}", "a\nb", "-", b"\xff".decode(errors="surrogateescape"))


@settings(max_examples=60)
@given(names=st.lists(NAMES, min_size=2, max_size=3, unique=True))
def test_what_is_written_in_a_directory_is_read_from_there(
    names: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("names")
    with parquet.database() as connection:
        for number, name in enumerate(names):
            (root / name).mkdir()
            with parquet.writable(root / name / "rows.parquet") as place:
                connection.execute(f"copy (select {number} as number) to '{place}' (format parquet)")
        for number, name in enumerate(names):
            assert [path.name for path in (root / name).iterdir()] == ["rows.parquet"]
            with parquet.reading(root / name / "rows.parquet") as file:
                assert connection.execute(f"select number from read_parquet('{file}')").fetchall() == [(number,)]  # noqa: S608 - a descriptor


@pytest.mark.parametrize("name", HARD)
def test_the_numbers_of_two_labs_do_not_mix(tmp_path: Path, name: str) -> None:
    for lab, value in ((tmp_path / "ab", 1.0), (tmp_path / "aab", 2.0), (tmp_path / name, 3.0)):
        write_run(lab, "run", Made(value=value))
        asked = CliRunner().invoke(app, ["library", "sql", "select value from metrics", "--lab", str(lab), "--json"])
        assert json.loads(asked.stdout) == [{"value": value}]


@pytest.mark.parametrize("name", ["a*", "a\\*b", "[it's]"])
def test_a_run_in_a_directory_of_any_name_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    done = CliRunner().invoke(
        app, ["run", "fill", "model:demo?capacity=64MiB", "--profile", "quick", "--lab", str(tmp_path / name)]
    )
    assert done.exit_code in {0, 3}, done.output
    (path,) = (tmp_path / name / "runs").iterdir()
    before = open_bundle(path)
    assert CliRunner().invoke(app, ["show", str(path), "--again", "--json"]).exit_code == done.exit_code
    assert open_bundle(path).metrics == before.metrics
