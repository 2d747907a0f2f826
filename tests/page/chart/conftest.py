"""One page of a drive and one of two, opened in the browser, on which nothing may go wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.kit.browser import Page
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.sample_bundle import write_whole

from ssdlab.bundle.read import open_bundle
from ssdlab.report.page import write_report


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_whole(tmp_path_factory.mktemp("chart") / "run")


@pytest.fixture(scope="module")
def alone(run: Path) -> Path:
    write_report([open_bundle(run)], run.parent / "alone.html")
    return run.parent / "alone.html"


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chart") / "compared.html"
    write_report([shared_run(name) for name in FIVE[:2]], path)
    return path


@pytest.fixture
def page(chromium: Page, alone: Path) -> Iterator[Page]:
    yield from _opened(chromium, alone)


@pytest.fixture
def both(chromium: Page, compared: Path) -> Iterator[Page]:
    yield from _opened(chromium, compared)


def _opened(chromium: Page, path: Path) -> Iterator[Page]:
    chromium.problems.clear()
    chromium.open(path)
    chromium.prefer("light")
    yield chromium
    assert chromium.problems == []
