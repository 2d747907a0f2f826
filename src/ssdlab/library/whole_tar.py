"""Tar archives read to their end: what Python takes for the end of one may be damage, behind which files are left."""

from collections.abc import Iterator
from tarfile import (  # type: ignore[attr-defined]  # typeshed knows the base class of both errors only
    InvalidHeaderError,
    ReadError,
    TarFile,
    TarInfo,
    TruncatedHeaderError,
)
from typing import Protocol, Self

_PART_BYTES = 1 << 20


class Member(TarInfo):
    """A member whose damaged head ends the reading of an archive with an error, where Python ends it as if the archive were over."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        """See `tarfile.TarInfo.fromtarfile`.

        Raises:
            ReadError: There is neither a head nor the end of an archive.
        """
        try:
            return super().fromtarfile(tarfile)
        except (InvalidHeaderError, TruncatedHeaderError) as error:
            raise ReadError(f"{error} where a file begins") from error


class ReadInParts(Protocol):
    """What can be read part by part."""

    def read(self, size: int, /) -> bytes:
        """As many bytes, fewer at the end."""


def parts_left(stream: ReadInParts) -> Iterator[int]:
    """Sizes of the parts that are left of a stream: behind the end of the archive is the checksum of what is packed."""
    while part := stream.read(_PART_BYTES):
        yield len(part)
