"""Ways of purging a block device, as they are typed and as results call them."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType


class Method(Enum):
    """Ways of purging a block device, as they are typed."""

    NVME_FORMAT = "nvme-format"
    SANITIZE_BLOCK = "sanitize-block"
    SANITIZE_CRYPTO = "sanitize-crypto"
    ATA_ERASE = "ata-erase"
    ATA_ERASE_ENHANCED = "ata-erase-enhanced"
    DISCARD = "discard"


WORDS: Mapping[Method, str] = MappingProxyType(
    {
        Method.NVME_FORMAT: "NVMe format with user-data erase",
        Method.SANITIZE_BLOCK: "NVMe sanitize by block erase",
        Method.SANITIZE_CRYPTO: "NVMe sanitize by crypto erase",
        Method.ATA_ERASE: "ATA SECURITY ERASE UNIT",
        Method.ATA_ERASE_ENHANCED: "ATA SECURITY ERASE UNIT, enhanced",
        Method.DISCARD: "discard of the whole drive",
    }
)
"""How a method is called in results."""
