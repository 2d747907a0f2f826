"""What may stand at a place of the command line, for shells that complete words; nothing here touches a drive."""

import re
from collections.abc import Iterator
from pathlib import Path

TARGET_BEGINS = ("/dev/", "virtual:", "model:", "file:", "nbd+unix:")
_LAB = Path("lab")
_PLAIN = re.compile(r"[\w./:@%+,=-]+")
"""A name that means itself to every shell. Bash types a candidate as it is, so that any other could end the word, or be run."""


def suites(incomplete: str) -> list[str]:
    """Built-in suites; a path is completed by the shell."""
    from ssdlab.method.builtin import builtin_names

    return [name for name in builtin_names() if name.startswith(incomplete)]


def profiles(incomplete: str) -> list[str]:
    """Profiles of the built-in suites."""
    from ssdlab.method.builtin import builtin_names, load_suite

    names = {name for suite in builtin_names() for name in load_suite(suite).profiles}
    return sorted(name for name in names | {"standard"} if name.startswith(incomplete))


def specs(incomplete: str) -> list[str]:
    """Built-in virtual drives."""
    from ssdlab import _core

    return [name for name in _core.spec_names() if name.startswith(incomplete)]


def targets(incomplete: str) -> list[str]:
    """How targets begin, then the drives of the host or the built-in virtual ones."""
    return sorted(target for target in _targets(incomplete) if target.startswith(incomplete))


def runs(incomplete: str) -> list[str]:
    """Bundles of the lab in this directory whose names need no quoting; one elsewhere is completed by the shell."""
    found = (str(path) for path in (_LAB / "runs").glob("[!.]*/"))
    return sorted(path for path in found if path.startswith(incomplete) and _PLAIN.fullmatch(path))


def _targets(incomplete: str) -> Iterator[str]:
    for form in TARGET_BEGINS:
        if not incomplete.startswith(form):
            yield form
        elif form == "/dev/":
            from ssdlab.drive.block.sysfs import drive_names

            yield from (f"/dev/{name}" for name in drive_names())
        elif form in {"virtual:", "model:"}:
            yield from (form + name for name in specs(""))
