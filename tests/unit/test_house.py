"""House rules that no linter knows."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import ssdlab

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
TEXT_SUFFIXES = {
    ".conf",
    ".css",
    ".fio",
    ".ftl",
    ".j2",
    ".js",
    ".json",
    ".md",
    ".py",
    ".pyi",
    ".rs",
    ".sh",
    ".svg",
    ".toml",
    ".yml",
}

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70


def kept_files() -> list[Path]:
    """Text files of the repository: those git knows, or all that is in a copy of it without git."""
    try:
        listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        paths = [ROOT / name for name in listed.splitlines()]
    except (OSError, subprocess.CalledProcessError):
        kept = ("src", "crates", "tests", "docs", "bench", "fuzz")
        paths = [
            path for name in kept for path in (ROOT / name).rglob("*") if not {"target", "vendor"} & set(path.parts)
        ]
    return [path for path in paths if path.is_file() and (path.suffix in TEXT_SUFFIXES or path.name == "dev")]


def lines_with(pattern: str, paths: list[Path]) -> list[str]:
    """`path:line: text` of each line that matches, as compilers do."""
    found = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in paths
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if found.search(line)
    ]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_nothing_is_left_for_later() -> None:
    # Put together here, so that this file does not find itself.
    left = "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"))
    assert lines_with(rf"\b({left})\b|\b(todo|unimplemented)!\(", kept_files()) == []


def test_no_path_of_somebodys_machine_is_written_down() -> None:
    assert (
        lines_with(r"(^|[\s\"'`(=])/(" + "|".join(("wo" + "rk", "ro" + "ot", "ho" + "me")) + r")/\w", kept_files())
        == []
    )


def test_every_module_says_what_it_is_for() -> None:
    assert [name_of(path) for path in SOURCES if not ast.get_docstring(ast.parse(path.read_text()))] == []


def test_every_test_file_says_what_it_specifies() -> None:
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert [name_of(path) for path in tests if not ast.get_docstring(ast.parse(path.read_text()))] == []


def python_and_rust() -> list[Path]:
    return [path for path in kept_files() if path.suffix in {".py", ".rs"}]


@pytest.mark.parametrize("path", python_and_rust(), ids=name_of)
def test_a_file_can_be_read_at_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= FILE_LINES_MAX


def functions_in(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_a_function_can_be_read_without_scrolling() -> None:
    paths = [path for path in kept_files() if path.suffix == ".py"]
    lengths = [(name_of(path), name, lines) for path in paths for name, lines in functions_in(path)]
    assert len(lengths) > 100
    assert [one for one in lengths if one[2] > FUNCTION_LINES_MAX] == []


def test_no_error_is_caught_without_saying_which() -> None:
    bare = [
        f"{name_of(path)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler) and node.type is None
    ]
    assert bare == []


def test_only_the_command_line_prints() -> None:
    quiet = [path for path in SOURCES if "cli" not in path.relative_to(ROOT / "src" / "ssdlab").parts]
    called = [
        f"{name_of(path)}:{node.lineno}"
        for path in quiet
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "input"}
    ]
    assert called == []


def test_only_processes_of_our_own_exit() -> None:
    entries = {"src/ssdlab/cli/__init__.py", "src/ssdlab/drive/kinds/serve.py"}
    exits = lines_with(
        r"\b(sys\.exit|os\._exit|exit|quit)\(", [path for path in SOURCES if name_of(path) not in entries]
    )
    assert exits == []


def test_the_command_line_starts_without_the_heavy_modules() -> None:
    heavy = [
        "duckdb",
        "jinja2",
        "numpy",
        "procrastinate",
        "psycopg",
        "pydantic",
        "vl_convert",
        "rich.live",
        "ssdlab._core",
    ]
    code = f"import json, sys, ssdlab.cli; print(json.dumps([name for name in {heavy} if name in sys.modules]))"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert json.loads(said) == []


def test_there_is_one_version() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())
    assert ssdlab.version() == cargo["workspace"]["package"]["version"]


def test_every_module_of_the_package_can_be_imported_alone() -> None:
    names = [
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        for path in SOURCES
        # Importing these runs them.
        if path.name not in {"__main__.py", "serve.py"}
    ]
    code = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *names], check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_page_on_how_a_run_flows_names_every_room() -> None:
    package = ROOT / "src" / "ssdlab"
    rooms = {
        "/".join(path.relative_to(package).parts[:-1]): (
            ast.get_docstring(ast.parse(path.read_text())) or ""
        ).partition("\n")[0]
        for path in package.rglob("__init__.py")
    }
    page = (ROOT / "docs/concepts/how-a-run-flows.md").read_text()
    block = page.partition("## The rooms\n\n")[2].partition("\n\n")[0]
    told = [line.split(maxsplit=1) for line in block.splitlines()]
    assert [[f"{name}/", words] for name, words in sorted(rooms.items()) if name] == told


def test_figures_take_percentiles_from_the_analysis() -> None:
    figures = [path for path in SOURCES if "figure" in path.parts]
    assert lines_with(r"\.every_io\(|np\.(sort|partition|nanpercentile)\(|\bceil\(.*/ ?100", figures) == []
    others = [path for path in SOURCES if path.name != "percentile.py"]
    assert lines_with(r"_core\.(histogram_percentiles|nearest_ranks)\(", others) == []


def test_a_name_of_a_class_means_one_thing() -> None:
    """Two public classes of one name have to be told apart by whoever reads a call of either."""
    names = Counter(
        node.name
        for path in SOURCES
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in names.items() if count > 1} == set()
