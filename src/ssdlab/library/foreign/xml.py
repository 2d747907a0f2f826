"""XML of strangers: no entities, no external files, no more than fits."""

from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ssdlab.library.foreign.result import ForeignError


def xml_root(name: str, content: bytes) -> Element:
    """The root element.

    Raises:
        ForeignError: It is no XML, or has entities or external references, which no result needs.
    """
    try:
        root: Element = fromstring(content)
    except DefusedXmlException as error:
        raise ForeignError(
            f"`{name}` declares XML entities or references, which no result needs: {type(error).__name__}",
            "do not trust its sender",
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise ForeignError(f"`{name}` is no XML: {error}") from error
    return root
