"""What the operating system refused is said in the reader's language, also of drives."""

import errno
import os
import re
from pathlib import Path

import pytest

import ssdlab.drive
from ssdlab.os_errors import reason_of
from ssdlab.words import Language
from ssdlab.words.catalogue import in_language

_DRIVES = Path(str(ssdlab.drive.__file__)).parent
_HANGUL = re.compile("[가-힣]")


@pytest.mark.parametrize(
    "number",
    [
        errno.EACCES, errno.EPERM, errno.EBUSY, errno.ENOENT, errno.EIO, errno.ENOSPC, errno.EROFS, errno.ENXIO, errno.ENODEV,
        errno.EINVAL, errno.EOPNOTSUPP,
    ],
)  # fmt: skip
def test_what_is_refused_of_a_drive_is_said_in_the_readers_language(number: int) -> None:
    reason = reason_of(OSError(number, os.strerror(number)))
    assert _HANGUL.search(in_language(reason, Language.KOREAN))
    assert not _HANGUL.search(in_language(reason, Language.ENGLISH))


@pytest.mark.parametrize("path", sorted(_DRIVES.rglob("*.py")), ids=lambda path: str(path.relative_to(_DRIVES)))
def test_no_drive_passes_on_the_systems_english(path: Path) -> None:
    assert "strerror" not in path.read_text(encoding="utf-8")
