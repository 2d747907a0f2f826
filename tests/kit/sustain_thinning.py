"""Sustained writes that thin out their passes early."""

import pytest

from ssdlab.lab.sustain import thinning as sustain_thinning
from ssdlab.method import sustain as method
from ssdlab.units import KIB

FIRST, LATER_BITS, THIN_EVERY = 4, 2, 16
"""Smaller than those of a real run, so that fewer passes come as far."""


LARGE_BYTES = 64 * KIB
"""Such blocks are tables that Python makes larger now and then."""


def smaller(patch: pytest.MonkeyPatch) -> None:
    for module in (method, sustain_thinning):
        patch.setattr(module, "WHOLE_FIRST", FIRST)
        patch.setattr(module, "THIN_EVERY", THIN_EVERY)
    patch.setattr(method, "_WHOLE_LATER_BITS", LATER_BITS)
