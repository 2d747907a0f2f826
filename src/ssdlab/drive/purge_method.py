"""Ways of purging a block device, as they are typed and as results call them."""

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType

from ssdlab.message import Message, message


class PurgeMethod(Enum):
    """Ways of purging a block device, as they are typed."""

    NVME_FORMAT = "nvme-format"
    SANITIZE_BLOCK = "sanitize-block"
    SANITIZE_CRYPTO = "sanitize-crypto"
    ATA_ERASE = "ata-erase"
    ATA_ERASE_ENHANCED = "ata-erase-enhanced"
    DISCARD = "discard"


WORDS: Mapping[PurgeMethod, Message] = MappingProxyType(
    {
        PurgeMethod.NVME_FORMAT: message("drive-method-nvme-format"),
        PurgeMethod.SANITIZE_BLOCK: message("drive-method-sanitize-block"),
        PurgeMethod.SANITIZE_CRYPTO: message("drive-method-sanitize-crypto"),
        PurgeMethod.ATA_ERASE: message("drive-method-ata-erase"),
        PurgeMethod.ATA_ERASE_ENHANCED: message("drive-method-ata-erase-enhanced"),
        PurgeMethod.DISCARD: message("drive-method-discard"),
    }
)
"""How a method is called in results."""
