"""Starting modules of ssdlab as processes of their own."""

import sys


def module_command(module: str, *arguments: str) -> list[str]:
    """The command that runs a module with this Python.

    The working directory is not searched for modules, as `python -m` alone would: it may hold files of strangers, and one of them may be
    called `json.py` (`-P`, Python documentation, "Command line and environment").
    """
    return [sys.executable, "-P", "-m", module, *arguments]
