"""Which figures the probes of a drive have."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from ssdlab.bundle.read import Bundle
from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import drawn_in
from ssdlab.figure.probe.burst import burst_figure
from ssdlab.figure.probe.collisions import collisions_figure
from ssdlab.figure.probe.corners import corners_figure
from ssdlab.figure.probe.portrait import portrait
from ssdlab.figure.probe.reach import reach_figure
from ssdlab.figure.probe.shift_write import shift_write_figure
from ssdlab.figure.probe.staircase import staircase_figure
from ssdlab.probe.answer import Answer
from ssdlab.probe.probes.corners import CORNERS
from ssdlab.probe.probes.placement import PLACEMENT
from ssdlab.probe.probes.reach import REACH
from ssdlab.probe.probes.shift_write import SHIFT_WRITE
from ssdlab.probe.probes.units import UNITS
from ssdlab.probe.probes.write_buffer import WRITE_BUFFER
from ssdlab.probe.run import ProbeResult
from ssdlab.probe.script import ProbeEvidence
from ssdlab.probe.store.reader import findings_of, is_probed
from ssdlab.words import Language

_BY_PROBE: dict[str, Callable[[DriveIdentity, Mapping[str, Answer], ProbeEvidence], Figure]] = {
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
            yield from _figures(bundle.run.drive, findings)


def probe_figures(
    drive: DriveIdentity, findings: Sequence[ProbeResult], language: Language = Language.ENGLISH
) -> tuple[Figure, ...]:
    """The portrait of the drive, then the evidence of each probe that has a figure."""
    with drawn_in(language):
        return tuple(_figures(drive, findings))


def _figures(drive: DriveIdentity, findings: Sequence[ProbeResult]) -> Iterator[Figure]:
    # Sizes and corners are a measurement of their own, with a figure and a table of their own.
    if inferred := [one for one in findings if one.probe is not CORNERS]:
        yield portrait(drive, inferred)
    for finding in findings:
        build = _BY_PROBE.get(finding.probe.name)
        if build is not None and finding.evidence is not None:
            yield build(drive, {answer.name: answer for answer in finding.answers}, finding.evidence)
