"""The documentation says what the code does: pages are fresh, examples run, links lead somewhere, nothing is left out."""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.kit.page_examples import examples_of

from ssdlab import _core
from ssdlab.analysis.audit.rule import AuditRule
from ssdlab.analysis.audit.run import RULES
from ssdlab.cli import app
from ssdlab.method import mix, tables
from ssdlab.method.builtin import builtin_names

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "docs" / "reference"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TUTORIAL = ROOT / "docs" / "tutorials" / "newcomer.md"
"""Its examples install the wheel and need fio: `tests/fio/test_newcomer.py` runs them."""
_NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def printed_by(command: str, directory: Path) -> str:
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "100"}
    ended = subprocess.run(
        ["sh", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    return ended.stdout


def commands_of(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for name, child in getattr(command, "commands", {}).items():
        yield from commands_of(child, (*words, name))


COMMANDS = list(commands_of(typer.main.get_command(app), ("ssdlab",)))


def in_table(page: str) -> set[str]:
    """What stands as code in the first column of the page's tables."""
    return set(re.findall(r"^\| `([^`]+)` \|", (REFERENCE / page).read_text(), re.MULTILINE))


def anchors_of(page: Path) -> set[str]:
    """Anchors of a page's headings, as GitHub makes them."""
    titles = _HEADING.findall(page.read_text())
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.fixture(scope="module")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from ssdlab.bundle.read import open_bundle

    lab = tmp_path_factory.mktemp("lab")
    path = subprocess.run(
        [Path(sys.executable).with_name("ssdlab"), "run", "fill", "model:demo", "--lab", lab],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return open_bundle(Path(path.strip()))


@pytest.mark.parametrize(
    "meaning",
    [
        "The user capacity is what the operating system can address.",
        "FOB, fresh out of the box, is a drive that has just been purged.",
        "QD is the number of I/Os in flight.",
        "`clat` is fio's completion latency",
        "A rest is a time without any host I/O.",
    ],
)
def test_the_methods_begin_with_what_their_short_terms_mean(meaning: str) -> None:
    beginning = (ROOT / "docs" / "concepts" / "methods.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert meaning in " ".join(beginning.split())


@pytest.mark.timeout(900)  # a busy machine takes ten times as long
def test_generated_pages_are_what_the_code_says() -> None:
    ended = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


@pytest.mark.timeout(900)  # likewise
@pytest.mark.parametrize("page", [page for page in PAGES if page != TUTORIAL], ids=lambda page: page.name)
def test_console_examples_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    for example in examples_of(page):
        printed = printed_by(example.command, tmp_path)
        assert re.fullmatch(example.pattern(), printed, re.DOTALL), f"$ {example.command}\n{printed}"


def test_there_are_examples_to_run() -> None:
    assert sum(1 for page in PAGES for _ in examples_of(page)) >= 20


@pytest.mark.parametrize("page", PAGES, ids=_NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(_CODE.sub("", page.read_text())):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link} in {page.name}"
        assert not anchor or anchor in anchors_of(target), f"{link} in {page.name}"


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        links = {(page.parent / link.partition("#")[0]).resolve() for link in _LINK.findall(page.read_text())}
        waiting += [link for link in links if link.suffix == ".md" and link.exists() and link not in reached]
    assert set(PAGES) - reached == set()


@pytest.mark.parametrize("page", PAGES, ids=_NAMES)
def test_a_page_has_one_title(page: Path) -> None:
    text = _CODE.sub("", page.read_text())
    assert len(re.findall(r"^# ", text, re.MULTILINE)) == 1


@pytest.mark.parametrize(("words", "command"), COMMANDS, ids=[" ".join(words) for words, _ in COMMANDS])
def test_every_command_and_option_is_documented(words: tuple[str, ...], command: Any) -> None:
    sections = (REFERENCE / "cli.md").read_text().split("\n## ")
    (section,) = (one for one in sections if one.startswith(f"{' '.join(words)}\n"))
    for option in (name for parameter in command.params for name in parameter.opts if name.startswith("-")):
        assert re.search(rf"{option}\b", section), option


@pytest.mark.parametrize(("words", "command"), COMMANDS[1:], ids=[" ".join(words) for words, _ in COMMANDS[1:]])
def test_the_first_line_of_help_is_not_cut_off_in_lists(words: tuple[str, ...], command: Any) -> None:
    assert not command.get_short_help_str().endswith("...")


def test_every_metric_of_a_run_is_documented(demo_run: Any) -> None:
    documented = in_table("metrics.md")
    emitted = {re.sub(r"\.pass\d+\.", ".pass<N>.", metric.name) for metric in demo_run.metrics}
    assert emitted
    assert emitted - documented == set()


def test_units_of_metrics_are_documented(demo_run: Any) -> None:
    text = (REFERENCE / "metrics.md").read_text()
    for metric in demo_run.metrics:
        name = re.sub(r"\.pass\d+\.", ".pass<N>.", metric.name)
        assert f"| `{name}` | {metric.unit} |" in text


def test_every_audit_check_of_a_run_is_documented(demo_run: Any) -> None:
    documented = re.findall(r"^\| \[([\w.]+)\]\(checks/\1\.md\)", (REFERENCE / "audit.md").read_text(), re.MULTILINE)
    assert {check.name for check in demo_run.audit} - set(documented) == set()


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_every_check_of_the_audit_has_a_line_and_a_page(rule: AuditRule) -> None:
    line = rf"^\| \[{re.escape(rule.name)}\]\(checks/{re.escape(rule.name)}\.md\) +\| [\w`]"
    assert re.search(line, (REFERENCE / "audit.md").read_text(), re.MULTILINE)
    assert (REFERENCE / "checks" / f"{rule.name}.md").read_text().split("\n")[2] == f"# {rule.name}"


def tables_of_a_suite(table: type[tables.SuiteTable] = tables.SuiteTable) -> Iterator[type[tables.SuiteTable]]:
    for one in table.__subclasses__():
        yield one
        yield from tables_of_a_suite(one)


def keys_of(tables_of_a_file: Iterable[type[tables.SuiteTable]]) -> list[str]:
    return sorted(
        {
            field.alias or name
            for table in tables_of_a_file
            for name, field in table.model_fields.items()
            if field.exclude is not True
        }
    )


def is_of_a_mix(table: type[tables.SuiteTable]) -> bool:
    return table.__module__ == mix.__name__


@pytest.mark.parametrize("key", keys_of(one for one in tables_of_a_suite() if not is_of_a_mix(one)))
def test_every_key_of_a_suite_is_documented(key: str) -> None:
    heading = re.search(rf"^## `\[+{key}\b", (REFERENCE / "suite.md").read_text(), re.MULTILINE)
    assert heading or key in in_table("suite.md")


@pytest.mark.parametrize("key", keys_of(filter(is_of_a_mix, tables_of_a_suite())))
def test_every_key_of_a_mix_is_in_the_example_of_its_file_or_beside_it(key: str) -> None:
    assert re.search(rf"\b{key} = |^\[\[{key}\]\]", (ROOT / "docs" / "concepts" / "mixes.md").read_text(), re.MULTILINE)


def test_every_built_in_suite_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [name for name in builtin_names() if f"`{name}`" not in readme] == []


def test_every_file_of_a_bundle_is_documented(demo_run: Any) -> None:
    documented = {name.rpartition("/")[2] for name in in_table("bundle.md")}
    assert {file.name for file in demo_run.path.rglob("*") if file.is_file()} - documented == set()


@pytest.mark.parametrize("name", _core.spec_names())
def test_every_key_of_a_built_in_spec_is_documented(name: str) -> None:
    page = (REFERENCE / "spec.md").read_text()
    sections = {part.partition("\n")[0].strip("`[]"): part for part in page.split("\n## ")}
    for key, value in tomllib.loads(_core.spec_text(name)).items():
        section, keys = (key, value) if isinstance(value, dict) else ("Top level", [key])
        for one in keys:
            assert f"| `{one}` |" in sections[section], f"{section}.{one}"


def test_every_built_in_spec_is_documented() -> None:
    assert set(_core.spec_names()) == in_table("builtin-specs.md")


def test_the_readme_shows_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in ("demo", "test"):
        assert re.search(rf"^\./dev {command}\b", readme, re.MULTILINE)


def test_commands_of_dev_in_the_documentation_exist() -> None:
    known = set(re.findall(r"^    ([\w-]+)\) ", (ROOT / "dev").read_text(), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"\./dev ([a-z-]+)\b", page.read_text()))
        assert named - known == set(), page.name


@pytest.mark.parametrize("image", sorted((ROOT / "docs" / "images").glob("*.png")), ids=lambda image: image.name)
def test_pictures_of_the_documentation_are_small_and_shown(image: Path) -> None:
    assert image.stat().st_size < 300_000
    assert any(f"images/{image.name})" in page.read_text() for page in PAGES)


def test_the_figure_of_the_readme_is_small() -> None:
    figures = [ROOT / link for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", (ROOT / "README.md").read_text())]
    assert figures
    assert all(figure.stat().st_size < 200_000 for figure in figures)


def test_what_is_said_of_the_parts_of_others_is_what_is_built_in() -> None:
    checked = subprocess.run(
        [sys.executable, ROOT / "docs" / "notice.py", "--check"], check=False, capture_output=True, text=True
    )
    assert (checked.stderr, checked.returncode) == ("", 0)
