"""Samples of a power meter, in pieces that fit into memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ssdlab.errors import SsdlabError

Floats = NDArray[np.float64]
GAP_PERIODS = 1.5
"""Samples further apart than so many periods have a gap between them."""


class PowerLogError(SsdlabError):
    """A power log cannot be read, or cannot be laid on the time of a run."""


@dataclass(frozen=True, slots=True, eq=False)
class PowerChunk:
    """Samples that follow each other; arrays of one length.

    Attributes:
        time_s: When each sample begins, on the clock of the meter; ascending, also from chunk to chunk.
        power_w: NaN where the meter gave none.
    """

    time_s: Floats
    power_w: Floats


class PowerLog(Protocol):
    """A log that can be read from its beginning as often as it is needed."""

    @property
    def period_s(self) -> float:
        """Time from one sample to the next."""

    def chunks(self) -> Iterator[PowerChunk]:
        """All samples in order.

        Raises:
            PowerLogError: The file is damaged.
        """
