"""What CrystalDiskMark and KDiskMark say of drives, and the same profiles measured through fio beside them (METHODS C9)."""

import re
from collections.abc import Iterable, Iterator, Sequence

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.desktop import profile_steps, profile_values
from ssdlab.figure.imported_drives import Shown, Tested, fill_words, import_subtitle, shown, tested
from ssdlab.figure.model import Figure
from ssdlab.figure.profiles import Heading, Profile, Scores, profile_figures
from ssdlab.figure.readings import Reading
from ssdlab.figure.subject import caveat, drive_name
from ssdlab.job import Pattern
from ssdlab.units import KIB, MIB

PROGRAMS = ("CrystalDiskMark", "KDiskMark")
_METRIC = re.compile(
    r"cdm\.(?P<pattern>seq|rnd)(?P<size>\d+)(?P<unit>[km])_q(?P<depth>\d+)t(?P<jobs>\d+)\.(?P<direction>read|write)\.bandwidth"
)
_UNITS = {"k": KIB, "m": MIB}
_PATTERNS = {"seq": Pattern.SEQUENTIAL, "rnd": Pattern.RANDOM}


def imported_profiles(runs: Sequence[ImportedRun], bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figures of one program's results; `bundles` of suites with its profiles are marked as measured through fio."""
    drives = tested(runs)
    program = runs[0].info.program
    scores = [_scores(one) for drive in drives for one in shown(drive, _together(drive))]
    through_fio = [] if program != "CrystalDiskMark" else _through_fio(bundles, len(drives))
    notes = list(dict.fromkeys(metric.note for run in runs for metric in run.metrics if metric.note))
    subtitle = import_subtitle(drives, len(through_fio))
    warnings = [text for bundle in bundles if through_fio and (text := caveat(bundle.run)) is not None]
    fio_words = " What is marked was measured by ssdlab through fio, not by CrystalDiskMark." if through_fio else ""
    heading = Heading(
        name=program.casefold(),
        title=f"{program} profiles",
        subtitle=(*subtitle, *dict.fromkeys(warnings)),
        how=f"As {program} says: {'; '.join(notes)}.{fio_words}{fill_words(drives)}",
        table=f"what {program} says of each profile",
    )
    yield from profile_figures([*scores, *through_fio], heading)


def _together(drive: Tested) -> Iterable[Sequence[str]]:
    """Read and write of a profile."""
    names = dict.fromkeys(metric.name for run in drive.runs for metric in run.metrics)
    profiles: dict[Profile, list[str]] = {}
    for name in names:
        if (found := _METRIC.fullmatch(name)) is not None:
            profiles.setdefault(_profile(found), []).append(name)
    return profiles.values()


def _profile(found: re.Match[str]) -> Profile:
    block_bytes = int(found["size"]) * _UNITS[found["unit"]]
    return Profile(_PATTERNS[found["pattern"]], block_bytes, int(found["depth"]), int(found["jobs"]))


def _scores(one: Shown) -> Scores:
    values = {
        (_profile(found), Direction(found["direction"])): reading
        for name, reading in one.numbers.items()
        if (found := _METRIC.fullmatch(name)) is not None
    }
    return Scores(one.label, one.slot, values)


def _through_fio(bundles: Sequence[Bundle], slots_taken: int) -> list[Scores]:
    measured = [(bundle, values) for bundle in bundles if (values := _profile_values(bundle))]
    names = [drive_name(bundle.run.drive) for bundle, _ in measured]
    labels = [
        f"{name} (through fio)" if names.count(name) == 1 else f"{name} (through fio, {bundle.path.name})"
        for name, (bundle, _) in zip(names, measured, strict=True)
    ]
    return [
        Scores(label, slot, values)
        for slot, (label, (_, values)) in enumerate(zip(labels, measured, strict=True), slots_taken + 1)
    ]


def _profile_values(bundle: Bundle) -> dict[tuple[Profile, Direction], Reading]:
    return {key: value for step in profile_steps(bundle) for key, value in profile_values(bundle, step).items()}
