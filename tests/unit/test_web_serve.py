"""The server as its operator sees it: what it says, and that Ctrl-C ends it."""

import signal
import subprocess
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, Request, build_opener

from tests.kit.web_lab import resting, served, started

from ssdlab.bundle.model import RunStatus
from ssdlab.bundle.read import open_bundle
from ssdlab.errors import ExitStatus


def test_ctrl_c_with_an_open_page_ends_it_without_a_word(tmp_path: Path) -> None:
    with started(tmp_path / "lab", subprocess.PIPE) as server:
        assert server.stdout is not None
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        with browser.open(server.stdout.readline().strip()) as page:
            stream_address = urljoin(page.geturl(), "stream")
        with browser.open(stream_address) as stream:
            assert stream.readline() == b"retry: 1000\n"
            server.send_signal(signal.SIGINT)
            _, said = server.communicate(timeout=60)
    assert server.returncode == 0
    assert len(said.splitlines()) == 1  # what it says at its start


def test_a_run_is_stopped_from_a_page_and_can_be_gone_on_with(tmp_path: Path) -> None:
    with resting(tmp_path) as (run, bundle), served(tmp_path / "lab", "--control") as address:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))
        with browser.open(address) as page:
            there = urljoin(page.geturl(), f"runs/{bundle.name}/stop")
        with browser.open(there) as question:
            assert bundle.name in question.read().decode()
        origin = urljoin(there, "/").removesuffix("/")
        asked = Request(there, data=b"", headers={"Origin": origin})  # noqa: S310 - it is our own server
        with browser.open(asked) as answer:
            assert answer.geturl() == there.removesuffix("/stop") + "?asked"
        assert run.wait(60) == ExitStatus.INTERRUPTED
    assert open_bundle(bundle).status is RunStatus.INTERRUPTED
