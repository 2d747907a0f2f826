"""Where ssdlab remembers what must outlive it: what it has changed on this host or on a drive, until that is undone."""

import os
from pathlib import Path


def state_directory() -> Path:
    """One place for root, whatever its environment; else the user's, by the XDG Base Directory Specification."""
    if os.geteuid() == 0:
        return Path("/var/lib/ssdlab")
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local/state")
    return Path(state) / "ssdlab"
