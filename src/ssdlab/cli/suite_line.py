"""The first line of whatever tells of a run: which method, how far scaled down, on what."""

from typing import TYPE_CHECKING

from ssdlab.message import Message, message

if TYPE_CHECKING:
    from ssdlab.bundle.model import RunInfo
    from ssdlab.method.plan import Plan


def suite_line(of: "Plan | RunInfo") -> Message:
    """Suite and profile of a run, or of what is planned."""
    suite, version, profile = of.suite.name, of.suite.version, of.profile
    if of.comparable:
        return message("cli-suite", suite=suite, version=version, profile=profile)
    return message("cli-suite-not-comparable", suite=suite, version=version, profile=profile)
