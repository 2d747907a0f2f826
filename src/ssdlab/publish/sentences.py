"""Sentences without private values: those found elsewhere in the bundle, and whatever looks like a path or an address."""

import re
from collections.abc import Mapping
from functools import cached_property, partial
from re import Match

from ssdlab.bundle.publication import PrivateKind
from ssdlab.publish.found import Findings

KERNEL_NAME = r"(?:nvme\d+(?:c\d+)?(?:n\d+)?(?:p\d+)?|[shv]d[a-z]+\d*|sg\d+|xvd[a-z]+\d*|(?:loop|nbd|dm-|md|ram|zram|mmcblk|pmem)\d+(?:p\d+)?)"
"""What the kernel calls devices, which says nothing of whose they are."""
PUBLIC_PATH = re.compile(rf"/dev/(?:{KERNEL_NAME}|null|kmsg|zero)|/(?:sys|proc)/[\w/.:-]*|/dev/?|/sys/?|/proc/?|/")
_PATTERNS: Mapping[PrivateKind, re.Pattern[str]] = {
    PrivateKind.PATH: re.compile(
        r"(?<=`)(?:file:|nbd\+unix:)?/[^`]*(?=`)"
        r"|(?<![\w/.:>)\]%])(?:file:|nbd\+unix:)?/[^\s`'\",;()\[\]<>]*[^\s`'\",;()\[\]<>.:]"
        r"|\bfile:[^\s`'\",;]+"
        r"|\b[A-Za-z]:\\[^\s`'\",;]*"
    ),
    PrivateKind.IDENTIFIER: re.compile(
        r"\b(?:eui|naa|uuid|nguid|wwn)[.-][0-9a-z.-]{8,}|\bnqn\.[\w.:-]+|\b0x[0-9a-f]{16}\b"
        r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
        re.IGNORECASE,
    ),
    PrivateKind.ADDRESS: re.compile(
        r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])"
        r"|(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?![\w:])",
        re.IGNORECASE,
    ),
    PrivateKind.HOST: re.compile(r"(?<=\bLinux )(?!\d)[\w.-]+(?= \d+\.\d+)"),
}
"""A uname has the host's name between the kernel's and its version."""


class Sentences:
    """Rewrites sentences by what has been found in the whole bundle."""

    def __init__(self, found: Findings) -> None:
        self._found = found

    @cached_property
    def _known(self) -> re.Pattern[str] | None:
        parts = [_as_word(one.value) for one in self._found.looked_for()]
        return re.compile("|".join(parts), re.IGNORECASE) if parts else None

    @cached_property
    def _stand_ins(self) -> Mapping[str, str]:
        return {one.value.casefold(): one.stand_in for one in self._found.looked_for()}

    def without_known(self, text: str) -> str:
        """The text without what is known to be private from elsewhere."""
        return text if self._known is None else self._known.sub(self._of_value, text)

    def rewritten(self, text: str) -> str:
        """The sentence as it may be read by everyone."""
        text = self.without_known(text)
        for kind, pattern in _PATTERNS.items():
            text = pattern.sub(partial(self._of_match, kind), text)
        return text

    def survey(self, text: str) -> None:
        """Remember what looks private in it, so that it is found in other places, too."""
        for kind, pattern in _PATTERNS.items():
            for match in pattern.finditer(text):
                self._of_pattern(kind, match[0])

    def _of_value(self, match: Match[str]) -> str:
        return self._stand_ins[match[0].casefold()]

    def _of_match(self, kind: PrivateKind, match: Match[str]) -> str:
        return self._of_pattern(kind, match[0])

    def _of_pattern(self, kind: PrivateKind, text: str) -> str:
        if kind is PrivateKind.PATH and PUBLIC_PATH.fullmatch(text):
            return text
        return ("/" if text.startswith("/") else "") + self._found.hashed(kind, text)


def _as_word(value: str) -> str:
    """Not inside a longer word, where it is short enough to be there by chance."""
    return re.escape(value) if len(value) >= 8 else rf"(?<!\w){re.escape(value)}(?!\w)"
