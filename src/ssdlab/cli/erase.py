"""Agreeing to lose what is on a drive: by `--erase`, or typed where there is a terminal to ask at."""

import sys

from ssdlab.cli.language import sentence
from ssdlab.cli.terminal import ask, tell
from ssdlab.message import message


def agreed(target: str, erase: str | None) -> str | None:
    """What the user agrees to lose: as it was given, or as it is typed now; None where neither is so.

    Raises:
        SsdlabError: The target is unknown, or something forbids testing it.
    """
    from ssdlab.lab.bench import at_stake

    if erase is not None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return erase
    stakes = at_stake(target)
    if stakes is None:
        return None
    tell(message("cli-all-will-be-lost", what=stakes.what))
    for loss in stakes.losses:
        tell(f"  {sentence(loss)}")
    ask(f"{sentence(message('cli-type-name', kind=stakes.name.kind.words, name=stakes.name.text))}: ")
    return sys.stdin.readline().strip() or None
