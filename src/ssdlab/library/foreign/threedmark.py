"""Result archives of 3DMark (`*.3dmark-result`): zip files with XML inside.

Form: what importers of others read of it (`Result.xml` with `results/result`, `passIndex` -1 for the whole; `Arielle.xml` with the
time and the name of the test). No archive of the storage test was to be had; what is read is only what is named alike in all.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from ssdlab.library.foreign.result import NOT_SAID, Foreign, ForeignError, Number, Reader
from ssdlab.library.foreign.xml import xml_root
from ssdlab.unknown import Unknown

_MEMBER_BYTES_MAX = 32 << 20
_MEMBERS_MAX = 1_000
_WHOLE = "-1"
_STORAGE = re.compile(r"storage", re.IGNORECASE)
_SCORE = re.compile(r"score$", re.IGNORECASE)
_RATE = re.compile(r"(bandwidth|accesstime|access_time)$", re.IGNORECASE)


def _is_archive(begin: bytes) -> bool:
    return begin.startswith(b"PK\x03\x04") and (b"Arielle.xml" in begin or b"Result.xml" in begin)


def _read(name: str, content: bytes) -> Foreign:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if len(archive.infolist()) > _MEMBERS_MAX:
                raise ForeignError(f"`{name}` holds {len(archive.infolist()):,} files, a result has fewer than ten")
            result = _member(name, archive, "Result.xml")
            about = _member(name, archive, "Arielle.xml")
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise ForeignError(f"`{name}` is a damaged archive: {error}") from error
    if result is None:
        raise ForeignError(f"`{name}` has no Result.xml", "give the *.3dmark-result file itself")
    numbers = tuple({number.name: number for number in _numbers(result)}.values())
    if not numbers:
        raise ForeignError(f"`{name}` has no score of 3DMark's storage test", "other tests of 3DMark are not read")
    test = _test_name(about)
    return Foreign(
        program="3DMark",
        program_version=_first_text(about, "version"),
        method=test,
        numbers=numbers,
        measured_at=_first_text(about, "benchmark_start_time"),
        settings=(("test", test),),
        cautions=("traces of games on a file system with other things on it; the scale of the score is not published",),
    )


def _member(name: str, archive: zipfile.ZipFile, wanted: str) -> Element | None:
    found = next((one for one in archive.infolist() if one.filename.rpartition("/")[2] == wanted), None)
    if found is None:
        return None
    with archive.open(found) as file:
        content = file.read(_MEMBER_BYTES_MAX + 1)
    if len(content) > _MEMBER_BYTES_MAX:
        raise ForeignError(f"{wanted} in `{name}` unpacks to more than {_MEMBER_BYTES_MAX:,} bytes, no result does")
    return xml_root(f"{name}: {wanted}", content)


def _numbers(root: Element) -> Iterator[Number]:
    for result in root.iter("result"):
        if (result.findtext("passIndex") or _WHOLE).strip() != _WHOLE:
            continue
        for element in result.iter():
            tag = element.tag.rpartition("}")[2]
            value = _number(element.text)
            if value is None or not (_STORAGE.search(tag) or _STORAGE.search(result.findtext("name") or "")):
                continue
            if _SCORE.search(tag):
                yield Number(name="threedmark.storage.score", value=value, unit="")
            elif _RATE.search(tag):
                # Their units are not said in the file, so they are kept as they are.
                yield Number(name=f"threedmark.storage.{_snake(tag)}", value=value, unit="", note="unit not said")


def _snake(tag: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", tag).lower()


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 < value < 1e15 else None


def _first_text(root: Element | None, tag: str) -> str | Unknown:
    found = None if root is None else next((one.text for one in root.iter(tag) if one.text), None)
    return " ".join(found.split())[:200] if found else NOT_SAID


def _test_name(root: Element | None) -> str:
    found = None if root is None else next((one.get("name") for one in root.iter("benchmark_test")), None)
    return found[:200] if found else "storage"


READERS = (Reader("3DMark Storage, result archive", _is_archive, _read),)
