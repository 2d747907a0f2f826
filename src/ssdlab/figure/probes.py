"""Which figures the probes of a drive have."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.model import Figure
from ssdlab.figure.portrait import portrait
from ssdlab.figure.probe_burst import burst_figure
from ssdlab.figure.probe_collisions import collisions_figure
from ssdlab.figure.probe_corners import corners_figure
from ssdlab.figure.probe_reach import reach_figure
from ssdlab.figure.probe_shift_write import shift_write_figure
from ssdlab.figure.probe_staircase import staircase_figure
from ssdlab.probe.answer import Answer
from ssdlab.probe.corners import CORNERS
from ssdlab.probe.kept import findings_of, is_probed
from ssdlab.probe.placement import PLACEMENT
from ssdlab.probe.reach import REACH
from ssdlab.probe.run import Finding
from ssdlab.probe.script import Evidence
from ssdlab.probe.shift_write import SHIFT_WRITE
from ssdlab.probe.units import UNITS
from ssdlab.probe.write_buffer import WRITE_BUFFER

_BY_PROBE: dict[str, Callable[[DriveIdentity, Mapping[str, Answer], Evidence], Figure]] = {
    UNITS.name: collisions_figure,
    SHIFT_WRITE.name: shift_write_figure,
    PLACEMENT.name: staircase_figure,
    WRITE_BUFFER.name: burst_figure,
    REACH.name: reach_figure,
    CORNERS.name: corners_figure,
}


def probed(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figures of runs that probes made."""
    for bundle in bundles:
        if is_probed(bundle) and (findings := findings_of(bundle)):
            yield from probe_figures(bundle.run.drive, findings)


def probe_figures(drive: DriveIdentity, findings: Sequence[Finding]) -> Iterator[Figure]:
    """The portrait of the drive, then the evidence of each probe that has a figure."""
    # Sizes and corners are a measurement of their own, with a figure and a table of their own.
    if inferred := [one for one in findings if one.probe is not CORNERS]:
        yield portrait(drive, inferred)
    for finding in findings:
        build = _BY_PROBE.get(finding.probe.name)
        if build is not None and finding.evidence is not None:
            yield build(drive, {answer.name: answer for answer in finding.answers}, finding.evidence)
