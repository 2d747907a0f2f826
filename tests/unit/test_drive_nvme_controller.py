"""Commands go to the controller that the drive is really behind, whatever the numbers in their names."""

from pathlib import Path

import pytest

from ssdlab.drive.nvme_controller import controller_of
from ssdlab.host.kernel import Kernel


def linked(sysfs: Path, name: str, device: str, *controllers: str) -> Kernel:
    """A namespace whose `device` leads to a controller, or to a subsystem with controllers."""
    place = sysfs / "devices" / device
    place.mkdir(parents=True)
    for one in (*controllers, name):
        (place / one).mkdir()
    (sysfs / "block" / name).mkdir(parents=True)
    (sysfs / "block" / name / "device").symlink_to(place)
    return Kernel(sysfs)


@pytest.mark.parametrize(("name", "controller"), [("nvme0n1", "nvme0"), ("nvme12n34", "nvme12")])
def test_where_the_kernel_links_to_nothing_the_name_tells_it(tmp_path: Path, name: str, controller: str) -> None:
    assert controller_of(Kernel(tmp_path), name) == controller


def test_a_namespace_belongs_to_the_controller_the_kernel_links_it_to(tmp_path: Path) -> None:
    assert controller_of(linked(tmp_path, "nvme0n1", "nvme1"), "nvme0n1") == "nvme1"


def test_the_number_of_a_subsystem_is_not_taken_for_that_of_a_controller(tmp_path: Path) -> None:
    assert controller_of(linked(tmp_path, "nvme0n1", "nvme-subsys0", "nvme3"), "nvme0n1") == "nvme3"


def test_of_several_controllers_the_one_of_the_same_number_is_asked(tmp_path: Path) -> None:
    assert controller_of(linked(tmp_path, "nvme5n1", "nvme-subsys5", "nvme4", "nvme5"), "nvme5n1") == "nvme5"


def test_a_subsystem_that_lost_its_controllers_is_not_reached_through_anybody_elses(tmp_path: Path) -> None:
    assert controller_of(linked(tmp_path, "nvme0n1", "nvme-subsys0"), "nvme0n1") == "nvme0n1"
