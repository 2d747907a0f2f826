"""Every probe, in the order in which `all` runs them: what only reads first, what destroys most last."""

import difflib

from ssdlab.errors import UsageError
from ssdlab.message import Listed, Separator, commas, message
from ssdlab.probe.declared import DECLARED
from ssdlab.probe.probes.allocation import ALLOCATION
from ssdlab.probe.probes.corners import CORNERS
from ssdlab.probe.probes.drift import DRIFT
from ssdlab.probe.probes.flush import FLUSH
from ssdlab.probe.probes.flush_window import FLUSH_WINDOW
from ssdlab.probe.probes.interference import INTERFERENCE
from ssdlab.probe.probes.noise import NOISE
from ssdlab.probe.probes.placement import PLACEMENT
from ssdlab.probe.probes.reach import REACH
from ssdlab.probe.probes.read_ahead import READ_AHEAD
from ssdlab.probe.probes.read_buffer import READ_BUFFER
from ssdlab.probe.probes.read_page import READ_PAGE
from ssdlab.probe.probes.reclaim import RECLAIM
from ssdlab.probe.probes.shift_write import SHIFT_WRITE
from ssdlab.probe.probes.slc import SLC
from ssdlab.probe.probes.spare import SPARE
from ssdlab.probe.probes.stripe import STRIPE
from ssdlab.probe.probes.thermal import THERMAL
from ssdlab.probe.probes.units import UNITS
from ssdlab.probe.probes.write_buffer import WRITE_BUFFER
from ssdlab.probe.script import Probe

PROBES: tuple[Probe, ...] = (
    DECLARED,
    NOISE,
    DRIFT,
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
    said = (
        [message("probe-did-you-mean", names=Listed(tuple(f"`{name}`" for name in near), Separator.OR))] if near else []
    )
    said.append(message("probe-there-are", names=commas(*names), quick=QUICK, all=ALL))
    raise UsageError(message("probe-no-such", name=name), *said)
