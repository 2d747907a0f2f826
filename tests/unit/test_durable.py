"""A file is written whole or not at all, and what is refused is told of the file that was asked for."""

import errno
import os
from pathlib import Path

import pytest

from ssdlab.durable import write_durably


def test_where_all_is_read_only_the_file_that_was_asked_for_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, **_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OSError, match="Read-only") as caught:
        write_durably(tmp_path / "page.html", b"")
    assert caught.value.filename == str(tmp_path / "page.html")
