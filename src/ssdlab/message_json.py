"""Messages in JSON: id and values, and beside them the English, for whoever reads the file without ssdlab."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any

from pydantic import GetPydanticSchema
from pydantic_core import core_schema

from ssdlab.message import (
    AS_WRITTEN,
    Listed,
    Message,
    Number,
    QuantityForm,
    Separator,
    ShownQuantity,
    Value,
    as_written,
    message_of,
)

_DEPTH_MAX = 20
"""Messages within messages: far more than any has, and few enough for Python's stack."""

_FORMAT = re.compile(r",?|\+?,?(\.[0-9]{1,2})?[dfg%]")
"""The formats of numbers that ssdlab has."""


def message_as_json(told: Message) -> dict[str, Any]:
    """A message as an object of JSON; `message_from_json` reads it."""
    if not told.pairs and not told.english:
        return _bare_as_json(told.id)
    if told.id == AS_WRITTEN:
        return {"english": str(told)}
    values = {name: _value_as_json(value) for name, value in told.pairs}
    return {"id": told.id, "values": values, "english": str(told)}


@cache
def _bare_as_json(id_: str) -> dict[str, Any]:
    """That of a message without values, of which the audit of many jobs has thousands that are the same."""
    return {"id": id_, "values": {}, "english": str(Message(id_))}


def _value_as_json(value: Value) -> object:
    match value:
        case str() | int():
            return value
        case ShownQuantity():
            return {"quantity": value.value, "form": value.form.value}
        case Number():
            return {"number": value.value, "format": value.format}
        case Listed():
            return {"items": [_value_as_json(item) for item in value.items], "mark": value.mark.value}
        case Message():
            return message_as_json(value)
        case _:
            # Whole numbers of numpy are not Python's, and would be lost without a word.
            raise TypeError(f"a message has no values of type {type(value).__name__}")


def message_from_json(found: object) -> Message:
    """What `message_as_json` wrote; a text stands in bundles of older schemas.

    Raises:
        ValueError: It is neither.
    """
    return _message(found, _DEPTH_MAX)


def _message(found: object, depth: int) -> Message:
    if isinstance(found, str):
        return as_written(found)
    match found:
        case {"id": str(id_), "values": Mapping() as values, "english": str(english)}:
            return message_of(id_, {str(name): _value(v, depth - 1) for name, v in values.items()}, english)
        case {"english": str(english)}:
            return as_written(english)
        case _:
            raise ValueError("not a message")


def _value(found: object, depth: int) -> Value:
    if depth < 0:
        raise ValueError("messages within messages without end")
    match found:
        case bool():
            raise ValueError("not a value of a message")
        case str() | int():
            return found
        case {"quantity": int() | float() as value, "form": str(form)}:
            return ShownQuantity(value, QuantityForm(form))
        case {"number": int() | float() as value, "format": str(format_)}:
            return Number(value, _checked(value, format_))
        case {"items": list(items), "mark": str(mark)}:
            return Listed(tuple(_value(item, depth - 1) for item in items), Separator(mark))
        case _:
            return _message(found, depth)


def _checked(value: float, format_: str) -> str:
    """A stranger's format could ask for a billion blanks, or for a character that there is not."""
    if not _FORMAT.fullmatch(format_):
        raise ValueError("not a format")
    try:
        format(value, format_)
    except OverflowError as error:
        raise ValueError("not a number of this format") from error
    return format_


IN_ENGLISH = "in English"
"""Context of a serialization that shows messages as sentences, as what the command line prints does."""


def _serialized(told: Message, info: core_schema.SerializationInfo) -> dict[str, Any] | str:
    return str(told) if info.context == IN_ENGLISH else message_as_json(told)


def _schema(_source: Any, _handler: Any) -> core_schema.CoreSchema:
    return core_schema.no_info_plain_validator_function(
        lambda found: found if isinstance(found, Message) else message_from_json(found),
        serialization=core_schema.plain_serializer_function_ser_schema(_serialized, info_arg=True),
    )


def remark_from_json(found: object) -> Message | None:
    """What `remark_as_json` wrote; a text stands in bundles of older schemas.

    Raises:
        ValueError: It is neither.
    """
    if isinstance(found, Message):
        return found
    return message_from_json(found) if found else None


def remark_as_json(told: Message | None) -> dict[str, Any] | str:
    """A message that there may be, in JSON; an empty text where there is none."""
    return "" if told is None else message_as_json(told)


def _optional(absent: str | None) -> GetPydanticSchema:
    def serialized(told: Message | None, info: core_schema.SerializationInfo) -> dict[str, Any] | str | None:
        return absent if told is None else _serialized(told, info)

    serialization = core_schema.plain_serializer_function_ser_schema(serialized, info_arg=True)
    schema = core_schema.no_info_plain_validator_function(remark_from_json, serialization=serialization)
    return GetPydanticSchema(lambda _source, _handler: schema)


Remark = Annotated[Message | None, _optional("")]
"""A message that there may be, as a field; an empty text in JSON where there is none."""

RemarkOrNull = Annotated[Message | None, _optional(None)]
"""Likewise, null in JSON where there is none."""

MessageField = Annotated[Message, GetPydanticSchema(_schema)]
"""A message as a field of a pydantic model or dataclass."""
