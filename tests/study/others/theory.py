"""Write amplification of uniform random writes by theory: blocks of finite size, of which the emptiest is collected.

Source: P. Desnoyers, "Analytic Models of SSD Write Performance", ACM Transactions on Storage 10(2), 2014 (first at SYSTOR 2012): for
greedy collection the pages that are valid in the collected block, X0 - 1, and with them n / (n - (X0 - 1)). Blocks collected oldest first
are `ssdlab.analysis.infer.amplification.uniform_amplification`, from the same paper, which greedy collection comes to as blocks grow.
"""

import math

_HALVINGS = 100


def greedy_amplification(spare: float, pages: int) -> float:
    """Of a drive with so much spare space, a share of the user's capacity, that collects the emptiest of its blocks of so many pages."""
    alpha = 1 + spare
    beta = alpha * (1 + 1 / (2 * pages))
    left = 0.5 - pages / alpha * _lambert(-beta * math.exp(-beta))
    return pages / (pages - (left - 1))


def _lambert(value: float) -> float:
    """The principal branch of Lambert's function: `w` of `w exp(w) = value`, for values from -1/e to 0."""
    low, high = -1.0, 0.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * math.exp(middle) < value else (low, middle)
    return (low + high) / 2
