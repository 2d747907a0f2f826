"""Text of programs that write it in the encoding of Windows, whichever that is."""

from ssdlab.library.foreign.result import ForeignError, text_of

_LOOKED_AT_BYTES = 400
_NUL_SHARE = 0.3
"""Of bytes: text of Latin letters in UTF-16 has half."""


def text_in_any_encoding(name: str, content: bytes) -> str:
    """A text whose results are ASCII, and whose comments and names of volumes may be in any code page.

    Raises:
        ForeignError: It is no text.
    """
    head = content[:_LOOKED_AT_BYTES]
    if head and head.count(0) > _NUL_SHARE * len(head) and content[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
        mark = b"\xff\xfe" if head[1:2] == b"\0" else b"\xfe\xff"
        return text_of(name, mark + content)
    try:
        return text_of(name, content)
    except ForeignError:
        if b"\0" in content:
            raise
        return text_of(name, content.decode("ascii", "replace").encode())
