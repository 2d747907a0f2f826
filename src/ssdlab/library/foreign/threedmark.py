"""Result archives of 3DMark (`*.3dmark-result`): zip files with XML inside.

Held to an archive of 3DMark 2.29: `Result.xml` has the numbers in `results/result`, `passIndex` -1 for the whole, and `Arielle.xml` the
time, the test and the drive. Its tables of each trace show that a "MB" of a bandwidth is 1,048,576 bytes, that the two overall numbers
are geometric means over the traces, and that the score is the root of 2^20 times bandwidth over access time in microseconds.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from xml.etree.ElementTree import Element

from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import BANDWIDTH, LAT_MEAN, Quantity
from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, ForeignNumber, Reader
from ssdlab.library.foreign.xml import xml_root
from ssdlab.message import Message, message, number
from ssdlab.point import CoordinateAxis, labelled
from ssdlab.units import MIB, NS_PER_US
from ssdlab.unknown import Unknown

_MEMBER_BYTES_MAX = 32 << 20
_MEMBERS_MAX = 1_000
PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
"""Of zip those that are unpacked part by part: of the others the standard library unpacks at once all that a part comes to."""
_WHOLE = "-1"
_TRACES: Mapping[str, str] = MappingProxyType(
    {
        "Bf": "load Battlefield V",
        "Cod": "load Call of Duty: Black Ops 4",
        "Ow": "load Overwatch",
        "Obs": "record a game",
        "Towi": "install The Outer Worlds",
        "Tows": "save in The Outer Worlds",
        "Cs": "copy Counter-Strike",
    }
)
_SCORE = "StorageScore"
_NUMBER = re.compile(r"Storage(?P<trace>[A-Z][a-z]+)??(?P<what>Bandwidth|AverageAccessTime)(?P<overall>Overall)?$")
_EUI = re.compile(r"[. ]*\b(?:[0-9A-F]{4}_)+[0-9A-F]{4}\.?$")


def _is_archive(begin: bytes) -> bool:
    return begin.startswith(b"PK\x03\x04") and (b"Arielle.xml" in begin or b"Result.xml" in begin)


def _read(name: str, content: bytes) -> Foreign:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if len(archive.infolist()) > _MEMBERS_MAX:
                raise ForeignError(
                    message("foreign-3dmark-too-many-files", name=name, files=number(len(archive.infolist())))
                )
            result = _member(name, archive, "Result.xml")
            about = _member(name, archive, "Arielle.xml")
    # zipfile says NotImplementedError of a compression that it does not know, and RuntimeError of a locked archive.
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise ForeignError(message("foreign-damaged-archive", name=name, error=str(error))) from error
    if result is None:
        raise ForeignError(message("foreign-3dmark-no-result", name=name), message("foreign-3dmark-give-file"))
    numbers = tuple(_numbers(result))
    if not numbers:
        raise ForeignError(message("foreign-3dmark-no-score", name=name), message("foreign-3dmark-others"))
    said = {} if about is None else _pairs(about)
    test = _test_name(about)
    return Foreign(
        program="3DMark",
        program_version=said.get("application_version", NOT_SAID),
        method=test,
        numbers=numbers,
        measured_at=said.get("benchmark_start_time", NOT_SAID),
        model=_model(said.get("storage_physical_drive_name", "")),
        settings=(("test", test), *((key, said[key]) for key in ("pass_count", "volume_filesystem") if key in said)),
        cautions=("traces of games on a file system with other things on it",),
    )


def _pairs(about: Element) -> dict[str, str]:
    """What stands as a name beside a value; of a name that comes again the first."""
    found: dict[str, str] = {}
    for element in about.iter():
        name, value = element.findtext("name"), element.findtext("value")
        if name and value and value.strip():
            found.setdefault(name.strip(), " ".join(value.split())[:200])
    return found


def _model(said: str) -> str | Unknown:
    """Without the bracket in front and the identifier behind."""
    return _EUI.sub("", said.strip("( .")).strip() or NOT_SAID


def _member(name: str, archive: zipfile.ZipFile, wanted: str) -> Element | None:
    members = [member for member in archive.infolist() if member.filename.rpartition("/")[2] == wanted]
    if not members:
        return None
    found = members[0]
    if len(members) > 1:
        raise _unread(name, wanted, message("foreign-archive-twice"))
    if found.compress_type not in PACKINGS:
        raise _unread(name, wanted, message("foreign-archive-packing"))
    with archive.open(found) as file:
        content = file.read(_MEMBER_BYTES_MAX + 1)
    if len(content) > _MEMBER_BYTES_MAX:
        raise ForeignError(
            message("foreign-3dmark-too-large", wanted=wanted, name=name, most=number(_MEMBER_BYTES_MAX))
        )
    return xml_root(f"{name}: {wanted}", content)


def _unread(name: str, member: str, why: Message) -> ForeignError:
    return ForeignError(message("foreign-archive-member", archive=name, member=member, why=why))


_WHOLE_TEST = labelled("threedmark", "storage")
SCORE = MetricKey(_WHOLE_TEST, Quantity("score"))


def _numbers(root: Element) -> Iterator[ForeignNumber]:
    whole = (one for one in root.iter("result") if (one.findtext("passIndex") or _WHOLE).strip() == _WHOLE)
    for element in (element for result in whole for element in result):
        value, found = _number(element.text), _NUMBER.match(element.tag)
        if value is None:
            continue
        if element.tag == _SCORE:
            yield ForeignNumber(key=SCORE, value=value, unit="")
        elif found is not None and bool(found["overall"]) != (found["trace"] in _TRACES):
            yield _measured(found, value)


def _measured(found: re.Match[str], value: float) -> ForeignNumber:
    trace = found["trace"]
    point = _WHOLE_TEST if trace is None else _WHOLE_TEST.at(CoordinateAxis.LABEL, trace.lower())
    note = "geometric mean over the traces" if trace is None else _TRACES[trace]
    if found["what"] == "Bandwidth":
        return ForeignNumber(key=MetricKey(point, BANDWIDTH), value=value * MIB, unit="B/s", note=note)
    return ForeignNumber(key=MetricKey(point, LAT_MEAN), value=value * NS_PER_US, unit="ns", note=note)


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 < value < 1e15 else None


def _test_name(root: Element | None) -> str:
    found = None if root is None else next((one.get("name") for one in root.iter("benchmark_test")), None)
    return found[:200] if found else "storage"


READERS = (Reader("3DMark Storage, result archive", _is_archive, _read),)
