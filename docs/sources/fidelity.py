"""What the sources ask for, row by row, from `fidelity.toml`: done, done otherwise with the reason, or left to a feature to come."""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from sources.markdown import table

ROOT = Path(__file__).resolve().parents[2]
_WORDS = {"yes": "yes", "ours": "ours, because", "later": "later, with"}


class Row(BaseModel):
    """One requirement."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    asks: str
    """In our words."""
    state: Literal["yes", "ours", "later"]
    where: tuple[str, ...] = ()
    """File and, after a colon, what to look for in it."""
    tests: tuple[str, ...] = ()
    """File and name of each test that holds it."""
    because: str = ""
    """Why it is done otherwise, or which feature brings it."""

    @model_validator(mode="after")
    def _says_what_its_state_needs(self) -> "Row":
        if self.state == "yes" and not (self.where and self.tests):
            raise ValueError(f"row {self.number} is done nowhere, or no test holds it")
        if (self.state == "yes") == bool(self.because):
            raise ValueError(f"row {self.number}: a reason belongs to all that is not simply done, and to nothing else")
        return self

    def faults(self) -> list[str]:
        """What it names and is not there."""
        named = [*self.where, *self.tests]
        return [f"row {self.number}: {one}" for one in named if not _is_there(one)]


class Source(BaseModel):
    """One of the sources."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    row: Annotated[tuple[Row, ...], Field(min_length=1)]


def sources() -> tuple[Source, ...]:
    """All of them, in the order of the rows.

    Raises:
        ValueError: A row lacks what its state needs, or numbers do not follow each other.
    """
    content = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    found = TypeAdapter(tuple[Source, ...]).validate_python(content["source"])
    numbers = [row.number for source in found for row in source.row]
    if numbers != list(range(1, len(numbers) + 1)):
        raise ValueError("the rows are not numbered from 1 on")
    return found


def _is_there(named: str) -> bool:
    name, _, symbol = named.partition(":")
    path = ROOT / name
    looked_for = f"def {symbol}(" if name.startswith("tests/") else symbol
    return path.is_file() and looked_for in path.read_text(encoding="utf-8")


def page() -> str:
    """`fidelity.md`.

    Raises:
        ValueError: A row names what is not there.
    """
    found = sources()
    rows = [row for source in found for row in source.row]
    if faults := [fault for row in rows for fault in row.faults()]:
        raise ValueError("; ".join(faults))
    count = Counter(row.state for row in rows)
    return (
        "# What the sources ask for, row by row\n\n"
        "[The methods](../concepts/methods.md) follow articles and a paper. Each of their requirements has a row here: in which file it is done, "
        "and which test holds it. “Ours” is done otherwise, for the reason given; “later” belongs to a feature that is still to come. "
        f"Of {len(rows)} rows {count['yes']} are done, {count['ours']} are ours, {count['later']} come later.\n"
        + "".join(f"\n## {source.title}\n\n{_table(source)}" for source in found)
    )


def _table(source: Source) -> str:
    titles = ("row", "asked for", "", "where", "held by")
    return table(titles, [(str(row.number), row.asks, _state(row), _files(row), _tests(row)) for row in source.row])


def _state(row: Row) -> str:
    return f"{_WORDS[row.state]}: {row.because}" if row.because else _WORDS[row.state]


def _files(row: Row) -> str:
    files = dict.fromkeys(one.partition(":")[0] for one in row.where)
    return ", ".join(f"[{Path(one).name}](../../{one})" for one in files)


def _tests(row: Row) -> str:
    named = [one.partition(":") for one in row.tests]
    return "; ".join(f"[{symbol.removeprefix('test_').replace('_', ' ')}](../../{path})" for path, _, symbol in named)
