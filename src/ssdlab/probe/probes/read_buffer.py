"""Read buffer: is what was just read still in the controller, and after how much else it is gone (P5).

A page is read, so many bytes elsewhere, and the page again. How often the second reading is a fast one falls from one to none
where as much was read in between as the buffer holds. Another page near it is read before each reading, so that both find its mapping.
A drive that keeps its mappings one by one, not by the page of the table, has to fetch it for the first reading all the same, and the second
one is faster without any buffer. The mappings of as much as is read in between are kept, too: there the two are told apart only by how
much faster it is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ssdlab.analysis.statistics.interval import Interval
from ssdlab.engine.commands import Commands, Verb, joined
from ssdlab.job import Region
from ssdlab.message import message, number
from ssdlab.probe.answer import (
    NOISE_MAX,
    STRONG,
    VISIBLE,
    Answer,
    Grade,
    Presence,
    Reason,
    Replicated,
    not_identifiable,
)
from ssdlab.probe.probes.statistics import MEDIAN_EFFICIENCY, Floats, spread
from ssdlab.probe.script import (
    READ_REGION_BYTES,
    Ask,
    Design,
    Estimator,
    KnownDrive,
    Need,
    Probe,
    ProbeError,
    ProbeEvidence,
    working_region,
)
from ssdlab.units import KIB, MIB

PRESENT = "read_buffer.present"
SIZE = "read_buffer.size"

_PAGE_BYTES = 4 * KIB
_BETWEEN_BLOCK_BYTES = 128 * KIB
_LARGEST_BYTES = 64 * MIB
_BETWEEN_BYTES = (0, *(64 * KIB << power for power in range(11)))
_TRIALS = 15
_NEAR_BYTES = 2 * MIB
"""Half of what a page of a table of four-byte entries maps."""
_AT_ONCE = 200
"""Pages read twice in a row: whether there is a buffer at all."""
_FASTER = 0.7
"""As of read-ahead: data that is in the controller takes less than this share of the time."""
_FETCHED = 0.3
"""Of the time of a read whose mapping is fetched first, one that has it takes more: half with one level of the table, a third with two."""


@dataclass(frozen=True, slots=True, eq=False)
class RereadTimes:
    """Response times of pages read for the first time and again, one after the other or with something in between.

    Attributes:
        first_ns: Of pages read twice in a row.
        at_once_ns: The same pages, the second time.
        between_bytes: Read in between, ascending.
        again_ns: The second time after that: a row an amount, a column a trial.
    """

    first_ns: Floats
    at_once_ns: Floats
    between_bytes: tuple[int, ...]
    again_ns: Floats


def _design(drive: KnownDrive) -> Design:
    # Whole neighbourhoods, so that the page near one is on the drive, too.
    region = Region(0, working_region(drive, READ_REGION_BYTES).length_bytes // _NEAR_BYTES * _NEAR_BYTES)
    if region.length_bytes < 2 * _LARGEST_BYTES:
        raise ProbeError(
            message("probe-read-buffer-too-small"), message("probe-takes", size=number(2 * _LARGEST_BYTES // MIB))
        )
    random = np.random.default_rng(drive.seed)
    pages = region.length_bytes // _PAGE_BYTES
    once = random.permutation(pages)[:_AT_ONCE] * _PAGE_BYTES
    twice = np.stack([_near(once), once, once], axis=1).ravel()
    acts = (
        Ask(_IN_A_ROW, Commands.one_by_one(Verb.READ, twice, _PAGE_BYTES)),
        *(
            Ask(f"after {between}", joined([_trial(random, pages, between) for _ in range(_TRIALS)]))
            for between in _BETWEEN_BYTES
        ),
    )

    def estimate(evidence: ProbeEvidence, _: Estimator) -> tuple[Answer, ...]:
        return read_buffer(reread_times(evidence))

    return Design(need=Need.SEQUENTIAL, region=region, acts=acts, estimate=estimate)


_IN_A_ROW = "twice in a row"


def _near(offset_bytes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Half of the neighbourhood away from each."""
    within = offset_bytes % _NEAR_BYTES
    return offset_bytes - within + (within + _NEAR_BYTES // 2) % _NEAR_BYTES


def _trial(random: np.random.Generator, pages: int, between_bytes: int) -> Commands:
    """A page, so many bytes of other pages, and it once more; nothing is read twice on the way, and nothing in order."""
    blocks = -(-between_bytes // _BETWEEN_BLOCK_BYTES)
    places = random.permutation(pages * _PAGE_BYTES // _BETWEEN_BLOCK_BYTES)[: blocks + 1] * _BETWEEN_BLOCK_BYTES
    lengths = np.full(blocks, _BETWEEN_BLOCK_BYTES)
    if blocks and between_bytes < _BETWEEN_BLOCK_BYTES:
        lengths[0] = between_bytes
    again = np.concatenate([_near(places[:1]), places[:1]]) if blocks else places[:1]
    offsets = np.concatenate([places, again])
    return Commands.one_by_one(
        Verb.READ, offsets, np.concatenate([[_PAGE_BYTES], lengths, np.full(len(again), _PAGE_BYTES)])
    )


def reread_times(evidence: ProbeEvidence) -> RereadTimes:
    """What was read again, by how much was read in between."""
    at_once = evidence.asked[_IN_A_ROW].latency_ns.reshape(-1, 3)[:, 1:]
    again = []
    for between in _BETWEEN_BYTES:
        times = evidence.asked[f"after {between}"].latency_ns.reshape(_TRIALS, -1)
        again.append(times[:, -1])
    return RereadTimes(at_once[:, 0], at_once[:, 1], _BETWEEN_BYTES, np.stack(again))


def read_buffer(times: RereadTimes) -> tuple[Answer, ...]:
    """Whether there is one, and the amount in between at which half of the pages are gone."""
    logs = np.log(times.at_once_ns / times.first_ns)
    centre, noise = float(np.median(logs)), spread(np.log(times.first_ns))
    error = MEDIAN_EFFICIENCY * max(spread(logs), 1e-3) / np.sqrt(len(logs))
    distance = abs(centre - np.log(_FASTER)) / float(error)
    sides = {float(np.median(logs[start::2])) < np.log(_FASTER) for start in (0, 1)}
    ratio = np.exp(centre)
    if distance < VISIBLE or len(sides) > 1:
        why = message("probe-read-buffer-undecided", ratio=number(float(ratio), ".2f"), border=number(_FASTER, "g"))
        return (not_identifiable(PRESENT, Reason.NOISY, why),)
    if _FETCHED < ratio < _FASTER and _held(_hits(times)) == len(times.between_bytes):
        between = number(times.between_bytes[-1] // MIB)
        why = message("probe-read-buffer-or-mapping", ratio=number(float(ratio), ".2f"), between=between)
        return (not_identifiable(PRESENT, Reason.AMBIGUOUS, why), _size(times, noise))
    present = Answer(
        name=PRESENT,
        value=(Presence.YES if ratio < _FASTER else Presence.NO).value,
        separation=distance,
        replicated=Replicated.YES,
        grade=Grade.A if distance >= STRONG and noise <= NOISE_MAX else Grade.B,
        note=message("probe-read-buffer-present-note", ratio=number(float(ratio), ".2f")),
    )
    if ratio >= _FASTER:
        return (present, not_identifiable(SIZE, Reason.FLAT, message("probe-read-buffer-gone"), "B"))
    return (present, _size(times, noise))


def _size(times: RereadTimes, noise: float) -> Answer:
    """The step of hits to misses that leaves the fewest trials on the wrong side; the interval is the rungs beside it."""
    hits = _hits(times)
    held = _held(hits)
    if held == len(hits):
        why = message("probe-read-buffer-still-there", between=number(times.between_bytes[-1] // MIB))
        return not_identifiable(SIZE, Reason.BUFFERED, why, "B")
    if held < 2:
        return not_identifiable(SIZE, Reason.FLAT, message("probe-read-buffer-gone-at-once"), "B")
    low, high = times.between_bytes[held - 1], times.between_bytes[held]
    each = [_held(hits[:, start::2]) for start in (0, 1)]
    same = max(abs(one - held) for one in each) <= 1
    clear = hits[held - 1].mean() - hits[held].mean() > 0.5
    return Answer(
        name=SIZE,
        value=round(float(np.sqrt(low * high))),
        unit="B",
        interval=Interval(float(low), float(high)),
        replicated=Replicated.YES if same else Replicated.NO,
        grade=(Grade.A if clear and noise <= NOISE_MAX else Grade.B) if same else Grade.C,
        note=message("probe-read-buffer-size-note"),
    )


def _hits(times: RereadTimes) -> NDArray[np.bool_]:
    """Which of the second readings were fast ones."""
    border = np.sqrt(np.median(times.first_ns) * np.median(times.at_once_ns))
    fast: NDArray[np.bool_] = times.again_ns < border
    return fast


def _held(hits: NDArray[np.bool_]) -> int:
    """After how many of the amounts the page was still there."""
    return int(np.argmin([_wrong(hits, held) for held in range(len(hits) + 1)]))


def _wrong(hits: NDArray[np.bool_], held: int) -> int:
    """Trials that a buffer that holds the first so many amounts does not explain."""
    return int((~hits[:held]).sum() + hits[held:].sum())


READ_BUFFER = Probe(
    name="read-buffer",
    question=message("probe-read-buffer-question"),
    limits=message("probe-read-buffer-limits"),
    design=_design,
)
