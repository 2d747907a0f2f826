"""Everything that is said of drives that are to qualify: against limits, and against each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from ssdlab.bundle.read import Bundle
from ssdlab.library.entry import Comparability
from ssdlab.message import Message, commas, message
from ssdlab.qualify.batch import OddNumber, Siblings, siblings
from ssdlab.qualify.judge import JudgedDrive, Verdict, from_worst, judged
from ssdlab.qualify.limits import NumberLimit
from ssdlab.qualify.measured import MeasuredDrive, measured_drives
from ssdlab.unknown import Unknown


@dataclass(frozen=True, slots=True)
class QualifiedDrive:
    """A drive with all that is said of it."""

    place: int
    """Among the drives as they were named."""
    judged: JudgedDrive
    odd: tuple[OddNumber, ...]
    """By what it is not like its siblings, the farthest first."""

    @property
    def drive(self) -> MeasuredDrive:
        """What was measured."""
        return self.judged.drive

    @property
    def serial(self) -> str | Unknown:
        """Of the drive."""
        return self.drive.first.drive.serial

    @property
    def verdict(self) -> Verdict:
        """Against the limits; that a drive is odd is said beside it."""
        return self.judged.verdict


@dataclass(frozen=True, slots=True)
class Qualification:
    """All drives, the worst first."""

    limits: tuple[NumberLimit, ...]
    drives: tuple[QualifiedDrive, ...]
    siblings: Siblings

    @property
    def all_passed(self) -> bool:
        """Whether each drive keeps each limit."""
        return all(one.verdict is Verdict.PASSED for one in self.drives)

    @property
    def failed_checks(self) -> tuple[str, ...]:
        """Checks of the audit that failed for any number that was held against a limit."""
        numbers = (number for one in self.drives for number in one.judged.numbers)
        return tuple(dict.fromkeys(name for number in numbers for name in number.failed_checks))

    @property
    def cautions(self) -> tuple[Message, ...]:
        """What a reader must know before relying on it."""
        entries = [entry for one in self.drives for entry in one.drive.entries]
        profiles = sorted({entry.method.profile for entry in entries if entry.scale is Comparability.SCALED})
        said = [message("library-scaled-profile", profiles=commas(*profiles))] if profiles else []
        if self.failed_checks:
            said.append(message("qualify-failed-checks", checks=commas(*self.failed_checks)))
        return tuple(said)


def qualification(bundles: Sequence[Bundle], limits: Sequence[NumberLimit]) -> Qualification:
    """Hold drives against limits and against each other.

    Args:
        bundles: At least one; several runs of a drive by one suite are taken together by the rule of rankings.
        limits: At least one.

    Raises:
        SsdlabError: A limit concerns no metric or has another unit, or runs of a drive do not repeat each other.
    """
    drives = measured_drives(bundles)
    family = siblings(drives, limits)
    found = (QualifiedDrive(place, one, family.odd_of(place)) for place, one in enumerate(judged(drives, limits)))
    return Qualification(tuple(limits), tuple(sorted(found, key=_from_worst)), family)


def _from_worst(one: QualifiedDrive) -> tuple[int, bool, float, str]:
    """Those that fail first, then those not measured, then the odd ones; in each the smallest margin first."""
    outcome, margin = from_worst(one.judged.worst)
    return outcome, not one.odd, margin, str(one.serial)
