"""The server as its operator sees it: what it says, and that Ctrl-C ends it."""

import signal
import subprocess
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import HTTPCookieProcessor, build_opener

from tests.kit.web_lab import started


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
