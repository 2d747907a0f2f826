"""Checks of what a power meter said of each step."""

from collections.abc import Iterator

from ssdlab.bundle.model import Check, Compared, Outcome
from ssdlab.bundle.power import PowerRecord, StepPower
from ssdlab.message import message, number
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

_COVERED_WELL = 0.999
_TIME_ERROR_SHARE_MAX = 0.01
_HIGHEST_SHARE_MAX = 0.05


def power_checks(record: PowerRecord | Unknown) -> tuple[Check, ...]:
    """Of each step a meter saw; none where no log was added."""
    if isinstance(record, Unknown):
        return ()
    return tuple(check for step in record.steps for check in _of_step(step, record))


def _of_step(step: StepPower, record: PowerRecord) -> Iterator[Check]:
    yield _samples_complete(step)
    yield _time_known(step, record.fit.error_s)
    yield _range_kept(step)


def _samples_complete(step: StepPower) -> Check:
    missing = Compared(name="missing", value=100 * (1 - step.covered_share), unit="%")
    outcome = Outcome.PASS if step.covered_share >= _COVERED_WELL else Outcome.WARN
    return Check(
        name="power.samples_complete",
        step=step.step,
        outcome=outcome,
        finding=message("audit-power-samples", missing_percent=number(float(missing.value), ".2g")),
        meaning=message("audit-power-samples-meaning", outcome=outcome.value),
        remedy=None if outcome is Outcome.PASS else message("audit-power-samples-remedy"),
        numbers=(missing,),
    )


def _time_known(step: StepPower, error_s: float) -> Check:
    length_s = (step.end_ns - step.begin_ns) / NS_PER_S
    outcome = Outcome.PASS if 2 * error_s <= _TIME_ERROR_SHARE_MAX * length_s else Outcome.WARN
    timed = message("audit-power-timed", timed=step.timed.value)
    return Check(
        name="power.time_known",
        step=step.step,
        outcome=outcome,
        finding=message(
            "audit-power-time", error_ms=number(error_s * 1e3, ".2g"), length_s=number(length_s, ".4g"), timed=timed
        ),
        meaning=message("audit-power-time-meaning", outcome=outcome.value),
        remedy=None if outcome is Outcome.PASS else message("audit-power-time-remedy"),
        numbers=(
            Compared(name="error of the clock", value=error_s, unit="s"),
            Compared(name="length of the step", value=length_s, unit="s"),
        ),
    )


def _range_kept(step: StepPower) -> Check:
    highest = Compared(name="samples at the highest value", value=100 * step.highest_share, unit="%")
    outcome = Outcome.PASS if step.highest_share <= _HIGHEST_SHARE_MAX else Outcome.WARN
    return Check(
        name="power.range_kept",
        step=step.step,
        outcome=outcome,
        finding=message("audit-power-range", percent=number(float(highest.value), ".2g")),
        meaning=message("audit-power-range-meaning", outcome=outcome.value),
        remedy=None if outcome is Outcome.PASS else message("audit-power-range-remedy"),
        numbers=(highest,),
    )
