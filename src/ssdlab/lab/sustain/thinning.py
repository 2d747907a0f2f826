"""What of the steps of a long sustained write need not be kept one by one, so that a run without an end stays small."""

from ssdlab.analysis.metrics.sustain import READING, WRITING, Seconds, seconds_of
from ssdlab.bundle.model import Step
from ssdlab.bundle.totals import Extreme, StepTotals
from ssdlab.bundle.write import BundleWriter
from ssdlab.engine.result import Direction, RawResult
from ssdlab.engine.sustain.bad_data import Verified
from ssdlab.message import message
from ssdlab.method.sustain import NAME, THIN_EVERY, WHOLE_FIRST, WRONG_KEPT_MAX, Keeping, SustainSettings, keeping
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

RESTING = f"{NAME}.rest"
"""Name of steps, before their number."""
_NO_IO = Unknown(message("unknown-no-io"))
_NO_NEED = Unknown(message("unknown-not-asked"))
_NOT_READ = Unknown(message("unknown-nothing-read-back"))


class Thinning:
    """Knows which finished steps may go; what it knows does not grow with the passes."""

    def __init__(self, writer: BundleWriter) -> None:
        self._writer = writer
        self._later: dict[int, int] = {}
        """Pass of each step by its index."""
        self._wrong_kept = 0

    def may_go(self, step: Step, number: int, totals: StepTotals) -> bool:
        """Whether a step of that pass need not stay once its totals are in the journal; the first passes and the first wrong data do."""
        if number <= WHOLE_FIRST:
            return False
        if totals.found_wrong and self._wrong_kept < WRONG_KEPT_MAX:
            self._wrong_kept += 1
            return False
        self._later[step.index] = number
        return True

    def pass_over(self, clock_ns: int, number: int) -> None:
        """Thin out every so many passes."""
        if number % THIN_EVERY == 0:
            self.thin_out(clock_ns, number)

    def thin_out(self, clock_ns: int, number: int) -> None:
        """Thin out what may go once so many passes were begun."""
        gone = {index for index, own in self._later.items() if keeping(own, number) is Keeping.TOTALS}
        if gone:
            self._writer.thin_out(clock_ns, gone)
            self._later = {index: own for index, own in self._later.items() if index not in gone}


def totals_of_pass(
    step: Step, result: RawResult, verified: Verified | Unknown | None, settings: SustainSettings
) -> StepTotals:
    """What stays of a pass, whatever becomes of its files."""
    ((direction, part),) = result.directions.items()
    mean = Extreme(step=step.name, bytes_per_s=part.io_bytes * NS_PER_S / max(part.runtime_ns, 1))
    seconds = seconds_of(part.series)
    return StepTotals(
        name=WRITING if direction is Direction.WRITE else READING,
        count=1,
        cut_short=0 if result.stopped is None else 1,
        moved_bytes=part.io_bytes,
        written_bytes=part.io_bytes if direction is Direction.WRITE else 0,
        duration_ns=part.runtime_ns,
        slowest=mean,
        fastest=mean,
        slowest_second=_slowest_second(step, seconds),
        judged=0 if isinstance(seconds, Unknown) else 1,
        flat=1 if not isinstance(seconds, Unknown) and seconds.is_flat else 0,
        need_met_percent_min=_need_met(seconds, settings),
        bad_bytes=_bad_bytes(verified),
    )


def _slowest_second(step: Step, seconds: Seconds | Unknown) -> Extreme | Unknown:
    if isinstance(seconds, Unknown):
        return seconds
    return Extreme(step=step.name, bytes_per_s=float(seconds.bandwidth.min()))


def _need_met(seconds: Seconds | Unknown, settings: SustainSettings) -> float | Unknown:
    if isinstance(seconds, Unknown):
        return seconds
    return _NO_NEED if settings.need_bytes_per_s is None else seconds.percent_of_time_at(settings.need_bytes_per_s)


def _bad_bytes(verified: Verified | Unknown | None) -> int | Unknown:
    if isinstance(verified, Verified):
        return verified.bad_bytes
    return _NOT_READ if verified is None else verified


def totals_of_rest(step: Step) -> StepTotals:
    """Likewise of a rest."""
    return StepTotals(
        name=RESTING,
        count=1,
        cut_short=0,
        moved_bytes=0,
        written_bytes=0,
        duration_ns=step.rest_ns,
        slowest=_NO_IO,
        fastest=_NO_IO,
        slowest_second=_NO_IO,
        judged=0,
        flat=0,
        need_met_percent_min=_NO_IO,
        bad_bytes=_NOT_READ,
    )
