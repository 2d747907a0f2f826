"""Drives in the order of one number, never across methods."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.analysis.statistics.standing import Places
from ssdlab.bundle.quantities import Better
from ssdlab.library.catalogue import Catalogue, LibraryError, Table
from ssdlab.library.entry import Comparability, Entry, MethodKey, Nature, capacity_words
from ssdlab.library.groups import Group, groups_of, values_of
from ssdlab.library.many_objects import without_collections
from ssdlab.library.places import Estimates, all_over_runs, all_places, best_first, estimates_of
from ssdlab.message import Listed, Message, Separator, message


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was measured by one method, in one state, the best first."""

    method: MethodKey
    scale: Comparability
    nature: Nature
    state: str
    unit: str
    better: Better
    groups: tuple[Group, ...]
    estimates: Estimates
    """What each group ranks by."""

    @property
    def places(self) -> tuple[Places, ...]:
        """Of each group; those whose numbers are tied share theirs."""
        return all_places(self.estimates, self.better)


@without_collections()
def rankings(catalogue: Catalogue, metric: str) -> tuple[Ranking, ...]:
    """A ranking for each method, profile, drive state and nature of drives; published methods and real drives first.

    Raises:
        LibraryError: No run has a number for the metric that can be ranked.
    """
    found = values_of(catalogue, metric)
    if not found:
        raise _no_such_metric(catalogue, metric)
    values = [value for value in found if value.is_ranked]
    if not values:
        raise LibraryError(
            message("library-all-stood-still", metric=metric),
            message("library-stood-still-remedy", check=UNINTERRUPTED),
        )
    classes: dict[object, list[Group]] = {}
    for group in groups_of(values):
        first = group.first
        entry = first.entry
        classes.setdefault((entry.method, entry.scale, entry.nature, first.state, first.unit), []).append(group)
    made = [_ranking(groups) for groups in classes.values()]
    return tuple(sorted(made, key=_order))


def _ranking(groups: list[Group]) -> Ranking:
    first = groups[0].first
    side = first.key.better(first.unit)
    runs = estimates_of([(one.number, one.low, one.high) for group in groups for one in group.values])
    estimates = all_over_runs(runs, [len(group.values) for group in groups])
    order = best_first(estimates, side)
    return Ranking(
        method=first.entry.method,
        scale=first.entry.scale,
        nature=first.entry.nature,
        state=first.state,
        unit=first.unit,
        better=side,
        groups=tuple(groups[at] for at in order.tolist()),
        estimates=estimates.at(order),
    )


def _order(ranking: Ranking) -> tuple[int, int, int, str]:
    return (
        list(Comparability).index(ranking.scale),
        list(Nature).index(ranking.nature),
        -len(ranking.groups),
        f"{ranking.method.suite} {ranking.method.version} {ranking.method.sha256} {ranking.state}",
    )


def differences(one: Ranking, other: Ranking) -> tuple[Message, ...]:
    """Why two rankings are not one."""
    pairs = {
        "suite": (_suite(one.method), _suite(other.method)),
        "profile": (one.method.profile, other.method.profile),
        "engine": (one.method.engine, other.method.engine),
        "drives": (one.nature.value, other.nature.value),
        "state": (one.state, other.state),
        "unit": (one.unit, other.unit),
    }
    found = [
        message("library-difference", what=what, theirs=theirs, ours=ours)
        for what, (ours, theirs) in pairs.items()
        if ours != theirs
    ]
    if not found:
        found = [message("library-other-text", theirs=other.method.sha256[:8], ours=one.method.sha256[:8])]
    return tuple(found)


def _suite(method: MethodKey) -> str:
    return f"{method.suite} {method.version}"


def labels(groups: Sequence[Group]) -> tuple[str, ...]:
    """Drives with as much of their identity as tells them from the others of the same ranking."""
    models: dict[str, list[Entry]] = {}
    for group in groups:
        models.setdefault(group.first.entry.drive.model, []).append(group.first.entry)
    telling = {model: frozenset(_telling(entries)) for model, entries in models.items()}
    return tuple(_label(group.first.entry, telling[group.first.entry.drive.model]) for group in groups)


class _Part(Enum):
    SERIAL = "serial"
    CAPACITY = "capacity"
    FIRMWARE = "firmware"
    HOST = "host"


def _part(entry: Entry, part: _Part) -> str:
    match part:
        case _Part.SERIAL:
            return entry.drive.serial if isinstance(entry.drive.serial, str) else "serial unknown"
        case _Part.CAPACITY:
            return capacity_words(entry)
        case _Part.FIRMWARE:
            return f"firmware {entry.firmware if isinstance(entry.firmware, str) else 'unknown'}"
        case _Part.HOST:
            return f"in {entry.host}"


def _telling(entries: Sequence[Entry]) -> Iterator[_Part]:
    """In what the runs on drives of one model differ."""
    for part in _Part:
        if len({_part(entry, part) for entry in entries}) > 1:
            yield part


def _label(entry: Entry, telling: frozenset[_Part]) -> str:
    return ", ".join([entry.drive.model, *(_part(entry, part) for part in _Part if part in telling)])


def _no_such_metric(catalogue: Catalogue, metric: str) -> LibraryError:
    with catalogue.database(Table.METRICS) as database:
        names = [
            str(name) for (name,) in database.execute("select distinct name from metrics order by name").fetchall()
        ]
        reasons = database.execute(
            "select distinct unknown_because from metrics where name = ? and unknown_because is not null", [metric]
        ).fetchall()
    if reasons:
        return LibraryError(message("library-no-number", metric=metric, reason=str(reasons[0][0])))
    near = get_close_matches(metric, names, n=3)
    hints = (
        [message("library-did-you-mean", names=Listed(tuple(f"`{name}`" for name in near), Separator.OR))]
        if near
        else []
    )
    hints.append(message("library-all-metrics"))
    return LibraryError(message("library-no-metric", metric=metric), *hints)
