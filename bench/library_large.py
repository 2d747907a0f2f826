"""Questions to a hundred thousand runs: what is compacted, against PostgreSQL alone and plain DuckDB on a file for each run.

The runs are synthetic, but compacted by what compacts bundles. Each question is asked in a process of its own, so that its peak of
memory is its own; of PostgreSQL, the memory is that of the server's process.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from measure import ROOT, SSDLAB, Aim, Measurement

if TYPE_CHECKING:
    from ssdlab.library.compacted import Compacted

_RUNS = 100_000
_LOOSE_RUNS = 10_000
"""Of which there are loose files: two for each, and as many as have the step that is asked for."""
_COMPACTED_AT_ONCE = 25_000
_MEMORY_MIB = 2048
_HERE = Path(__file__)
_STEP = "rnd.read.q1"
"""That a tenth of the runs have."""

_LIST = "select run, started_at, model, serial, firmware, host, suite, profile, engine, status, checks_failed from runs order by started_at"
_RANK = """
select model, serial, firmware, host, state, percentile_cont(0.5) within group (order by value) as middle, count(*)
from metrics join runs using (run) where name = 'fill.bandwidth_mean' group by model, serial, firmware, host, state order by middle desc
"""
_BINS = f"""
select model, direction, bin_index, sum(count)::bigint as count
from histograms join runs using (run) where step = '{_STEP}' group by model, direction, bin_index order by 1, 2, 3
"""  # noqa: S608 - a constant
_QUERIES = {"list": _LIST, "rank": _RANK, "percentile": _BINS}
_LIMITS_S = {"list": 1.0, "rank": 1.0, "percentile": 5.0}
_SCHEMA = """
create unlogged table runs (run text primary key, started_at text, model text, serial text, firmware text, host text, suite text,
    profile text, engine text, status text, checks_failed bigint);
create unlogged table metrics (run text, name text, value double precision, state text);
create unlogged table histograms (run text, step text, direction text, bin_index integer, count bigint);
"""
_INDEXES = """
create index on metrics (name);
create index on histograms (step);
analyze;
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and what its answer took."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    rows: int


def library_large() -> Iterator[Measurement]:
    """List, rank and merge histograms of 100,000 runs, and the same of PostgreSQL and of loose files."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        place.chmod(0o755)
        lab = place / "lab"
        yield from _made(lab)
        for question, limit_s in _LIMITS_S.items():
            yield from _measured(f"the library, {question}", _asked("lab", lab, question), limit_s)
        queried = {question: _asked("parts", lab, question) for question in _QUERIES}
        for question, one in queried.items():
            detail = f"the query that PostgreSQL gets, on what is compacted: {one.rows:,} rows, {one.cpu_s:.2f} s of CPU, peak {one.peak_mib:,.0f} MiB"
            yield Measurement(
                f"SQL on compacted, {question}", one.wall_s, "s", Aim.AT_MOST, _LIMITS_S[question], detail
            )
        for words in (["list"], ["rank", "fill.bandwidth_mean"], ["latency", _STEP]):
            yield _command(lab, words)
        yield _one_more(lab)
        for question, one in _in_postgres(place, lab):
            yield _against(f"PostgreSQL alone, {question}", one, queried[question], f"{_RUNS:,} runs, with indexes")
        _write_loose(place / "loose", lab)
        for question in _QUERIES:
            one = _asked("loose", place / "loose", question)
            yield _against(
                f"loose files, {question}", one, queried[question], f"{_LOOSE_RUNS:,} runs only, two files each"
            )


def _made(lab: Path) -> Iterator[Measurement]:
    """A lab of directories whose runs are compacted, none of them opened."""
    sys.path.insert(0, str(ROOT))
    from tests.kit import compacted_runs as kit

    from ssdlab.library.catalogue import COMPACTED, signatures_of
    from ssdlab.library.compact import add_part

    kit.link_directories(lab, _RUNS)
    (lab / COMPACTED).mkdir()
    began = perf_counter()
    signatures = signatures_of(lab)
    detail = f"6 files of each of {_RUNS:,} directories: what every command of the library begins with"
    yield Measurement("has anything changed?", perf_counter() - began, "s", Aim.NONE, 0, detail)
    wall, cpu = perf_counter(), process_time()
    for first in range(0, _RUNS, _COMPACTED_AT_ONCE):
        indices = range(first, first + _COMPACTED_AT_ONCE)
        add_part(lab, signatures, (kit.tables(index, signatures[kit.run_name(index)]) for index in indices))
    size = sum(path.stat().st_size for path in (lab / COMPACTED).glob("*.parquet"))
    detail = f"without reading them, {(process_time() - cpu) / _RUNS * 1e3:.2f} ms of CPU a run; {size / 1e6:,.0f} MB with the parts before"
    yield Measurement("to compact the runs", perf_counter() - wall, "s", Aim.NONE, 0, detail)
    yield _of_bundles(lab.parent / "real")


def _of_bundles(lab: Path) -> Measurement:
    """How long bundles take that are opened: a fill of two passes each."""
    from tests.kit.sample_bundle import write_whole

    from ssdlab.library.compact import compact

    count = 20
    write_whole(lab / "runs" / "run-00")
    for number in range(1, count):
        shutil.copytree(lab / "runs" / "run-00", lab / "runs" / f"run-{number:02}")
    cpu = process_time()
    compact(lab)
    detail = f"of CPU, {count} bundles of two fills with 100 ms windows, opened and compacted"
    return Measurement("to compact a bundle", (process_time() - cpu) / count * 1e3, "ms", Aim.NONE, 0, detail)


def _one_more(lab: Path) -> Measurement:
    """A bundle more, of two short passes, compacted with all that is there."""
    from tests.kit.sample_bundle import FLAT, write_whole

    from ssdlab.library.compact import compact

    write_whole(lab / "runs" / "one-more", passes=(FLAT, FLAT))
    began = perf_counter()
    done = compact(lab)
    detail = f"{done.added} bundle opened, {done.runs:,} runs held against their directories, digests of {done.size_bytes / 1e6:,.0f} MB"
    return Measurement("to compact one run more", perf_counter() - began, "s", Aim.NONE, 0, detail)


def _measured(what: str, one: Asked, limit_s: float) -> Iterator[Measurement]:
    yield Measurement(what, one.wall_s, "s", Aim.AT_MOST, limit_s, f"{one.rows:,} rows, {one.cpu_s:.2f} s of CPU")
    yield Measurement(f"{what}, peak memory", one.peak_mib, "MiB", Aim.AT_MOST, _MEMORY_MIB, "of the process")


def _against(what: str, one: Asked, compacted: Asked, of_what: str) -> Measurement:
    ratio = one.wall_s / compacted.wall_s
    detail = f"{of_what}: {ratio:.2f} x the time of SQL on compacted, {one.rows:,} rows, peak {one.peak_mib:,.0f} MiB"
    return Measurement(what, one.wall_s, "s", Aim.NONE, 0, detail)


def _command(lab: Path, words: list[str]) -> Measurement:
    began = perf_counter()
    subprocess.run([SSDLAB, "library", *words, "--lab", lab], stdout=subprocess.DEVNULL, check=True)
    detail = "the whole command: are the bundles as they were, the answer, all lines of it"
    return Measurement(f"ssdlab library {words[0]}", perf_counter() - began, "s", Aim.NONE, 0, detail)


def _asked(where: str, place: Path | str, question: str) -> Asked:
    """Ask in a process of its own, and take the faster of two answers: others on the machine only make it longer."""
    command = [sys.executable, str(_HERE), where, str(place), question]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    answers = [
        Asked(**json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout))
        for _ in range(2)
    ]
    return min(answers, key=lambda one: one.wall_s)


def _in_postgres(place: Path, lab: Path) -> Iterator[tuple[str, Asked]]:
    import psycopg
    from tests.kit.postgres import Cluster, postgres_programs

    if postgres_programs() is None:
        print("no PostgreSQL here", file=sys.stderr)
        return
    cluster = Cluster(place / "cluster")
    try:
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            connection.execute(_SCHEMA)
            for table, query in _tables(lab):
                path = place / f"{table}.csv"
                _duckdb(f"copy ({query}) to '{path}' (format csv, header false)")
                with (
                    path.open("rb") as content,
                    connection.cursor().copy(f"copy {table} from stdin (format csv)".encode()) as copy,
                ):
                    while block := content.read(1 << 20):
                        copy.write(block)
                path.unlink()
            connection.execute(_INDEXES.encode())
        for question in _QUERIES:
            yield question, _asked("postgres", cluster.url, question)
    finally:
        cluster.stop()


def _tables(lab: Path) -> Iterator[tuple[str, str]]:
    """The columns that are asked for, out of what is compacted."""
    columns = {
        "runs": "run, started_at, model, serial, firmware, host, suite, profile, engine, status, checks_failed",
        "metrics": "run, name, value, state",
        "histograms": "run, step, direction, bin_index, count",
    }
    files = _files(lab)
    for table, names in columns.items():
        yield table, f"select {names} from read_parquet({files[table]})"  # noqa: S608 - files of ours


def _files(lab: Path) -> dict[str, list[str]]:
    """Those of all parts, by table."""
    from ssdlab.library.catalogue import COMPACTED, Table
    from ssdlab.library.compacted import read_index

    directory = lab / COMPACTED
    parts = read_index(directory).parts
    return {table.value: [str(directory / part.files[table].name(table)) for part in parts] for table in Table}


def _write_loose(place: Path, lab: Path) -> None:
    """Files of each of the runs that have the step: its metrics with what is known of it, and its histograms."""
    import duckdb
    from tests.kit.compacted_runs import STEPS, run_name

    place.mkdir()
    runs = [run_name(index) for index in range(0, _LOOSE_RUNS * STEPS, STEPS)]
    with duckdb.connect() as connection:
        for table, query in _tables(lab):
            made = f"create table {table} as select * from ({query}) where run in (select unnest(?)) order by run"  # noqa: S608 - queries of ours
            connection.execute(made, [runs])
        for run in runs:
            rows = f"select * from runs join metrics using (run) where run = '{run}'"  # noqa: S608 - a name of ours
            connection.execute(f"copy ({rows}) to '{place}/{run}.metrics.parquet' (format parquet)")
            rows = f"from histograms where run = '{run}'"
            connection.execute(f"copy ({rows}) to '{place}/{run}.histograms.parquet' (format parquet)")


def _duckdb(query: str) -> list[tuple[object, ...]]:
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("set memory_limit = '1GiB'")
        return connection.execute(query).fetchall()


# In the process that asks


def _ask_lab(lab: Path, question: str) -> Callable[[], int]:
    from ssdlab.library.catalogue import open_catalogue, signatures_of
    from ssdlab.library.compacted import read_compacted
    from ssdlab.library.latency import pooled_latencies
    from ssdlab.library.rank import rankings

    if question == "list":
        signatures = signatures_of(lab)
        return lambda: len(sorted(_begins(read_compacted(lab, signatures))))
    catalogue = open_catalogue(lab)
    if question == "rank":
        return lambda: sum(len(one.places) for one in rankings(catalogue, "fill.bandwidth_mean"))
    return lambda: sum(len(one.percentiles_ns) for one in pooled_latencies(catalogue, _STEP))


def _begins(compacted: "Compacted") -> Iterator[str]:
    from ssdlab.library.entry import Entry

    yield from (row.found.started_at for row in compacted.rows.values() if isinstance(row.found, Entry))


def _ask_parts(lab: Path, question: str) -> Callable[[], int]:
    from ssdlab.library.catalogue import Table, open_catalogue

    asked = {"list": (), "rank": (Table.METRICS,), "percentile": (Table.HISTOGRAMS,)}[question]
    catalogue = open_catalogue(lab)

    def ask() -> int:
        with catalogue.database(Table.RUNS, *asked) as database:
            return len(database.execute(_QUERIES[question]).fetchall())

    return ask


def _ask_postgres(url: str, question: str) -> tuple[Callable[[], int], int]:
    import psycopg

    connection = psycopg.connect(url)
    return (lambda: len(connection.execute(_QUERIES[question].encode()).fetchall())), connection.info.backend_pid


def _ask_loose(place: Path, question: str) -> Callable[[], int]:
    views = (
        f"create view everything as from read_parquet('{place}/*.metrics.parquet')",
        f"create view histograms as from read_parquet('{place}/*.histograms.parquet')",
        "create view runs as select distinct * exclude (name, value, state) from everything",
        "create view metrics as select run, name, value, state from everything",
    )

    def ask() -> int:
        import duckdb

        with duckdb.connect() as connection:
            connection.execute(";".join(views))
            return len(connection.execute(_QUERIES[question]).fetchall())

    return ask


def _peak_mib(process: int | str) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


def _answer() -> None:
    where, place, question = sys.argv[1:]
    process: int | str = "self"
    if where == "postgres":
        ask, process = _ask_postgres(place, question)
    else:
        ask = {"lab": _ask_lab, "parts": _ask_parts, "loose": _ask_loose}[where](Path(place), question)
    wall, cpu = perf_counter(), process_time()
    rows = ask()
    taken = {"wall_s": perf_counter() - wall, "cpu_s": process_time() - cpu}
    print(json.dumps({**taken, "peak_mib": _peak_mib(process), "rows": rows}))


if __name__ == "__main__":
    _answer()
