"""What a bundle that cannot be read is told by."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ssdlab.errors import SsdlabError
from ssdlab.message import Message, message


class BundleError(SsdlabError):
    """The path holds no bundle, or one that cannot be opened."""


class DamagedFile(BundleError):  # noqa: N818 - named like the state it reports
    """A file of a bundle is not what was written there.

    Attributes:
        name: Inside the bundle.
        fault: Name and what is the matter, as it stands in a list of faults.
    """

    def __init__(self, root: Path, name: str, what: Message) -> None:
        super().__init__(
            message("damage-of-path", path=str(root / name), what=what), message("damage-what-else", root=str(root))
        )
        self.name = name
        self.fault = message("damage-of-file", file=name, what=what)


def computable_again(fault: Message) -> Message:
    """The fault of a file that only holds what was computed."""
    return message("damage-computable-again", fault=fault)


@contextmanager
def made_sense_of(*roots: Path) -> Iterator[None]:
    """Put into words what computing says of a bundle whose files contradict each other.

    Raises:
        BundleError: They do. Where each file is what was written, it is ssdlab that is wrong.
    """
    try:
        yield
    except UnicodeEncodeError:
        # What a terminal cannot show is not the fault of a bundle.
        raise
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        named = " ".join(f"`{root}`" for root in roots)
        raise BundleError(
            message("bundle-no-sense", named=named, kind=type(error).__name__, error=str(error)),
            message("bundle-no-sense-remedy", paths=" ".join(map(str, roots))),
        ) from error
