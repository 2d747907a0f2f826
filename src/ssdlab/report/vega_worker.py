"""Specifications become SVG: here, or in a process of its own, because the renderer holds one thread and a page has many pictures.

Such a process starts in a moment: this module imports nothing that the renderer does not need.
"""

import json
import os
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from ssdlab.errors import SsdlabError
from ssdlab.message import message

_VEGA_LITE_VERSION = "6.4"


class BrokenPictureError(SsdlabError):
    """The renderer returned a picture that lacks what the figure asked for, or none."""


def drawn(spec: Mapping[str, Any]) -> str:
    """The picture as the renderer returns it, which may be broken.

    Raises:
        BrokenPictureError: The renderer failed.
    """
    import vl_convert

    try:
        svg: str = vl_convert.vegalite_to_svg(dict(spec), vl_version=_VEGA_LITE_VERSION)
    except ValueError as error:
        raise BrokenPictureError(message("report-figure-refused", why=str(error).splitlines()[0])) from error
    return svg


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer each line, a specification as JSON, with a line that is either its SVG or why there is none."""
    for line in requests:
        try:
            answer = {"svg": drawn(json.loads(line))}
        except BrokenPictureError as error:
            answer = {"refused": str(error)}
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _main() -> None:
    # What the renderer itself may print must not get among the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _main()
