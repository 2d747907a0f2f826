"""Published methods that a suite follows."""

from enum import Enum


class Published(Enum):
    """What a suite follows."""

    SNIA_PTS_ENTERPRISE = "snia_pts_enterprise"
    """SNIA Solid State Storage Performance Test Specification 2.0.2, enterprise: the drive's write cache disabled."""
    SNIA_PTS_CLIENT = "snia_pts_client"
    """The same, client: the drive's write cache enabled."""
