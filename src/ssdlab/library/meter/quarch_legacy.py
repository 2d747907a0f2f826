"""CSV that Quarch's older programs write of modules with a legacy header: `StripeNum, Trig, 3V3_V, 3V3_I, 12V_V, 12V_I[, ..._P]`.

Form: quarchpy's legacy heading; voltages in mV, currents in uA, powers in uW. A stripe has a number and no time, and the file does not
say how long a stripe is, so that must be told.
"""

import re
from pathlib import Path

from ssdlab.analysis.power.samples import PowerLogError
from ssdlab.library.meter.text_log import PowerColumns, Product, TextLog, columns_unclear, first_lines, text_log
from ssdlab.message import message

_NAME = re.compile(r"(?P<channel>[0-9A-Za-z]{1,8})_(?P<kind>[VIP])")
_WHOLE = {"tot", "total"}
_V_TIMES_A = 1e-3 * 1e-6


def is_quarch_legacy(begin: bytes) -> bool:
    """Whether a file begins with that heading."""
    return begin.removeprefix(b"\xef\xbb\xbf").startswith(b"StripeNum")


def read_quarch_legacy(path: Path, period_s: float | None) -> TextLog:
    """Open it; raises PowerLogError."""
    (head,) = first_lines(path, 1)
    names = [name.strip() for name in head.decode("utf-8-sig", "replace").strip().rstrip(",").split(",")]
    if period_s is None:
        raise PowerLogError(message("power-no-period", file=path.name), message("power-hint-period"))
    return text_log(path, len(head), ",", _columns(path, names, period_s), period_s)


def _columns(path: Path, names: list[str], period_s: float) -> PowerColumns:
    found = [(at, one["channel"], one["kind"]) for at, name in enumerate(names) if (one := _NAME.fullmatch(name))]
    kinds = {(channel, kind): at for at, channel, kind in found}
    if len(kinds) < len(found):
        raise columns_unclear(path)
    channels = dict.fromkeys(channel for _, channel, _ in found)
    whole = [channel for channel in channels if channel.lower() in _WHOLE and (channel, "P") in kinds]
    watts, products = [], []
    for channel in whole[:1] or channels:
        if (channel, "V") in kinds and (channel, "I") in kinds:
            products.append(Product(kinds[channel, "V"], kinds[channel, "I"], _V_TIMES_A))
        elif (channel, "P") in kinds:
            watts.append((kinds[channel, "P"], 1e-6))
    if not watts and not products:
        raise PowerLogError(message("power-no-columns", file=path.name), message("power-hint-channels"))
    # The number of a stripe keeps its place where stripes are missing.
    return PowerColumns(len(names), 0, period_s, tuple(watts), tuple(products))
