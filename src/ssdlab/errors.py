"""Every error ssdlab raises on purpose: what was found, what to do about it, and the exit status it means."""

from enum import IntEnum

from ssdlab.message import Message


class ExitStatus(IntEnum):
    """Exit status of the `ssdlab` command (see `docs/reference/exit-status.md`)."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    AUDIT_FAILED = 3
    LIMIT_FAILED = 4
    INTERRUPTED = 130


class SsdlabError(Exception):
    """Base of all errors meant for the user.

    Attributes:
        message: What was found, in one sentence without a full stop.
        hints: What to do about it, most useful first.
    """

    exit_status = ExitStatus.REFUSED

    def __init__(self, message: Message, *hints: Message) -> None:
        # As a text it is English: for logs, and whoever reads a traceback.
        super().__init__(message)
        self.message = message
        self.hints = hints

    @property
    def lines(self) -> tuple[Message, ...]:
        """The message as it is shown; errors that list faults have a line for each."""
        return (self.message,)


class UsageError(SsdlabError):
    """The command line cannot be understood."""

    exit_status = ExitStatus.USAGE


class Interrupted(SsdlabError):  # noqa: N818 - named like the state it reports
    """The operator stopped the run; everything finished so far is in the bundle."""

    exit_status = ExitStatus.INTERRUPTED
