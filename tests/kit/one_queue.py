"""A drive that is the queue M/D/c, and what is known exactly of that queue: random arrivals, one service time, first come, first served.

Loads are shares of what all servers do, times in service times.
"""

from functools import cache
from math import exp, inf, lgamma, log, sqrt

import numpy as np

SERVICE_NS = 160_000
_STATES = 1000
"""So many are never there, up to a load of 98 %."""


def one_queue_drive(dies: int) -> str:
    """A write goes to the next die whatever its address, so that all dies have one queue: with one program time for all, the next die is
    always the first that is free. Spare flash is so much that hardly anything is ever moved to make room, and an erase takes no time."""
    return f"""\
name = "one-queue"
description = "Writes of one length in turn to all dies"
[geometry]
capacity = "64 MiB"
raw = "1 GiB"
superblock = "1 MiB"
channels = {dies}
dies = {dies}
bits_per_cell = 1
stripe_unit = "4 KiB"
page = "4 KiB"
[timing]
sense = ["{SERVICE_NS // 1000}us"]
program = "{SERVICE_NS // 1000}us"
erase = "0us"
channel = "unlimited"
link_read = "unlimited"
link_write = "unlimited"
[buffer]
kind = "write_through"
size = "64 MiB"
[collection]
start = 6
hard = 3
"""


def mean_wait(servers: int, load: float) -> float:
    """Of all that come (Crommelin, "Delay probability formulae when the holding times are constant", Post Office Electrical Engineers'
    Journal 25, 1932)."""
    wait = 0.0
    for services in range(1, 1_000_000):
        mean, least = services * servers * load, services * servers
        first = exp(_log_poisson(least, mean))
        tail, term, count = 0.0, first, least
        while term > 1e-18:
            tail += term
            count += 1
            term *= mean / count
        more = tail - (tail - first) / load
        wait += more
        if more < 1e-12:
            return wait
    raise AssertionError("terms vanish below full load")


def nearly_mean_wait(servers: int, load: float) -> float:
    """As engineers have it, from the queue M/M/c (Cosmetatos, "Approximate explicit formulae for the average queueing time in the processes
    (M/D/r) and (D/M/r)", INFOR 13, 1975)."""
    rate = servers * load
    terms = [exp(count * log(rate) - lgamma(count + 1)) for count in range(servers + 1)]
    must_wait = terms[-1] / (terms[-1] + (1 - load) * sum(terms[:-1]))
    of_exponential = must_wait / (servers * (1 - load))
    more = (1 - load) * (servers - 1) * (sqrt(4 + 5 * servers) - 2) / (16 * servers * load)
    return of_exponential * (1 + more) / 2


def mean_queue(servers: int, load: float) -> float:
    """How many wait, by the numbers that are there and not by waits."""
    return sum(max(0, count - servers) * share for count, share in enumerate(_in_system(servers, load)))


def share_answered(servers: int, load: float, response: float) -> float:
    """Of all, that are done within so many service times (Franx, "A simple solution for the M/D/c waiting time distribution", Operations
    Research Letters 29, 2001)."""
    wait = response - 1
    if wait < 0:
        return 0.0
    services = int(wait) + 1
    left = servers * load * (services - wait)
    waiting = _waiting_at_most(servers, load)
    chances = (exp(_log_poisson(come, left)) for come in range(services * servers))
    places = range(services * servers - 1, -1, -1)
    return sum(chance * waiting[min(place, len(waiting) - 1)] for chance, place in zip(chances, places, strict=True))


def response_within(servers: int, load: float, share: float) -> float:
    """How long that share of all takes at most; infinite where more come than are done."""
    if load >= 1:
        return inf
    low, high = 1.0, 1000.0
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if share_answered(servers, load, middle) < share else (low, middle)
    return high


@cache
def _waiting_at_most(servers: int, load: float) -> list[float]:
    """Shares of the time in which nobody, at most one, at most two, ... wait."""
    shares = _in_system(servers, load)
    found = [sum(shares[: servers + 1])]
    for share in shares[servers + 1 :]:
        found.append(found[-1] + share)
    return found


@cache
def _in_system(servers: int, load: float) -> list[float]:
    """Shares of the time in which so many are there (Fry, "Probability and its engineering uses", 1928): in one service time all leave that
    were in service, and as many come as chance has it."""
    rate = servers * load
    come = np.array([exp(_log_poisson(count, rate)) for count in range(_STATES)])
    to = np.zeros((_STATES, _STATES))
    for there in range(_STATES):
        stay = max(0, there - servers)
        to[stay:, there] = come[: _STATES - stay]
    equations = to - np.eye(_STATES)
    # One of them follows from the others; that all are somewhere takes its place.
    equations[-1] = 1
    found: list[float] = np.linalg.solve(equations, np.eye(_STATES)[-1]).tolist()
    return found


def _log_poisson(count: int, mean: float) -> float:
    return count * log(mean) - mean - lgamma(count + 1)
