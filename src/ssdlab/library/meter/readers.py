"""All kinds of power logs that can be read; a new one is a module and a line here."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ssdlab.analysis.power.samples import PowerLog, PowerLogError
from ssdlab.library.meter.joulescope_csv import is_joulescope_csv, read_joulescope_csv
from ssdlab.library.meter.joulescope_jls import is_jls, read_jls
from ssdlab.library.meter.quarch import is_quarch, read_quarch
from ssdlab.library.meter.quarch_legacy import is_quarch_legacy, read_quarch_legacy
from ssdlab.library.meter.quarch_stream import is_quarch_stream, read_quarch_stream
from ssdlab.message import commas, message

_BEGIN_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class MeterReader:
    """A kind of power log.

    Attributes:
        meter: Whose it is.
        recognises: Whether a file begins as that kind does.
        open: Makes a log of it, given the period where the file may lack it; raises PowerLogError.
    """

    meter: str
    recognises: Callable[[bytes], bool]
    open: Callable[[Path, float | None], PowerLog]


READERS = (
    MeterReader("Joulescope JLS", is_jls, read_jls),
    MeterReader("Joulescope CSV", is_joulescope_csv, read_joulescope_csv),
    MeterReader("Quarch legacy CSV", is_quarch_legacy, read_quarch_legacy),
    MeterReader("Quarch QIS stream", is_quarch_stream, read_quarch_stream),
    MeterReader("Quarch CSV", is_quarch, read_quarch),
)


@dataclass(frozen=True, slots=True)
class OpenedLog:
    """A log, and of which meter it is."""

    meter: str
    log: PowerLog


def open_power_log(path: Path, period_s: float | None = None) -> OpenedLog:
    """Open the log of a power meter.

    Args:
        path: The file as it was saved.
        period_s: Time from one sample to the next, for files that lack it.

    Raises:
        PowerLogError: It is none that can be read, or it is damaged.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        begin = file.read(_BEGIN_BYTES)
    for reader in READERS:
        if reader.recognises(begin):
            return OpenedLog(reader.meter, reader.open(path, period_s))
    kinds = commas(*(reader.meter for reader in READERS))
    raise PowerLogError(message("power-log-unknown", file=path.name), message("power-hint-kinds", kinds=kinds))
