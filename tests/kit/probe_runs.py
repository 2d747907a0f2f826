"""Probes of a model drive, kept in a bundle."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ssdlab.engine.base import Progress
from ssdlab.lab.bench import open_bench
from ssdlab.message import Message
from ssdlab.probe.run import ProbeResult, Session
from ssdlab.probe.script import Estimator, Probe
from ssdlab.probe.store.writer import record_probes

TARGET = "model:ssd-a?capacity=1GiB"


NAMES = ("declared", "noise", "placement", "spare", "stripe", "flush")


class Heard:
    """Keeps what a run of probes tells."""

    def __init__(self) -> None:
        self.findings: list[ProbeResult] = []
        self.warnings: list[str] = []

    def found(self, finding: ProbeResult) -> None:
        self.findings.append(finding)

    def warning(self, text: Message) -> None:
        self.warnings.append(str(text))


def record(
    probes: Sequence[Probe], lab: Path, watch: Callable[[str, Progress], None], target: str = TARGET
) -> tuple[Path, list[ProbeResult]]:
    with open_bench(target) as bench:
        heard = Heard()
        bundle = record_probes(Session(bench, seed=7, watch=watch), probes, Estimator.ROBUST, lab, heard)
        return bundle.path, heard.findings
