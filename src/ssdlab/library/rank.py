"""Drives in the order of one number, never across methods."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from ssdlab.library.catalogue import Catalogue, LibraryError
from ssdlab.library.entry import Entry, Method, Nature, Scale, capacity_words
from ssdlab.library.groups import Better, Group, better, groups_of, values_of


@dataclass(frozen=True, slots=True)
class Ranking:
    """What was measured by one method, in one state, the best first."""

    method: Method
    scale: Scale
    nature: Nature
    state: str
    unit: str
    better: Better
    groups: tuple[Group, ...]


def rankings(catalogue: Catalogue, metric: str) -> tuple[Ranking, ...]:
    """A ranking for each method, profile, drive state and nature of drives; published methods and real drives first.

    Raises:
        LibraryError: No run has a number for the metric.
    """
    values = values_of(catalogue, metric)
    if not values:
        raise _no_such_metric(catalogue, metric)
    classes: dict[object, list[Group]] = {}
    for group in groups_of(values):
        entry = group.first.entry
        classes.setdefault((entry.method, entry.scale, entry.nature, group.first.state, group.first.unit), []).append(
            group
        )
    made = [_ranking(metric, groups) for groups in classes.values()]
    return tuple(sorted(made, key=_order))


def _ranking(metric: str, groups: list[Group]) -> Ranking:
    first = groups[0].first
    side = better(metric, first.unit)
    sign = 1 if side is Better.LOWER else -1
    return Ranking(
        method=first.entry.method,
        scale=first.entry.scale,
        nature=first.entry.nature,
        state=first.state,
        unit=first.unit,
        better=side,
        groups=tuple(sorted(groups, key=lambda group: sign * group.median)),
    )


def _order(ranking: Ranking) -> tuple[int, int, int, str]:
    return (
        list(Scale).index(ranking.scale),
        list(Nature).index(ranking.nature),
        -len(ranking.groups),
        f"{ranking.method.suite} {ranking.method.version} {ranking.method.sha256} {ranking.state}",
    )


def differences(one: Ranking, other: Ranking) -> tuple[str, ...]:
    """Why two rankings are not one."""
    pairs = {
        "suite": (_suite(one.method), _suite(other.method)),
        "profile": (one.method.profile, other.method.profile),
        "engine": (one.method.engine, other.method.engine),
        "drives": (one.nature.value, other.nature.value),
        "drive state": (one.state, other.state),
        "unit": (one.unit, other.unit),
    }
    found = [f"{what} {theirs} and not {ours}" for what, (ours, theirs) in pairs.items() if ours != theirs]
    if not found:
        found = [f"the text of the suite is another ({other.method.sha256[:8]} and not {one.method.sha256[:8]})"]
    return tuple(found)


def _suite(method: Method) -> str:
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
    with catalogue.database() as database:
        names = [
            str(name) for (name,) in database.execute("select distinct name from metrics order by name").fetchall()
        ]
        reasons = database.execute(
            "select distinct unknown_because from metrics where name = ? and unknown_because is not null", [metric]
        ).fetchall()
    if reasons:
        return LibraryError(f"no run has a number for `{metric}`: {reasons[0][0]}")
    near = get_close_matches(metric, names, n=3)
    hints = [f"did you mean {' or '.join(f'`{one}`' for one in near)}?"] if near else []
    hints.append('all there are: `ssdlab library sql "select distinct name from metrics order by name"`')
    return LibraryError(f"no run of the library has a metric `{metric}`", *hints)
