"""`bs = "IU"`: blocks as large as the drive's indirection unit, which only the drive knows (METHODS E6)."""

from collections.abc import Mapping
from typing import TypeVar

from ssdlab.drive.identity import DriveIdentity
from ssdlab.message import message
from ssdlab.method.draft import PlanError
from ssdlab.method.schema import AnyStep
from ssdlab.method.tables import SuiteTable
from ssdlab.method.values import INDIRECTION_UNIT
from ssdlab.unknown import Unknown

T = TypeVar("T", bound=SuiteTable)


def with_unit(steps: tuple[AnyStep, ...], drive: DriveIdentity) -> tuple[AnyStep, ...]:
    """The steps with the drive's indirection unit in place of its name.

    Raises:
        PlanError: A step asks for it and the drive does not say.
    """
    return tuple(_resolved(step, step.name, drive) for step in steps)


def _resolved(table: T, name: str, drive: DriveIdentity) -> T:
    """A table and those inside it, whatever the kind of the step."""
    changed: dict[str, object] = {}
    for key in type(table).model_fields:
        value = getattr(table, key)
        if isinstance(value, SuiteTable):
            changed[key] = _resolved(value, name, drive)
        elif isinstance(value, Mapping):
            changed[key] = {
                word: _resolved(one, name, drive) if isinstance(one, SuiteTable) else one for word, one in value.items()
            }
        elif key == _BLOCK_BYTES and value == INDIRECTION_UNIT:
            changed[key] = _unit_bytes(name, drive)
    return table.model_copy(update=changed)


_BLOCK_BYTES = "block_bytes"
"""What every table calls the size of its blocks."""


def _unit_bytes(name: str, drive: DriveIdentity) -> int:
    if isinstance(drive.indirection_unit_bytes, Unknown):
        raise PlanError(
            message("suite-unit-unknown", step=name, target=drive.target),
            message("suite-write-unit"),
        )
    return drive.indirection_unit_bytes
