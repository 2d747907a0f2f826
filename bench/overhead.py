"""What ssdlab itself takes beside fio and the rests of the method."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from measure import SSDLAB, Aim, Measurement
from ssdlab.bundle.read import open_bundle
from ssdlab.units import NS_PER_S

HELP_ROUNDS = 9
FIXED_S = 1.0


def help_time() -> Iterator[Measurement]:
    """`ssdlab --help`, whole process."""
    took = []
    for _ in range(HELP_ROUNDS):
        started = time.perf_counter()
        subprocess.run([SSDLAB, "--help"], capture_output=True, check=True)
        took.append(time.perf_counter() - started)
    yield Measurement("ssdlab --help, median", median(took), "s", Aim.AT_MOST, 0.3, f"slowest {max(took):.3f} s")


def overhead_of_a_run() -> Iterator[Measurement]:
    """Wall time of a whole quick fill beyond the sum of its fio run times and rests: at most 2 % of them and 1 s."""
    with tempfile.TemporaryDirectory() as lab:
        started = time.perf_counter()
        command = [SSDLAB, "run", "fill", "virtual:demo", "--profile", "quick", "--lab", lab]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wall_s = time.perf_counter() - started
        if done.returncode not in {0, 3}:
            raise RuntimeError(done.stderr)
        bundle = open_bundle(Path(done.stdout.strip()))
        rests_s = sum(step.rest_ns for step in bundle.steps) / NS_PER_S
        runtimes_s = sum(
            max(one.runtime_ns for one in bundle.result(step).directions.values()) / NS_PER_S
            for step in bundle.finished()
            if step.job is not None
        )
    needed_s = rests_s + runtimes_s
    allowed_s = needed_s * 0.02 + FIXED_S
    detail = f"wall {wall_s:.1f} s, fio {runtimes_s:.1f} s, rests {rests_s:.1f} s"
    yield Measurement(
        "wall time beyond fio and rests, of 2 % + 1 s", (wall_s - needed_s) / allowed_s, "x", Aim.AT_MOST, 1.0, detail
    )
