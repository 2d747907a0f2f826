"""What CrystalDiskMark and KDiskMark say of drives, and the same profiles measured through fio beside them (METHODS C9)."""

from collections.abc import Iterable, Iterator, Sequence

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import Direction
from ssdlab.figure.client.desktop import profile_steps, profile_values
from ssdlab.figure.imported.drives import ImportedValues, Tested, fill_words, import_subtitle, shown, tested
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.profiles import BandwidthUnit, BarsHeading, LoadProfile, Scores, profile_figures
from ssdlab.figure.kit.readings import MetricReading
from ssdlab.figure.kit.say import say, sentences
from ssdlab.figure.kit.subject import caveat, drive_name
from ssdlab.message import message, semicolons
from ssdlab.point import CoordinateAxis, Load

PROGRAMS = ("CrystalDiskMark", "KDiskMark")


def imported_profiles(runs: Sequence[ImportedRun], bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """The figures of one program's results; `bundles` of suites with its profiles are marked as measured through fio."""
    drives = tested(runs)
    program = runs[0].info.program
    scores = [_scores(one) for drive in drives for one in shown(drive, _together(drive))]
    through_fio = [] if program != "CrystalDiskMark" else _through_fio(bundles, len(drives))
    notes = dict.fromkeys(metric.note for run in runs for metric in run.metrics if metric.note)
    subtitle = import_subtitle(drives, len(through_fio))
    warnings = [text for bundle in bundles if through_fio and (text := caveat(bundle.run)) is not None]
    by_fio = say(message("figure-marked-through-fio")) if through_fio else ""
    by_program = message("figure-as-program-says", program=program, notes=semicolons(*notes))
    heading = BarsHeading(
        name=program.casefold(),
        title=say(message("figure-program-profiles", program=program)),
        subtitle=(*subtitle, *dict.fromkeys(warnings)),
        how=sentences(say(by_program), by_fio, fill_words(drives)),
        table=message("figure-table-program-profiles", program=program),
        unit=BandwidthUnit.DECIMAL,
    )
    yield from profile_figures([*scores, *through_fio], heading)


def _together(drive: Tested) -> Iterable[Sequence[MetricKey]]:
    """Read and write of a profile."""
    profiles: dict[LoadProfile, list[MetricKey]] = {}
    for key in dict.fromkeys(metric.key for run in drive.runs for metric in run.metrics):
        if (found := _profile(key)) is not None:
            profiles.setdefault(found[0], []).append(key)
    return profiles.values()


def _profile(key: MetricKey) -> tuple[LoadProfile, Direction] | None:
    """The profile a bandwidth is of; None of all other metrics."""
    load = key.point.value(CoordinateAxis.PROFILE)
    if not isinstance(load, Load) or key.direction is None or key.quantity != BANDWIDTH:
        return None
    return LoadProfile(load.pattern, load.block_bytes, load.queue_depth, load.jobs), key.direction


def _scores(one: ImportedValues) -> Scores:
    values = {found: reading for key, reading in one.numbers.items() if (found := _profile(key)) is not None}
    return Scores(one.label, one.slot, values)


def _through_fio(bundles: Sequence[Bundle], slots_taken: int) -> list[Scores]:
    measured = [(bundle, values) for bundle in bundles if (values := _profile_values(bundle))]
    names = [drive_name(bundle.run.drive) for bundle, _ in measured]
    labels = [
        say(
            message("figure-drive-through-fio", drive=name)
            if names.count(name) == 1
            else message("figure-drive-through-fio-run", drive=name, run=bundle.path.name)
        )
        for name, (bundle, _) in zip(names, measured, strict=True)
    ]
    return [
        Scores(label, slot, values)
        for slot, (label, (_, values)) in enumerate(zip(labels, measured, strict=True), slots_taken + 1)
    ]


def _profile_values(bundle: Bundle) -> dict[tuple[LoadProfile, Direction], MetricReading]:
    return {key: value for step in profile_steps(bundle) for key, value in profile_values(bundle, step).items()}
