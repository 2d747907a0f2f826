"""Photos made safe to be pasted into a page: decoded, turned upright, scaled down and encoded again, so that no metadata stays."""

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ssdlab.figure.kit.stated import Photo
from ssdlab.message import message, number
from ssdlab.report.png import SIGNATURE
from ssdlab.report.stated.tables import UnusableFactError

PHOTO_BYTES_MAX = 20_000_000
PIXELS_MAX = 50_000_000
"""More than cameras of telephones have; each takes four bytes while the photo is decoded."""
WIDTH_PX_MAX = HEIGHT_PX_MAX = 640
_QUALITY = 80
_JPEG = b"\xff\xd8"
_UPRIGHT = 1
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Markers of JPEG that tell the size (ITU-T T.81, table B.1)."""
_SCAN = 0xDA
_APP1 = 0xE1
_EXIF = b"Exif\0\0"
_ORIENTATION = 0x0112
_TURNS = {1: "", 3: "rotate(180 {x} {y})", 6: "translate({h} 0) rotate(90)", 8: "translate(0 {w}) rotate(270)"}
"""Of EXIF, what brings the photo upright; {w} and {h} as it is kept. Mirrored ones, which no camera makes, stay as they are."""
_SIDEWAYS = {6, 8}


@dataclass(frozen=True, slots=True)
class _Header:
    """What a file says of its picture."""

    kind: str
    width_px: int
    height_px: int
    orientation: int


def photo_of(content: bytes) -> Photo:
    """The photo as it is shown.

    Raises:
        UnusableFactError: It is too large, no PNG or JPEG, or cannot be decoded.
    """
    if len(content) > PHOTO_BYTES_MAX:
        raise UnusableFactError(message("stated-photo-too-long", most=number(PHOTO_BYTES_MAX)))
    header = _header(content)
    if header is None or not header.width_px or not header.height_px:
        raise UnusableFactError(message("stated-photo-unreadable"))
    if header.width_px * header.height_px > PIXELS_MAX:
        raise UnusableFactError(message("stated-photo-too-large", most=number(PIXELS_MAX)))
    return _encoded(content, header)


def _header(content: bytes) -> _Header | None:
    if content.startswith(SIGNATURE) and content[12:16] == b"IHDR":
        width, height = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
        return _Header("image/png", width, height, _UPRIGHT)
    return _jpeg_header(content) if content.startswith(_JPEG) else None


def _jpeg_header(content: bytes) -> _Header | None:
    orientation = _UPRIGHT
    for marker, held in _segments(content):
        if marker == _APP1 and held.startswith(_EXIF):
            orientation = _orientation(held[len(_EXIF) :])
        if marker in _FRAMES:
            return _Header("image/jpeg", int.from_bytes(held[3:5]), int.from_bytes(held[1:3]), orientation)
    return None


def _segments(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Marker and content of each segment before the picture itself (ITU-T T.81, B.1)."""
    at = len(_JPEG)
    while at + 4 <= len(content) and content[at] == 0xFF and content[at + 1] != _SCAN:
        length = int.from_bytes(content[at + 2 : at + 4])
        yield content[at + 1], content[at + 4 : at + 2 + length]
        at += 2 + max(length, 2)


def _orientation(tiff: bytes) -> int:
    """Of the first directory of EXIF (TIFF 6.0, 2); upright where it says nothing that can be used."""
    order = {b"II": "little", b"MM": "big"}.get(tiff[:2])
    if order is None:
        return _UPRIGHT
    read = _reader(tiff, order == "little")
    first = read(4, 4)
    for entry in range(read(first, 2)):
        at = first + 2 + 12 * entry
        if at >= len(tiff):
            break
        if read(at, 2) == _ORIENTATION:
            found = read(at + 8, 2)
            return found if found in _TURNS else _UPRIGHT
    return _UPRIGHT


def _reader(tiff: bytes, is_little: object) -> Callable[[int, int], int]:
    """Whole numbers of the directory by place and length."""
    return lambda at, length: int.from_bytes(tiff[at : at + length], "little" if is_little else "big")


def _encoded(content: bytes, header: _Header) -> Photo:
    import vl_convert

    width, height = _upright_size(header)
    scale = min(1.0, WIDTH_PX_MAX / width, HEIGHT_PX_MAX / height)
    width_px, height_px = max(1, round(width * scale)), max(1, round(height * scale))
    drawn, blank = (
        bytes(vl_convert.svg_to_jpeg(_svg(image, width, height, (width_px, height_px)), scale=1.0, quality=_QUALITY))
        for image in (_image(content, header), "")
    )
    # What the decoder cannot read it leaves out without a word.
    if drawn == blank:
        raise UnusableFactError(message("stated-photo-unreadable"))
    return Photo(drawn, width_px, height_px)


def _upright_size(header: _Header) -> tuple[int, int]:
    size = header.width_px, header.height_px
    return (size[1], size[0]) if header.orientation in _SIDEWAYS else size


def _image(content: bytes, header: _Header) -> str:
    width, height = header.width_px, header.height_px
    turn = _TURNS[header.orientation].format(x=width / 2, y=height / 2, w=width, h=height)
    return (
        f'<image width="{width}" height="{height}" transform="{turn}" '
        f'href="data:{header.kind};base64,{base64.b64encode(content).decode()}"/>'
    )


def _svg(image: str, width: int, height: int, size_px: tuple[int, int]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size_px[0]}" height="{size_px[1]}" '
        f'viewBox="0 0 {width} {height}"><rect width="{width}" height="{height}" fill="#fff"/>{image}</svg>'
    )
