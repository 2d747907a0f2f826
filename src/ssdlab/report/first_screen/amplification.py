"""What a run of `write_amplification` says of its drive: how often random writes reach the flash, and whether hot and cold data are kept apart."""

from ssdlab.analysis.metrics.write_amplification import Separates
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import (
    EFFECTIVE_SPARE,
    GRADE,
    SEPARATES,
    SEPARATION,
    WAF_COUNTED,
    WAF_IMPLIED,
)
from ssdlab.bundle.read import Bundle
from ssdlab.bundle.state_words import STATE_WORDS
from ssdlab.figure.kit.suite_steps import suite_steps
from ssdlab.message import Message, as_written, message
from ssdlab.method.kinds.write_amplification import WriteAmplificationStep, pattern_point, patterns_of
from ssdlab.point import Point
from ssdlab.report.first_screen.quoted import Metrics, quoted


def amplified(bundle: Bundle, metrics: Metrics) -> Message | None:
    """Uniform writes, by counters before what the speed implies, and the spare space that this is the amplification of."""
    for step in _steps(bundle):
        uniform = pattern_point(step, patterns_of(step)[0])
        spare = quoted(metrics, MetricKey(Point(step.name), EFFECTIVE_SPARE))
        counted = quoted(metrics, MetricKey(uniform, WAF_COUNTED))
        if spare is None:
            return None
        if counted is not None:
            return message(
                "verdict-amplified-counted",
                times=counted.inline,
                spare=spare.inline,
                state=STATE_WORDS[counted.state],
            )
        implied = quoted(metrics, MetricKey(uniform, WAF_IMPLIED))
        if implied is None:
            return None
        return message(
            "verdict-amplified-implied", times=implied.inline, spare=spare.inline, state=STATE_WORDS[implied.state]
        )
    return None


def kept_apart(bundle: Bundle, metrics: Metrics) -> Message | None:
    """The verdict on hot and cold data with its grade."""
    for step in _steps(bundle):
        of_drive = Point(step.name)
        verdict, share, grade = (quoted(metrics, MetricKey(of_drive, one)) for one in (SEPARATES, SEPARATION, GRADE))
        if verdict is None or share is None or grade is None:
            return None
        told, worth = share.inline, as_written(str(grade.value))
        match Separates(verdict.value):
            case Separates.YES:
                return message("verdict-kept-apart", share=told, grade=worth)
            case Separates.NO:
                return message("verdict-not-kept-apart", share=told, grade=worth)
            case Separates.UNCLEAR:
                return message("verdict-kept-apart-unclear", share=told, grade=worth)
    return None


def _steps(bundle: Bundle) -> list[WriteAmplificationStep]:
    return [step for step in suite_steps(bundle) if isinstance(step, WriteAmplificationStep)]
