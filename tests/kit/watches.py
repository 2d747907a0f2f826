"""What watches a running job in tests."""

from collections.abc import Callable

from ssdlab.engine.base import Progress


def unwatched(_: Progress) -> None:
    """Nobody looks."""


def once_it_moves(act: Callable[[], None]) -> Callable[[Progress], None]:
    """A watch that does something the first time the engine reports that data move."""
    done = False

    def watch(progress: Progress) -> None:
        nonlocal done
        if not done and progress.bandwidth_bytes_per_s:
            done = True
            act()

    return watch
