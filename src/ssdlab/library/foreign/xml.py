"""XML of strangers: no entities, no external files, no more than fits."""

from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from ssdlab.library.foreign.result import ForeignError
from ssdlab.message import message


def xml_root(name: str, content: bytes) -> Element:
    """The root element.

    Raises:
        ForeignError: It is no XML, or has entities or external references, which no result needs.
    """
    try:
        root: Element = fromstring(content)
    except DefusedXmlException as error:
        raise ForeignError(
            message("foreign-xml-entities", name=name, error=type(error).__name__),
            message("library-no-trust"),
        ) from error
    except (ParseError, ValueError, LookupError) as error:
        raise ForeignError(message("foreign-no-xml", name=name, error=str(error))) from error
    return root
