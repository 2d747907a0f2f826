"""How much memory the kernel lets a process lock, which buffers that are registered with it are."""

import resource
from pathlib import Path

_STATUS = Path("/proc/self/status")
_IPC_LOCK = 1 << 14
"""`CAP_IPC_LOCK` (capabilities(7)): whoever has it locks as much as there is, as root does."""


def locked_bytes_max(status: Path = _STATUS) -> int | None:
    """What `RLIMIT_MEMLOCK` allows (getrlimit(2)), in bytes; None without a limit.

    Args:
        status: What the kernel says of this process (proc_pid_status(5)).
    """
    limit_bytes, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    if limit_bytes == resource.RLIM_INFINITY or _capabilities(status) & _IPC_LOCK:
        return None
    return limit_bytes


def _capabilities(status: Path) -> int:
    """Those in effect; none where the kernel does not tell."""
    lines = status.read_text(encoding="ascii", errors="replace").splitlines()
    return next((int(line.split()[1], 16) for line in lines if line.startswith("CapEff:")), 0)
