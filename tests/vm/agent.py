"""Runs in the guest: does the commands that the host sends, each in a thread, and answers with what they said.

A request is a line of JSON: `number`, `command`. An answer is one too: `number`, `status`, `stdout`, `stderr`.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import BinaryIO

_answering = threading.Lock()


def do(port: BinaryIO, request: dict[str, str | int]) -> None:
    """Run one command with the shell and answer."""
    done = subprocess.run(
        ["/bin/bash", "-c", str(request["command"])],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        cwd="/root",
    )
    said = {"stdout": done.stdout.decode(errors="replace"), "stderr": done.stderr.decode(errors="replace")}
    answer(port, {"number": request["number"], "status": done.returncode, **said})


def answer(port: BinaryIO, words: dict[str, str | int]) -> None:
    """Send one line."""
    with _answering:
        port.write(json.dumps(words).encode() + b"\n")


def main() -> None:
    """Answer until the host says no more."""
    with Path(sys.argv[1]).open("r+b", buffering=0) as port:
        answer(port, {"number": 0, "status": 0, "stdout": "", "stderr": ""})
        while line := port.readline():
            threading.Thread(target=do, args=(port, json.loads(line))).start()


if __name__ == "__main__":
    main()
