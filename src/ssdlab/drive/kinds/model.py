"""A virtual drive in virtual time: no server, no fio, its own clock."""

import json
from collections.abc import Mapping
from typing import Any

from ssdlab import _core
from ssdlab.drive.access import DriveError, FioAddress, Purged
from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.drive.kinds.virtual import spec_identity
from ssdlab.drive.target import SpecChoice
from ssdlab.message import Message, message


class ModelDrive:
    """The model, and the time it has come to."""

    def __init__(self, target: str, choice: SpecChoice) -> None:
        """Make a drive fresh out of the box.

        Raises:
            DriveError: The spec is faulty.
        """
        self.identity: DriveIdentity = spec_identity(target, choice)
        self.spec_text: str | None = choice.text
        self.core = _core.ModelDrive(choice.text, choice.capacity_bytes, choice.seed)
        self.clock_ns = 0
        """Virtual time since the drive was made; whoever runs it moves it on."""

    @property
    def address(self) -> FioAddress:
        """No fio can reach it.

        Raises:
            DriveError: Always.
        """
        raise DriveError(message("drive-model-no-fio"), message("drive-use-virtual"))

    def check(self) -> None:
        """It cannot go away."""

    def purge(self) -> Purged:
        """Format it: no host data and no mapping left."""
        self.clock_ns = self.core.purge(self.clock_ns)
        return Purged(Freshness.FRESH, message("drive-purged-model"))

    def truth(self) -> dict[str, Any]:
        """What is really going on inside, for tests and the curious."""
        truth: dict[str, Any] = json.loads(self.core.truth(self.clock_ns))
        return truth

    def said(self) -> Mapping[str, str]:
        """No program knows a model; it tells all of itself in its specification."""
        return {}

    def findings(self) -> tuple[Message, ...]:
        """Virtual time is never late."""
        return ()

    def close(self) -> None:
        """Nothing is held."""
