"""Names that stand for private values: always the same of the same owner, and nobody else can test a guess."""

import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from ssdlab import os_errors
from ssdlab.errors import SsdlabError
from ssdlab.host.state_directory import state_directory
from ssdlab.message import message

PREFIX = "withheld-"
_KEY_BYTES = 32
_DIGITS = 12
"""48 bits: two of an owner's ten thousand drives share a name with a probability of 2 in 10 million."""


class OwnerError(SsdlabError):
    """The key that stays home cannot be had."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whoever publishes.

    Attributes:
        key: Stays home: with it a guess of a serial number could be tested.
    """

    key: bytes

    def pseudonym(self, text: str) -> str:
        """What stands for a private value; blanks around it, as drives pad with, do not count."""
        return PREFIX + self.digest(text)[:_DIGITS]

    def digest(self, text: str) -> str:
        """HMAC-SHA256 of it, as 64 digits."""
        return hmac.new(self.key, text.strip().encode(), hashlib.sha256).hexdigest()


def key_path() -> Path:
    """Where the key of this user is."""
    return state_directory() / "publish.key"


def owner_at(path: Path) -> Owner:
    """The owner whose key is in that file; made once, readable by its user alone.

    Raises:
        OwnerError: It cannot be read or made, or is no key.
    """
    try:
        if not path.exists():
            _make_key(path)
        key = path.read_bytes()
    except OSError as error:
        raise OwnerError(message("publish-no-key", path=str(path), reason=os_errors.reason_of(error))) from error
    if len(key) != _KEY_BYTES:
        raise OwnerError(
            message("publish-key-length", path=str(path), found=len(key), expected=_KEY_BYTES),
            message("publish-key-restore"),
        )
    return Owner(key)


def _make_key(path: Path) -> None:
    """Whole or not at all, and never over one that another process makes at this moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        if not path.exists():
            os.link(temporary, path)
    except FileExistsError:
        return
    finally:
        temporary.unlink()
