"""The report in Korean: no English sentence is left, no line of the list is for nothing, and nothing but words differs."""

import importlib
import pkgutil
import re
import shutil
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import pytest
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor
from tests.kit import reported_drives
from tests.kit.english_words import english, english_phrases
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.imported_results import DATA
from tests.kit.korean_words import NOT_SAID, PUT_TOGETHER, REAL_FIO, SAID_ELSEWHERE, SMALL
from tests.kit.probe_runs import NAMES as PROBED
from tests.kit.probe_runs import record
from tests.kit.sample_bundle import write_whole
from tests.kit.sample_enterprise import enterprise_bundle
from tests.kit.sentences import sentences
from typer.testing import CliRunner

import ssdlab.library.foreign
from ssdlab import _core, cli, words
from ssdlab.analysis.audit.rule import AuditRule
from ssdlab.analysis.audit.run import RULES, applicable
from ssdlab.bundle.imported import ImportedRun, open_imported
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.kinds.virtual import spec_facts
from ssdlab.drive.target import spec_choice
from ssdlab.figure.enterprise.block_size_sweep import block_size_sweep
from ssdlab.figure.kit.say import drawn_in
from ssdlab.figure.registry import figures_for
from ssdlab.library.foreign.fio_logs import FILES
from ssdlab.library.foreign.readers import FOLDER, READERS
from ssdlab.library.take_in import GivenFacts, take_in
from ssdlab.method.builtin import builtin_names
from ssdlab.probe.probes.registry import probes_named
from ssdlab.report import korean as table
from ssdlab.report.korean import KoreanPattern, korean
from ssdlab.report.language import told_in
from ssdlab.report.markdown_post import write_post
from ssdlab.report.method_words import method_words, scaling_words
from ssdlab.report.page import page
from ssdlab.report.pictures import PlacedFigures, write_pictures
from ssdlab.report.render import NoHangulError, render_svg
from ssdlab.words import Language, in_language


class _Texts(HTMLParser):
    """All that a reader sees or hears of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._opaque = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._opaque += tag in {"script", "style", "pre", "code"}
        self.found += [value for name, value in attrs if name in {"aria-label", "title", "data-keys"} and value]

    def handle_endtag(self, tag: str) -> None:
        self._opaque -= tag in {"script", "style", "pre", "code"}

    def handle_data(self, data: str) -> None:
        if not self._opaque:
            self.found.append(" ".join(data.split()))


def texts(html: str) -> list[str]:
    parser = _Texts()
    parser.feed(html)
    return parser.found


def modules(package: ModuleType) -> Iterator[ModuleType]:
    for one in pkgutil.iter_modules(package.__path__):
        yield importlib.import_module(f"{package.__name__}.{one.name}")


@pytest.fixture(scope="module")
def bundles(five: list[Bundle]) -> list[Bundle]:
    return [*five[:2], shared_run(FIVE[0], "enterprise")]


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """Of each other kind of suite one run, of probes and a sustained write; all of one drive."""
    lab = tmp_path_factory.mktemp("kinds")
    runs = [shared_run(FIVE[0], suite, "1GiB") for suite in ("client-2025.07", "cdm", "wsat", "bootbench-compat")]
    written = CliRunner().invoke(cli.app, ["sustain", f"model:{FIVE[0]}?capacity=1GiB", "--lab", str(lab / "written")])
    assert written.exit_code == 0, written.output
    probes = list(dict.fromkeys(one for name in PROBED for one in probes_named(name)))
    probed, _ = record(probes, lab, lambda _name, _progress: None)
    return [*runs, open_bundle(next((lab / "written" / "runs").iterdir())), open_bundle(probed)]


@pytest.fixture(scope="module")
def drives(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """Real drives, by what the programs that know them say."""
    runs = (
        reported_drives.run_on("nvme0n1", dict(reported_drives.NVME), reported_drives.LINK),
        reported_drives.run_on("sda", dict(reported_drives.SATA)),
    )
    return [reported_drives.bundle_of(tmp_path_factory.mktemp("drive"), run) for run in runs]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> list[ImportedRun]:
    """A result of every program there is a sample of."""
    lab = tmp_path_factory.mktemp("imported") / "lab"
    archive = shutil.make_archive(str(lab.with_name("run")), "zip", DATA / "3dmark-storage")
    result = Path(archive).rename(lab.with_name("run.3dmark-result"))
    said = ("as-ssd*", "dirty-test*.txt", "hd-tune*", "*.log")
    named = [*(path for pattern in said for path in sorted(DATA.glob(pattern))), result]
    unnamed = [path for path in sorted(DATA.iterdir()) if path.suffix not in {".md", ""} and path not in named]
    told = [(path, GivenFacts()) for path in named]
    told += [(path, GivenFacts(model=f"Lab PM{number}")) for number, path in enumerate(unnamed, start=1)]
    told += [(DATA / "bench-fio", GivenFacts(model="Lab PM1", fill_percent=75.0))]
    return [open_imported(take_in(path, lab, words)) for path, words in told]


@pytest.fixture(scope="module")
def used() -> Iterator[set[str]]:
    """The lines of the list that were of use while the pages were made."""
    seen: set[str] = set()
    fill = KoreanPattern.fill

    def noting(self: KoreanPattern, parts: tuple[str, ...]) -> str:
        seen.add(self.english)
        return fill(self, parts)

    table.korean.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(KoreanPattern, "fill", noting)
        yield seen


@pytest.fixture(scope="module")
def pages(
    used: set[str],
    bundles: list[Bundle],
    kinds: list[Bundle],
    drives: list[Bundle],
    imported: list[ImportedRun],
    tmp_path_factory: pytest.TempPathFactory,
) -> list[str]:
    whole = open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run"))
    groups = (bundles, bundles[2:], [whole], kinds, drives)
    return [*(page(group, language=Language.KOREAN) for group in groups), page([], imported, language=Language.KOREAN)]


def test_no_english_word_is_left_on_a_korean_page(pages: list[str]) -> None:
    left = {text for one in pages for text in texts(one) if english(text)}

    assert left == set()


def test_no_two_words_of_english_stand_side_by_side_on_a_korean_page(pages: list[str]) -> None:
    left = {text for one in pages for text in texts(one) if english_phrases(text)}

    assert left == set()


def said_of(suite: str) -> list[str]:
    """How a built-in suite is told."""
    run = enterprise_bundle(suite=suite, profile="quick")
    scaling = scaling_words(run)
    told = [*(step.text for step in method_words(run)), *([] if scaling is None else [scaling])]
    return [told_in(message, Language.KOREAN) for message in told]


SPECS = [str(spec_facts(spec_choice(name))["description"]) for name in _core.spec_names()]
FOREIGN = {text for module in modules(ssdlab.library.foreign) for text in sentences(module)}


@pytest.mark.parametrize("suite", builtin_names())
def test_the_method_of_every_suite_is_told_in_korean(suite: str, used: set[str]) -> None:
    assert len(said_of(suite)) > 2
    assert [text for text in said_of(suite) if english(text)] == []


def test_every_built_in_drive_is_described_in_korean(used: set[str]) -> None:
    assert [words for words in SPECS if english(korean(words))] == []


def test_figures_over_block_sizes_are_korean() -> None:
    with drawn_in(Language.KOREAN):
        figures = list(block_size_sweep([enterprise_bundle(suite="enterprise-sweep")]))
    for said in figures:
        words = [
            said.title,
            *said.subtitle,
            said.caption,
            *re.findall(r"<text[^>]*>([^<]*)</text>", render_svg(said.spec)),
        ]
        assert [one for one in words if english(one)] == []


def test_whatever_readers_of_foreign_results_may_say_is_known_in_korean(used: set[str]) -> None:
    programs = {*(reader.program for reader in READERS), FILES, FOLDER}

    assert {text for text in FOREIGN - NOT_SAID - programs if english(korean(text))} == set()
    assert set() == NOT_SAID - FOREIGN, "these are in no source any more"


@pytest.mark.parametrize("text", [*PUT_TOGETHER, *REAL_FIO, *SMALL])
def test_sentences_that_only_other_results_have_are_known_in_korean(text: str, used: set[str]) -> None:
    assert not english(korean(text))


class _Said(Visitor):
    """The text of a message, with a name in the place of each value."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def visit_TextElement(self, node: fluent.TextElement) -> None:  # noqa: N802 - the library's name
        self.parts.append(node.value)

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802 - the library's name
        self.parts.append(f"{node.id.name}_")


@pytest.mark.parametrize("domain", ["audit", "damage", "figure"])
def test_no_message_of_the_catalogue_has_an_english_word(domain: str) -> None:
    text = files("ssdlab.words").joinpath("ko", f"{domain}.ftl").read_text(encoding="utf-8")
    messages = [entry for entry in FluentParser().parse(text).body if isinstance(entry, fluent.Message)]
    assert len(messages) > 10
    for entry in messages:
        said = _Said()
        said.visit(entry)
        assert english("".join(said.parts)) == [], entry.id.name


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_every_check_is_explained_in_korean(rule: AuditRule) -> None:
    for told in (*rule.meaning.values(), rule.remedy):
        assert not english(in_language(told, words.Language.KOREAN)), told


def lines_of(name: str) -> set[str]:
    """The English of a table."""
    text = files("ssdlab.report").joinpath(name).read_text(encoding="utf-8")
    return {english for section in tomllib.loads(text).values() for english in section}


def test_no_line_of_the_list_is_for_nothing(pages: list[str], used: set[str]) -> None:
    for text in SAID_ELSEWHERE:
        assert not english(korean(text)), text

    for text in (
        *PUT_TOGETHER,
        *SMALL,
        *(text for suite in builtin_names() for text in said_of(suite)),
        *FOREIGN,
        *SPECS,
    ):
        korean(text)
    own = {one for name in ("korean.toml", "korean_imports.toml") for one in lines_of(name)}
    assert own - used == set()


def test_what_an_older_bundle_holds_as_sentences_is_told_in_korean() -> None:
    bundle = open_bundle(Path(__file__).parents[1] / "data" / "bundles" / "schema-3")
    told = {str(text) for one in applicable(bundle.audit) for text in (one.finding, one.meaning, one.remedy) if text}
    told |= {str(metric.note) for metric in bundle.metrics if metric.note is not None}
    assert len(told) > 20
    assert {text for text in told if english(korean(text))} == set()


def test_a_korean_page_says_that_it_is_korean(pages: list[str]) -> None:
    assert all('<html lang="ko"' in one for one in pages)


def test_numbers_and_names_are_those_of_the_english_page(pages: list[str], bundles: list[Bundle]) -> None:
    exact = re.compile(r'<data value="([^"]+)"|<code>([^<]+)</code>')

    assert exact.findall(pages[1]) == exact.findall(page(bundles[2:]))


def test_a_figure_is_drawn_with_korean_words(bundles: list[Bundle]) -> None:
    figure = figures_for(bundles[0], Language.KOREAN)[0]

    assert figure.title == "쓴 양에 따른 대역폭"
    svg = render_svg(figure.narrow_spec)
    assert "회차에서 쓴 양 (GiB)" in svg
    assert english(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))) == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("unknown: not steady", "알 수 없음: Steady State 아님"),
        ("Acme SSD 990", "Acme SSD 990"),
    ],
)
def test_sentences_are_put_together_from_what_the_list_knows(said: str, meant: str) -> None:
    assert korean(said) == meant


def test_a_post_is_korean_too(bundles: list[Bundle], tmp_path: Path) -> None:
    write_post(bundles[:1], tmp_path / "post.md", [], {}, Language.KOREAN)

    text = (tmp_path / "post.md").read_text(encoding="utf-8")
    assert "## 감사" in text
    assert [line for line in text.splitlines() if english(line)] == []


def test_pictures_are_refused_where_letters_would_be_boxes(
    bundles: list[Bundle], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ssdlab.report.render.render_png", lambda _: b"the same box for every letter")

    with pytest.raises(NoHangulError, match="no font of this machine has Korean letters"):
        write_pictures([PlacedFigures(tmp_path, figures_for(bundles[0])[:1])], Language.KOREAN)


def test_a_report_without_pictures_needs_no_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ssdlab.report.render.render_png", lambda _: b"the same box for every letter")

    assert write_pictures((), Language.KOREAN) == []
