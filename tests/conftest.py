"""What all tests share."""

import os
import shutil
import signal

import pytest
from hypothesis import HealthCheck, settings

# A shared host stands still for a while now and then, and no test is about how fast it is; and of the same code the tests say the
# same each time.
settings.register_profile(
    "ssdlab",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("ssdlab")

# Whoever is started in the background of a script is deaf to Ctrl-C, which tests press.
signal.signal(signal.SIGINT, signal.default_int_handler)

NEEDS = {
    "fio": ("fio", "setpriv", "unshare", "nbdkit", "nbdcopy"),
    "loop": ("losetup", "blkid", "mkfs.ext4", "mkswap", "addpart", "unshare"),
    "exfat": ("mkfs.exfat", "fsck.exfat", "mount.exfat-fuse"),
}
"""Programs that the tests of a marker start; `./dev test` installs them."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Say which program is missing, rather than fail in a way that hides it."""
    for marker, programs in NEEDS.items():
        missing = [program for program in programs if shutil.which(program) is None]
        if missing and item.get_closest_marker(marker):
            pytest.skip(f"{', '.join(missing)} not installed; `./dev test` installs what is missing")
    if item.get_closest_marker("loop") and not (os.geteuid() == 0 and os.access("/dev/loop-control", os.W_OK)):
        pytest.skip("loop devices are made by root only, or this kernel has none")
