"""A run that is stopped from a browser: it ends as by Ctrl-C, and its journal says where that was asked."""

import re
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import pytest
from tests.kit.processes import is_gone, ssdlab_started, wait_until
from tests.kit.web_lab import served

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.live import is_being_written
from ssdlab.bundle.model import RunStatus, StepStatus
from ssdlab.bundle.read import open_bundle

RESTS = """
[suite]
name = "rests"
version = "1"
engine = "load"
[[step]]
kind = "purge"
rest = "15min"
"""


@pytest.fixture(
    params=[
        ("run", "enterprise", "model:pm9e1-1tb"),
        ("sustain", "model:pm9e1-1tb", "--passes", "forever"),
        ("run", "rests.toml", "virtual:zero?capacity=64MiB"),
    ],
    ids=["a suite", "work without an end", "a rest before anything is measured"],
)
def going(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A run that goes on for minutes, and its process."""
    suite = tmp_path / "rests.toml"
    suite.write_text(RESTS)
    asked = (suite if one == suite.name else one for one in request.param)
    with ssdlab_started(*asked, "--lab", tmp_path / "lab") as process:
        wait_until(lambda: any(map(is_being_written, tmp_path.glob("lab/runs/*"))), "the run has begun")
        yield newest_run(tmp_path / "lab"), process.pid


def post(browser: OpenerDirector, address: str, **fields: str) -> int:
    """Send a form as a page of the server's own does; the status of its answer."""
    origin = "/".join(address.split("/")[:3])
    request = Request(  # noqa: S310 - the address is that of the server
        address, urlencode(fields).encode(), {"origin": origin, "sec-fetch-site": "same-origin"}
    )
    try:
        with browser.open(request) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_a_run_is_stopped_once_and_says_where_it_was_asked(going: tuple[Path, int]) -> None:
    bundle, process_id = going
    with served(bundle.parents[1], "--control") as address:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        with browser.open(address) as page:
            place = urljoin(page.geturl(), f"runs/{bundle.name}/stop")
        with browser.open(place) as page:
            text = page.read().decode()
        (token,) = re.findall(r'name="token" value="([^"]+)"', text)
        assert bundle.name in text
        assert post(browser, place) == 403
        assert is_being_written(bundle)
        assert post(browser, place, token=token) == 200
        assert post(browser, place, token=token) == 403
        wait_until(lambda: is_gone(process_id), "the run is over")
    found = open_bundle(bundle)
    assert found.reason is not None
    assert (found.reason.id, found.faults) == ("lab-by-operator-in-browser", ())
    assert found.status in {RunStatus.INTERRUPTED, RunStatus.FINISHED}
    assert not any(step.status is StepStatus.FAILED for step in found.steps)
    assert not (bundle / layout.STOP_ASKED).exists()
