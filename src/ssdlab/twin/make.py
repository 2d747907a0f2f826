"""A twin with the errors it was seen to have on steps that it was not fitted to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ssdlab.bundle.read import Bundle
from ssdlab.message import Message, Number, commas, message, number
from ssdlab.scratch import Scratch
from ssdlab.twin.draft import Draft
from ssdlab.twin.errors import Errors, Kind, seen_errors, stated_errors
from ssdlab.twin.fit import Fitted, fit
from ssdlab.twin.possible import require_possible
from ssdlab.twin.rehearse import rehearse
from ssdlab.twin.repeats import HourlyDrift
from ssdlab.unknown import Unknown

_NO_NAME = re.compile(r"[^a-z0-9]+")
_NAME_MAX = 40
_MODEL_MAX = 80
_WRITTEN_OUT = 99.5
"""From here on two digits would be shown with an exponent, in per cent."""


@dataclass(frozen=True, slots=True, eq=False)
class Twin:
    """A virtual drive that behaves like a measured one.

    Attributes:
        draft: With a description that tells its errors.
        fitted: How it came about.
        held: Errors on points that the fit did not see, by kind; a kind of which none was held out is missing.
    """

    draft: Draft
    fitted: Fitted
    held: Mapping[Kind, Errors]

    @property
    def stated(self) -> dict[Kind, float]:
        """What it says that it may be off by, as a share, in suites that ask something else."""
        return stated_errors(self.held, _of_drift(self.fitted.drift))


def make_twin(bundles: Sequence[Bundle], output: Path) -> Twin:
    """Fit a twin to runs of one drive.

    Args:
        bundles: At least one.
        output: Where it will be written: the twin is called after it.

    Raises:
        SsdlabError: See `ssdlab.twin.fit.fit`.
    """
    fitted = fit(bundles, twin_name(output))
    scratch = Scratch()
    try:
        seen = rehearse(fitted.draft, fitted.acts, frozenset(fitted.division.held), scratch.path)
    finally:
        scratch.close()
    held = seen_errors(fitted.acts, seen)
    description = f"{_description(bundles, fitted, held)}; {drift_words(fitted.drift)}"
    draft = replace(fitted.draft, description=description)
    require_possible(draft, bundles[0].run.drive.capacity_bytes)
    return Twin(draft, fitted, held)


def twin_name(output: Path) -> str:
    """What a twin is called, after its file."""
    return _NO_NAME.sub("-", output.stem.lower()).strip("-")[:_NAME_MAX] or "twin"


_SURELY = 2.0
"""Standard errors of a drift that are reckoned with."""


def _of_drift(drift: HourlyDrift | Unknown) -> float:
    """Where none was seen, a small one is in the errors on points held out, which were measured at all hours."""
    return 0.0 if isinstance(drift, Unknown) or not drift.lost else _SURELY * drift.at_end


def drift_words(drift: HourlyDrift | Unknown) -> Message:
    """Such as `its speed changes by +12 % of the first an hour, known to 2 %`."""
    if isinstance(drift, Unknown):
        return message("twin-drift-unknown", reason=drift.reason)
    error = number(100 * _SURELY * drift.error, ".2g")
    if not drift.lost:
        return message("twin-drift-none", error=error)
    return message("twin-drift", change=number(-100 * drift.lost, "+.2g"), error=error)


def _description(bundles: Sequence[Bundle], fitted: Fitted, held: Mapping[Kind, Errors]) -> Message:
    """In English, as all specifications are."""
    drive = bundles[0].run.drive
    called = drive.model if isinstance(drive.model, str) else drive.target
    model = "".join(letter for letter in called if letter.isprintable())[:_MODEL_MAX]
    suites = commas(*dict.fromkeys(bundle.run.suite.name for bundle in bundles))
    if not held:
        return message("twin-description-unheld", model=model, suites=suites)
    errors = commas(*(error_words(kind, one) for kind, one in held.items()))
    stated = stated_errors(held, _of_drift(fitted.drift))
    elsewhere = commas(*(stated_words(kind, share) for kind, share in stated.items()))
    points = len(fitted.division.held)
    return message("twin-description", model=model, suites=suites, points=points, errors=errors, elsewhere=elsewhere)


def stated_words(kind: Kind, share: float) -> Message:
    """Such as `speed 30 %`."""
    return message("twin-stated", kind=kind.value, share=_as_percent(share))


def error_words(kind: Kind, found: Errors) -> Message:
    """Such as `speed 2 % (worst 12 %)`."""
    return message(
        "twin-error",
        kind=kind.value,
        median=_as_percent(found.median),
        worst=_as_percent(found.worst),
    )


def _as_percent(share: float) -> Number:
    """Two digits, and those of hundreds written out."""
    percent = 100 * share
    return number(percent, ".2g" if percent < _WRITTEN_OUT else ",.0f")
