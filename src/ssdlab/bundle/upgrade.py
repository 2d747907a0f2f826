"""Bundles of older schema versions, brought up to the present one when they are read."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ssdlab.bundle.model import SCHEMA_VERSION

UPGRADES: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each old schema version the function that makes it one newer; version 1 is the first."""


def upgraded_run(content: bytes) -> bytes:
    """`run.json` in the present schema.

    Raises:
        ValueError: The content is no JSON object with a schema number.
    """
    fields = json.loads(content)
    if not isinstance(fields, dict) or not isinstance(fields.get("schema"), int):
        raise ValueError("no schema number")  # noqa: TRY004 - one error for all that is no run.json
    while fields["schema"] < SCHEMA_VERSION:
        fields = UPGRADES[fields["schema"]](fields)
    return json.dumps(fields).encode()
