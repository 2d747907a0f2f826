"""Running the programs that prepare a guest."""

import os
import subprocess
from pathlib import Path


class NotPrepared(RuntimeError):  # noqa: N818 - the error is the state
    """What a guest needs cannot be had."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """What a program prints.

    Raises:
        NotPrepared: It is missing, or failed.
    """
    words = [str(one) for one in command]
    # Debian leaves the sbin directories out of an ordinary user's PATH.
    environment = os.environ | {"LC_ALL": "C", "PATH": f"{os.environ['PATH']}:/usr/sbin:/sbin"}
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True, env=environment, cwd=cwd)
    except OSError as error:
        raise NotPrepared(f"`{words[0]}` cannot be started: {error.strerror}") from error
    if done.returncode:
        raise NotPrepared(f"`{' '.join(words)}` failed: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout
