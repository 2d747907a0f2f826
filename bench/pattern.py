"""How fast the data of `sustain` is made and checked by one core, beside copying it and what fio's verify costs there."""

import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measure import Aim, Measurement, release_binary

GB = 1e9
LEAST_BYTES_PER_S = 3 * GB
VERIFIED = "512m"


def pattern() -> Iterator[Measurement]:
    """Rates per second of processor time, so that other work on the machine counts less."""
    example = release_binary("ssdlab-pattern", "--example", "speed")
    rates = json.loads(subprocess.run([example], capture_output=True, text=True, check=True).stdout)
    copied = rates["copy"]
    for name, words in (("generate", "pattern, generating data"), ("check", "pattern, checking data")):
        detail = f"{rates[name] / copied:.2f} of copying it"
        yield Measurement(words, rates[name] / GB, "GB/CPU s", Aim.AT_LEAST, LEAST_BYTES_PER_S / GB, detail)
    yield Measurement("copying data (memcpy)", copied / GB, "GB/CPU s", Aim.NONE, 0, "")
    yield Measurement("fio's crc32c alone (--crctest)", _crc32c() / GB, "GB/s", Aim.NONE, 0, "")
    verified = _verify()
    detail = f"checking is {rates['check'] / verified:.1f} x as fast; fio reads the file as well"
    yield Measurement("fio verify=crc32c of a file in memory", verified / GB, "GB/CPU s", Aim.NONE, 0, detail)


def _crc32c() -> float:
    """The best of some runs: fio goes by the wall clock here, and others on the machine only slow it down."""
    return max(_crc32c_once() for _ in range(7))


def _crc32c_once() -> float:
    said = subprocess.run(["fio", "--crctest=crc32c"], capture_output=True, text=True, check=True).stdout
    rate = re.search(r"crc32c:\s*([0-9.]+) MiB/sec", said)
    if rate is None:
        raise RuntimeError(f"fio names no rate of crc32c: {said}")
    return float(rate[1]) * (1 << 20)


def _verify() -> float:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as directory:
        path = Path(directory, "verified")
        options = [f"--filename={path}", f"--size={VERIFIED}", "--bs=1m", "--verify=crc32c", "--thread=1"]
        _fio("--rw=write", "--do_verify=0", *options)
        job = _fio("--rw=read", "--do_verify=1", *options)
    cpu_s = job["job_runtime"] / 1000 * (job["usr_cpu"] + job["sys_cpu"]) / 100
    return float(job["read"]["io_bytes"]) / cpu_s


def _fio(*options: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        command = ["fio", "--name=verify", "--ioengine=psync", "--output-format=json", *options]
        said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=directory).stdout
    job: dict[str, Any] = json.loads(said[said.index("{") :])["jobs"][0]
    return job
