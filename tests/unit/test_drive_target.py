"""What the user types to name a drive."""

from pathlib import Path

import pytest
from inline_snapshot import snapshot

from ssdlab.drive.purge_method import Method
from ssdlab.drive.target import (
    BlockTarget,
    FileTarget,
    ModelTarget,
    NbdTarget,
    TargetError,
    VirtualTarget,
    device_path_of,
    moved,
    parse_target,
    spec_choice,
)
from ssdlab.units import GIB, UnitError


def refusal_of(text: str) -> tuple[str, ...]:
    with pytest.raises(TargetError) as error:
        parse_target(text)
    return (error.value.message, *error.value.hints)


def test_the_bare_name_of_a_virtual_drive_is_answered_with_both_targets_it_may_mean() -> None:
    assert refusal_of("demo?capacity=1GiB") == snapshot(
        (
            "`demo?capacity=1GiB` is no target",
            "`virtual:demo?capacity=1GiB` is that drive in real time, measured by fio; `model:demo?capacity=1GiB` the same in virtual time",
        )
    )


def test_a_virtual_drive_and_its_model_are_of_one_spec() -> None:
    virtual, model = parse_target("virtual:demo"), parse_target("model:demo")
    assert isinstance(virtual, VirtualTarget)
    assert isinstance(model, ModelTarget)
    assert virtual.spec == model.spec
    assert 'name = "demo"' in virtual.spec.text


def test_a_spec_can_differ_in_capacity_and_seed() -> None:
    choice = spec_choice("demo?capacity=8GiB&seed=1")
    assert (choice.name, choice.capacity_bytes, choice.seed) == ("demo", 8 * GIB, 1)
    plain = spec_choice("demo")
    assert (plain.capacity_bytes, plain.seed) == (None, None)


def test_a_spec_of_ones_own_is_a_path(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("# mine\n")
    assert spec_choice(f"{tmp_path}/mine.toml").text == "# mine\n"


def test_a_file_may_have_a_size() -> None:
    assert parse_target("file:/mnt/ssd") == FileTarget(Path("/mnt/ssd"), None)
    assert parse_target("file:/mnt/ssd?size=1GiB") == FileTarget(Path("/mnt/ssd"), GIB)


def test_an_export_is_a_socket_and_perhaps_a_name() -> None:
    assert parse_target("nbd+unix:///?socket=/run/nbd") == NbdTarget(Path("/run/nbd"), "")
    assert parse_target("nbd+unix:///disk?socket=/run/nbd") == NbdTarget(Path("/run/nbd"), "disk")


@pytest.mark.parametrize("text", ["nbd+unix:///disk", "nbd+unix://host/disk?socket=/run/nbd", "nbd+unix:"])
def test_an_export_without_a_socket_of_this_host_is_refused(text: str) -> None:
    assert refusal_of(text) == (
        f"`{text}` is no NBD URI on a unix socket",
        "write it like `nbd+unix:///?socket=/run/drive.sock`",
    )


def test_a_spec_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.toml")
    assert refusal_of(f"virtual:{missing}")[0].replace(missing, "PATH") == snapshot(
        "the spec `PATH` cannot be read: [Errno 2] No such file or directory: 'PATH'"
    )


def test_a_seed_is_a_whole_number() -> None:
    assert refusal_of("virtual:demo?seed=one") == snapshot(
        ("`demo?seed=one`: seed `one` is no whole number", "write it like `seed=1`")
    )
    assert refusal_of("virtual:demo?seed=-1")[0] == snapshot("`demo?seed=-1`: seed `-1` is no whole number")


def test_a_target_names_something() -> None:
    assert refusal_of("virtual:")[0] == snapshot("no drive is named")
    assert refusal_of("file:?size=1GiB")[0] == snapshot("`file:?size=1GiB` names nothing")


def test_a_size_that_cannot_be_read_says_how_to_write_it() -> None:
    with pytest.raises(UnitError, match="`1G` is not a size"):
        parse_target("file:/mnt?size=1G")


def test_a_block_device_may_be_told_how_to_purge() -> None:
    assert parse_target("/dev/disk/by-id/nvme-a:b") == BlockTarget(Path("/dev/disk/by-id/nvme-a:b"))
    assert parse_target("/dev/nvme0n1?purge=discard") == BlockTarget(Path("/dev/nvme0n1"), Method.DISCARD)
    assert refusal_of("/dev/sda?purge=axe") == snapshot(
        (
            "`/dev/sda?purge=axe`: `axe` is no way to purge",
            "known are: nvme-format, sanitize-block, sanitize-crypto, ata-erase, ata-erase-enhanced, discard",
        )
    )


def test_a_block_device_under_another_name_keeps_how_it_is_purged() -> None:
    assert moved("/dev/sda?purge=discard", Path("/dev/sdb")) == "/dev/sdb?purge=discard"
    assert moved("/dev/sda", Path("/dev/sdb")) == "/dev/sdb"
    assert device_path_of("/dev/sda?purge=discard") == Path("/dev/sda")
