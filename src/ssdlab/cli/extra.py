"""What only some installations have."""

from importlib.util import find_spec

from ssdlab.errors import SsdlabError
from ssdlab.message import message


def require_extra(extra: str, package: str) -> None:
    """Make sure that the packages of an extra are installed.

    Raises:
        SsdlabError: They are not.
    """
    if find_spec(package) is None:
        raise SsdlabError(message("cli-no-extra", extra=extra), message("cli-hint-extra", extra=extra))
