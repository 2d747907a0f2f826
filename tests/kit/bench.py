"""Fixtures of every room whose tests run in this process."""

from collections.abc import Iterator

import pytest
from tests.kit.sample_bundle import HOST

from ssdlab.lab import begin


@pytest.fixture(scope="session", autouse=True)
def bench() -> Iterator[None]:
    """Pages and words do not depend on whose processor the tests run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(begin, "look_at_host", lambda: HOST)
        yield
