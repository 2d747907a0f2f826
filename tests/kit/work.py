"""Work as a number that no other load of the machine changes: the lines of ssdlab that were run."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import ssdlab

_SOURCE = str(Path(ssdlab.__file__).parent)


def lines_run(action: Callable[[], object]) -> int:
    """As often as each was run, every round of a loop counted; what other packages do is not in it."""
    lines = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    def enter(frame: FrameType, _event: str, _argument: Any) -> Any:
        return count if frame.f_code.co_filename.startswith(_SOURCE) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        action()
    finally:
        sys.settrace(before)
    return lines
