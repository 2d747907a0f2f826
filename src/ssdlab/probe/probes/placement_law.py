"""Read times by size, fitted by equations (1) and (2) for every page size, unit and number of channels."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from ssdlab.probe.probes.equations import Layout, PartialStripe, sensed_and_synchronised
from ssdlab.probe.probes.statistics import (
    PAIRS_EFFICIENCY,
    Floats,
    centres,
    information_criteria,
    information_criterion,
    spread,
)
from ssdlab.units import KIB

Sizes = np.typing.NDArray[np.int64]

_PAGES_BYTES = (KIB, 2 * KIB, 4 * KIB, 8 * KIB, 16 * KIB)
_UNITS = (1, 2, 3, 4, 6, 8, 12, 16, 32, 64)
_CHANNELS_MAX = 32
_STEPS_SEEN_MIN = 3
"""Units a read must touch before they are taken for a staircase."""
_ERROR_FLOOR = 0.002
_ERROR_ENOUGH = 0.015
"""Standard error of a reading with which no further ones are asked for: it then is within 3 % at 95 % confidence."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadTimes:
    """Response times: a row a round, a column a size.

    Attributes:
        size_bytes: Ascending.
        more_ns: Further rounds of the smallest sizes, a column each.
    """

    size_bytes: Sizes
    time_ns: Floats
    more_ns: Floats = field(default_factory=lambda: np.empty((0, 0)))

    def half(self, start: int) -> "ReadTimes":
        """Every second round."""
        return ReadTimes(self.size_bytes, self.time_ns[start::2], self.more_ns[start::2])

    def levels_ns(self) -> Floats:
        """A reading a size: half of the reads take longer, with an error hardly larger than a mean's."""
        log_ns = np.log(self.time_ns)
        levels = centres(log_ns)
        again = self.more_ns.shape[1]
        if again:
            levels[:again] = centres(np.vstack([log_ns[:, :again], np.log(self.more_ns)]))
        return np.exp(levels)

    def medians_ns(self) -> Floats:
        """A reading a size that stays with the larger part where reads are of two kinds."""
        medians = np.median(self.time_ns, axis=0)
        again = self.more_ns.shape[1]
        if again:
            medians[:again] = np.median(np.vstack([self.time_ns[:, :again], self.more_ns]), axis=0)
        return medians

    def rounds(self) -> Floats:
        """Reads of each size."""
        counts = np.full(len(self.size_bytes), float(len(self.time_ns)))
        counts[: self.more_ns.shape[1]] += len(self.more_ns)
        return counts

    def noise(self) -> float:
        """Spread of the logarithms of reads of one size."""
        return spread(np.log(self.time_ns / self.levels_ns()).ravel())

    def error(self) -> float:
        """Relative standard error of a reading."""
        return float(PAIRS_EFFICIENCY * self.noise() / np.sqrt(self.rounds().mean()))


def takes_more(times: ReadTimes) -> bool:
    """Whether readings are too uncertain to tell like laws apart; by their noise alone, not by what they say."""
    return times.error() > _ERROR_ENOUGH


@dataclass(frozen=True, slots=True)
class Law:
    """An explanation: a page size and how the pages lie."""

    page_bytes: int
    layout: Layout

    @property
    def unit_bytes(self) -> int:
        """Side by side on one channel."""
        return self.page_bytes * self.layout.unit_pages


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The best law, its score and those of all, and what it leaves."""

    law: Law
    score: float
    laws: tuple[Law, ...]
    scores: Floats
    line_score: float
    page_ns: float
    synchronisation_ns: float
    residual: float
    smallest_bytes: int
    fitted_ns: Floats


def _laws(size_bytes: Sizes) -> Iterator[Law]:
    smallest, largest = int(size_bytes[0]), int(size_bytes[-1])
    for page_bytes in _PAGES_BYTES:
        if page_bytes < smallest:
            continue
        for unit_pages in _UNITS:
            unit_bytes = page_bytes * unit_pages
            if unit_bytes * _STEPS_SEEN_MIN > largest:
                continue
            for channels in range(2, _CHANNELS_MAX + 1):
                if unit_bytes * (channels + 1) <= largest:
                    yield Law(page_bytes, Layout(unit_pages, channels))
            yield Law(page_bytes, Layout(unit_pages, None))


@lru_cache(maxsize=2)
def _shapes(sizes: tuple[int, ...]) -> tuple[tuple[Law, ...], Floats]:
    """The laws, and law x size x parameter: constant, pages, synchronisations and KiB, which only hang on the sizes."""
    size_bytes = np.array(sizes, dtype=np.int64)
    laws = tuple(_laws(size_bytes))
    shapes = np.empty((len(laws), len(sizes), 4))
    for at, law in enumerate(laws):
        pages = -(-size_bytes // law.page_bytes)
        sensed, synchronised = sensed_and_synchronised(pages, law.layout, PartialStripe.CEIL)
        shapes[at] = np.stack([np.ones(len(sizes)), sensed, synchronised, size_bytes / KIB], axis=1)
    shapes.setflags(write=False)
    return laws, shapes


def fitted(times: ReadTimes) -> Fit | None:
    """Weighted least squares of every law; None where none has times a drive could have."""
    return fitted_to(times, times.levels_ns())


def fitted_to(times: ReadTimes, levels: Floats) -> Fit | None:
    """The same for other readings of these times."""
    size_bytes = times.size_bytes
    laws, shapes = _shapes(tuple(size_bytes.tolist()))
    # Noise of a response time grows with it, and shrinks with the root of the rounds.
    weights = np.sqrt(times.rounds() / times.rounds().mean())
    weighted = shapes * (weights / levels)[None, :, None]
    # What the equations leave out is the link: every byte takes its time there, too. It counts only where it explains more.
    plain, linked = _solved(weighted[:, :, :3], weights), _solved(weighted, weights)
    scores = np.minimum(plain.scores, linked.scores)
    if not np.isfinite(scores).any():
        return None
    best = int(np.argmin(scores))
    chosen = plain if plain.scores[best] <= linked.scores[best] else linked
    return Fit(
        law=laws[best],
        score=float(scores[best]),
        laws=laws,
        scores=scores,
        line_score=_line_score(size_bytes, levels, weights),
        page_ns=float(chosen.parameters[best, 1]),
        synchronisation_ns=float(chosen.parameters[best, 2]),
        residual=float(chosen.residuals[best]),
        smallest_bytes=int(size_bytes[0]),
        fitted_ns=shapes[best, :, : chosen.parameters.shape[1]] @ chosen.parameters[best],
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """Least squares of every law: its parameters, the root mean square of what is left, its score."""

    parameters: Floats
    residuals: Floats
    scores: Floats


def _solved(weighted: Floats, weights: Floats) -> _Solved:
    """Fit relative times of 1, each times its weight; a law with a negative time scores infinity.

    Args:
        weighted: Law x size x parameter, divided by the times and times the weights.
        weights: Of the sizes.
    """
    count, parameters = weighted.shape[1:]
    scale = np.sqrt((weighted**2).sum(axis=1, keepdims=True)) + 1e-30
    unit = weighted / scale
    normal = np.einsum("cni,cnj->cij", unit, unit) + 1e-10 * np.eye(parameters)
    solved = np.linalg.solve(normal, np.einsum("cni,n->ci", unit, weights)[:, :, None])[:, :, 0]
    squares = ((np.einsum("cni,ci->cn", unit, solved) - weights) ** 2).sum(axis=1)
    found = solved / scale[:, 0, :]
    scores = information_criteria(squares, count, parameters, _ERROR_FLOOR)
    possible = (found[:, 0] >= 0) & (found[:, 1] > 0) & (found[:, 2:] >= 0).all(axis=1)
    return _Solved(found, np.sqrt(squares / count), np.where(possible, scores, np.inf))


def _line_score(size_bytes: Sizes, levels: Floats, weights: Floats) -> float:
    """Of a straight line."""
    shape = np.stack([np.ones(len(levels)), size_bytes.astype(np.float64)], axis=1) * (weights / levels)[:, None]
    parameters, *_ = np.linalg.lstsq(shape, weights, rcond=None)
    squares = float(((shape @ parameters - weights) ** 2).sum())
    return information_criterion(squares, len(levels), 2, _ERROR_FLOOR)
