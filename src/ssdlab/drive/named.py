"""That a drive must be named before anything on it is erased."""

from ssdlab.message import Message, message


def not_named(what: Message, erase: str | None) -> Message:
    """That a drive is not what `--erase` names.

    Args:
        what: The drive in words.
        erase: What was named; None if nothing was.
    """
    if erase is None:
        return message("drive-not-named", what=what)
    return message("drive-other-named", what=what, named=erase)
