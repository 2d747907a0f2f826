"""All pictures of a page: few are drawn here, many by a process for each processor while the page is still being put together."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Self

from ssdlab.figure.kit.model import VegaLite
from ssdlab.message import message
from ssdlab.own_python import module_command
from ssdlab.report.render import checked, render_svg
from ssdlab.report.vega_worker import BrokenPictureError

FEW = 24
"""Up to so many, starting processes takes longer than drawing."""
_PROCESSES_MAX = 4
_NO_FONTS = Path(__file__).with_name("no_fonts.conf")
_BEYOND_OWN_FONT = re.compile(
    r"[^\0-\u017f\u0391-\u03a1\u03a3-\u03c9\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2192\u2212\u2260\u2264\u2265]"
)
"""Letters that Liberation Sans, which the renderer brings along and all figures name first, may not have."""


class _Fonts(Enum):
    """What a process measures text with."""

    OWN = "the renderer's own"
    ALL = "those of the machine as well"


def _fonts_for(spec: VegaLite) -> _Fonts:
    """A font of the machine is read from its file for every letter that is measured, which takes half the time of a picture."""
    return _Fonts.ALL if _BEYOND_OWN_FONT.search(json.dumps(spec, ensure_ascii=False)) else _Fonts.OWN


class Picture:
    """A picture that is asked for now and looked at later."""

    def __init__(self, spec: VegaLite) -> None:
        self.spec = spec
        self.drawing: Future[str] | None = None

    def svg(self) -> str:
        """The checked SVG.

        Raises:
            BrokenPictureError: Titles, tick labels or marks are missing, or the renderer failed.
        """
        return render_svg(self.spec) if self.drawing is None else self.drawing.result()


class RenderPool:
    """Draws what it is asked for; a context manager, which ends its processes."""

    def __init__(self, processes: int | None = None) -> None:
        self._count = min(_PROCESSES_MAX, len(os.sched_getaffinity(0))) if processes is None else processes
        self._waiting: list[Picture] = []
        self._threads: ThreadPoolExecutor | None = None
        self._idle: SimpleQueue[_Draughtsman] = SimpleQueue()
        self._started: list[_Draughtsman] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for one in self._started:
            one.end()

    @property
    def process_ids(self) -> tuple[int, ...]:
        """Of the processes that draw."""
        return tuple(one.process_id for one in self._started)

    def picture(self, spec: VegaLite) -> Picture:
        """Ask for a picture."""
        asked = Picture(spec)
        self._waiting.append(asked)
        if self._threads is None and len(self._waiting) > FEW and self._count > 1:
            self._threads = ThreadPoolExecutor(self._count)
            self._started = [_Draughtsman() for _ in range(self._count)]
            for one in self._started:
                self._idle.put(one)
        if self._threads is not None:
            for waiting in self._waiting:
                waiting.drawing = self._threads.submit(self._draw, waiting.spec)
            self._waiting.clear()
        return asked

    def _draw(self, spec: VegaLite) -> str:
        with self._someone() as one:
            svg = one.draw(spec)
        return checked(spec, svg)

    @contextmanager
    def _someone(self) -> Iterator["_Draughtsman"]:
        one = self._idle.get()
        try:
            yield one
        finally:
            self._idle.put(one)


class _Draughtsman:
    """One process that draws, with no more fonts than it needs."""

    def __init__(self) -> None:
        self._fonts = _Fonts.OWN
        self._process = _drawing_process(self._fonts)

    @property
    def process_id(self) -> int:
        """As the kernel knows it."""
        return self._process.pid

    def draw(self, spec: VegaLite) -> str:
        """The SVG, unchecked.

        Raises:
            BrokenPictureError: The renderer refused the figure, or its process is gone.
        """
        if self._fonts is _Fonts.OWN and _fonts_for(spec) is _Fonts.ALL:
            self.end()
            self._fonts = _Fonts.ALL
            self._process = _drawing_process(self._fonts)
        answer = json.loads(self._answer(json.dumps(spec).encode()))
        if "svg" not in answer:
            raise BrokenPictureError(answer["refused"])
        return str(answer["svg"])

    def _answer(self, request: bytes) -> bytes:
        if self._process.stdin is None or self._process.stdout is None:
            raise BrokenPictureError(message("report-no-pipe"))
        try:
            self._process.stdin.write(request + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise BrokenPictureError(
                message("report-drawer-ended", status=str(self._process.wait())),
                message("report-hint-fewer"),
            )
        return line

    def end(self) -> None:
        """Let it end, and wait for that."""
        # A picture it is at when the page failed is of no use to anybody.
        self._process.kill()
        with self._process:
            pass


def _drawing_process(fonts: _Fonts) -> subprocess.Popen[bytes]:
    command = module_command("ssdlab.report.vega_worker")
    hidden = {"FONTCONFIG_FILE": str(_NO_FONTS)} if fonts is _Fonts.OWN else {}
    # A group of its own: Ctrl-C is for the command, which ends its processes itself.
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, process_group=0, env=os.environ | hidden
    )
