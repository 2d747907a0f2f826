"""Runs in the guest: does the commands that the host sends, each in a thread, and answers with what they said.

A request is a line of JSON: `number`, `command`. An answer is one too: `number`, `status`, `stdout`, `stderr`.
"""

import json
import subprocess
import sys
import threading
from io import FileIO
from pathlib import Path

_answering = threading.Lock()


def do(port: FileIO, request: dict[str, str | int]) -> None:
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


def answer(port: FileIO, words: dict[str, str | int]) -> None:
    """Send one line; the port takes 32 KiB at a time and says how much it took."""
    line = json.dumps(words).encode() + b"\n"
    with _answering:
        while line:
            line = line[port.write(line) :]


def main() -> None:
    """Answer until the host says no more."""
    with Path(sys.argv[1]).open("r+b", buffering=0) as port:
        answer(port, {"number": 0, "status": 0, "stdout": "", "stderr": ""})
        while line := port.readline():
            threading.Thread(target=do, args=(port, json.loads(line))).start()


if __name__ == "__main__":
    main()
