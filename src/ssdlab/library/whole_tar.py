"""Tar archives read to their end: what Python takes for the end of one may be damage, behind which files are left."""

from collections.abc import Iterator
from tarfile import (  # type: ignore[attr-defined]  # typeshed knows the base class of both errors only
    GNUTYPE_LONGLINK,
    GNUTYPE_LONGNAME,
    SOLARIS_XHDTYPE,
    XGLTYPE,
    XHDTYPE,
    InvalidHeaderError,
    ReadError,
    TarFile,
    TarInfo,
    TruncatedHeaderError,
)
from typing import Protocol, Self

_PART_BYTES = 1 << 20
_HEAD_BYTES_MAX = 1 << 20
"""Of what describes the member that follows: a long name, times of a nanosecond, a comment."""
_DESCRIBES = {XHDTYPE, XGLTYPE, SOLARIS_XHDTYPE, GNUTYPE_LONGNAME, GNUTYPE_LONGLINK}


class HeadTooLong(Exception):  # noqa: N818 - it says what was found
    """What describes a member is longer than any description: Python would read it whole, however little it is packed."""

    def __init__(self, size_bytes: int) -> None:
        super().__init__(size_bytes)
        self.size_bytes = size_bytes


class Member(TarInfo):
    """A member whose damaged head ends the reading of an archive with an error, where Python ends it as if the archive were over."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        """See `tarfile.TarInfo.fromtarfile`.

        Raises:
            ReadError: There is neither a head nor the end of an archive.
            HeadTooLong: It is what describes a member, without end.
        """
        try:
            return super().fromtarfile(tarfile)
        except (InvalidHeaderError, TruncatedHeaderError) as error:
            raise ReadError(f"{error} where a file begins") from error

    def _proc_member(self, tarfile: TarFile) -> "Member":
        if self.type in _DESCRIBES and self.size > _HEAD_BYTES_MAX:
            raise HeadTooLong(self.size)
        return super()._proc_member(tarfile)  # type: ignore[misc,no-any-return]  # not in typeshed


class ReadInParts(Protocol):
    """What can be read part by part."""

    def read(self, size: int, /) -> bytes:
        """As many bytes, fewer at the end."""


def parts_left(stream: ReadInParts) -> Iterator[int]:
    """Sizes of the parts that are left of a stream: behind the end of the archive is the checksum of what is packed."""
    while part := stream.read(_PART_BYTES):
        yield len(part)
