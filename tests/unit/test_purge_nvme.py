"""NVMe format and sanitize: what is typed, and how the end of a sanitize is awaited. The drive is scripted."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.hints import hints_of
from tests.kit.purge_devices import NVME, SATA, namespace
from tests.kit.scripted import ScriptedDrive, scripted_drive

from ssdlab.drive.access import DriveError
from ssdlab.drive.details import FormatInUse
from ssdlab.drive.purge.choice import format_of, kept_format
from ssdlab.drive.purge.nvme import Sanitizing, await_block_size, format_namespace, read_sanitize_log, sanitize
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.unknown import Unknown

POLL = "nvme sanitize-log /dev/nvme0 -o json"


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[ScriptedDrive]:
    with scripted_drive(tmp_path / "drive") as scripted:
        yield scripted


def test_a_format_erases_user_data_and_keeps_the_format(drive: ScriptedDrive) -> None:
    in_use = FormatInUse(number=4, metadata_setting=1, protection_type=2, protection_place=1)
    format_namespace(NVME, kept_format(replace(NVME, namespace=replace(namespace(), format_in_use=in_use))))
    assert drive.calls() == [
        "nvme format /dev/nvme0 --namespace-id=1 --ses=1 --lbaf=4 --ms=1 --pi=2 --pil=1 --timeout=7200000 --force"
    ]


def test_another_size_of_blocks_is_another_format_without_metadata() -> None:
    wanted = FormatInUse(number=4, metadata_setting=0, protection_type=0, protection_place=0)
    assert format_of(NVME, 4096) == wanted
    with pytest.raises(DriveError) as refused:
        format_of(NVME, 8192)
    assert (str(refused.value), *hints_of(refused.value)) == (
        "`/dev/nvme0n1` has no format with blocks of 8192 bytes",
        "it offers 512, 4096",
    )
    with pytest.raises(DriveError, match="it is no NVMe drive"):
        format_of(SATA, 4096)


def test_a_kernel_that_does_not_learn_of_it_is_said() -> None:
    with pytest.raises(DriveError, match="the kernel does not see blocks of 4096 bytes"):
        await_block_size(replace(NVME, path=Path("/dev/nvme99n1")), 4096, lambda _: None)


def test_a_refused_format_is_an_error_in_the_words_of_nvme_cli(drive: ScriptedDrive) -> None:
    drive.becomes("fails/format")
    with pytest.raises(DriveError, match=r"^`nvme` failed: NVMe status: Invalid Field in Command\(0x2002\)$"):
        format_namespace(NVME, kept_format(NVME))


def test_a_sanitize_is_awaited_with_longer_and_longer_pauses(drive: ScriptedDrive) -> None:
    pauses: list[float] = []
    sanitize(NVME, PurgeMethod.SANITIZE_BLOCK, pauses.append)
    assert drive.calls() == ["nvme sanitize /dev/nvme0 --sanact=2 --ause", POLL, POLL, POLL]
    assert pauses == [1, 2]


def test_a_crypto_erase_is_another_action(drive: ScriptedDrive) -> None:
    sanitize(NVME, PurgeMethod.SANITIZE_CRYPTO, lambda _: None)
    assert drive.calls()[0] == "nvme sanitize /dev/nvme0 --sanact=4 --ause"


def test_a_failed_sanitize_is_an_error_with_the_way_out(drive: ScriptedDrive) -> None:
    drive.becomes("fails/erase")
    with pytest.raises(DriveError) as failed:
        sanitize(NVME, PurgeMethod.SANITIZE_BLOCK, lambda _: None)
    assert (str(failed.value), *hints_of(failed.value)) == (
        "`/dev/nvme0` says after its sanitize: failed",
        "`nvme sanitize /dev/nvme0 --sanact=1` lets it leave the failed state",
    )


def test_a_sanitize_that_cannot_be_watched_is_said_to_go_on(drive: ScriptedDrive) -> None:
    drive.becomes("fails/sanitize-log")
    with pytest.raises(DriveError) as lost:
        sanitize(NVME, PurgeMethod.SANITIZE_BLOCK, lambda _: None)
    assert hints_of(lost.value) == ("it goes on inside the drive",)


@pytest.mark.parametrize("state", list(Sanitizing))
def test_every_state_of_the_log_is_read(state: Sanitizing) -> None:
    log = f'{{"nvme0":{{"sprog":65535,"sstat":{{"global_erased":1,"status":"({state.value}) in words"}}}}}}'
    assert read_sanitize_log(log) is state


@given(
    text=st.text() | st.sampled_from(['{"nvme0":{"sstat":{"status":"(7) new"}}}', '{"nvme0":{"sstat":{"status":"?"}}}'])
)
def test_what_is_not_the_log_is_unknown(text: str) -> None:
    assert isinstance(read_sanitize_log(text), Unknown)
