"""Values stay values: nothing but its one place makes a metric's name or takes one apart."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from ssdlab.bundle.quantities import QUANTITIES

SOURCES = Path(__file__).parents[2] / "src" / "ssdlab"
MAKES_NAMES = {"point.py", "bundle/metric_key.py"}
TAKES_NAMES_APART = {"bundle/dotted_names.py"}
TEXT_METHODS = {"startswith", "endswith", "partition", "rpartition", "split", "rsplit", "removeprefix", "removesuffix"}
METRICS = {"metric", "number", "ranking"}
"""What the code calls a metric, or what stands for one."""
STEP_OF_WRITING = ".pass"
"""The steps of a fill are called so, before their number."""


def habits(tree: ast.AST) -> Iterator[str]:
    """Where a name is spelled or taken apart."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=method, value=of)) if method in TEXT_METHODS and is_a_name(of):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=str(text))]) if method in {
                "endswith",
                "removesuffix",
            } and is_end_of_a_name(text):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.Call(func=ast.Attribute(attr="rpartition"), args=[ast.Constant(value=".")]):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.JoinedStr(values=[*_, ast.Constant(value=str(text))]) if is_end_of_a_name(
                text
            ) and not text.endswith(STEP_OF_WRITING):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case ast.JoinedStr(values=parts) if any(is_begin_of_a_percentile(part) for part in parts):
                yield f"{node.lineno}: {ast.unparse(node)}"
            case _:
                pass


def is_a_name(node: ast.expr) -> bool:
    """`metric.name`, `metric.key.name` and what else is called so."""
    match node:
        case ast.Attribute(attr="name", value=ast.Name(id=owner)):
            return owner in METRICS
        case ast.Attribute(attr="name", value=ast.Attribute(attr="key")) | ast.Attribute(attr="metric"):
            return True
        case _:
            return False


def is_begin_of_a_percentile(part: ast.expr) -> bool:
    return isinstance(part, ast.Constant) and str(part.value).endswith("lat_p")


def is_end_of_a_name(text: str) -> bool:
    """Whether a text ends as the names of metrics do: with a dot and the word of a quantity."""
    head, dot, last = text.rpartition(".")
    return bool(dot) and last in QUANTITIES and not set(head) & set(" \n")


def found_in(path: Path) -> list[str]:
    return list(habits(ast.parse(path.read_text())))


def test_no_code_makes_a_metrics_name_or_takes_one_apart() -> None:
    allowed = MAKES_NAMES | TAKES_NAMES_APART
    paths = [path for path in sorted(SOURCES.rglob("*.py")) if str(path.relative_to(SOURCES)) not in allowed]
    assert {str(path.relative_to(SOURCES)): found for path in paths if (found := found_in(path))} == {}


def test_only_the_reading_of_bundles_knows_how_to_take_a_name_apart() -> None:
    users = {
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if any(
            isinstance(node, ast.ImportFrom) and node.module == "ssdlab.bundle.dotted_names"
            for node in ast.walk(ast.parse(path.read_text()))
        )
    }
    assert users == {"bundle/layout.py", "bundle/upgrade.py"}


@pytest.mark.parametrize(
    "habit",
    [
        'known.get(f"{name}.iops")',
        'f"{name}.weighted.r{share}.iops"',
        'metric.name.endswith(".pass")',
        'number.metric.endswith(".rank.iops")',
        'metric.name.startswith(f"{group}.")',
        'name.rpartition(".")[2]',
        'name.removesuffix(".bandwidth_mean")',
        "f\"{name}.clat_p{percent.replace('.', '_')}\"",
    ],
)
def test_a_habit_is_found(habit: str) -> None:
    assert list(habits(ast.parse(habit)))
