"""Joulescope's JLS files of version 2, by Joulescope's own reader `pyjls` (the extra `ssdlab[power]`).

Power is the signal `power`; where there is none, `current` times `voltage`. Missing samples are NaN. The map from samples to the meter's
time of day is not taken: the nominal rate is, and what it is off by is part of the drift that is fitted.

`pyjls` mends a file that was not closed in place, and cuts off what it cannot place, also of a file that is still being written: it never
gets to see one. On some damaged files whose checksums are right it crashes, which ends a process of its own (`jls_worker`).
"""

import json
import os
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from ssdlab.analysis.power.samples import PowerChunk, PowerLogError
from ssdlab.message import message
from ssdlab.own_python import module_command

_MAGIC = b"jlsfmt\r\n \n \x1a  \xb2\x1c"
_FILE_HEADER = struct.Struct("<16sQII")
"""Magic, length of the file (0 until it is closed), version, CRC (`include/jls/format.h` of jls 0.17)."""
_CHUNK_HEADER = struct.Struct("<QQBBHIII")
"""Next, previous, tag, reserved, meaning, length of the payload, length of the payload before it, CRC-32C of what precedes it."""
_TAG_END = 0xFF
_CRC_POLYNOMIAL = 0x82F63B78
"""CRC-32C, reflected (RFC 3720, appendix B.4)."""
_CHUNK = 1 << 18
_RATE_MAX = 10_000_000
_SAMPLES_MAX = 1 << 40
_POWER_W_MAX = 100_000.0


@dataclass(frozen=True, slots=True)
class JlsLog:
    """Samples of one signal, or of the product of two, at one rate."""

    path: Path
    signals: tuple[int, ...]
    length: int
    period_s: float

    def chunks(self) -> Iterator[PowerChunk]:
        """See `PowerLog.chunks`."""
        with _worker(self.path, self.length, *self.signals) as answer:
            for begin in range(0, self.length, _CHUNK):
                count = min(_CHUNK, self.length - begin)
                power_w = np.frombuffer(answer.read(8 * count))
                if len(power_w) != count:
                    raise _damaged(self.path)
                power_w = np.where(np.isinf(power_w), np.nan, power_w)
                if (np.abs(power_w) > _POWER_W_MAX).any():
                    raise PowerLogError(
                        message("power-impossible", file=self.path.name, line=begin), message("power-hint-as-saved")
                    )
                yield PowerChunk(np.arange(begin, begin + count, dtype=np.float64) * self.period_s, power_w)


def is_jls(begin: bytes) -> bool:
    """Whether a file begins as those of version 2 do."""
    return begin.startswith(_MAGIC)


def read_jls(path: Path, period_s: float | None) -> JlsLog:  # noqa: ARG001 - the file itself says it
    """Open it; raises PowerLogError."""
    found = {one["name"].lower(): one for one in _signals(path)}
    taken = [found["power"]] if "power" in found else [found[name] for name in ("current", "voltage") if name in found]
    if not taken or (len(taken) == 1 and "power" not in found):
        raise PowerLogError(message("power-no-columns", file=path.name), message("power-hint-channels"))
    rates, lengths = {one["rate_hz"] for one in taken}, [one["length"] for one in taken]
    rate, length = rates.pop(), min(lengths)
    if rates or not 0 < rate <= _RATE_MAX or not 2 < length < _SAMPLES_MAX:
        raise _damaged(path)
    return JlsLog(path, tuple(one["number"] for one in taken), length, 1 / rate)


def _signals(path: Path) -> list[dict[str, Any]]:
    with _worker(path) as answer:
        told = answer.read()
    return [json.loads(line) for line in told.splitlines()]


@contextmanager
def _worker(path: Path, *numbers: int) -> Iterator[BinaryIO]:
    """What the worker answers, which is damaged where it ends early.

    Raises:
        PowerLogError: `pyjls` is not installed, the file is not closed, or the worker failed at it.
    """
    if find_spec("pyjls") is None:
        raise PowerLogError(message("power-no-pyjls", file=path.name), message("power-hint-pyjls"))
    if not _is_closed(path):
        raise PowerLogError(message("power-not-closed", file=path.name), message("power-hint-close"))
    command = module_command("ssdlab.library.meter.jls_worker", str(path), *map(str, numbers))
    silence = subprocess.DEVNULL
    process = subprocess.Popen(command, stdin=silence, stdout=subprocess.PIPE, stderr=silence, process_group=0)
    answer = cast("BinaryIO", process.stdout)
    try:
        yield answer
        if not answer.read(1) and process.wait() != 0:
            raise _damaged(path)
    finally:
        process.kill()
        answer.close()
        process.wait()


def _is_closed(path: Path) -> bool:
    """Whether it ends as `pyjls` leaves alone: by a chunk without payload that says so, at the length that its header tells."""
    with path.open("rb") as file:
        begin = file.read(_FILE_HEADER.size)
        size_bytes = file.seek(0, os.SEEK_END)
        if len(begin) < _FILE_HEADER.size or size_bytes % 8 or size_bytes < _FILE_HEADER.size + _CHUNK_HEADER.size:
            return False
        file.seek(-_CHUNK_HEADER.size, os.SEEK_END)
        end = file.read(_CHUNK_HEADER.size)
    _, told_bytes, *_ = _FILE_HEADER.unpack(begin)
    *_, tag, _, _, payload_bytes, _, crc = _CHUNK_HEADER.unpack(end)
    return (told_bytes, tag, payload_bytes, crc) == (size_bytes, _TAG_END, 0, _crc32c(end[:-4]))


def _crc32c(content: bytes) -> int:
    """Of a few bytes."""
    crc = 0xFFFF_FFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (_CRC_POLYNOMIAL if crc & 1 else 0)
    return crc ^ 0xFFFF_FFFF


def _damaged(path: Path) -> PowerLogError:
    return PowerLogError(message("power-head-damaged", file=path.name), message("power-hint-as-saved"))
