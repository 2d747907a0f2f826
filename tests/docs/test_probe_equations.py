"""Figure 12 of the source paper: read time against request size by equations (1) and (2)."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ssdlab.probe.probes.equations import Layout, PartialStripe, response_time

TABLES = Path(__file__).parents[1] / "data" / "figure-12"
UNITS = (1, 2, 4, 8)
"""Pages of 4 KiB side by side on a channel: a management block of 4 to 32 KiB, or k."""


@pytest.mark.parametrize("partial", PartialStripe, ids=lambda one: one.value)
def test_every_time_is_that_of_the_table_to_the_microsecond(partial: PartialStripe) -> None:
    """Four channels, pages of 4 KiB in 100 us, a synchronisation of 10 us for 1-channel and 20 us for multi-channel placement."""
    table = np.loadtxt(TABLES / f"{partial.value}.txt", dtype=np.int64)
    pages = table[:, 0] // 4
    columns = [(unit, synchronisation_us) for synchronisation_us in (10, 20) for unit in UNITS]
    for column, (unit, synchronisation_us) in enumerate(columns, start=1):
        found = response_time(pages, Layout(unit, 4), 100, synchronisation_us, partial)
        assert found.tolist() == table[:, column].tolist()


def test_there_are_as_many_sizes_as_in_the_figure() -> None:
    assert np.loadtxt(TABLES / "ceil.txt").shape == (32, 9)


def test_with_more_channels_than_any_read_touches_there_is_no_second_stripe() -> None:
    pages = np.arange(1, 9)
    assert response_time(pages, Layout(2, None), 100, 10, PartialStripe.CEIL).tolist() == [
        100,
        200,
        210,
        210,
        220,
        220,
        230,
        230,
    ]


def test_the_model_reads_as_the_equations_say() -> None:
    """Figure 12 once more, from reads of the model drive: every channel that is touched costs a synchronisation."""
    script = Path(__file__).parents[2] / "docs" / "figure_12.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "256 of 256 times of the model are those of the equations with `ceil`\n", done.stderr
