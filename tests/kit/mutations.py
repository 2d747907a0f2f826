"""Damaged copies of files that people have, made from a seed: what a reader must refuse in words or read, whatever it is."""

import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

from ssdlab.errors import SsdlabError
from ssdlab.library.foreign.readers import READERS
from ssdlab.library.foreign.result import Reader

DATA = Path(__file__).parent.parent / "data"
SAMPLE_BYTES_MAX = 200_000
_BEGIN_BYTES = 64 << 10
_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_ODD = (
    b"nan",
    b"-inf",
    b"1e999",
    b"-1",
    b"9" * 400,
    b"0",
    b"1e-400",
    b"\xff\xfe",
    b"18446744073709551616",
    b"\0",
    b"null",
    b"",
)
_NESTED = (b"[" * 2000, b'{"a":' * 2000, b"<a>" * 2000, b"(" * 2000)


def samples() -> Mapping[str, Sequence[bytes]]:
    """The recorded files of each reader, by what the reader is called; of two programs in one file it is of both."""
    contents = [path.read_bytes() for path in sorted(DATA.rglob("*")) if _is_sample(path)]
    contents.append(_packed(DATA / "foreign" / "3dmark-storage"))
    return {reader.program: [one for one in contents if reader.recognises(one[:_BEGIN_BYTES])] for reader in READERS}


def _is_sample(path: Path) -> bool:
    return path.is_file() and "bundles" not in path.parts and path.stat().st_size <= SAMPLE_BYTES_MAX


def _packed(directory: Path) -> bytes:
    """The files of a directory as the archive that the program writes."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(directory.iterdir()):
            packed.write(path, path.name)
    return archive.getvalue()


def mutated(content: bytes, others: Sequence[bytes], random: Random) -> bytes:
    """The content with one to six things wrong with it."""
    for _ in range(random.randint(1, 6)):
        content = random.choice(_WAYS)(content, random)
    if random.random() < 0.1:
        content += random.choice(others)
    return content


def _flipped(content: bytes, random: Random) -> bytes:
    made = bytearray(content)
    for _ in range(min(len(made), random.randint(1, 8))):
        made[random.randrange(len(made))] ^= 1 << random.randrange(8)
    return bytes(made)


def _cut(content: bytes, random: Random) -> bytes:
    begin = random.randrange(len(content) + 1)
    return content[:begin] + content[begin + random.choice((1, 20, 1000, len(content))) :]


def _line_again(content: bytes, random: Random) -> bytes:
    begin, end = _line_in(content, random)
    place, _ = _line_in(content, random)
    return content[:place] + content[begin:end] + content[place:]


def _line_gone(content: bytes, random: Random) -> bytes:
    begin, end = _line_in(content, random)
    return content[:begin] + content[end:]


def _line_in(content: bytes, random: Random) -> tuple[int, int]:
    """Where a line begins and ends; to look at all of them took half of the time of fuzzing."""
    at = random.randrange(len(content) + 1)
    return content.rfind(b"\n", 0, at) + 1, content.find(b"\n", at) + 1 or len(content)


def _odd_number(content: bytes, random: Random) -> bytes:
    number = _NUMBER.search(content, random.randrange(len(content) + 1)) or _NUMBER.search(content)
    if number is None:
        return content
    return content[: number.start()] + random.choice(_ODD) + content[number.end() :]


def _put_in(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    return content[:at] + random.choice((*_ODD, *_NESTED)) + content[at:]


def _other_letters(content: bytes, random: Random) -> bytes:
    text = content.decode(errors="replace")
    return text.encode(random.choice(("utf-16", "utf-8-sig", "cp1252", "utf-16-le")), errors="replace")


_WAYS: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flipped, _flipped, _cut, _line_again, _line_gone, _odd_number, _odd_number, _odd_number, _put_in, _other_letters,
)  # fmt: skip


def read_whole(reader: Reader, content: bytes) -> bool:
    """Whether a reader finds a result in it, which is looked at to its end; any error but a refusal is raised."""
    try:
        found = reader.read("mutated", content)
        for number in found.numbers:
            assert number.key.name
        for check in found.audit:
            assert str(check.finding) is not None
    except SsdlabError as refusal:
        return not str(refusal)
    return True
