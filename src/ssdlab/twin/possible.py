"""Whether a draft describes a drive that can be."""

from ssdlab import _core
from ssdlab.errors import SsdlabError
from ssdlab.message import message, semicolons, size
from ssdlab.twin.draft import Draft


def require_possible(draft: Draft, capacity_bytes: int) -> None:
    """That it does.

    Raises:
        SsdlabError: It does not; a drive of some megabytes has no room for the blocks that collection needs.
    """
    faults = _core.spec_check(draft.text)
    if faults:
        said = semicolons(*(f"{key}: {fault}" for _, key, fault in faults))
        raise SsdlabError(
            message("twin-impossible", size=size(capacity_bytes), faults=said), message("twin-hint-structure")
        )


def is_possible(draft: Draft) -> bool:
    """Whether it does."""
    return not _core.spec_check(draft.text)
