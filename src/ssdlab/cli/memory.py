"""Room for the libraries that ssdlab loads, some of which end the process without a word where they get none."""

import resource

from ssdlab.errors import SsdlabError
from ssdlab.message import message, size
from ssdlab.units import GIB

_ADDRESS_SPACE_BYTES_MIN = GIB
"""With 0.6 GiB and less DuckDB, NumPy or the model of drives aborted in one place or another."""
PAGE_ADDRESS_SPACE_BYTES_MIN = 72 * GIB
"""What draws figures runs JavaScript in an engine that reserves so many addresses; it aborted with 60 GiB and drew with 66."""


def require_address_space(needed_bytes: int = _ADDRESS_SPACE_BYTES_MIN) -> None:
    """Refuse to begin where `ulimit -v` leaves less.

    Raises:
        SsdlabError: It does.
    """
    allowed_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed_bytes != resource.RLIM_INFINITY and allowed_bytes < needed_bytes:
        raise SsdlabError(
            message("cli-too-little-memory", allowed=size(allowed_bytes), needed=size(needed_bytes)),
            message("cli-allow-more-memory"),
        )
