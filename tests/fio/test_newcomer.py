"""A newcomer's first quarter of an hour: the wheel in a bare environment, and the tutorial typed as it is printed."""

import re
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kit.newcomer import ROOT, VENV, bare_environment, built_wheel, lay_dependencies
from tests.kit.page_examples import Example, examples_of, without_numbers
from tests.kit.processes import OVER
from tests.kit.terminal_shell import TerminalShell, Typed, terminal_shell

from ssdlab.errors import ExitStatus

pytestmark = [pytest.mark.fio, pytest.mark.timeout(900)]  # a busy machine takes five times as long

TUTORIAL = ROOT / "docs" / "tutorials" / "newcomer.md"
CAUTION = ": # failed checks in "
"""In the line with which `ssdlab compare` begins where a run failed its audit; numbers that failed are not compared."""
_NEXT = re.compile(r"^next: `(.+)`$", re.MULTILINE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@dataclass(frozen=True, slots=True)
class Followed:
    """The tutorial as it went: each example with what came of it, and every command that was advised, with the same."""

    place: Path
    environment: Mapping[str, str]
    examples: list[tuple[Example, Typed]]
    advised: dict[str, Typed]

    @property
    def audit_failed(self) -> bool:
        """Of a run that was made on the way."""
        return any(typed.status == ExitStatus.AUDIT_FAILED for _, typed in self.examples)


@pytest.fixture(scope="module")
def followed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Followed:
    """The whole page, typed into one shell, and each advice as soon as it is given unless the page takes it."""
    home = tmp_path_factory.mktemp("newcomer")
    environment, place = bare_environment(home), home / "empty"
    place.mkdir()
    lay_dependencies(place, environment)
    (place / wheel.name).hardlink_to(wheel)
    with terminal_shell(place, environment) as shell:
        return Followed(place, environment, *followed_in(shell))


def followed_in(shell: TerminalShell) -> tuple[list[tuple[Example, Typed]], dict[str, Typed]]:
    typed: dict[str, Typed] = {}
    examples, advised = list(examples_of(TUTORIAL)), []
    for number, example in enumerate(examples):
        command = example.command.strip()
        typed[command] = shell.type(command)
        waiting = [one.command.strip() for one in examples[number + 1 :]]
        for advice in _NEXT.findall(typed[command].printed):
            advised.append(advice)
            if advice not in typed and advice not in waiting:
                typed[advice] = shell.type(advice)
    return [(one, typed[one.command.strip()]) for one in examples], {one: typed[one] for one in advised}


def shows(followed: Followed, example: Example, typed: Typed) -> bool:
    """Where the audit failed, and must because the host stood still, that is said: at the end, or of numbers that are compared first."""
    rest = example.tells(typed.printed)
    if rest is not None:
        return rest.strip() == "" or typed.status == ExitStatus.AUDIT_FAILED
    return followed.audit_failed and CAUTION in without_numbers(typed.printed)


def test_every_command_of_the_tutorial_ends_well(followed: Followed) -> None:
    assert [(one.command, typed) for one, typed in followed.examples if typed.status not in OVER] == []


def test_the_tutorial_shows_what_its_commands_print(followed: Followed) -> None:
    told_otherwise = [
        f"$ {one.command}{typed.printed}" for one, typed in followed.examples if not shows(followed, one, typed)
    ]
    assert "\n".join(told_otherwise) == ""


def test_every_command_that_is_advised_works_as_printed(followed: Followed) -> None:
    assert {command.split()[1] for command in followed.advised} == {"run", "report", "library"}
    assert [(command, typed) for command, typed in followed.advised.items() if typed.status not in OVER] == []


def test_what_the_newcomer_leaves_are_two_runs_their_pages_and_a_public_file(followed: Followed) -> None:
    assert len(list((followed.place / "lab" / "runs").iterdir())) == 2
    assert len(list((followed.place / "theirs" / "runs").iterdir())) == 1
    assert len(list(followed.place.glob("*/runs/*/report.html"))) == 3
    assert (followed.place / "mine.ssdlab").is_file()
    assert not (followed.place / "mine").exists()


def test_the_installed_package_is_not_the_checkout(followed: Followed) -> None:
    python = followed.place / VENV / "bin" / "python"
    asked: list[str | Path] = [python, "-c", "import ssdlab; print(ssdlab.__file__)"]
    found = subprocess.run(asked, env=followed.environment, check=True, capture_output=True, text=True).stdout
    assert Path(found.strip()).is_relative_to(followed.place)


def test_the_manual_is_installed_where_man_looks_for_it(followed: Followed) -> None:
    pages = followed.place / VENV / "share" / "man" / "man1"
    assert {path.name for path in pages.iterdir()} >= {"ssdlab.1", "ssdlab-run.1", "ssdlab-vdrive-serve.1"}


@pytest.fixture
def installed_server(followed: Followed) -> Iterator["subprocess.Popen[str]"]:
    program = followed.place / VENV / "bin" / "ssdlab-vdrive"
    command: list[str | Path] = [program, "--socket", "nbd", "--lifeline", "demo?capacity=64MiB"]
    with subprocess.Popen(
        command,
        cwd=followed.place,
        env=followed.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        yield server
        server.kill()


def test_the_wheel_brings_the_server_of_virtual_drives(
    wheel: Path, installed_server: "subprocess.Popen[str]", followed: Followed
) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (entries,) = (name for name in packed.namelist() if name.endswith(".dist-info/entry_points.txt"))
        assert re.search(r"^ssdlab-vdrive *=", packed.read(entries).decode(), re.MULTILINE)
    assert installed_server.stdout is not None
    assert installed_server.stdout.readline().startswith("ready nbd+unix:///?socket=")
    assert installed_server.stdin is not None
    installed_server.stdin.close()
    assert installed_server.wait(240) == 0
