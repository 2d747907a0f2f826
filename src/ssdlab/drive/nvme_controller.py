"""Which controller an NVMe drive is reached through; commands given to another one would reach another drive."""

import re

from ssdlab.host.kernel import Kernel


def controller_of(kernel: Kernel, name: str) -> str:
    """Name of the controller of a namespace: `nvme0` of `nvme0n1` where the kernel links it to nothing at all.

    With native multipath the first number of the namespace's name is that of its subsystem, which before Linux 5.4 was often
    another one than the controller's; sysfs then leads to the subsystem, and there to the controllers. Of a subsystem that has
    lost them all it is the namespace itself: what is sent there reaches it or nothing, and never another drive.
    """
    by_name = re.sub(r"n\d+$", "", name)
    device = (kernel.sysfs / "block" / name / "device").resolve()
    if re.fullmatch(r"nvme\d+", device.name):
        return device.name
    linked = sorted(path.name for path in device.glob("nvme*") if re.fullmatch(r"nvme\d+", path.name))
    if linked:
        return by_name if by_name in linked else linked[0]
    return name if device.name.startswith("nvme-subsys") else by_name
