"""Sentences that are there as English texts, in Korean: those of bundles of older versions, and of layers that have no messages.

A table of whole sentences is all there can be for them; whatever is a message never comes here.
"""

from dataclasses import replace

from ssdlab.message import AS_WRITTEN, Listed, Message, Number, ShownQuantity, Value, message_of, verbatim
from ssdlab.report.korean import korean


def in_korean_as_written(told: Message) -> Message:
    """The message with Korean in the place of each such sentence, as far as the table has it."""
    if told.id == AS_WRITTEN:
        return verbatim(korean(str(told)))
    return message_of(told.id, {name: _value(value) for name, value in told.pairs}, told.english)


def _value(value: Value) -> Value:
    match value:
        case Message():
            return in_korean_as_written(value)
        case Listed():
            return replace(value, items=tuple(_value(item) for item in value.items))
        case str() | int() | ShownQuantity() | Number():
            return value
