"""An audit as JSON for programs: sentences in English, and beside them the messages they are made of."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssdlab.bundle.model import Check
    from ssdlab.message import Message


def audit_json(checks: "Sequence[Check]") -> list[dict[str, Any]]:
    """An object for every check."""
    from ssdlab.bundle import layout

    found = layout.AUDIT_ADAPTER.dump_python(tuple(checks), mode="json")
    return [_with_sentences(one, check) for one, check in zip(found, checks, strict=True)]


def _with_sentences(fields: dict[str, Any], check: "Check") -> dict[str, Any]:
    return {
        "name": check.name,
        "step": check.step,
        "outcome": check.outcome.value,
        "finding": str(check.finding),
        "meaning": _sentence(check.meaning),
        "remedy": _sentence(check.remedy),
        "numbers": fields["numbers"],
        "messages": {key: fields[key] for key in ("finding", "meaning", "remedy")},
    }


def _sentence(told: "Message | None") -> str:
    return "" if told is None else str(told)
