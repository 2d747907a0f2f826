"""What an error says is to be done about it, in English."""

from ssdlab.errors import SsdlabError


def hints_of(error: BaseException | None) -> tuple[str, ...]:
    """The hints of an error that is meant for the user."""
    assert isinstance(error, SsdlabError)
    return tuple(map(str, error.hints))
