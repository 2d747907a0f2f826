"""Loads that fio has no words for."""

from dataclasses import replace

import pytest
from tests.kit.sample_fio import FIO_3_33, NBD, sequential_fill

from ssdlab.engine.fio.job_file import write_job_file
from ssdlab.engine.fio.text import CannotSay
from ssdlab.job import Job, Pattern, Replay, ReplayPace, Spacing, Zipf

RANDOM = sequential_fill(pattern=Pattern.RANDOM)
TRACE = Replay("work.ssdtrace", "", ReplayPace.AS_FAST, None, None, write_bytes=0, discards=0)


@pytest.mark.parametrize(
    "job",
    [
        replace(RANDOM, replay=TRACE),
        replace(RANDOM, access=Zipf(1.2)),
        replace(RANDOM, rate_iops=1000, arrivals=Spacing.CONSTANT),
    ],
    ids=["trace", "zipf", "clockwork"],
)
def test_what_fio_has_no_words_for_is_refused_and_not_measured_as_something_else(job: Job) -> None:
    with pytest.raises(CannotSay, match="only ssdlab's own engine"):
        write_job_file(job, NBD, FIO_3_33)
