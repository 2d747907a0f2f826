"""Words that a shell completes: each shell is asked itself, by the script that is printed for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

from ssdlab.cli import app
from ssdlab.cli.completion import Shell, candidates

PROGRAMS = Path(sys.executable).parent
ASKING = {
    Shell.BASH: [
        "bash",
        "--norc",
        "-c",
        """source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _ssdlab ssdlab; printf '%s\\n' "${COMPREPLY[@]}" """,
    ],
    # Its own completion answers nobody but a keyboard, so what it would be given is printed.
    Shell.ZSH: [
        "zsh",
        "-f",
        "-c",
        "compdef() {}; compadd() { print -l -- $values }; _files() {}; source $1; words=(${(z)2}); CURRENT=${#words}; _ssdlab",
    ],
    Shell.FISH: [
        "fish",
        "--no-config",
        "-c",
        "source $argv[2]; complete -C $argv[3] | string replace -r '\\t.*' ''; true",
    ],
}


def given(line: str) -> list[str]:
    """The candidates of a line, without what they do."""
    return [value for value, _ in candidates(typer.main.get_command(app), line)]


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with a lab of two runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / "lab" / "runs" / name).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ssdlab run clie", ["client", "client-2025.07"]),
        ("ssdlab plan bootbench-", ["bootbench-compat"]),
        ("ssdlab run fill vir", ["virtual:"]),
        ("ssdlab run fill virtual:de", ["virtual:demo"]),
        ("ssdlab run fill model:de", ["model:demo"]),
        ("ssdlab vdrive show de", ["demo"]),
        ("ssdlab run fill model:demo --profile q", ["quick"]),
        ("ssdlab show lab/", ["lab/runs/one", "lab/runs/two"]),
        ("ssdlab compare lab/runs/one lab/runs/t", ["lab/runs/two"]),
        ("ssdlab show elsewhere/", []),
        ("ssdlab vdrive s", ["show", "serve"]),
        ("ssdlab completion z", ["zsh"]),
    ],
)
def test_suites_targets_specifications_and_runs_are_completed(lab: Path, line: str, found: list[str]) -> None:
    assert given(line) == found


@pytest.mark.parametrize(
    "name", ["x$(touch y)", "a;b", "a b", "a\nb", "a\tb", "\x1b[1m", "`a`", "'", '"', "*", "\udcff", ".adding-1"]
)
def test_a_run_whose_name_a_shell_would_read_otherwise_is_not_offered(lab: Path, name: str) -> None:
    (lab / "lab" / "runs" / name).mkdir()
    assert given("ssdlab show lab/") == ["lab/runs/one", "lab/runs/two"]


def test_after_a_blank_the_next_word_begins(lab: Path) -> None:
    assert {"/dev/", "virtual:", "model:", "file:", "nbd+unix:"} == set(given("ssdlab run fill "))


def test_commands_and_options_come_with_what_they_do() -> None:
    found = dict(candidates(typer.main.get_command(app), "ssdlab r"))
    assert found["run"]
    options = dict(candidates(typer.main.get_command(app), "ssdlab run --"))
    assert options.keys() >= {"--profile", "--lab", "--help"}
    assert not [text for text in options.values() if text.startswith("help-") or not text]


@pytest.mark.parametrize("shell", Shell)
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ssdlab run clie", ["client", "client-2025.07"]),
        ("ssdlab show lab/runs/t", ["lab/runs/two"]),
        ("ssdlab run fill virtual:de", ["virtual:demo"]),
    ],
)
def test_each_shell_finds_them_by_its_script(lab: Path, shell: Shell, line: str, found: list[str]) -> None:
    script = lab / "script"
    script.write_text(CliRunner().invoke(app, ["completion", shell]).stdout)
    # `sh -c` and `zsh -c` take the first as their own name, fish counts it.
    asked = subprocess.run(
        [*ASKING[shell], "shell", script, line],
        cwd=lab,
        env=os.environ | {"PATH": f"{PROGRAMS}:{os.environ['PATH']}", "HOME": str(lab)},
        check=True,
        capture_output=True,
        text=True,
    )
    # Bash parts words at a colon.
    after_colon = [one.rpartition(":")[2] for one in found] if shell is Shell.BASH else found
    assert sorted(asked.stdout.split()) == after_colon
