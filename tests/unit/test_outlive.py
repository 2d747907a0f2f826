"""What a command outlives, and when Ctrl-C comes."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from ssdlab.cli.outlive import first_ctrl_c_ends, held_back
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.lab.stop_signal import ctrl_c_calls


def test_a_ctrl_c_that_is_held_back_comes_behind() -> None:
    done = False
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - where it is raised is what is asked
        with held_back():
            os.kill(os.getpid(), signal.SIGINT)
            done = True
        # A signal to the process itself may be a moment on its way.
        signal.pause()
    assert done


def test_without_a_ctrl_c_nothing_comes() -> None:
    before = signal.getsignal(signal.SIGINT)
    with held_back():
        pass
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture
def own_handlers() -> Iterator[None]:
    """Whatever a test does with signals, pytest has its own again."""
    before = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for one, handler in before.items():
        signal.signal(one, handler)


def told() -> None:
    """Of Ctrl-C."""


@pytest.mark.usefixtures("own_handlers")
@pytest.mark.parametrize("block", [held_back, uninterrupted, lambda: ctrl_c_calls(told)])
def test_a_block_that_is_left_after_the_command_does_not_wake_its_signals(
    block: Callable[[], AbstractContextManager[None]],
) -> None:
    """Ctrl-C between a block's end and its clean-up leaves the clean-up to the collector, which may be as late as the exit."""
    with first_ctrl_c_ends():
        late = block()
        late.__enter__()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    late.__exit__(None, None, None)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_ctrl_c_in_code_made_from_a_string_leaves_the_status_as_it_is(tmp_path: Path) -> None:
    """Such as the methods of a dataclass whose module is loaded at that moment."""
    # As a module, which Python itself starts as other code than that of a string.
    (tmp_path / "ended.py").write_text("""
import sys
from ssdlab.cli.outlive import first_ctrl_c_ends
with first_ctrl_c_ends():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        sys.exit(130)
""")
    command = [sys.executable, "-m", "ended"]
    assert subprocess.run(command, check=False, cwd=tmp_path, timeout=240).returncode == 130
