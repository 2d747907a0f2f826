"""Bundles of older schema versions, brought up to the present one when they are read."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ssdlab.bundle import layout
from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.bundle.model import SCHEMA_VERSION
from ssdlab.drive.identity import Memory


def _with_memory(run: dict[str, Any]) -> dict[str, Any]:
    """Version 2 knows what a drive keeps once ssdlab has ended, and its indirection unit."""
    drive = run["drive"]
    made_for_the_run = str(drive["target"]).startswith(("model:", "virtual:", "file:"))
    memory = Memory.FORGETS if made_for_the_run else Memory.KEEPS
    unit = {"unknown": "bundles of schema 1 do not say"}
    return {**run, "schema": 2, "drive": {**drive, "memory": memory.value, "indirection_unit_bytes": unit}}


def _with_two_digits(run: dict[str, Any]) -> dict[str, Any]:
    """Version 3 numbers the directories of steps with three digits."""
    return {**run, "schema": 3, "index_digits": 2}


def _without_checksums(run: dict[str, Any]) -> dict[str, Any]:
    """Version 4 has checksums, which nobody can add afterwards; `run.json` itself is as it was."""
    return {**run, "schema": 4}


def _with_keys(run: dict[str, Any]) -> dict[str, Any]:
    """Version 5 says what metrics and points are of; `run.json` itself is as it was."""
    return {**run, "schema": 5}


def _with_messages(run: dict[str, Any]) -> dict[str, Any]:
    """Version 6 has messages where sentences were, and whatever reads a message takes a sentence, too; `run.json` itself is as it was."""
    return {**run, "schema": 6}


UPGRADES: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {
    1: _with_memory,
    2: _with_two_digits,
    3: _without_checksums,
    4: _with_keys,
    5: _with_messages,
}
"""For each old schema version the function that makes it one newer; version 1 is the first."""


class NewerSchema(Exception):  # noqa: N818 - the error is the state
    """The bundle was written by a newer ssdlab.

    Attributes:
        schema: Its schema version.
    """

    def __init__(self, schema: int) -> None:
        super().__init__(schema)
        self.schema = schema


def upgraded_run(content: bytes) -> bytes:
    """`run.json` in the present schema.

    Raises:
        ValueError: The content is no JSON object with the number of a schema there has ever been.
        NewerSchema: It is newer than this ssdlab; nothing else in it may be as expected.
    """
    fields = layout.read_json(content)
    if not isinstance(fields, dict) or not isinstance(fields.get("schema"), int):
        raise ValueError("no schema number")  # noqa: TRY004 - one error for all that is no run.json
    if fields["schema"] > SCHEMA_VERSION:
        raise NewerSchema(fields["schema"])
    while fields["schema"] < SCHEMA_VERSION:
        if fields["schema"] not in UPGRADES:
            raise ValueError(f"there is no schema {fields['schema']}")
        try:
            fields = UPGRADES[fields["schema"]](fields)
        except (KeyError, TypeError) as error:
            raise ValueError("a field is missing") from error
    return json.dumps(fields).encode()


def upgraded_steps(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The plan's steps in the present schema; those of version 1 were never repeated and had their group as first word.

    Up to version 4 a point was known by its name alone.
    """
    named = [{"group": str(step["name"]).partition(".")[0], "point": step["name"], **step} for step in steps]
    return [
        {**step, "point": point_of_name(step["point"])} if isinstance(step["point"], str) else step for step in named
    ]
