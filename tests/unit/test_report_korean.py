"""The report in Korean: no English sentence is left, no line of the list is for nothing, and nothing but words differs."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.unit.five_drives import FIVE, quick_run
from tests.unit.korean_words import KEPT, SAID_ELSEWHERE
from tests.unit.sample_bundle import write_whole

from ssdlab.analysis.audit import RULES
from ssdlab.analysis.verdict import Rule
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.registry import figures_for
from ssdlab.report import korean as table
from ssdlab.report.forum import write_post
from ssdlab.report.korean import Pattern, in_korean, korean, patterns
from ssdlab.report.language import Language
from ssdlab.report.page import page
from ssdlab.report.pictures import write_figures
from ssdlab.report.render import NoHangulError, render_svg

_NAME = re.compile(r"\S*[_./=]\S*|[a-z0-9]+-[a-z0-9-]+|[a-z]+\d\S*|`[^`]*`")
"""Names of drives, metrics, steps, files and options are no words."""


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


def english(text: str) -> list[str]:
    return [word for word in re.findall(r"[A-Za-z]{2,}", _NAME.sub(" ", text)) if word not in KEPT]


@pytest.fixture(scope="module")
def bundles(five: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    return [*five[:2], quick_run(tmp_path_factory.mktemp("lab"), FIVE[0], "enterprise")]


@pytest.fixture(scope="module")
def used() -> Iterator[set[str]]:
    """The lines of the list that were of use while the pages were made."""
    seen: set[str] = set()
    fill = Pattern.fill

    def noting(self: Pattern, parts: tuple[str, ...]) -> str:
        seen.add(self.english)
        return fill(self, parts)

    table.korean.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pattern, "fill", noting)
        yield seen


@pytest.fixture(scope="module")
def pages(used: set[str], bundles: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    whole = open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run"))
    groups = (bundles, bundles[2:], [whole])
    return [page(group, language=Language.KOREAN) for group in groups]


def test_no_english_word_is_left_on_a_korean_page(pages: list[str]) -> None:
    left = {text for one in pages for text in texts(one) if english(text)}

    assert left == set()


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_every_check_is_explained_in_korean(rule: Rule, used: set[str]) -> None:
    for text in (*rule.meaning.values(), rule.mend):
        assert not english(korean(text)), text


def test_no_line_of_the_list_is_for_nothing(pages: list[str], used: set[str]) -> None:
    for text in (*SAID_ELSEWHERE, *(text for rule in RULES for text in (*rule.meaning.values(), rule.mend))):
        assert not english(korean(text)), text

    assert {one.english for one in patterns()} - used == set()


def test_a_korean_page_says_that_it_is_korean(pages: list[str]) -> None:
    assert all('<html lang="ko"' in one for one in pages)


def test_numbers_and_names_are_those_of_the_english_page(pages: list[str], bundles: list[Bundle]) -> None:
    exact = re.compile(r'<data value="([^"]+)"|<code>([^<]+)</code>')

    assert exact.findall(pages[1]) == exact.findall(page(bundles[2:]))


def test_a_figure_is_drawn_with_korean_words(bundles: list[Bundle]) -> None:
    figure = in_korean(figures_for(bundles[0])[0])

    assert figure.title == "쓴 양에 따른 대역폭"
    svg = render_svg(figure.narrow_spec)
    assert "회차에서 쓴 양 (GiB)" in svg
    assert english(" ".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg))) == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Random 4 KiB read: speed against latency", "랜덤 4 KiB 읽기: 속도와 지연시간"),
        (
            "5 drives · virtual drives · drive state: FOB, then filled once",
            "드라이브 5개 · 가상 드라이브 · 드라이브 상태: FOB, 이후 한 번 채움",
        ),
        ("audit: 3 failed, 1 warning, 1,220 passed", "감사: 실패 3, 경고 1, 통과 1,220"),
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
        write_figures(figures_for(bundles[0])[:1], tmp_path, Language.KOREAN)
