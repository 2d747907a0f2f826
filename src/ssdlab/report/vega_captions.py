"""What Vega says of axes and legends to a screen reader, in the page's language: Vega itself has words for them in English only."""

import re
from html import escape, unescape

from ssdlab.message import Message, message
from ssdlab.words import Language, in_language

_CAPTION = re.compile(r'(?<=aria-label=")(?:[XY]-axis|[A-Z][a-z]+ legend) [^"]*(?=")')
_AXIS = re.compile(r"(?P<axis>[XY])-axis(?: titled '(?P<title>.*)')? for a (?P<scale>[a-z]+) scale with (?P<domain>.*)")
_LEGEND = re.compile(r"[A-Z][a-z]+ legend(?: titled '(?P<title>.*)')? for [\w ,]+ with \d+ values?: (?P<values>.*)")
_RANGE = re.compile(r"values from (?P<low>\S+) to (?P<high>\S+)")
_VALUES = re.compile(r"\d+ values?: (?P<values>.*)")
_CUT = re.compile(r"(?P<values>.*), ending with (?P<last>.*)")


def captions_in(svg: str, language: Language) -> str:
    """A picture as rendered, with its captions in the language."""
    if language is Language.ENGLISH:
        return svg
    return _CAPTION.sub(lambda match: escape(_caption(unescape(match[0]), language)), svg)


def _caption(text: str, language: Language) -> str:
    found = _told(text)
    return text if found is None else in_language(found, language)


def _told(text: str) -> Message | None:
    """As values; None of what Vega says of other things."""
    if (axis := _AXIS.fullmatch(text)) is not None:
        name, title = axis["axis"], axis["title"] or ""
        if (ends := _RANGE.fullmatch(axis["domain"])) is not None:
            return message("vega-axis", axis=name, title=title, scale=axis["scale"], low=ends["low"], high=ends["high"])
        if (listed := _VALUES.fullmatch(axis["domain"])) is not None:
            return message("vega-axis-of-values", axis=name, title=title, values=_values(listed["values"]))
    if (legend := _LEGEND.fullmatch(text)) is not None:
        return message("vega-legend", title=legend["title"] or "", values=_values(legend["values"]))
    return None


def _values(text: str) -> Message | str:
    """The first and the last of many."""
    cut = _CUT.fullmatch(text)
    return text if cut is None else message("vega-values", values=cut["values"], last=cut["last"])
