"""What the kernel says of a drive while it is measured."""

from contextlib import closing

import pytest
from tests.loop.conftest import SIZE_BYTES, Attach, Loop, tool

from ssdlab.drive.sense.block import BlockSensor

pytestmark = pytest.mark.loop


def test_what_the_kernel_says_of_the_drive_is_heard_once_and_of_others_not_at_all(loop: Loop, attach: Attach) -> None:
    other = attach(loop.file.with_name("other.img"))
    with closing(BlockSensor(loop.name)) as sensor:
        assert sensor.messages() == ()
        for one in (other, loop):
            with one.file.open("ab") as file:
                file.truncate(2 * SIZE_BYTES)
            tool("losetup", "--set-capacity", one.path)
        sectors = SIZE_BYTES // 512
        assert sensor.messages() == (f"{loop.name}: detected capacity change from {sectors} to {2 * sectors}",)
        assert sensor.messages() == ()
