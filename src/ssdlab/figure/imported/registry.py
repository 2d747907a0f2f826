"""Which figures results of other programs have, each program's apart."""

from collections.abc import Iterator, Sequence

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.read import Bundle
from ssdlab.figure.imported import profiles as imported_profiles
from ssdlab.figure.imported import scores as imported_scores
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.say import drawn_in
from ssdlab.words import Language


def by_program(runs: Sequence[ImportedRun]) -> list[tuple[ImportedRun, ...]]:
    """Results of one program each, in the order given."""
    groups: dict[str, list[ImportedRun]] = {}
    for run in runs:
        groups.setdefault(run.info.program, []).append(run)
    return [tuple(group) for group in groups.values()]


def figures_of_imports(
    runs: Sequence[ImportedRun], bundles: Sequence[Bundle] = (), language: Language = Language.ENGLISH
) -> tuple[Figure, ...]:
    """All figures of the results of one program; the first is of the drive under test.

    Args:
        runs: Results of one program.
        bundles: Runs of ssdlab that may stand beside them where they measured the same profiles.
        language: That the figures speak.
    """
    with drawn_in(language):
        return tuple(_figures(runs, bundles))


def _figures(runs: Sequence[ImportedRun], bundles: Sequence[Bundle]) -> Iterator[Figure]:
    program = runs[0].info.program
    if program in imported_profiles.PROGRAMS:
        yield from imported_profiles.imported_profiles(runs, bundles)
    if program in imported_scores.PROGRAMS:
        yield from imported_scores.imported_scores(runs)
