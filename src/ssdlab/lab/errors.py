"""Why a run cannot go on."""

from ssdlab.errors import SsdlabError


class CannotResume(SsdlabError):  # noqa: N818 - the error is the state
    """The run cannot go on as it was begun; its bundle stays as it is."""
