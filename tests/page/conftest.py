"""The host that runs of tests say they were made on, runs that several files of tests look at, and one browser for all."""

from collections.abc import Iterator

import pytest
from tests.kit.bench import bench
from tests.kit.browser import Page, browser
from tests.kit.five_drives import five_drives

from ssdlab.bundle.read import Bundle

__all__ = ["bench"]


@pytest.fixture(scope="session")
def five() -> list[Bundle]:
    """The consumer suite on five models: nobody writes into these bundles."""
    return five_drives()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Page]:
    """Files that use it run in one process (`IN_ONE_PROCESS`), so one is started."""
    with browser() as page:
        yield page
