"""What `./dev` installs is listed in one place, packages/system.txt: all that is started here, and nothing else."""

import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest

from ssdlab.drive.tool import PACKAGES

ROOT = Path(__file__).parents[2]
STARTS = {"subprocess.run", "subprocess.Popen", "shutil.which", "tool"}
BASE = {"sh", "bash", "mknod", "tar", "apt-get", "apt-cache"}
"""Every Debian has them before anything is installed."""
TESTS_DO_WITHOUT = {"git"}
_PROGRAM = re.compile(r"[a-z][a-z0-9._+-]*")


def rows() -> list[list[str]]:
    """Command, names, package on Debian, package on Fedora."""
    lines = (ROOT / "packages" / "system.txt").read_text().splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def listed() -> set[str]:
    return {name for row in rows() for name in row[1].split("|") if _PROGRAM.fullmatch(name)}


def first_word(node: ast.expr) -> str | None:
    """The program of a command written down in place."""
    if isinstance(node, ast.List | ast.Tuple) and node.elts:
        node = node.elts[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and _PROGRAM.fullmatch(node.value):
        return node.value
    return None


def started(path: Path) -> Iterator[str]:
    starts = STARTS | ({"run"} if path.parent.name == "vm" else set())
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and node.args and ast.unparse(node.func) in starts:
            program = first_word(node.args[0])
            if program is not None:
                yield program


def test_whatever_tests_start_is_listed() -> None:
    programs = {program for path in (ROOT / "tests").rglob("*.py") for program in started(path)}
    assert len(programs) > 20
    assert programs - listed() - BASE - TESTS_DO_WITHOUT == set()


def test_whatever_ssdlab_asks_about_drives_is_listed() -> None:
    assert set(PACKAGES) - listed() == set()


def test_nothing_is_listed_that_nobody_starts() -> None:
    text = "\n".join(path.read_text() for part in ("src", "tests") for path in (ROOT / part).rglob("*.py"))
    # Rust links by the C compiler.
    assert {
        name for name in listed() - {"cc"} if not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text)
    } == set()


def test_each_row_names_a_command_and_a_package_of_debian_or_fedora() -> None:
    assert [row for row in rows() if len(row) != 4 or row[0] not in {"demo", "test", "fleet", "vm"}] == []
    assert [row for row in rows() if row[2] == row[3] == "-"] == []


def test_uv_is_one_version_held_against_its_hashes() -> None:
    pins = (ROOT / "packages" / "uv.txt").read_text()
    assert re.match(r"uv==\d+\.\d+\.\d+ \\\n", pins)
    assert pins.count("--hash=sha256:") > 1


def test_the_build_backend_is_one_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (backend,) = project["build-system"]["requires"]
    assert re.fullmatch(r"maturin==\d+\.\d+\.\d+", backend)
    assert backend in project["dependency-groups"]["dev"]


def test_rust_is_fetched_where_it_is_older_than_the_crates_ask_for() -> None:
    least = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]
    script = (ROOT / "dev").read_text()
    assert re.search(rf"^RUST_MIN={re.escape(least)}\b", script, re.MULTILINE)


@pytest.mark.parametrize(
    ("there", "status"),
    [
        ("sh", 0),
        ("no-such-program", 1),
        ("no-such-program|sh", 0),
        ("/usr/*/env", 0),
        ("/no/such/*", 1),
        ("/no/such/*|/usr/bin/env", 0),
        ("fio:no-such-engine", 1),
    ],
)
def test_what_is_there_is_found_by_name_file_or_alternative(there: str, status: int) -> None:
    script = (ROOT / "dev").read_text()
    functions = "".join(
        re.findall(r"^(?:have\w*\(\) \{.*\}\n|is_there\(\) \(\n.*?^\)\n)", script, re.MULTILINE | re.DOTALL)
    )
    command = f'{functions}is_there "$1"'
    assert subprocess.run(["sh", "-c", command, "sh", there], check=False).returncode == status


def test_the_package_brings_its_licence_and_those_of_the_parts_of_others() -> None:
    files = distribution("ssdlab").files or []
    assert {"LICENSE", "NOTICE"} <= {path.name for path in files if path.parent.name == "licenses"}
