"""Where a run departs from the text of the published method that its suite follows, and why."""

from collections.abc import Iterator

from ssdlab.drive.identity import DriveIdentity, Freshness
from ssdlab.message import Message, message, size
from ssdlab.method.draft import SteadyBy
from ssdlab.method.kinds.cross_stimulus import CrossStimulusStep
from ssdlab.method.kinds.demand import DemandStep
from ssdlab.method.kinds.idle_recovery import IdleRecoveryStep
from ssdlab.method.kinds.rounds import RoundsStep
from ssdlab.method.kinds.steady_state import SteadyStateStep
from ssdlab.method.plan import Plan
from ssdlab.method.published import Published

_WANTED_CACHE = {
    Published.SNIA_PTS_ENTERPRISE: message("published-cache-disabled"),
    Published.SNIA_PTS_CLIENT: message("published-cache-enabled"),
}


def departures(plan: Plan, drive: DriveIdentity) -> Iterator[Message]:
    """What a reader of its results must know; nothing of a suite that follows no text.

    Args:
        plan: What is done.
        drive: What it is done to.
    """
    published = plan.suite.published
    if published is None:
        return
    yield message("published-at-second-hand")
    yield message("published-cache-left", wanted=_WANTED_CACHE[published])
    if drive.purge_leaves is not Freshness.FRESH:
        yield message("published-purge-unproven")
    if not plan.comparable:
        yield message("published-scaled", profile=plan.profile)
    for step in plan.suite.steps_under(plan.profile):
        if isinstance(step, RoundsStep) and min(step.sweep.block_bytes) < drive.logical_block_bytes:
            yield message("published-small-blocks", step=step.name, block=size(drive.logical_block_bytes))
        if isinstance(step, IdleRecoveryStep):
            yield message("published-rests-between-jobs", step=step.name)
        if isinstance(step, CrossStimulusStep):
            yield message("published-recovery-share", step=step.name)
        if isinstance(step, DemandStep) and step.job.mix is not None:
            yield message("published-response-of-mix", step=step.name)
        if isinstance(step, SteadyStateStep) and step.by is SteadyBy.SNIA and step.at_least:
            yield message("published-not-while-fresh", step=step.name, least=str(step.at_least))
