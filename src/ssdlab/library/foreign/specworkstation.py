"""SPECworkstation 4: ratios of the storage workloads (WPCstorage), from its CSV or JSON.

No file was to be had: rows and fields are found by the published names of the workloads and by headings with `ratio`, and nothing
else is believed. Workloads: SPECworkstation 4.0 "Workloads", section 2.23.
"""

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import Quantity
from ssdlab.library.foreign.result import Foreign, ForeignError, ForeignNumber, Reader, text_of
from ssdlab.message import commas, message, number
from ssdlab.point import CoordinateAxis, labelled
from ssdlab.unknown import Unknown

WORKLOADS = (
    "3dsmax", "7zip", "ccx", "cfd", "energy", "handbrake", "icePack", "maya", "MayaVenice", "MandE", "mcad", "mozillaVS",
    "namd", "proddev",
)  # fmt: skip
_BY_NAME = {name.casefold(): name for name in WORKLOADS}
_RATIO = re.compile(r"ratio|score", re.IGNORECASE)
_STORAGE = labelled("spec", "wpcstorage")
_QUANTITY = Quantity("ratio")
_DEEPEST = 40
_CELLS_MAX = 200_000


def _is_spec(begin: bytes) -> bool:
    head = begin.replace(b"\0", b"").lower()
    return b"wpcstorage" in head or b"specworkstation" in head


def _read(name: str, content: bytes) -> Foreign:
    text = text_of(name, content)
    ratios = _from_json(name, text) if text.lstrip()[:1] in {"{", "["} else _from_csv(name, text)
    if not ratios:
        raise ForeignError(
            message("foreign-no-workload", name=name), message("foreign-known-workloads", workloads=commas(*WORKLOADS))
        )
    missing = [workload for workload in WORKLOADS if workload not in ratios]
    numbers = [
        ForeignNumber(key=MetricKey(_STORAGE.at(CoordinateAxis.LABEL, workload), _QUANTITY), value=ratio, unit="")
        for workload, ratio in ratios.items()
    ]
    return Foreign(
        program="SPECworkstation",
        program_version=_version(text),
        method="WPCstorage",
        numbers=(*(() if missing else (_total(ratios),)), *numbers),
        cautions=(
            "replayed traces, as ratios to SPEC's reference machine; no file was to be had to test this reader with",
            *((f"no total: the file lacks {len(missing)} of {len(WORKLOADS)} workloads",) if missing else ()),
        ),
    )


def _total(ratios: Mapping[str, float]) -> ForeignNumber:
    """Of all workloads; that of a part of them would stand beside totals of others as if it were one."""
    mean = math.exp(sum(math.log(ratio) for ratio in ratios.values()) / len(ratios))
    note = f"geometric mean of {len(ratios)} workloads with equal weights, by ssdlab; SPEC weighs them"
    return ForeignNumber(key=MetricKey(_STORAGE, _QUANTITY), value=mean, unit="", note=note)


def _version(text: str) -> str | Unknown:
    found = re.search(r"SPECworkstation[^\d\n]{0,20}(\d+(?:\.\d+)+)", text)
    return found[1] if found else Unknown(message("unknown-file-silent"))


def _ratio(text: object) -> float | None:
    try:
        value = float(str(text).strip())
    except ValueError:
        return None
    return value if 0 < value < 1e6 else None


def _workload(text: str) -> str | None:
    """The workload a cell or key names, also as `WPCstorage::7zip`."""
    return _BY_NAME.get(re.split(r"[:./\\ ]+", text.strip())[-1].casefold())


def _from_csv(name: str, text: str) -> dict[str, float]:
    found: dict[str, float] = {}
    place: int | None = None
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text)):
            cells += len(row)
            if cells > _CELLS_MAX:
                raise ForeignError(message("foreign-too-many-cells", name=name, most=number(_CELLS_MAX)))
            headings = [number for number, cell in enumerate(row) if _RATIO.search(cell)]
            if headings and not any(_workload(cell) for cell in row):
                place = headings[-1]
                continue
            workload = next((known for cell in row if (known := _workload(cell))), None)
            if workload is not None and place is not None and place < len(row):
                ratio = _ratio(row[place])
                if ratio is not None:
                    found.setdefault(workload, ratio)
    except csv.Error as error:
        raise ForeignError(message("foreign-no-csv", name=name, error=str(error))) from error
    return found


def _from_json(name: str, text: str) -> dict[str, float]:
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ForeignError(message("foreign-no-json", name=name, error=str(error))) from error
    found: dict[str, float] = {}
    for workload, ratio in _walk(document, None, 0):
        found.setdefault(workload, ratio)
    return found


def _walk(node: Any, workload: str | None, depth: int) -> Iterator[tuple[str, float]]:
    """Every number under a heading of ratios that is under the name of a workload."""
    if depth > _DEEPEST:
        return
    if isinstance(node, list):
        for one in node:
            yield from _walk(one, workload, depth + 1)
    if isinstance(node, dict):
        names = [_workload(text) for text in node.values() if isinstance(text, str)]
        own = next((one for one in names if one), workload)
        for key, value in node.items():
            ratio = _ratio(value) if _RATIO.search(str(key)) and not isinstance(value, bool) else None
            if own is not None and ratio is not None:
                yield own, ratio
            yield from _walk(value, _workload(str(key)) or own, depth + 1)


READERS = (Reader("SPECworkstation 4 WPCstorage, CSV or JSON", _is_spec, _read),)
