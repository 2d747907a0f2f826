"""Of an I/O that failed a run says the device, the error and the place, once, however deep the queue was."""

from types import SimpleNamespace
from typing import cast

from inline_snapshot import snapshot

from ssdlab import _core
from ssdlab.engine.failed_io import core_failure
from ssdlab.engine.fio.io_errors import io_failure

ONE = "fio: io_u error on file fill.pass1.0.0: Input/output error: write offset=131072, buflen=131072"
"""As fio 3.33 printed it."""
END = "fio: pid=7557, err=5/file:io_u.c:1876, func=io_u error, error=Input/output error"


def told(device: str, said: list[str]) -> tuple[str, ...]:
    """The failure in English, and its hints."""
    failure = io_failure(device, said)
    assert failure is not None
    return tuple(map(str, (failure.message, *failure.hints)))


def test_an_error_names_device_kind_length_place_and_number() -> None:
    assert told("/dev/nvme0n1", [ONE, END]) == snapshot(
        (
            "`/dev/nvme0n1` failed a write of 128 KiB at byte 131,072: Input/output error (EIO)",
            "the medium or the way to it is bad: look at `dmesg` and at the drive's own log (`nvme error-log`, `smartctl -l error`)",
        )
    )


def test_of_many_the_first_is_named_and_the_others_are_counted() -> None:
    others = [ONE.replace("131072,", f"{number * 131072},") for number in range(2, 200)]
    assert told("/dev/sda", [ONE, *others, END]) == snapshot(
        (
            "`/dev/sda` failed a write of 128 KiB at byte 131,072: Input/output error (EIO), and 198 more I/Os after it",
            "the medium or the way to it is bad: look at `dmesg` and at the drive's own log (`nvme error-log`, `smartctl -l error`)",
        )
    )


def test_a_path_with_colons_is_no_error() -> None:
    line = (
        "fio: io_u error on file /dev/disk/by-path/pci-0000:01:00.0: Operation not permitted: read offset=0, buflen=512"
    )
    assert told("/dev/sda", [line]) == snapshot(
        (
            "`/dev/sda` failed a read of 512 B at byte 0: Operation not permitted (EPERM)",
            "the drive refuses it: worn-out drives become read-only",
        )
    )


def test_an_error_without_a_known_number_has_no_hint() -> None:
    (said,) = told("/dev/sda", [ONE.replace("Input/output error", "Some new error")])
    assert said.endswith("at byte 131,072: Some new error")


def test_where_no_io_failed_there_is_nothing_to_say() -> None:
    assert io_failure("/dev/sda", ["fio: unrecognised option", ""]) is None


def test_a_failed_flush_has_no_place() -> None:
    flush = cast("_core.LoadFailure", SimpleNamespace(direction=3, offset_bytes=0, length_bytes=0, errno=5))
    assert str(core_failure("/dev/sda", flush).message) == "`/dev/sda` failed a flush: Input/output error (EIO)"
