"""A headless Chromium to look at a page with, spoken to over a pipe (DevTools protocol)."""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ZOOMED = "Promise.all([...document.querySelectorAll('figure')].map((one) => one.drawn)).then(() => true)"
"""Done when the zoomable charts that were asked for are drawn."""
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
# Chromium speaks on descriptors 3 and 4, whichever numbers the pipes have here; they are moved out of the way first.
_ON_3_AND_4 = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(number), fcntl.F_DUPFD, 100) for number in sys.argv[1:3]]
for place, end in zip((3, 4), ends):
    os.dup2(end, place)
    os.close(end)
os.execv(sys.argv[3], sys.argv[3:])
"""


class Page:
    """One tab."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to = to_browser
        self._from = from_browser
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        """Errors and warnings on the console, and uncaught exceptions."""
        self.requests: list[str] = []
        """Everything the page asked for, the page itself included."""

    def open(self, path: Path, width: int = 1100) -> None:
        """Load a file and wait until it is loaded."""
        self.visit(path.as_uri(), width)

    def visit(self, address: str, width: int = 1100) -> None:
        """Load an address and wait until it is loaded."""
        if self._session is None:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=address)
        while self._receive().get("method") != "Page.loadEventFired":
            pass

    def prefer(self, scheme: str) -> None:
        """Prefer `light` or `dark`."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script: str) -> Any:
        """Value of an expression in the page."""
        outcome = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in outcome, outcome
        return outcome["result"].get("value")

    def screenshot(self) -> bytes:
        """The whole page as PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])

    def pdf(self) -> bytes:
        """The page as it prints."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command and its answer; what happens meanwhile is noted."""
        self._number += 1
        number = self._number
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        remaining = json.dumps(message).encode() + b"\0"
        while remaining:
            remaining = remaining[os.write(self._to, remaining) :]
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            part = os.read(self._from, 1 << 20)
            assert part, "the browser is gone"
            self._buffer += part
        one, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(one)
        self._note(message.get("method", ""), message.get("params", {}))
        return message

    def _note(self, method: str, parameters: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.problems.append(str(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.problems.append(str(parameters["entry"]["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in {"error", "warning", "assert"}:
            self.problems.append(str(parameters["args"]))


@contextmanager
def browser() -> Iterator[Page]:
    """Start Chromium, and stop it and all it started."""
    assert CHROMIUM is not None
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"]
        process = subprocess.Popen(
            [sys.executable, "-c", _ON_3_AND_4, str(to_read), str(from_write), *command],
            pass_fds=(to_read, from_write),
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_read)
        os.close(from_write)
        try:
            yield Page(to_write, from_read)
        finally:
            os.close(to_write)
            os.close(from_read)
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()
