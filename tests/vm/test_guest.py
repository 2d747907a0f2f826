"""The machine that the tests hold says all that its commands said."""

import pytest
from tests.vm.guest import Guest

pytestmark = pytest.mark.vm


def test_an_answer_of_any_length_arrives_whole(machine: Guest) -> None:
    assert len(machine.must("head -c 200000 /dev/zero | tr '\\0' x")) == 200_000
