"""What a bundle has recorded of each mix, held against the file of the mix as it is written: nothing that reads mixes or judges them is used.

The chance of what was counted is that of chi-square, for directions, lengths, zones, places within a zone, and all kinds at once.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeVar

import numpy as np
import pytest
from tests.kit.load_drives import FILLED, constant_drive, run_on

from ssdlab.analysis.statistics.goodness_of_fit import fit
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import IssuedCell
from ssdlab.job import MixAction, MixPart, Pattern, Zipf
from ssdlab.units import parse_bytes

FILES = {
    one.name.removesuffix(".toml"): tomllib.loads(one.read_text(encoding="utf-8"))
    for one in sorted((resources.files("ssdlab.method") / "mixes").iterdir(), key=lambda one: one.name)
    if one.name.endswith(".toml")
}
QD = 8
T = TypeVar("T", int, float)
BY_CHANCE_MIN = 1e-4
"""Runs are the same each time, and hundreds of counts are looked at."""
SUITE = f"""{FILLED}
[[step]]
kind = "mixes"
mix = [{", ".join(f'"{name}"' for name in FILES)}]
qd = [{QD}]
job = {{ limit = "10s" }}
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """I/Os that are counted together. Zones are per cent of the drive, from and to; a place is none where the next is no draw."""

    direction: str
    length_bytes: int
    zone: tuple[int, int]
    law: str
    place: int | None


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(4), SUITE, tmp_path_factory.mktemp("mixes"))


def percent(text: str) -> int:
    return int(text.removesuffix("%"))


def shares_of_the_file(mix: Mapping[str, Any], capacity_bytes: int) -> dict[Kind, float]:
    """The share of each kind, by the text alone."""
    shares: dict[Kind, float] = {}
    for stream in mix["stream"]:
        begin, longest = 0, max(map(parse_bytes, stream["sizes"]))
        for zone in stream.get("zones", [{"of": "100%", "ios": "100%"}]):
            end = begin + percent(zone["of"])
            first, last = (capacity_bytes * one // 100 // longest * longest for one in (begin, end))
            for direction, share in (("read", percent(stream["read"])), ("write", 100 - percent(stream["read"]))):
                for size, of_sizes in stream["sizes"].items():
                    length = parse_bytes(size)
                    whole = percent(stream["share"]) * percent(zone["ios"]) * share * of_sizes / 100**4
                    for place, law, of_places in places(stream, (last - first) // length):
                        kind = Kind(direction, length, (begin, end), law, place)
                        shares[kind] = shares.get(kind, 0.0) + whole * of_places
            begin = end
    return {kind: share for kind, share in shares.items() if share}


def places(stream: Mapping[str, Any], blocks: int) -> Iterator[tuple[int | None, str, float]]:
    """Tenths of the blocks; by zipf the ranks up to 1, 2, 4 ... 256, and all others."""
    if stream["order"] == "sequential":
        yield None, "sequential", 1.0
    elif "zipf" in stream:
        weights = np.arange(1, blocks + 1) ** -float(stream["zipf"])
        ends = [0, *(min(1 << k, blocks) for k in range(9)), blocks]
        for place in range(10):
            yield place, "zipf", float(weights[ends[place] : ends[place + 1]].sum() / weights.sum())
    else:
        tenths = Counter(block * 10 // blocks for block in range(blocks))
        for place, found in tenths.items():
            yield place, "random", found / blocks


def counts_of(bundle: Bundle, name: str) -> Counter[Kind]:
    """What the bundle has of the step: which part had which region, and how many I/Os of each part were issued."""
    (step,) = (one for one in bundle.finished() if one.name == f"mixes.{name.replace('-', '_')}.q{QD}")
    assert step.job is not None
    counts: Counter[Kind] = Counter()
    for one in bundle.result(step).issued:
        counts[_kind(step.job.mix[one.part], one, bundle.run.drive.capacity_bytes)] += one.ios
    return counts


def _kind(part: MixPart, one: IssuedCell, capacity_bytes: int) -> Kind:
    region = part.region
    ends = (region.offset_bytes, region.offset_bytes + region.length_bytes)
    first, last = (round(100 * end / capacity_bytes) for end in ends)
    law = "zipf" if isinstance(part.order, Zipf) else part.order.value
    place = None if part.order is Pattern.SEQUENTIAL else one.cell
    direction = "read" if part.action is MixAction.READ else "write"
    return Kind(direction, one.block_bytes, (first, last), law, place)


VIEWS: Mapping[str, Callable[[Kind], Hashable]] = {
    "directions": lambda kind: kind.direction,
    "lengths": lambda kind: kind.length_bytes,
    "zones": lambda kind: kind.zone,
    "places": lambda kind: (kind.zone, kind.law, kind.place),
    "all": lambda kind: kind,
}


def seen(of: Mapping[Kind, T], view: Callable[[Kind], Hashable]) -> dict[Hashable, T]:
    """Counts or shares, those added up that a view does not tell apart."""
    found: dict[Hashable, T] = {}
    for kind, value in of.items():
        found[view(kind)] = found[view(kind)] + value if view(kind) in found else value
    return found


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", FILES)
def test_what_was_issued_is_what_the_file_says(run: Bundle, name: str, view: str) -> None:
    shares = shares_of_the_file(FILES[name], run.run.drive.capacity_bytes)
    assert sum(shares.values()) == pytest.approx(1)
    found = fit(seen(counts_of(run, name), VIEWS[view]), seen(shares, VIEWS[view]))
    assert found.p > BY_CHANCE_MIN


@pytest.mark.parametrize("view", ["directions", "lengths", "zones"])
@pytest.mark.parametrize("name", FILES)
def test_three_in_a_hundred_ios_of_another_kind_would_be_seen(run: Bundle, name: str, view: str) -> None:
    """Of the shares of a file that were like that. A view of one class has nothing to take them from."""
    shares = shares_of_the_file(FILES[name], run.run.drive.capacity_bytes)
    moved = seen(shares, VIEWS[view])
    if len(moved) > 1:
        most, next_to_it = sorted(moved, key=lambda one: -moved[one])[:2]
        moved |= {most: moved[most] - 0.03, next_to_it: moved[next_to_it] + 0.03}
        assert fit(seen(counts_of(run, name), VIEWS[view]), moved).p < BY_CHANCE_MIN


@pytest.mark.parametrize("name", FILES)
def test_every_io_of_the_step_is_in_the_counts(run: Bundle, name: str) -> None:
    (step,) = (one for one in run.finished() if one.name == f"mixes.{name.replace('-', '_')}.q{QD}")
    done = {direction.value: one for direction, one in run.result(step).directions.items()}
    counts = counts_of(run, name)
    for direction, one in done.items():
        own = {kind: ios for kind, ios in counts.items() if kind.direction == direction}
        assert sum(own.values()) == one.io_count
        assert sum(ios * kind.length_bytes for kind, ios in own.items()) == one.io_bytes
