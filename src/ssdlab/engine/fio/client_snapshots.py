"""What several hosts said of one run (`fio --client`): with `--status-interval` each of them more than once, into one list."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from ssdlab.engine.fio.document import DocumentError
from ssdlab.engine.result import Direction

_Entry = Mapping[str, Any]
_ALL_CLIENTS = "All clients"
_PARTS = (*(direction.value for direction in Direction), "mixed")


def last_of_each_host(entries: Sequence[_Entry]) -> list[_Entry]:
    """The entries of `client_stats` that count: of every host those of its last snapshot, and not the sum of all hosts.

    fio adds that sum once, as soon as it has had as many entries as all hosts send at a time (`sum_stat_clients` in
    `client.c`), and not at all where that is one.

    Raises:
        DocumentError: It cannot be told which entries are of one snapshot.
    """
    of_hosts = [entry for entry in entries if not _is_sum(entry)]
    if not of_hosts:
        return list(entries)
    at_a_time = next((place for place, entry in enumerate(entries) if _is_sum(entry)), None)
    if at_a_time is None and len(set(map(_name, of_hosts))) == 1:
        at_a_time = 1
    if not at_a_time or at_a_time == len(of_hosts):
        return of_hosts
    size = Counter(_host(entry) for entry in of_hosts[:at_a_time])
    places: dict[object, list[int]] = defaultdict(list)
    for place, entry in enumerate(of_hosts):
        places[_host(entry)].append(place)
    if any(not _are_snapshots([of_hosts[place] for place in own], size[host]) for host, own in places.items()):
        raise DocumentError(
            "client_stats: there are snapshots of several moments, and they do not say which are the last"
        )
    chosen = sorted(place for host, own in places.items() for place in own[-size[host] :])
    return [of_hosts[place] for place in chosen]


def _is_sum(entry: _Entry) -> bool:
    return entry.get("jobname") == _ALL_CLIENTS


def _host(entry: _Entry) -> object:
    return entry.get("hostname"), entry.get("port")


def _name(entry: _Entry) -> object:
    return _host(entry), entry.get("groupid"), entry.get("jobname")


def _are_snapshots(entries: Sequence[_Entry], size: int) -> bool:
    """Whether entries of one host are the same jobs again and again, `size` at a time, and none has done less than before."""
    if not size or len(entries) % size:
        return False
    return all(
        _name(before) == _name(after) and _done(before) <= _done(after)
        for before, after in zip(entries, entries[size:], strict=False)
    )


def _done(entry: _Entry) -> int:
    parts = (entry.get(name) for name in _PARTS)
    counts = (part.get("total_ios") for part in parts if isinstance(part, dict))
    return sum(count for count in counts if isinstance(count, int))
