"""Unknown: a value that could not be had, with the reason; never `False`, `0` or `None` pretending."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from ssdlab.message_json import MessageField


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that could not be had, and why; in JSON `{"unknown": ...}`."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    reason: Annotated[MessageField, Field(alias="unknown")]
