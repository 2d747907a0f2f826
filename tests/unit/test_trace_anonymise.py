"""An anonymous trace does the same to a drive, and does not tell where its extents were."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.kit.traces import desktop, rows, write_msr

from ssdlab.trace.look import meta_of, profile_of
from ssdlab.trace.make import Wanted, anonymise_trace, import_trace

EXTENT = 16 << 20
SIZE = 256 << 30


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A desktop's trace, and the same one anonymous."""
    place = tmp_path_factory.mktemp("traces")
    plain, anonymous = place / "plain.ssdtrace", place / "anonymous.ssdtrace"
    source = write_msr(place / "secret-name.csv", desktop(40_000, seed=5))
    import_trace([source], Wanted(device_bytes=SIZE + (64 << 30)), plain)
    anonymise_trace(plain, anonymous)
    return plain, anonymous


def cumulative_distance(one: Mapping[int, int], other: Mapping[int, int]) -> float:
    """The largest difference of two cumulative shares (Kolmogorov, Smirnov)."""
    sums, largest = [0.0, 0.0], 0.0
    totals = (sum(one.values()), sum(other.values()))
    for value in sorted({*one, *other}):
        sums[0] += one.get(value, 0) / totals[0]
        sums[1] += other.get(value, 0) / totals[1]
        largest = max(largest, abs(sums[0] - sums[1]))
    return largest


def test_run_lengths_and_reuse_distances_stay(traces: tuple[Path, Path]) -> None:
    plain, anonymous = map(profile_of, traces)
    assert cumulative_distance(plain.run_lengths, anonymous.run_lengths) < 0.01
    assert cumulative_distance(dict(plain.reuse_bytes), dict(anonymous.reuse_bytes)) < 0.01


def test_everything_but_the_place_of_extents_stays(traces: tuple[Path, Path]) -> None:
    plain, anonymous = map(rows, traces)
    kept = [(at, op, offset % EXTENT, *rest) for at, op, offset, *rest in plain]
    assert [(at, op, offset % EXTENT, *rest) for at, op, offset, *rest in anonymous] == kept
    moved = {one[2] // EXTENT: other[2] // EXTENT for one, other in zip(plain, anonymous, strict=True)}
    assert [moved[one[2] // EXTENT] for one in plain] == [other[2] // EXTENT for other in anonymous]
    assert len(set(moved.values())) == len(moved)
    assert max(end for _, _, offset, length, *_ in anonymous for end in [offset + length]) <= SIZE + (64 << 30)


def ranks(values: Iterable[int]) -> list[int]:
    """The place of each in their order."""
    listed = list(values)
    place = {value: rank for rank, value in enumerate(sorted(set(listed)))}
    return [place[value] for value in listed]


def correlation(one: list[int], other: list[int]) -> float:
    mean_one, mean_other = sum(one) / len(one), sum(other) / len(other)
    together = sum((a - mean_one) * (b - mean_other) for a, b in zip(one, other, strict=True))
    apart = sum((a - mean_one) ** 2 for a in one) * sum((b - mean_other) ** 2 for b in other)
    return float(together / apart**0.5)


def places(traces: tuple[Path, Path]) -> dict[int, int]:
    plain, anonymous = map(rows, traces)
    return {one[2] // EXTENT: other[2] // EXTENT for one, other in zip(plain, anonymous, strict=True)}


def test_the_places_that_are_touched_stay_the_same(traces: tuple[Path, Path]) -> None:
    plain = rows(traces[0])
    touched = {extent for io in plain for extent in range(io[2] // EXTENT, (io[2] + io[3] - 1) // EXTENT + 1)}
    moved = places(traces)
    assert set(moved.values()) <= touched
    # All but those that I/Os only reach into.
    assert len(touched) - len(moved) < len(touched) / 100


def gone_through(trace: Path) -> set[int]:
    """Extents from which a run may go on into the next: an I/O ends where another of its kind begins, or reaches beyond the end."""
    found = [(op, offset, offset + length) for _, op, offset, length, *_ in rows(trace)]
    begins = {(op, begin) for op, begin, _ in found}
    ended = {(end - 1) // EXTENT for op, _, end in found if end % EXTENT == 0 and (op, end) in begins}
    return ended | {begin // EXTENT for _, begin, end in found if (end - 1) // EXTENT > begin // EXTENT}


def test_the_order_of_extents_cannot_be_told_from_their_places(traces: tuple[Path, Path]) -> None:
    moved, told = places(traces), gone_through(traces[0])
    assert len(moved) > 5000
    original, found = ranks(moved), ranks(moved.values())
    # Of n independent ranks the correlation has a standard deviation of 1/sqrt(n - 1); those that keep together are fewer than half.
    assert abs(correlation(original, found)) < 9 / (len(moved) - 1) ** 0.5
    # Neighbours that are neighbours still, without a run that tells it: as many as chance makes of these places.
    stayed = sum(moved.get(extent + 1) == place + 1 for extent, place in moved.items() if extent not in told)
    assert stayed < 12
    # Whoever guesses each extent's place by the plain order of those that occur is right by chance only.
    guessed = sum(a == b for a, b in zip(original, found, strict=True))
    assert guessed < 24


def test_two_anonymous_traces_of_one_are_different(traces: tuple[Path, Path], tmp_path: Path) -> None:
    again = tmp_path / "again.ssdtrace"
    anonymise_trace(traces[0], again)
    first, second = places(traces), places((traces[0], again))
    same = sum(first[extent] == place for extent, place in second.items())
    assert same < 12


def test_nothing_tells_whose_it_is(traces: tuple[Path, Path]) -> None:
    _, plain = meta_of(traces[0])
    _, anonymous = meta_of(traces[1])
    assert plain.files[0].name == "secret-name.csv"
    assert (anonymous.files, anonymous.device, anonymous.started_unix_ns) == ((), None, None)
    assert b"secret-name" in traces[0].read_bytes()
    assert b"secret-name" not in traces[1].read_bytes()
    assert anonymous.anonymised


def test_a_run_across_extents_stays_whole_among_others_that_move(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run = [8 * EXTENT + at * 131_072 for at in range(1024)]
    others = [extent * EXTENT + 4096 * (1 + extent) for extent in range(64) if not 8 <= extent < 16]
    lines = (f"{at} f read {offset} 131072\n" for at, offset in enumerate([*run, *others]))
    log.write_text("fio version 3 iolog\n" + "".join(lines))
    plain, anonymous = tmp_path / "plain.ssdtrace", tmp_path / "anonymous.ssdtrace"
    import_trace([log], Wanted(device_bytes=1 << 40), plain)
    anonymise_trace(plain, anonymous)
    assert profile_of(anonymous).run_lengths == profile_of(plain).run_lengths == {1024: 1, 1: 56}
    moved = places((plain, anonymous))
    # One of 57 things stays where it was on average.
    assert sum(extent == place for extent, place in moved.items() if not 8 <= extent < 16) < 12


def test_a_run_whose_ios_come_in_any_order_stays_whole(tmp_path: Path) -> None:
    log = tmp_path / "log"
    run = [8 * EXTENT + at * 131_072 for at in range(1024)]
    # As what is read ahead: 32 at a time, the last of them first, and borders of extents in the midst of them.
    shuffled = [
        run[at] for first in range(-16, 1024, 32) for at in reversed(range(first, first + 32)) if 0 <= at < 1024
    ]
    others = [extent * EXTENT + 4096 * (1 + extent) for extent in range(64) if not 8 <= extent < 16]
    lines = (f"{at} f read {offset} 131072\n" for at, offset in enumerate([*shuffled, *others]))
    log.write_text("fio version 3 iolog\n" + "".join(lines))
    plain, anonymous = tmp_path / "plain.ssdtrace", tmp_path / "anonymous.ssdtrace"
    import_trace([log], Wanted(device_bytes=1 << 40), plain)
    anonymise_trace(plain, anonymous)
    moved = places((plain, anonymous))
    assert [moved[extent + 1] - moved[extent] for extent in range(8, 15)] == [1] * 7


def bytes_of(io: tuple[Any, ...]) -> set[int]:
    """Where it is, in blocks of 1 MiB."""
    return set(range(io[2] >> 20, (io[2] + io[3]) >> 20))


def test_what_was_discarded_is_what_is_discarded(tmp_path: Path) -> None:
    log, plain, anonymous = tmp_path / "log", tmp_path / "plain.ssdtrace", tmp_path / "anonymous.ssdtrace"
    begins = [extent * EXTENT + (extent << 20) % EXTENT for extent in range(64)]
    lines = [f"{at} f write {offset} 1048576\n" for at, offset in enumerate(begins)]
    # From the middle of extent 3 to that of extent 9.
    lines += [f"100 f trim {3 * EXTENT + (8 << 20)} {6 * EXTENT}\n"]
    lines += [f"{200 + at} f read {offset} 1048576\n" for at, offset in enumerate(begins)]
    log.write_text("fio version 3 iolog\n" + "".join(lines))
    import_trace([log], Wanted(), plain)
    anonymise_trace(plain, anonymous)
    original, found = rows(plain), rows(anonymous)
    discards = [one for one in found if one[1] == "discard"]
    assert {one[0] for one in discards} == {100_000}
    assert sum(one[3] for one in discards) == 6 * EXTENT
    discarded = set().union(*map(bytes_of, discards))
    moved = [one for one in found if one[1] == "read"]
    for before, after in zip(original[65:], moved, strict=True):
        assert (bytes_of(after) <= discarded) == (bytes_of(before) <= bytes_of(original[64]))


def test_a_discard_of_all_that_is_touched_stays_one(tmp_path: Path) -> None:
    log, plain, anonymous = tmp_path / "log", tmp_path / "plain.ssdtrace", tmp_path / "anonymous.ssdtrace"
    log.write_text(f"fio version 3 iolog\n0 f trim 4096 {32 * EXTENT - 8192}\n9 f read {5 * EXTENT} 4096\n")
    import_trace([log], Wanted(), plain)
    anonymise_trace(plain, anonymous)
    discards = [one for one in rows(anonymous) if one[1] == "discard"]
    # Its first and last extent lack a block each, wherever they came to lie.
    assert len(discards) <= 3
    assert sum(one[3] for one in discards) == 32 * EXTENT - 8192
