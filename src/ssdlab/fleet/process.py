"""The process that is at a run: an ordinary `ssdlab run` or `ssdlab resume`, which outlives the agent that started it."""

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ssdlab.durable import write_durably
from ssdlab.fleet.place import HeldDrive, RunPlace
from ssdlab.own_python import module_command

_SAID_BYTES = 2000
"""Of the end of what a command said: its error, and what to do about it."""


def start(arguments: Sequence[str], place: RunPlace, drive: HeldDrive) -> "subprocess.Popen[bytes]":
    """Start a command of ssdlab that holds the drive as long as it lives; raises OSError."""
    with place.said.open("ab") as said:
        # That of asyncio would be killed with whoever waits for it.
        process = subprocess.Popen(
            module_command("ssdlab.cli", *arguments),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            pass_fds=(drive.descriptor,),
            # Neither Ctrl-C nor the end of the agent is meant for it.
            start_new_session=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
            cwd="/",
        )
    mark = {"pid": process.pid, "started": _started(process.pid)}
    try:
        write_durably(place.process, json.dumps(mark).encode())
    except OSError:
        # Nobody could stop it later.
        process.kill()
        process.wait()
        raise
    return process


def end(place: RunPlace) -> None:
    """Ask the process at a run to end, if it lives: it notes how far it came.

    That is SIGTERM: of Ctrl-C the first may end no more than a step, and whoever started the agent may have made it deaf to that.
    """
    try:
        mark = json.loads(place.process.read_bytes())
        # The number may be that of another process by now; between this look and the signal it cannot become so,
        # because the process is held.
        held = os.pidfd_open(mark["pid"])
    except (OSError, ValueError):
        return
    try:
        if _started(mark["pid"]) == mark["started"] is not None:
            signal.pidfd_send_signal(held, signal.SIGTERM)
    except ProcessLookupError:
        return
    finally:
        os.close(held)


def last_words(place: RunPlace) -> str:
    """The end of what the commands at a run said."""
    try:
        with place.said.open("rb") as said:
            said.seek(max(0, os.fstat(said.fileno()).st_size - _SAID_BYTES))
            return " ".join(said.read().decode(errors="replace").split())
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """When a process started, in ticks since the kernel did; None where there is none. See proc(5), `/proc/PID/stat`, field 22."""
    try:
        # The name before the bracket may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None
