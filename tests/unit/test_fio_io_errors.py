"""Of an I/O that failed a run says the device, the error and the place, once, however deep the queue was."""

from inline_snapshot import snapshot

from ssdlab.engine.fio_io_errors import IoFailure, io_failure

ONE = "fio: io_u error on file fill.pass1.0.0: Input/output error: write offset=131072, buflen=131072"
"""As fio 3.33 printed it."""
END = "fio: pid=7557, err=5/file:io_u.c:1876, func=io_u error, error=Input/output error"


def test_an_error_names_device_kind_length_place_and_number() -> None:
    assert io_failure("/dev/nvme0n1", [ONE, END]) == snapshot(
        IoFailure(
            message="`/dev/nvme0n1` failed a write of 128 KiB at byte 131,072: Input/output error (EIO)",
            hints=(
                "the medium or the way to it is bad: look at `dmesg` and at the drive's own log (`nvme error-log`, `smartctl -l error`)",
            ),
        )
    )


def test_of_many_the_first_is_named_and_the_others_are_counted() -> None:
    others = [ONE.replace("131072,", f"{number * 131072},") for number in range(2, 200)]
    failure = io_failure("/dev/sda", [ONE, *others, END])
    assert failure is not None
    assert failure.message == snapshot(
        "`/dev/sda` failed a write of 128 KiB at byte 131,072: Input/output error (EIO), and 198 more I/Os after it"
    )


def test_a_path_with_colons_is_no_error() -> None:
    line = (
        "fio: io_u error on file /dev/disk/by-path/pci-0000:01:00.0: Operation not permitted: read offset=0, buflen=512"
    )
    assert io_failure("/dev/sda", [line]) == snapshot(
        IoFailure(
            message="`/dev/sda` failed a read of 512 B at byte 0: Operation not permitted (EPERM)",
            hints=("the drive refuses it: worn-out drives become read-only",),
        )
    )


def test_an_error_without_a_known_number_has_no_hint() -> None:
    failure = io_failure("/dev/sda", [ONE.replace("Input/output error", "Some new error")])
    assert isinstance(failure, IoFailure)
    assert failure.message.endswith("at byte 131,072: Some new error")
    assert failure.hints == ()


def test_where_no_io_failed_there_is_nothing_to_say() -> None:
    assert io_failure("/dev/sda", ["fio: unrecognised option", ""]) is None
