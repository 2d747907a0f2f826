"""Which drives may be tested and which may not: every situation made in a booted kernel, none judged wrongly either way."""

import json

import pytest
from tests.vm.guest import REPOSITORY, Guest
from tests.vm.situations import SITUATIONS, Situation

pytestmark = pytest.mark.vm


@pytest.fixture(scope="module")
def outcomes(machine: Guest) -> dict[str, dict[str, str]]:
    """Of all situations, by name; they are made one after the other by one program, whose start would cost the most."""
    machine.must("echo 'activation { udev_sync = 0 udev_rules = 0 }' >>/etc/lvm/lvmlocal.conf")
    said = machine.must(f"cd {REPOSITORY} && .venv/bin/python -m tests.vm.judge", limit_s=1800)
    return {one["name"]: one for one in json.loads(said)}


@pytest.mark.timeout(3000)
@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one.name)
def test_a_drive_is_opened_only_if_it_may_be(situation: Situation, outcomes: dict[str, dict[str, str]]) -> None:
    outcome = outcomes[situation.name]
    assert outcome["trouble"] == ""
    assert outcome["answer"] == situation.answer.value, outcome["said"]
    assert situation.says in outcome["said"]
