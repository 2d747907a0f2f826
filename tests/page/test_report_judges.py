"""The page before two judges: axe, for those who cannot see it or use no mouse, and the Nu checker, for HTML.

`./dev test` fetches both; axe-core 4.10 looks for what WCAG 2 and good practice ask, the Nu checker holds the standard of HTML.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.kit.axe import AXE, PACKAGES, faults_on, needs_axe
from tests.kit.browser import Page
from tests.kit.probe_runs import record
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.probe.probes.registry import probes_named
from ssdlab.report.page import write_report

CHECKER = PACKAGES / "vnu-jar" / "build" / "dist" / "vnu.jar"
_SCRIPT = re.compile(r"<script>.*?</script>", re.DOTALL)
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
# Of each table the first rows: what follows is coloured alike, and axe looks for a long time at what lies behind each number.
JUDGE_COLOURS = """axe.run({exclude: [['svg'], ['tbody tr:nth-child(n+4)'], ['pre']]}, {runOnly: ['color-contrast']}).then(
    (found) => JSON.stringify({
        looked_at: found.passes.reduce((sum, one) => sum + one.nodes.length, 0),
        faults: found.violations.map((one) => [one.id, one.nodes.map((node) => node.html)])}))"""
# axe says of words in pictures only that it cannot tell. Each lies on the paper of its figure, over a halo of the same colour;
# WCAG 2.1, 1.4.3 asks for 4.5. What has a stroke is the halo.
PALE_WORDS = """(() => {
    const part = (value) => value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([red, green, blue]) => 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
    const of = (colour) => light(colour.match(/[\\d.]+/g).map(Number));
    const paper = of(getComputedStyle(document.body).backgroundColor);
    const ratio = (one) => (Math.max(one, paper) + 0.05) / (Math.min(one, paper) + 0.05);
    const words = [...document.querySelectorAll('figure svg text')].filter((one) => one.textContent.trim());
    if (words.length < 8) { return ['hardly a word in the pictures']; }
    return words.filter((one) => getComputedStyle(one).stroke === 'none')
        .map((one) => [ratio(of(getComputedStyle(one).fill)), one.textContent, getComputedStyle(one).fill])
        .filter(([found]) => found < 4.5);
})()"""

needs_checker = pytest.mark.skipif(
    shutil.which("java") is None or not CHECKER.exists(), reason="there is no java, or no checker was fetched"
)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("alone")
    write_report([open_bundle(write_whole(directory / "run"))], directory / "alone.html")
    return directory / "alone.html"


@pytest.fixture(scope="module")
def compared(five: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("compared")
    write_report(five[:2], directory / "compared.html")
    return directory / "compared.html"


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("probed")
    path, _ = record(probes_named("declared"), directory, lambda _name, _progress: None)
    write_report([open_bundle(path)], directory / "probed.html")
    return directory / "probed.html"


def faults_by_axe(chromium: Page, path: Path, contrast: str, scheme: str = "light") -> list[object]:
    chromium.open(path)
    chromium.prefer(scheme)
    chromium.run(UNFOLD)
    return faults_on(chromium, contrast)


@pytest.mark.browser
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault_in_one_run_and_its_colours(chromium: Page, alone: Path, scheme: str) -> None:
    assert faults_by_axe(chromium, alone, contrast="true", scheme=scheme) == []


@pytest.mark.browser
@needs_axe
def test_axe_finds_no_fault_in_drives_beside_each_other(chromium: Page, compared: Path) -> None:
    assert faults_by_axe(chromium, compared, contrast="false") == []


@pytest.mark.browser
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_the_colours_of_drives_beside_each_other_readable(
    chromium: Page, compared: Path, scheme: str
) -> None:
    chromium.open(compared)
    chromium.prefer(scheme)
    chromium.run(UNFOLD)
    chromium.run(f"{AXE.read_text(encoding='utf-8')};0")
    found = json.loads(chromium.run(JUDGE_COLOURS))

    assert found["looked_at"] > 300, "axe looked at next to nothing"
    assert found["faults"] == []


@pytest.mark.browser
@needs_axe
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_in_pictures_are_readable(chromium: Page, probed: Path, compared: Path, scheme: str) -> None:
    chromium.open(compared)
    chromium.prefer(scheme)
    assert chromium.run(PALE_WORDS) == []
    chromium.open(probed)
    chromium.prefer(scheme)
    assert chromium.run(PALE_WORDS) == []


@pytest.mark.browser
@needs_axe
def test_axe_finds_no_fault_where_scripts_do_not_run(chromium: Page, alone: Path) -> None:
    bare = alone.with_name("bare.html")
    bare.write_text(_SCRIPT.sub("", alone.read_text(encoding="utf-8")), encoding="utf-8")

    assert faults_by_axe(chromium, bare, contrast="false") == []
    assert chromium.run("document.querySelectorAll('script:not([type])').length") == 0


@pytest.mark.browser
@needs_axe
def test_axe_would_find_a_picture_without_words(chromium: Page, alone: Path) -> None:
    spoilt = alone.with_name("spoilt.html")
    page = alone.read_text(encoding="utf-8")
    spoilt.write_text(page.replace("</main>", '<img src="data:,"></main>'), encoding="utf-8")

    assert [one[0] for one in faults_by_axe(chromium, spoilt, contrast="false") if isinstance(one, list)] == [
        "image-alt"
    ]


def said_by_the_checker(*paths: Path) -> str:
    command = ["java", "-Xss2m", "-jar", str(CHECKER), "--errors-only", "--format", "gnu", *map(str, paths)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stderr


@needs_checker
def test_the_html_is_that_of_the_standard(alone: Path, compared: Path) -> None:
    spoilt = alone.with_name("nested.html")
    spoilt.write_text("<!doctype html><html lang=en><title>a</title><p><ul><li>b</ul></p>", encoding="utf-8")

    said = said_by_the_checker(alone, compared, spoilt).splitlines()

    assert [line for line in said if spoilt.name not in line] == []
    assert any("No “p” element in scope" in line for line in said), said
