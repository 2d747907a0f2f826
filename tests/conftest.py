"""What all tests share."""

import os
import shutil
import signal
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

from ssdlab.cli.language import speak, spoken

# A shared host stands still for a while now and then, and no test is about how fast it is; and of the same code the tests say the
# same each time.
settings.register_profile(
    "ssdlab",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ssdlab")

# Whoever is started in the background of a script is deaf to Ctrl-C, which tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The command line speaks the language of the locale, and the tests expect English.
os.environ["LC_ALL"] = "C.UTF-8"

# Debian leaves the sbin directories out of an ordinary user's PATH, and `su` without a dash gives root that one.
os.environ["PATH"] += ":/usr/sbin:/sbin"

NEEDS = {
    "fio": ("fio", "setpriv", "unshare", "nbdkit", "nbdcopy"),
    "loop": ("losetup", "blkid", "mkfs.ext4", "mkswap", "addpart", "unshare"),
    "exfat": ("mkfs.exfat", "fsck.exfat", "mount.exfat-fuse"),
}
"""Programs that the tests of a marker start; `./dev test` installs them."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say which program is missing, rather than fail in a way that hides it; and measure anew at a second try."""
    measure_anew(item)
    if item.get_closest_marker("loop") and not (os.geteuid() == 0 and os.access("/dev/loop-control", os.W_OK)):
        pytest.skip("loop devices are made by root only, or this kernel has none")
    for marker, programs in NEEDS.items():
        missing = [program for program in programs if shutil.which(program) is None]
        if missing and item.get_closest_marker(marker):
            pytest.skip(f"{', '.join(missing)} not installed; `./dev test` installs what is missing")


ROOMS = ("loop", "fio", "study", "page", "model", "docs", "unit")
"""What waits or takes long begins first, so that in the end all processes have something to do."""
IN_ONE_PROCESS = {
    "tests/loop": "loop devices",
    "tests/page/test_first_screen.py": "browser",
    "tests/page/test_first_screen_kinds.py": "browser",
    "tests/page/test_report_browser.py": "browser",
    "tests/page/test_report_chart.py": "browser",
    "tests/page/test_report_chart_kept.py": "browser",
    "tests/page/test_report_five.py": "browser",
    "tests/page/test_report_judges.py": "browser",
    "tests/page/test_web_axe.py": "browser",
    "tests/page/test_web_browser.py": "browser",
    "tests/page/test_web_control.py": "browser",
    "tests/page/test_web_fleet.py": "browser",
    "tests/page/test_web_long.py": "browser",
}
"""What shares something that is there once."""


class WholeFiles(LoadScopeScheduling):
    """Hands files of tests to parallel processes whole, so that what a file makes once is made once, in their order."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        # Drives of a study have nothing in common.
        if path.startswith("tests/study"):
            return nodeid.partition("[")[2] or path
        return IN_ONE_PROCESS.get(path) or IN_ONE_PROCESS.get(str(Path(path).parent)) or path


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> WholeFiles:
    """Groups by mark (`--dist loadgroup`) have no effect with pytest 9.2 and xdist 3.8."""
    config.option.loadscopereorder = False
    return WholeFiles(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest first, and a second try for what runs in real time."""
    items.sort(key=_rank)
    for item in items:
        if IN_REAL_TIME & set(item.path.parts) or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


IN_REAL_TIME = {"fio", "loop", "vm"}
"""Tests that wait for drives, signals and other programs. A host that stands still for seconds fails some of them, about one in ten
thousand; what fails twice is broken. All others say the same each time."""
SECOND_TRIES = 3
"""More of them in one session are no accident."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A first failure is shown whole, because it may be a defect that is seldom met."""
    for first in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"failed at the first try: {first.nodeid}")
        terminalreporter.write_line(first.longreprtext)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Many second tries are a failure, too."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal is None or session.exitstatus != pytest.ExitCode.OK:
        return
    if len(tries := terminal.stats.get("rerun", [])) > SECOND_TRIES:
        terminal.write_line(f"{len(tries)} tests failed at the first try, {SECOND_TRIES} may")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def measure_anew(item: pytest.Item) -> None:
    """At a second try what the tests of a file share is made again: a number that was measured once would fail twice.

    The way there is that of pytest-rerunfailures itself, for want of a public one.
    """
    if isinstance(item, pytest.Function) and getattr(item, "execution_count", 1) > 1:
        for made in chain.from_iterable(item._fixtureinfo.name2fixturedefs.values()):
            if made.scope == "module":
                made.finish(item._request)  # type: ignore[arg-type] # of which it uses what both kinds of request have


def _rank(item: pytest.Item) -> int:
    return next((rank for rank, room in enumerate(ROOMS) if room in item.path.parts), len(ROOMS))


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """A command run within this process may leave it deaf to Ctrl-C, as befits a process that is about to end."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture(autouse=True)
def language_as_before() -> Iterator[None]:
    """A command run within this process goes on speaking what its `--lang` asked for."""
    before = spoken()
    yield
    speak(before)
