"""A run in real time that is killed in the midst of a step, as by a power cut of its host."""

import re
from collections.abc import Sequence
from pathlib import Path

from tests.kit.processes import ssdlab_started, wait_until

from ssdlab.bundle import layout
from ssdlab.bundle.find import newest_run
from ssdlab.bundle.read import Bundle, open_bundle


def killed_in_step(number: int, lab: Path, command: Sequence[str | Path]) -> Bundle:
    """What is left of a run that was killed once so many steps had begun.

    Args:
        number: Of steps begun.
        lab: Where the run is, which has no other.
        command: What `ssdlab` is told, without the lab.
    """

    def begun() -> int:
        texts = [journal.read_text() for journal in lab.glob(f"runs/*/{layout.JOURNAL}")]
        return len({index for text in texts for index in re.findall(r'"step_started".*?"index":(\d+)', text)})

    with ssdlab_started(*command, "--lab", lab) as process:
        wait_until(lambda: begun() == number or process.poll() is not None, f"step {number} is done")
        assert process.poll() is None, process.communicate()
        process.kill()
        process.wait(timeout=240)
    return open_bundle(newest_run(lab))
