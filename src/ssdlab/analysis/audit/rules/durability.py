"""Whether writes that were to be durable before they counted were made so: by what drive, kernel and fio counted."""

from ssdlab.analysis.audit.facts import Facts, OwnWriter, VirtualTime
from ssdlab.analysis.audit.rule import AuditRule, RuleResult, compared, not_applicable, passed_if, unknown
from ssdlab.analysis.audit.setup import EngineSetup, Flushes
from ssdlab.bundle.model import Outcome
from ssdlab.engine.result import Direction, Forcing
from ssdlab.job import Sync
from ssdlab.message import Message, message, number
from ssdlab.unknown import Unknown

_SHARE_MIN = 0.99
"""Of the writes: what was in flight at the ends of a job may be counted on one side only."""
_NBD = "nbd"


def _forced(facts: Facts) -> RuleResult:
    """Each write needs a flush or a forced write of its own; the first count there is decides."""
    if not _was_asked(facts):
        return not_applicable(message("audit-forced-not-asked"))
    written = facts.directions.get(Direction.WRITE)
    if written is None or not written.io_count:
        return not_applicable(message("audit-forced-nothing-written"))
    return _counted(facts, written.io_count)


def _counted(facts: Facts, writes: int) -> RuleResult:
    sensed = facts.sensed if isinstance(facts.sensed, Unknown) else facts.sensed.forced
    if not isinstance(sensed, Unknown):
        return _held_against(writes, int(sensed), message("audit-forced-by-drive", count=number(sensed, ",.0f")))
    if isinstance(facts.engine, VirtualTime | OwnWriter):
        return not_applicable(message("audit-forced-by-construction"))
    if _ioengine(facts) == _NBD:
        return _by_fio(facts.fio_flushes, writes)
    return _by_kernel(facts, writes)


def _was_asked(facts: Facts) -> bool:
    """By the plan; of somebody else's result, by `sync`."""
    if not isinstance(facts.asked, Unknown):
        return facts.asked.sync is Sync.SYNC
    return isinstance(facts.setup, EngineSetup) and facts.setup.flushes is Flushes.WITH_WRITES


def _ioengine(facts: Facts) -> str:
    return "" if isinstance(facts.setup, Unknown) else facts.setup.ioengine


def _held_against(writes: int, count: int, counted: Message, in_flight: int = 1) -> RuleResult:
    numbers = (compared("writes", writes), compared("forced", count))
    finding = message("audit-forced", writes=number(writes, ",.0f"), counted=counted)
    # fio sends no flush after its last write.
    return passed_if((count + 1) * in_flight >= _SHARE_MIN * writes, finding, *numbers)


def _by_fio(flushes: int | Unknown, writes: int) -> RuleResult:
    if isinstance(flushes, Unknown):
        return unknown(flushes)
    return _held_against(writes, flushes, message("audit-forced-by-fio", count=number(flushes, ",.0f")))


def _by_kernel(facts: Facts, writes: int) -> RuleResult:
    device = facts.device
    if isinstance(device, Unknown):
        return unknown(device)
    if isinstance(device.forcing, Unknown):
        return unknown(device.forcing)
    match device.forcing:
        case Forcing.NOTHING:
            return not_applicable(message("audit-forced-nothing-held", device=device.device))
        case Forcing.FORCED_WRITES:
            return not_applicable(message("audit-forced-uncounted", device=device.device))
        case Forcing.FLUSHES:
            if isinstance(device.flushes, Unknown):
                return unknown(device.flushes)
            counted = message("audit-forced-by-kernel", count=number(device.flushes, ",.0f"), device=device.device)
            return _held_against(writes, device.flushes, counted, _in_flight(facts))


def _in_flight(facts: Facts) -> int:
    """The kernel makes one flush of all that are asked for meanwhile."""
    setup = facts.setup
    if isinstance(setup, Unknown) or isinstance(setup.jobs, Unknown):
        return 1
    return setup.queue_depth * setup.jobs


RULES = (
    AuditRule(
        name="writes.forced",
        judge=_forced,
        meaning={
            Outcome.PASS: message("audit-writes-forced-pass"),
            Outcome.FAIL: message("audit-writes-forced-fail"),
            Outcome.UNKNOWN: message("audit-writes-forced-unknown"),
        },
        remedy=message("audit-writes-forced-remedy"),
    ),
)
