"""Agreeing to lose what is on a drive: by `--erase`, or typed where there is a terminal to ask at."""

import sys


def agreed(target: str, erase: str | None) -> str | None:
    """What the user agrees to lose: as it was given, or as it is typed now; None where neither is so.

    Raises:
        SsdlabError: The target is unknown, or something forbids testing it.
    """
    from ssdlab.lab.open import at_stake

    if erase is not None or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return erase
    stakes = at_stake(target)
    if stakes is None:
        return None
    print(f"everything on {stakes.what} will be lost", file=sys.stderr)
    for loss in stakes.losses:
        print(f"  {loss}", file=sys.stderr)
    print(f"to go on type its {stakes.name.kind.value}, {stakes.name.text}: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip() or None
