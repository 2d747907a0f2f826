"""English words that are left in a Korean text."""

import re

from tests.kit.korean_words import KEPT, KEPT_TOGETHER, NAMES

from ssdlab.probe.probes.registry import PROBES

_NAME = re.compile(r"\S*[_./=]\S*|[a-z0-9]+-[a-z0-9-]+|[a-z]+\d\S*|`[^`]*`")
"""Names of drives, metrics, steps, files and options are no words."""


_NAMED = re.compile("|".join(re.escape(one) for one in sorted(NAMES, key=len, reverse=True)))


_TOGETHER = re.compile("|".join(KEPT_TOGETHER))


_STEP = re.compile(rf"^(측정값: )?(({'|'.join(probe.name for probe in PROBES)})(: |$)|\S+ 전체$)")
"""Titles that begin with the name of a step."""


def english(text: str) -> list[str]:
    words = _NAME.sub(" ", _NAMED.sub(" ", _STEP.sub("", text)))
    return [word for word in re.findall(r"[A-Za-z]{2,}", words) if word not in KEPT]


def english_phrases(text: str) -> list[str]:
    """Words side by side, each of which may stand in a Korean text: together they are a piece of an English one."""
    words = _TOGETHER.sub("·", _NAME.sub("·", _NAMED.sub("·", _STEP.sub("", text))))
    return re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]{2,})+", words)
