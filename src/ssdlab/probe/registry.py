"""Every probe, in the order in which `all` runs them: what only reads first, what destroys most last."""

import difflib

from ssdlab.errors import UsageError
from ssdlab.probe.allocation import ALLOCATION
from ssdlab.probe.corners import CORNERS
from ssdlab.probe.declared import DECLARED
from ssdlab.probe.flush import FLUSH
from ssdlab.probe.flush_window import FLUSH_WINDOW
from ssdlab.probe.interference import INTERFERENCE
from ssdlab.probe.noise import NOISE
from ssdlab.probe.placement import PLACEMENT
from ssdlab.probe.reach import REACH
from ssdlab.probe.read_ahead import READ_AHEAD
from ssdlab.probe.read_buffer import READ_BUFFER
from ssdlab.probe.read_page import READ_PAGE
from ssdlab.probe.reclaim import RECLAIM
from ssdlab.probe.script import Probe
from ssdlab.probe.shift_write import SHIFT_WRITE
from ssdlab.probe.slc import SLC
from ssdlab.probe.spare import SPARE
from ssdlab.probe.stripe import STRIPE
from ssdlab.probe.thermal import THERMAL
from ssdlab.probe.units import UNITS
from ssdlab.probe.write_buffer import WRITE_BUFFER

PROBES: tuple[Probe, ...] = (
    DECLARED,
    NOISE,
    READ_AHEAD,
    READ_BUFFER,
    READ_PAGE,
    STRIPE,
    UNITS,
    CORNERS,
    SHIFT_WRITE,
    PLACEMENT,
    ALLOCATION,
    WRITE_BUFFER,
    FLUSH,
    FLUSH_WINDOW,
    REACH,
    SLC,
    RECLAIM,
    INTERFERENCE,
    SPARE,
    THERMAL,
)
ALL = "all"
QUICK = "quick"
_QUICK = (DECLARED, NOISE, READ_AHEAD, READ_BUFFER, READ_PAGE, UNITS, FLUSH, REACH)


def probes_named(name: str) -> tuple[Probe, ...]:
    """One probe after those it builds on, the `quick` ones, or `all` of them.

    Raises:
        UsageError: There is none of that name.
    """
    if name == ALL:
        return PROBES
    if name == QUICK:
        return _QUICK
    by_name = {probe.name: probe for probe in PROBES}
    if name in by_name:
        return tuple(by_name[one] for one in (*by_name[name].after, name))
    names = [probe.name for probe in PROBES]
    near = difflib.get_close_matches(name, [*names, QUICK, ALL], n=2)
    raise UsageError(
        f"there is no probe called `{name}`",
        *([f"did you mean {' or '.join(f'`{one}`' for one in near)}?"] if near else []),
        f"there are {', '.join(names)}, `{QUICK}` and `{ALL}`; `ssdlab probes` says what each asks",
    )
