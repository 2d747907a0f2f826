"""Files of a bundle that no run writes."""

from pathlib import Path

import duckdb
import pytest

from ssdlab.bundle import layout
from ssdlab.bundle.damage import DamagedFile
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.tables import KNOWN_COLUMNS, read_series
from ssdlab.engine.result import Direction


@pytest.mark.parametrize("adapter", [layout.METRICS_ADAPTER, layout.AUDIT_ADAPTER], ids=["metrics", "audit"])
def test_of_many_wrong_elements_one_is_enough(adapter: object) -> None:
    content = b"[" + b",".join([b"[]"] * 1000) + b"]"
    with pytest.raises(ValueError, match="1 validation error"):
        layout.parsed(adapter, content)  # type: ignore[arg-type]  # which of them does not matter


def test_a_file_of_more_values_than_any_has_is_not_read() -> None:
    with pytest.raises(ValueError, match="more values than any file"):
        layout.read_json(b"[" + b"0," * 4_000_001 + b"0]")


def test_a_table_that_claims_rows_without_end_is_damage_and_takes_no_memory(tmp_path: Path) -> None:
    columns = ", ".join(f"1::bigint as {column}" for column in KNOWN_COLUMNS[layout.SERIES] if column != "direction")
    rows = f"select 'write' as direction, {columns} from range(2000000)"  # noqa: S608 - names of ours
    duckdb.execute(f"copy ({rows}) to '{tmp_path / layout.SERIES}' (format parquet, row_group_size 2000000)")
    with pytest.raises(DamagedFile, match="claims 2,000,000 rows"):
        read_series(BundleFiles(tmp_path, {}, Unlisted.READ), layout.SERIES, Direction.WRITE)


def test_what_is_no_table_is_damage(tmp_path: Path) -> None:
    (tmp_path / layout.SERIES).write_bytes(b"PAR1\x15\x02\x19\xfc\x80\x96\x98\x01\x09\x00\x00\x00PAR1")
    with pytest.raises(DamagedFile, match="cannot be read as Parquet"):
        read_series(BundleFiles(tmp_path, {}, Unlisted.READ), layout.SERIES, Direction.WRITE)
