"""The mark of ssdlab in a Markdown post, which readers are not shown, and by which a later post knows what it may replace.

It defines a link that nothing refers to, so it is shown by no dialect: an HTML comment is, where a forum takes no HTML.
"""

import re

from ssdlab import version

_MARK = re.compile(rb'^\[//\]: # "ssdlab [^"\s]+"$', re.MULTILINE)


def post_mark() -> str:
    """The line; it must stand alone, behind an empty one."""
    return f'[//]: # "ssdlab {version()}"'


def is_marked_post(text: bytes) -> bool:
    """Whether a post, or a part of it, has the line; words of others in a post cannot be one, as their brackets are escaped."""
    return _MARK.search(text) is not None
