"""What the datasheet of a drive states of a load, for the figures that draw it beside what was measured."""

from collections.abc import Iterator

from ssdlab.bundle.read import Bundle
from ssdlab.figure.kit.stated import DatasheetValue, StatedQuantity, stated_of
from ssdlab.job import Job


def promised(bundle: Bundle, quantity: StatedQuantity, job: Job) -> Iterator[DatasheetValue]:
    """The values of that quantity which hold for jobs of this pattern, mix and block size; none where nothing is stated."""
    drive = stated_of(bundle).drive
    if drive is None or drive.datasheet is None:
        return
    for value in drive.datasheet.values:
        is_alike = value.load.pattern is job.pattern and value.load.read_percent == job.read_percent
        if value.quantity is quantity and is_alike and value.block_bytes in {None, job.block_bytes}:
            yield value
