"""Purging an NVMe drive by Format NVM or Sanitize (NVM Express Base Specification 2.0, 5.14 and 5.22), through nvme-cli."""

import re
import time
from collections.abc import Callable
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ssdlab.drive.access import DriveError
from ssdlab.drive.block.details import namespace_id
from ssdlab.drive.details import FormatInUse
from ssdlab.drive.purge.device import PurgeDevice, controller_path, logical_block_bytes
from ssdlab.drive.purge_method import PurgeMethod
from ssdlab.drive.tool import ask, tell
from ssdlab.message import message, number
from ssdlab.unknown import Unknown

_FORMAT_LIMIT_S = 2 * 3600
"""Some drives erase every block before they answer; a kernel that loses patience resets them in the middle of it."""
_SANITIZE_LIMIT_S = 24 * 3600
_PAUSE_S_MAX = 60
_ACTIONS = {PurgeMethod.SANITIZE_BLOCK: 2, PurgeMethod.SANITIZE_CRYPTO: 4}
"""SANACT of the Sanitize command."""


class Sanitizing(Enum):
    """How the last sanitize ended: SSTAT bits 2:0 of log page 81h."""

    NEVER = 0
    DONE = 1
    RUNNING = 2
    FAILED = 3
    DONE_AND_DEALLOCATED = 4


def format_namespace(device: PurgeDevice, wanted: FormatInUse) -> None:
    """Erase user data, and give the blocks a format, which may be the one they have.

    Raises:
        DriveError: The drive refused, or the kernel does not learn of another size of its blocks.
    """
    # Through the controller: where the size of blocks changes, nvme-cli wants to set it on a block device that is held.
    tell(
        "nvme",
        "format",
        str(controller_path(device.path)),
        f"--namespace-id={namespace_id(device.path.name)}",
        "--ses=1",
        f"--lbaf={wanted.number}",
        f"--ms={wanted.metadata_setting}",
        f"--pi={wanted.protection_type}",
        f"--pil={wanted.protection_place}",
        f"--timeout={_FORMAT_LIMIT_S * 1000}",
        # Without it nvme-cli waits for a change of mind.
        "--force",
        limit_s=_FORMAT_LIMIT_S + 60,
    )


def await_block_size(device: PurgeDevice, block_bytes: int, pause: Callable[[float], None] = time.sleep) -> None:
    """Wait until the kernel has looked at the drive anew after a format.

    Raises:
        DriveError: It still sees blocks of another size after half a minute.
    """
    for _ in range(300):
        if logical_block_bytes(device.path) == block_bytes:
            return
        pause(0.1)
    raise DriveError(
        message("drive-block-size-unseen", path=str(device.path), size=number(block_bytes, "d")),
        message("drive-rescan", controller=str(controller_path(device.path))),
    )


def sanitize(device: PurgeDevice, method: PurgeMethod, pause: Callable[[float], None] = time.sleep) -> None:
    """Start it, and wait until the drive says that it is done; nothing can stop it once it runs.

    Raises:
        DriveError: The drive refused, failed, or does not end.
    """
    controller = str(controller_path(device.path))
    # `--ause` lets a drive whose sanitize failed leave that state, in which it does nothing else.
    tell("nvme", "sanitize", controller, f"--sanact={_ACTIONS[method]}", "--ause", limit_s=120)
    waited_s, pause_s = 0.0, 1.0
    while (state := _sanitizing(controller)) is Sanitizing.RUNNING:
        if waited_s > _SANITIZE_LIMIT_S:
            raise DriveError(
                message("drive-sanitizes-on", controller=controller),
                message("drive-sanitize-log", controller=controller),
            )
        pause(pause_s)
        waited_s += pause_s
        pause_s = min(2 * pause_s, _PAUSE_S_MAX)
    if state not in {Sanitizing.DONE, Sanitizing.DONE_AND_DEALLOCATED}:
        raise DriveError(
            message("drive-sanitize-failed", controller=controller, state=state.name.lower()),
            message("drive-leave-failed", controller=controller),
        )


def _sanitizing(controller: str) -> Sanitizing:
    answer = ask("nvme", "sanitize-log", controller, "-o", "json")
    state = answer if isinstance(answer, Unknown) else read_sanitize_log(answer.text)
    if isinstance(state, Unknown):
        raise DriveError(message("drive-sanitize-unknown", why=state.reason), message("drive-sanitize-inside"))
    return state


class _StatusJson(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    status: str


class _LogJson(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)
    sstat: _StatusJson


def read_sanitize_log(text: str) -> Sanitizing | Unknown:
    """Read `nvme sanitize-log -o json`, which names the controller above the log, and begins the status with its number."""
    try:
        logs = list(TypeAdapter(dict[str, _LogJson]).validate_json(text).values())
    except ValidationError:
        return Unknown(message("unknown-form", program="nvme sanitize-log"))
    number: Any = re.match(r"\((\d)\)", logs[0].sstat.status) if logs else None
    if number is None or int(number[1]) not in {one.value for one in Sanitizing}:
        return Unknown(message("unknown-form", program="nvme sanitize-log"))
    return Sanitizing(int(number[1]))
