"""A lab that is read-only or full: what only reads goes on, what writes says why it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kit.library_runs import METRIC, Made, write_run

SSDLAB = f"{sys.executable} -m ssdlab.cli"


def on_tmpfs(lab: Path, then: str, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script that sees the lab on a small file system of its own, after `then` was done to that."""
    mount = f"mount -t tmpfs -o size=2m tmpfs {lab.parent}/seen && cp -r {lab}/runs {lab.parent}/seen && {then}"
    (lab.parent / "seen").mkdir(exist_ok=True)
    namespace = ["unshare", "-m"] if os.geteuid() == 0 else ["unshare", "-rm"]
    return subprocess.run(
        [*namespace, "sh", "-c", f"cd {lab.parent} && {mount}; {script}"],
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )


READ_ONLY = "mount -o remount,bind,ro seen"
FULL = "rm -rf seen/.catalogue-2; head -c 4m /dev/zero >seen/hog 2>/dev/null"


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    write_run(tmp_path / "lab", "20260105T090000Z-fill-a", Made(model="Drive A", value=1e9))
    write_run(tmp_path / "lab", "20260105T090000Z-fill-b", Made(model="Drive B", serial="S2", value=2e9))
    return tmp_path / "lab"


@pytest.mark.parametrize("then", [READ_ONLY, FULL])
def test_the_library_is_read_without_its_cache(lab: Path, then: str) -> None:
    asked = (
        "library list --lab seen",
        f"library rank {METRIC} --lab seen",
        'library sql "select count(*) as runs from runs" --lab seen',
        "show seen/runs/*-a",
        "compare seen/runs/*",
        "report seen/runs/*-a -o page.html",
    )
    done = on_tmpfs(lab, then, " && ".join(f"{SSDLAB} {one}" for one in asked))
    assert (done.returncode, done.stderr) == (0, "")
    assert "Drive A" in done.stdout
    assert "runs\n2\n" in done.stdout
    assert (lab.parent / "page.html").stat().st_size


WRITING = (
    "show seen/runs/*-a --again",
    "report seen/runs/*-a",
    "report seen/runs/*-a -o seen/x.html",
    "library add extra/runs/other --lab seen",
    "probe declared model:demo --lab seen",
    "sustain model:demo --total 64MiB --rest 1s --lab seen",
)
# The run has no picture to fill a disk with.
PICTURES = "report seen/runs/*-a --png seen/png -o page.html"


@pytest.mark.parametrize(
    ("command", "then", "why"),
    [
        *((command, READ_ONLY, "the file system is read-only") for command in (*WRITING, PICTURES)),
        *((command, FULL, "the disk is full") for command in WRITING),
    ],
)
def test_what_writes_says_why_it_cannot(lab: Path, command: str, then: str, why: str) -> None:
    write_run(lab.parent / "extra", "other", Made(model="Drive C", serial="S3"))
    done = on_tmpfs(lab, then, f"{SSDLAB} {command}")
    assert done.returncode == 1
    error = done.stderr[done.stderr.index("error: ") :]
    assert why in error or (then is FULL and " free" in error)
    assert "\nhint: " in error
    assert "Traceback" not in done.stderr
    assert "itself is at fault" not in done.stderr
