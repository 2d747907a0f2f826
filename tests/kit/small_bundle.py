"""A bundle so small that each of its bytes can be damaged."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from tests.kit.sample_bundle import CHECKS, PASS_1, fill_plan, fill_result, pass_metrics, run_info, windows_of
from tests.kit.sample_fio import sequential_fill

from ssdlab.bundle.journal import Event
from ssdlab.bundle.warning import Warned, WarningKind
from ssdlab.bundle.write import BundleWriter, write_conclusions
from ssdlab.engine.result import RawResult
from ssdlab.job import DriveState
from ssdlab.message import verbatim
from ssdlab.units import GIB, NS_PER_S


def small_result(seed: int) -> RawResult:
    series = windows_of(PASS_1, seed=seed)
    short = replace(series, **{name: getattr(series, name)[:30] for name in series.__slots__ if name != "window_ns"})
    return replace(fill_result(sequential_fill(), short), files={"job.fio": b"[fill]\n", "fio.json": b"{\n}\n"})


def write_small(path: Path) -> Path:
    """A finished run of five steps, two of them with results, and a warning."""
    with closing(BundleWriter(path, run_info(GIB), fill_plan(GIB, NS_PER_S))) as writer:
        for index in range(1, 6):
            writer.step_started(index, index * 100, DriveState.UNKNOWN)
            writer.checkpoint(index, index * 100 + 10, 4096)
            writer.step_finished(index, index * 100 + 50, small_result(index) if index in {3, 5} else None)
        writer.warning(600, Warned(WarningKind.OTHER, verbatim("it was warm")))
        writer.run_ended(700, Event.RUN_FINISHED, None)
    write_conclusions(path, pass_metrics(1, PASS_1, windows_of(PASS_1, seed=1))[:1], CHECKS[:1])
    return path


def flip(path: Path, bit: int) -> None:
    content = bytearray(path.read_bytes())
    content[bit // 8 % len(content)] ^= 1 << bit % 8
    path.write_bytes(content)
