"""Which suites may come to a host by a queue."""

from ssdlab.errors import SsdlabError
from ssdlab.message import commas, message
from ssdlab.method.suite import Suite


def require_nothing_beside(suite: Suite) -> None:
    """Make sure that a suite reads no file: whoever may submit must not be able to have a host read what is on it.

    Raises:
        SsdlabError: It reads some.
    """
    files = [file for step in suite.steps for file in step.files_read]
    if files:
        raise SsdlabError(
            message("fleet-suite-reads", suite=suite.name, files=commas(*files)), message("fleet-hint-suite-reads")
        )
