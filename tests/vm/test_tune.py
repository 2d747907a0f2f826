"""The host of real NVMe drives: looked at, set up with queues to poll, put back."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests.vm.guest import SSDLAB, Guest

pytestmark = pytest.mark.vm

QUEUE = "grep -H . /sys/block/nvme0n1/queue/scheduler /sys/block/nvme0n1/queue/nomerges /sys/block/nvme0n1/queue/rq_affinity"
TUNED = """
import json
from ssdlab.host.tune import Tuning, tuned
from pydantic import TypeAdapter
with tuned("nvme0n1") as host:
    print(json.dumps(TypeAdapter(Tuning).dump_python(host.tuning, mode="json")))
"""


@pytest.fixture(scope="module")
def examined(machine: Guest) -> dict[str, Any]:
    """What the doctor says of the first drive."""
    ended = machine.ssdlab("doctor", "/dev/nvme0n1", "--json")
    assert ended.stderr == ""
    seen: dict[str, Any] = json.loads(ended.stdout)
    return seen


def test_the_doctor_sees_how_the_drive_hangs_on_the_host(examined: dict[str, Any]) -> None:
    attachment = examined["state"]["attachment"]
    assert (attachment["link"]["speed_now"], attachment["link"]["lanes_now"]) == ("2.5 GT/s PCIe", 1)
    assert examined["state"]["nvme_poll_queues"] == 1
    assert attachment["queue"]["io_poll"] == "1"
    assert {one["topic"] for one in examined["findings"]} & {"polling", "link", "guard", "health"} == set()


def test_every_setting_of_an_nvme_queue_is_made_and_put_back(machine: Guest) -> None:
    before = machine.run(QUEUE).stdout
    ended = machine.run(shlex.join([str(Path(SSDLAB).with_name("python")), "-c", TUNED]))
    assert ended.status == 0, ended.stderr
    applied = {one["knob"]: one["after"] for one in json.loads(ended.stdout)["applied"]}
    assert applied == {
        "scheduler": "none",
        "nomerges": "2",
        "rq_affinity": "1",
        "io_poll": "1",
    }
    assert machine.run(QUEUE).stdout == before
