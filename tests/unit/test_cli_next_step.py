"""What a command says is to be typed next: on a terminal only, and as it can be typed."""

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from tests.kit.library_runs import Made, write_run
from typer._click import Context
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.cli import next_step
from ssdlab.cli.next_step import tell_next

IMPORTED = Path(__file__).parents[1] / "data" / "bundles" / "import-1"
AS_SSD = Path(__file__).parents[1] / "data" / "bundles" / "import-1" / "original" / "as-ssd.txt"


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that is said to be typed next, as if on a terminal."""
    said: list[str] = []
    monkeypatch.setattr(next_step, "tell", lambda line: said.append(str(line)))
    monkeypatch.setattr(next_step, "is_watched", lambda: True)
    return said


def parsed(command: str) -> Context:
    """Its words, read by the command line as typed."""
    _, *words = shlex.split(command)
    root = typer.main.get_command(cli.app)
    context = root.make_context("ssdlab", list(words), resilient_parsing=False)
    name, found, rest = root.resolve_command(context, words)  # type: ignore[attr-defined]
    made: Context = found.make_context(name, rest, parent=context)
    return made


def typed(said: str) -> str:
    assert said.startswith("next: `")
    return said.removeprefix("next: `").removesuffix("`")


def test_nothing_is_said_to_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    tell_next("report", "run")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("place", ["plain", "with space"])
def test_a_run_and_its_report(
    watched: list[str], tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments: list[Any] = ["ssdlab", "run", "fill", "model:demo", "--profile", "quick", "--lab", tmp_path / place]
    monkeypatch.setattr(sys, "argv", list(map(str, arguments)))
    with pytest.raises(SystemExit):
        cli.main()
    bundle = capsys.readouterr().out.strip()
    assert [parsed(typed(said)).params["runs"] for said in watched] == [[Path(bundle)]]


def test_a_plan_and_its_run(watched: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "argv", ["ssdlab", "plan", "fill", "model:demo?capacity=4GiB&seed=2", "--profile", "quick"]
    )
    with pytest.raises(SystemExit):
        cli.main()
    found = [parsed(typed(said)).params for said in watched]
    assert [(one["suite"], one["target"], one["profile"]) for one in found] == [
        ("fill", "model:demo?capacity=4GiB&seed=2", "quick")
    ]


@pytest.mark.parametrize(("allowed", "said"), [("1TB", [("1TB", 0)]), ("1kB", [])])
def test_a_limit_and_a_seed_are_kept_and_what_would_not_fit_is_not_advised(
    watched: list[str], monkeypatch: pytest.MonkeyPatch, allowed: str, said: list[tuple[str, int]]
) -> None:
    target = "model:demo?capacity=4GiB"
    monkeypatch.setattr(sys, "argv", ["ssdlab", "plan", "fill", target, "--max-write", allowed, "--seed", "0"])
    with pytest.raises(SystemExit):
        cli.main()
    found = [parsed(typed(line)).params for line in watched]
    assert [(one["max_write"], one["seed"]) for one in found] == said


def done(*words: str | Path) -> str:
    """What a command that ends well says to stdout."""
    result = CliRunner().invoke(cli.app, list(map(str, words)))
    assert result.exit_code == 0, (words, result.output)
    return result.stdout


def test_each_command_that_is_advised_works_as_printed(
    watched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done("plan", "fill", "model:demo", "--profile", "quick")
    first = done("run", "fill", "model:demo", "--profile", "quick").strip()
    other = done("run", "fill", "model:demo?seed=2", "--profile", "quick").strip()
    done("show", first)
    done("compare", first, other)
    done("show", IMPORTED)
    done("library", "add", IMPORTED, "--lab", "other lab")
    done("import", AS_SSD, "--lab", "third")
    advised = list(dict.fromkeys(map(typed, watched)))
    assert [command.split()[1] for command in advised] == ["run", *["report"] * 6]
    for command in advised:
        _, *words = shlex.split(command)
        # The page of a result in the repository is not written beside it.
        done(*words, *(("-o", "page.html") if str(IMPORTED) in words else ()))


def test_from_a_page_over_a_public_file_to_the_page_of_somebody_else(
    watched: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["report", done("run", "fill", "model:demo", "--profile", "quick").strip()]
    taken = []
    while command:
        watched.clear()
        done(*command, *(("--yes",) if command[0] == "publish" else ()))
        taken.append(command[0])
        command = shlex.split(typed(watched[-1]))[1:] if watched else []
    # Whose run it was has published it; the other has it from there.
    assert taken == ["report", "publish", "library", "report"]


def test_a_page_of_several_runs_is_followed_by_nothing(watched: list[str], tmp_path: Path) -> None:
    runs = [write_run(tmp_path, name, Made(model=name)) for name in ("one", "two")]
    done("report", *runs, "-o", tmp_path / "page.html")
    assert watched == []


@pytest.mark.parametrize("command", ["show", "compare"])
def test_json_is_followed_by_nothing(watched: list[str], tmp_path: Path, command: str) -> None:
    runs = [write_run(tmp_path, name, Made(model=name)) for name in ("one", "two")]
    done(command, *(runs if command == "compare" else runs[:1]), "--json")
    assert watched == []
