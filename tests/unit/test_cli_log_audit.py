"""`ssdlab log --audit`: what it prints of anybody's result, and the exit status."""

import json
import subprocess
import sys
from pathlib import Path

from inline_snapshot import snapshot

DATA = Path(__file__).resolve().parents[1] / "data" / "fio-3.33" / "audit"
SSDLAB = Path(sys.executable).with_name("ssdlab")


def audited(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(SSDLAB), "log", "--audit", *arguments]
    return subprocess.run(command, cwd=DATA, capture_output=True, text=True, check=False)


def test_a_failed_check_is_first_with_what_to_do_and_the_exit_status_is_3() -> None:
    ended = audited("psync_deep.json")
    assert (ended.returncode, ended.stderr) == (3, "")
    assert ended.stdout.splitlines()[:4] == snapshot(
        [
            "audit: 1 failed, 12 unknown, 17 passed, 21 not applicable",
            "  fail: psync_deep: queue.littles_law: QD 32 asked, IOPS x mean latency gives 0.996",
            "    the queue was not as deep as asked, or a clock is wrong: the numbers are not those of this queue depth",
            "    to do: use an engine that does not wait (`io_uring`, `libaio` with `direct=1`); `psync` has a queue of one whatever is asked",
        ]
    )


def test_a_result_in_order_leaves_what_no_json_can_say() -> None:
    ended = audited("clean.json")
    assert ended.returncode == 0
    assert ended.stdout.splitlines() == snapshot(
        [
            "audit: 10 unknown, 21 passed, 20 not applicable",
            "  unknown: clean: host.settings: the result does not say how the host was set up",
            "  unknown: clean: host.link: the result does not say how the host was set up",
            "  unknown: clean: host.power_saving: the result does not say how the host was set up",
            "  unknown: clean: host.uninterrupted: the result does not say whether measuring stood still",
            "  unknown: clean: device.other_io: this fio prints the kernel's I/Os, not bytes",
            "  unknown: clean: device.temperature: fio reads no sensor",
            "  unknown: clean: device.throttled: fio reads no sensor",
            "  unknown: clean: device.link: fio reads no sensor",
            "  unknown: clean: device.error_log: fio reads no sensor",
            "  unknown: clean: device.kernel_log: fio reads no sensor",
        ]
    )


def test_json_has_every_check_of_every_job_with_its_numbers() -> None:
    ended = audited("psync_deep.json", "clean.json", "--json")
    checks = json.loads(ended.stdout)
    assert ended.returncode == 3
    assert {check["step"] for check in checks} == {"psync_deep.json: psync_deep", "clean.json: clean"}
    law = next(check for check in checks if check["name"] == "queue.littles_law")
    assert law["numbers"] == snapshot(
        [
            {"name": "queue_depth", "value": 32, "unit": ""},
            {"name": "in_flight", "value": 0.9962343526474026, "unit": ""},
        ]
    )
    assert "not applicable" in {check["outcome"] for check in checks}


def test_logs_are_held_against_their_json() -> None:
    assert "bytes.logs_agree" in {
        check["name"]
        for check in json.loads(audited("with_logs.json", "with_logs_bw.1.log", "--json").stdout)
        if check["outcome"] == "pass"
    }


def test_logs_alone_are_refused() -> None:
    ended = audited("with_logs_bw.1.log")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == snapshot("""\
error: there is no JSON of fio among the files

hint: the audit begins with what fio says it did
""")


def test_judging_and_drawing_at_once_is_refused() -> None:
    ended = audited("clean.json", "--figure", "tail")
    assert (ended.returncode, ended.stdout) == (2, "")
