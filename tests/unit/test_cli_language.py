"""The language the command line speaks: asked for, or of the locale."""

import re
from collections.abc import Iterator, Mapping

import pytest
import typer
from typer._click import Command, Context
from typer.core import TyperArgument, TyperOption
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.cli.language import language_of
from ssdlab.cli.terminal import columns_of
from ssdlab.message import message, message_of
from ssdlab.words import Language, ids, in_language


@pytest.mark.parametrize(
    ("arguments", "environment", "language"),
    [
        ([], {}, Language.ENGLISH),
        ([], {"LANG": "ko_KR.UTF-8"}, Language.KOREAN),
        ([], {"LC_ALL": "", "LC_MESSAGES": "ko", "LANG": "de_DE"}, Language.KOREAN),
        ([], {"LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"}, Language.ENGLISH),
        ([], {"LANG": "kok_IN"}, Language.ENGLISH),
        (["--lang", "ko", "show", "x"], {}, Language.KOREAN),
        (["show", "x", "--lang=ko"], {}, Language.KOREAN),
        (["--lang", "en", "show"], {"LANG": "ko_KR.UTF-8"}, Language.ENGLISH),
        (["--lang", "fr", "show"], {"LANG": "ko_KR.UTF-8"}, Language.KOREAN),
        (["show", "--", "--lang", "ko"], {}, Language.ENGLISH),
        (["show", "--lang"], {}, Language.ENGLISH),
    ],
)
def test_an_option_counts_before_the_locale(
    arguments: list[str], environment: Mapping[str, str], language: Language
) -> None:
    assert language_of(arguments, environment) is language


@pytest.mark.parametrize("arguments", [("--lang", "ko", "suite", "fill"), ("suite", "fill", "--lang", "ko")])
def test_it_may_stand_before_the_command_or_after_it(arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(cli.app, arguments).exit_code == 0


def test_a_language_that_ssdlab_does_not_speak_is_an_error_of_the_command_line() -> None:
    result = CliRunner().invoke(cli.app, ["suites", "--lang", "fr"], standalone_mode=False)
    assert "'fr' is not one of 'en', 'ko'" in str(result.exception)


def helped(command: Command, name: str, parent: Context | None = None) -> Iterator[tuple[str, str]]:
    """The help of a command and of all commands below it."""
    context = command.context_class(command, info_name=name, parent=parent)
    yield context.command_path, command.get_help(context)
    for below, one in getattr(command, "commands", {}).items():
        yield from helped(one, below, context)


def helps(command: Command) -> Iterator[str | None]:
    """What commands and parameters hold as help."""
    yield command.help
    yield from (one.help for one in command.params if isinstance(one, TyperArgument | TyperOption))
    for below in getattr(command, "commands", {}).values():
        yield from helps(below)


ROOT = typer.main.get_command(cli.app)
HELPS = sorted({str(id_) for id_ in helps(ROOT)})


@pytest.mark.parametrize("id_", HELPS)
def test_every_help_is_a_message_that_is_korean(id_: str) -> None:
    assert id_ in ids(Language.ENGLISH)
    text = re.sub(r"`[^`]*`|\S*[/.:=]\S*", "x", in_language(message_of(id_, {}), Language.KOREAN))
    assert re.search("[가-힣]", text)
    assert re.findall(r"[A-Za-z]{2,} [A-Za-z]{2,}", text.replace("fio JSON", "JSON")) == []


@pytest.mark.usefixtures("korean")
def test_the_korean_help_fits_a_terminal() -> None:
    for _, text in helped(ROOT, "ssdlab"):
        assert [line for line in text.splitlines() if columns_of(line) > 80] == []
        assert "..." not in text.partition(f"{in_language(message('help-commands'), Language.KOREAN)}:")[2]


def test_a_misuse_is_told_in_korean(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["ssdlab", "--lang", "ko", "plan"])
    with pytest.raises(SystemExit):
        cli.main()
    assert "인수 'SUITE'이 없음" in capsys.readouterr().err
