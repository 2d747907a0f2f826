"""What all pages share: where they begin, which there are, and in which language they speak."""

from dataclasses import dataclass
from enum import Enum

from starlette.requests import Request

from ssdlab.web.language import language_of
from ssdlab.web.pages import rendered
from ssdlab.words import Language


class Power(Enum):
    """What whoever may look may do besides."""

    LOOK = "look"
    CONTROL = "control"
    """Stop runs and change the queue of a fleet; nothing that an erasure needs the permission of."""


@dataclass(frozen=True, slots=True)
class Site:
    """The pages of one server.

    Attributes:
        root: The path below which all are.
        language: Of whom a browser asks for none that is known.
        database: Of the fleet whose page is one of them; None where there is none.
        power: What they may do; controls are drawn by it.
    """

    root: str
    language: Language
    database: str | None = None
    power: Power = Power.LOOK

    def page(self, template: str, language: Language, **values: object) -> str:
        """What has links, all of which begin at the root."""
        has_fleet = self.database is not None
        may_act = self.power is Power.CONTROL
        return rendered(template, language, root=self.root, has_fleet=has_fleet, may_act=may_act, **values)

    def language_of(self, request: Request) -> Language:
        """Of a request."""
        return language_of(request, self.language)
