"""Runs that several files of tests look at."""

import pytest
from tests.unit.five_drives import five_drives

from ssdlab.bundle.read import Bundle


@pytest.fixture(scope="session")
def five(tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """The consumer suite on five models, made once: nobody writes into these bundles."""
    return five_drives(tmp_path_factory.mktemp("five"))
