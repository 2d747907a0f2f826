"""What a tab costs its host, as the kernel counts it: the process that draws it, and the rest of its browser."""

import os
from dataclasses import dataclass
from pathlib import Path

from tests.kit.browser import Page
from tests.kit.processes import descendants

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_FOOTPRINT = ("RssAnon", "VmSwap")
_RESIDENT = ("VmRSS",)


def cpu_s(process_id: int) -> float:
    """Seconds of a processor core that a process has taken so far, with those of its threads."""
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


@dataclass(frozen=True, slots=True)
class Tab:
    """The process that draws a page."""

    process_id: int

    @property
    def footprint_bytes(self) -> int:
        """What Chromium's own task manager calls the memory footprint: what is in memory, or swapped out, for this process alone."""
        return self._status(_FOOTPRINT)

    @property
    def resident_bytes(self) -> int:
        """All that is in memory: of the program itself, too, which all processes of the browser share."""
        return self._status(_RESIDENT)

    @property
    def cpu_s(self) -> float:
        """Seconds of a processor core so far."""
        return cpu_s(self.process_id)

    def _status(self, names: tuple[str, ...]) -> int:
        lines = Path(f"/proc/{self.process_id}/status").read_text().splitlines()
        kib = {
            name: text.split()[0] for name, _, text in (line.partition(":") for line in lines) if text.endswith("kB")
        }
        return sum(int(kib[name]) for name in names) * 1024


def tab_of(page: Page) -> Tab:
    """The process of a page: of all that draw, the one that has taken the time that the page says that its own has."""
    page.call("Performance.enable")
    found = page.call("Performance.getMetrics")["metrics"]
    taken_s = next(one["value"] for one in found if one["name"] == "ProcessTime")
    page.call("Performance.disable")
    return Tab(min(renderers(), key=lambda one: abs(cpu_s(one) - taken_s)))


def renderers() -> list[int]:
    """Processes of the browsers that this process started that draw pages."""
    return [one for one in descendants(os.getpid()) if "--type=renderer" in _command(one)]


def _command(process_id: int) -> str:
    try:
        return Path(f"/proc/{process_id}/cmdline").read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""
