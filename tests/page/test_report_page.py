"""The page holds everything of a run, and nothing from elsewhere."""

import itertools
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.kit.hints import hints_of
from tests.kit.sample_bundle import CHECKS, FLAT, run_info, write_interrupted, write_killed, write_whole

from ssdlab.bundle.model import Outcome
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.figure.kit.model import layers_of
from ssdlab.figure.registry import figures_comparing, figures_for
from ssdlab.message import verbatim
from ssdlab.report import vendored
from ssdlab.report.page import write_report
from ssdlab.report.pictures import placed_figures, write_pictures
from ssdlab.report.vendored import VendorMissingError, chart_library

EVIL = "<script>alert(1)</script>\"&'"


class Document(HTMLParser):
    """Visible text, tags and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self.unclosed: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag in {"script", "style"}:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if not self._open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return open_bundle(write_whole(tmp_path_factory.mktemp("whole") / "run"))


@pytest.fixture(scope="module")
def html(whole: Bundle, tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("page"), whole)


@pytest.fixture(scope="module")
def document(html: str) -> Document:
    return Document(html)


def page_of(directory: Path, *bundles: Bundle) -> str:
    write_report(bundles, directory / "report.html")
    return (directory / "report.html").read_text(encoding="utf-8")


def test_every_metric_is_on_the_page_with_its_exact_value(document: Document, whole: Bundle) -> None:
    exact = {value for tag, name, value in document.attributes if (tag, name) == ("data", "value")}
    for metric in whole.metrics:
        assert metric.name in document.text
        assert repr(metric.value) in exact


def test_metrics_read_like_a_review(document: Document) -> None:
    assert "SLC cache fill.pass1.cache_bytes 233 GiB (250 GB) 232 to 234 GiB FOB no failure" in document.text
    assert "speed within the cache fill.pass1.cache_bandwidth 12,200 MiB/s 12,180 to 12,220 MiB/s" in document.text


def test_a_number_that_is_not_known_says_why(tmp_path: Path) -> None:
    html = page_of(tmp_path, open_bundle(write_whole(tmp_path / "run", passes=(FLAT, FLAT))))

    assert '<td class="unknown" colspan="2">unknown: no slower phase after the cache<' in html


def test_numbers_of_a_step_that_failed_a_check_are_marked(document: Document) -> None:
    assert re.search(r"fill\.pass2\.cache_bandwidth 11,600 MiB/s .{10,40} filled once ✗ coverage\.fill", document.text)
    assert ("a", "href", "#run1-audit") in document.attributes


def test_every_check_is_on_the_page_failed_ones_first(document: Document) -> None:
    for check in CHECKS:
        assert str(check.finding) in document.text
        assert str(check.meaning) in document.text
    findings = {check.outcome: document.text.index(str(check.finding)) for check in CHECKS}
    order = [Outcome.FAIL, Outcome.WARN, Outcome.UNKNOWN, Outcome.PASS]
    assert sorted(findings, key=lambda outcome: findings[outcome]) == order


def test_every_figure_has_picture_caption_table_and_long_series(html: str, document: Document, whole: Bundle) -> None:
    figures = figures_for(whole)

    assert len(figures) == 3
    assert document.tags.count("figure") == document.tags.count("figcaption") == 3
    assert html.count('class="picture"') == 6
    assert html.count('class="chart-data"') == 3
    for figure in figures:
        assert figure.caption in document.text
        assert figure.table.caption in document.text
        assert all(str(cell) in document.text for row in figure.table.rows for cell in row)


def test_identity_method_and_dropped_options_are_on_the_page(document: Document, whole: Bundle) -> None:
    run = whole.run
    for text in (run.drive.target, run.host.cpu, run.suite.sha256, run.engine, "1,000,000,000,000 bytes"):
        assert text in document.text
    assert "Firmware unknown: the drive does not say" in document.text
    assert "hipri in fill.pass1, fill.pass2: the kernel has no poll queues for this device" in document.text
    assert "the drive reached 71 °C in fill.pass2" in document.text
    assert 'name = "fill" # <fill & rest>' in document.text


def test_nothing_is_fetched_from_anywhere(html: str, document: Document) -> None:
    loading = [
        (tag, name, value) for tag, name, value in document.attributes if name in {"src", "href", "srcset", "data"}
    ]
    assert [one for one in loading if not one[2].startswith(("#", "data:"))] == []
    assert not {"img", "iframe", "object", "embed", "video", "audio", "base"} & set(document.tags)
    # The chart library names its home in a comment; names of XML vocabularies are no addresses.
    ours = html.replace(chart_library().script, "").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert re.findall(r"https?://", ours) == []
    assert "@import" not in html
    assert "default-src 'none'" in html


def test_the_licence_of_the_chart_library_is_included(document: Document) -> None:
    assert "Copyright (c) 2022 Leon Sorokin" in document.text


def test_a_drive_cannot_write_html_into_the_page(tmp_path: Path) -> None:
    info = run_info(10**12, model=EVIL)
    evil = replace(
        info,
        drive=replace(info.drive, serial=EVIL, description=verbatim(EVIL), target=EVIL),
        host=replace(info.host, hostname=EVIL),
        suite=replace(info.suite, text=EVIL),
        spec_text=EVIL,
    )

    html = page_of(tmp_path, open_bundle(write_whole(tmp_path / "run", evil)))

    assert "<script>alert" not in html
    assert Document(html).tags.count("script") == 5
    assert EVIL in Document(html).text


def test_a_quick_run_says_it_is_not_comparable(tmp_path: Path) -> None:
    info = replace(run_info(10**12), profile="quick", comparable=False)

    html = page_of(tmp_path, open_bundle(write_whole(tmp_path / "run", info)))

    # Once at a glance, and on each figure in both widths, in its words for screen readers and above its zoomable chart.
    assert html.count("quick profile: not comparable") >= 1 + 3 * 3
    assert '<li class="badge caution">quick profile: not comparable</li>' in html


def test_a_virtual_drive_is_never_taken_for_a_product(tmp_path: Path) -> None:
    info = replace(run_info(10**12), spec_text="[geometry]")

    bundle = open_bundle(write_whole(tmp_path / "run", info))

    assert '<li class="badge caution">virtual drive: the numbers of a model</li>' in page_of(tmp_path, bundle)
    assert all("virtual drive" in figure.subtitle[0] for figure in figures_for(bundle))


def test_an_interrupted_run_shows_what_is_there(tmp_path: Path) -> None:
    html = page_of(tmp_path, open_bundle(write_interrupted(tmp_path / "run")))

    text = Document(html).text
    assert '<li class="badge bad">run interrupted: stopped by the operator</li>' in html
    assert "4 of 5 steps finished" in text
    assert "fill.pass1.cache_bytes" in text
    assert "fill.pass2.cache_bytes" not in text
    assert html.count("<figure ") == 3
    assert "fill.pass2 fill filled once interrupted 1.00 s stopped by the operator" in text


def test_a_killed_run_shows_its_faults_and_why_there_is_nothing_else(tmp_path: Path) -> None:
    html = page_of(tmp_path, open_bundle(write_killed(tmp_path / "run")))

    text = Document(html).text
    assert "run unfinished: still running, or killed" in text
    assert "journal.jsonl ends in the middle of line" in text
    assert "No figures: no step that has one was finished." in text
    assert "no audit: nothing was concluded yet" in text
    assert "started, never ended" in text


def test_several_runs_share_a_page_without_colliding(whole: Bundle, tmp_path: Path) -> None:
    html = page_of(tmp_path, whole, open_bundle(write_interrupted(tmp_path / "run")))

    ids = [value for _, name, value in Document(html).attributes if name == "id"]
    assert len(ids) == len(set(ids))
    assert {"run1", "run2"} <= set(ids)
    assert all(f'href="#{one}"' in html for one in ("run1", "run2"))


def test_headings_leave_out_no_level(document: Document) -> None:
    levels = [int(tag[1]) for tag in document.tags if re.fullmatch(r"h[1-6]", tag)]

    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))


def test_without_the_chart_library_the_hint_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(VendorMissingError) as caught:
        chart_library(tmp_path)

    assert "./dev setup" in hints_of(caught.value)[0]
    assert vendored.DIRECTORY.name == "vendor"


def test_a_page_is_replaced_whole(whole: Bundle, tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    output.write_text("old", encoding="utf-8")

    write_report([whole], output)

    assert output.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_pictures_are_written_as_png_and_svg(whole: Bundle, tmp_path: Path) -> None:
    written = [file.path for file in write_pictures(placed_figures([whole], tmp_path / "pictures"))]

    assert sorted(path.name for path in written) == sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert {path.suffix for path in written} == {".png", ".svg", ".csv"}
    assert len(written) == 12
    assert written[0].read_bytes().startswith(b"\x89PNG")


def test_pictures_of_several_runs_have_a_directory_each_and_one_for_all(whole: Bundle, tmp_path: Path) -> None:
    other = open_bundle(write_whole(tmp_path / "other", run_info(10**12, "Lab PM2 1TB")))

    written = [file.path for file in write_pictures(placed_figures([whole, other], tmp_path / "pictures"))]

    assert list(dict.fromkeys(path.parent.name for path in written)) == [
        "comparison-fill-2025.12-standard",
        whole.path.name,
        "other",
    ]
    assert {path.stem for path in written if path.parent.name.startswith("comparison")} == {
        "fill-over-bytes",
        "fill-over-bytes-series",
        "fill-over-time",
        "fill-over-time-series",
    }


def test_more_drives_than_can_be_told_apart_are_ranked_but_not_all_drawn(whole: Bundle) -> None:
    nine = [replace(whole, run=replace(whole.run, drive=replace(whole.run.drive, model=f"D{n}"))) for n in range(9)]

    over_bytes, _ = figures_comparing(nine)

    labels = {row["label"] for layer in layers_of(over_bytes.spec) for row in layer["data"]["values"]}
    assert labels == {f"D{number}" for number in range(8)}
    assert over_bytes.caption.endswith("Shown: the first 8 of 9 drives.")
