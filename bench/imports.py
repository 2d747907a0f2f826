"""`ssdlab import` of many jobs and of many files, against reading their JSON and doing nothing with it.

Others on the machine make it wait, so processor time is what is held against the target.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from time import perf_counter, process_time

from measure import ROOT, SSDLAB, Aim, Measurement

_JOBS, _JOBS_TARGET_S = 20_000, 30
_FILES, _FILES_TARGET_S = 10_000, 60


def imports() -> Iterator[Measurement]:
    """A file of 20,000 jobs, and 10,000 files of one; no two have the same numbers."""
    sys.path.insert(0, str(ROOT))
    from tests.kit.large_fio import document, jobs, unlike, write

    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        many = unlike(jobs(lambda at: f"job {at}", 0))
        yield _measured(
            "import of 20,000 jobs", [write(place / "many.json", document(islice(many, _JOBS)))], _JOBS_TARGET_S
        )
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        many = unlike(jobs(lambda at: f"job {at}", 0))
        files = [write(place / f"{at}.json", document(iter([one]))) for at, one in enumerate(islice(many, _FILES))]
        yield _measured("import of 10,000 files", files, _FILES_TARGET_S)


def _measured(what: str, files: Sequence[Path], target_s: float) -> Measurement:
    began_s = process_time()
    for file in files:
        json.loads(file.read_bytes())
    read_s = process_time() - began_s
    with tempfile.TemporaryDirectory(dir=files[0].parent) as lab:
        before, began_s = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        command = [SSDLAB, "import", *files, "--lab", lab]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        after, took_s = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter() - began_s
    used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    detail = (
        f"of the processor, in {took_s:.0f} s; reading the JSON alone {read_s:.1f} s, {used_s / read_s:.0f} x of that"
    )
    return Measurement(what, used_s, "s", Aim.AT_MOST, target_s, detail)
