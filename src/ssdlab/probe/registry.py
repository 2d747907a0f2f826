"""Every probe, in the order in which `all` runs them: what only reads first, what destroys most last."""

import difflib

from ssdlab.errors import UsageError
from ssdlab.probe.allocation import ALLOCATION
from ssdlab.probe.placement import PLACEMENT
from ssdlab.probe.script import Probe
from ssdlab.probe.shift_write import SHIFT_WRITE

PROBES: tuple[Probe, ...] = (SHIFT_WRITE, PLACEMENT, ALLOCATION)
ALL = "all"


def probes_named(name: str) -> tuple[Probe, ...]:
    """One probe after those it builds on, or `all` of them.

    Raises:
        UsageError: There is none of that name.
    """
    if name == ALL:
        return PROBES
    by_name = {probe.name: probe for probe in PROBES}
    if name in by_name:
        return tuple(by_name[one] for one in (*by_name[name].after, name))
    names = [probe.name for probe in PROBES]
    near = difflib.get_close_matches(name, [*names, ALL], n=2)
    raise UsageError(
        f"there is no probe called `{name}`",
        *([f"did you mean {' or '.join(f'`{one}`' for one in near)}?"] if near else []),
        f"there are {', '.join(names)}, and `{ALL}`; `ssdlab probes` says what each asks",
    )
