"""Which figures a run has, and which several runs have together; in the order of a review."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.active_range import active_range
from ssdlab.figure.client.bandwidth_over_bytes import bandwidth_over_bytes
from ssdlab.figure.client.bandwidth_over_time import bandwidth_over_time
from ssdlab.figure.client.desktop import desktop
from ssdlab.figure.client.fill_compared import fill_over_bytes, fill_over_time
from ssdlab.figure.client.latency_distribution import latency_distribution
from ssdlab.figure.client.latency_over_time import latency_over_time
from ssdlab.figure.client.percentile_latency import percentile_latency
from ssdlab.figure.client.ranking import boot_rankings, fill_rankings, read_percent_rankings, sync_rankings
from ssdlab.figure.client.read_percent import by_read_percent, by_read_percent_if_unweighted
from ssdlab.figure.client.reclaim import reclaim
from ssdlab.figure.client.reclaim_series import reclaim_series
from ssdlab.figure.client.weighted import weighted
from ssdlab.figure.enterprise.block_size_sweep import block_size_sweep
from ssdlab.figure.enterprise.bootbench import bootbench
from ssdlab.figure.enterprise.consistency import consistency
from ssdlab.figure.enterprise.cross_stimulus import cross_stimulus, cross_stimulus_compared
from ssdlab.figure.enterprise.demand import demand
from ssdlab.figure.enterprise.demand_compared import demand_compared
from ssdlab.figure.enterprise.half_hours import half_hours
from ssdlab.figure.enterprise.idle_compared import idle_recovery_compared
from ssdlab.figure.enterprise.idle_recovery import idle_recovery
from ssdlab.figure.enterprise.load_latency import load_latency
from ssdlab.figure.enterprise.mixes import mixes
from ssdlab.figure.enterprise.over_depth import over_depth
from ssdlab.figure.enterprise.over_time import over_time
from ssdlab.figure.enterprise.preconditioning import preconditioning
from ssdlab.figure.enterprise.qos import qos
from ssdlab.figure.enterprise.response_time import response_time
from ssdlab.figure.enterprise.rounds import rounds
from ssdlab.figure.enterprise.tail_qd1 import tail_qd1
from ssdlab.figure.enterprise.two_in_one import two_in_one
from ssdlab.figure.enterprise.write_amplification import write_amplification
from ssdlab.figure.enterprise.wsat import wsat
from ssdlab.figure.kit.called import key_of
from ssdlab.figure.kit.drives import DRIVES_MAX, DRIVES_MIN, drawn_among
from ssdlab.figure.kit.left_out import gives_room, left_out
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import drawn_in, say, sentences
from ssdlab.figure.probe.corners import ageing
from ssdlab.figure.probe.corners_beside import ageing_times, corners_beside
from ssdlab.figure.probe.registry import probed
from ssdlab.figure.sustain.bad_bytes import bad_bytes
from ssdlab.figure.sustain.passes import sustain_passes
from ssdlab.message import Listed, Separator, message
from ssdlab.words import Language

Build = Callable[[Sequence[Bundle]], Iterable[Figure]]


def _of_one(build: Callable[[Bundle], Figure | None]) -> Build:
    """A figure of one run as one of a sequence of length one."""

    def figures(bundles: Sequence[Bundle]) -> Iterator[Figure]:
        for bundle in bundles:
            figure = build(bundle)
            if figure is not None:
                yield figure

    return figures


_ALONE: tuple[Build, ...] = (
    desktop,
    _of_one(sustain_passes),
    _of_one(bad_bytes),
    _of_one(bandwidth_over_bytes),
    _of_one(bandwidth_over_time),
    _of_one(latency_over_time),
    _of_one(latency_distribution),
    by_read_percent,
    percentile_latency,
    active_range,
    reclaim,
    reclaim_series,
    preconditioning,
    wsat,
    half_hours,
    over_time,
    two_in_one,
    over_depth,
    consistency,
    tail_qd1,
    qos,
    block_size_sweep,
    bootbench,
    load_latency,
    mixes,
    rounds,
    idle_recovery,
    cross_stimulus,
    demand,
    response_time,
    write_amplification,
    probed,
)

_RANKINGS: tuple[Build, ...] = (desktop, fill_rankings, sync_rankings, read_percent_rankings, boot_rankings)
"""They have a bar a drive, so there may be any number."""

_BESIDE: tuple[Build, ...] = (
    desktop,
    fill_over_bytes,
    fill_over_time,
    fill_rankings,
    sync_rankings,
    by_read_percent_if_unweighted,
    weighted,
    read_percent_rankings,
    percentile_latency,
    active_range,
    reclaim,
    preconditioning,
    wsat,
    two_in_one,
    over_depth,
    consistency,
    tail_qd1,
    qos,
    block_size_sweep,
    boot_rankings,
    bootbench,
    load_latency,
    mixes,
    idle_recovery_compared,
    cross_stimulus_compared,
    demand_compared,
    write_amplification,
    corners_beside,
    ageing,
    ageing_times,
)


def figures_for(bundle: Bundle, language: Language = Language.ENGLISH) -> tuple[Figure, ...]:
    """All figures the finished steps of a run allow."""
    with drawn_in(language):
        return tuple(figure for build in _ALONE for figure in build((bundle,)))


_SHOWN_BESIDE: tuple[Build, ...] = (
    desktop,
    percentile_latency,
    active_range,
    reclaim,
    over_depth,
    tail_qd1,
    qos,
    block_size_sweep,
    bootbench,
)
"""Of one run the same as of several, but for the other drives."""


def figures_only_alone(bundle: Bundle, language: Language = Language.ENGLISH) -> tuple[Figure, ...]:
    """Those of a run that say more than the figures in which it stands beside others."""
    with drawn_in(language):
        return tuple(figure for build in _ALONE if build not in _SHOWN_BESIDE for figure in build((bundle,)))


def figures_comparing(bundles: Sequence[Bundle], language: Language = Language.ENGLISH) -> tuple[Figure, ...]:
    """All figures of several runs of one suite beside each other; the first is the device under test."""
    with drawn_in(language):
        return tuple(figure for build in _BESIDE for figure in _drawn_and_without(build, bundles))


def _drawn_and_without(build: Build, bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Each figure, and where the page leaves out a drive and that gives the others room, the same without it."""
    again = _without(build, bundles if build in _RANKINGS else bundles[:DRIVES_MAX])
    for figure in _drawn(build, bundles):
        yield figure
        other = again.get(figure.name)
        if other is not None and gives_room(other.spec, figure.spec):
            yield other


def _without(build: Build, bundles: Sequence[Bundle]) -> dict[str, Figure]:
    """By the name of the figure with all drives; empty where nobody is left out, or fewer than two are left."""
    gone = [bundle for bundle in bundles if key_of(bundle.run.drive) in left_out()]
    rest = [bundle for bundle in bundles if bundle not in gone]
    if not gone or len(rest) < DRIVES_MIN:
        return {}
    with drawn_among(bundles, gone) as names:
        listed = Listed(names, Separator.AND)
        return {
            figure.name: replace(
                figure,
                name=f"{figure.name}-without",
                title=say(message("figure-title-without", title=figure.title, left_out=listed)),
                caption=sentences(say(message("figure-why-without", left_out=listed)), figure.caption),
                left_out=names,
            )
            for figure in build(rest)
        }


def _drawn(build: Build, bundles: Sequence[Bundle]) -> Iterator[Figure]:
    if build in _RANKINGS or len(bundles) <= DRIVES_MAX:
        yield from build(bundles)
        return
    for figure in build(bundles[:DRIVES_MAX]):
        shown = say(message("figure-first-drives", shown=DRIVES_MAX, count=len(bundles)))
        yield replace(figure, caption=sentences(figure.caption, shown))
