"""Files of other programs, whole and damaged."""

from pathlib import Path
from random import Random

from ssdlab.library.foreign.readers import READERS, read_foreign
from ssdlab.library.foreign.result import Foreign, ForeignError
from ssdlab.unknown import Unknown

DATA = Path(__file__).parent.parent / "data" / "foreign"


def values(foreign: Foreign) -> dict[str, float | str]:
    """Its numbers by the names of their metrics; what is unknown is `unknown`."""
    return {
        number.key.name: "unknown" if isinstance(number.value, Unknown) else number.value for number in foreign.numbers
    }


def read_sample(name: str) -> Foreign:
    """One of the samples."""
    return read_foreign(DATA / name)[0]


def read_content(directory: Path, content: str | bytes) -> Foreign:
    """A file with that content, as a user would give it."""
    path = directory / "given"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_foreign(path)[0]


def survives_damage(name: str, *, seed: int, rounds: int = 300) -> None:
    """A sample with bytes changed, cut out, doubled or swapped is read or refused in words, by whichever reader takes it."""
    whole, random = (DATA / name).read_bytes(), Random(seed)  # noqa: S311 - damage, no secrets
    for _ in range(rounds):
        content = _damaged(whole, random)
        reader = next((reader for reader in READERS if reader.recognises(content[: 64 << 10])), None)
        if reader is None:
            continue
        try:
            foreign = reader.read(name, content)
        except ForeignError as error:
            assert len(str(error)) < 400  # noqa: PT017 - damage may leave a file that can be read
        else:
            assert len(values(foreign)) == len(foreign.numbers), "two values of one metric"


def _damaged(whole: bytes, random: Random) -> bytes:
    content = bytearray(whole)
    for _ in range(random.choice((1, 1, 2, 5, 20))):
        place = random.randrange(len(content) + 1)
        length = random.randrange(1, 40)
        match random.randrange(6):
            case 0:
                content[place : place + 1] = bytes((random.randrange(256),))
            case 1:
                del content[place : place + length]
            case 2:
                content[place:place] = content[place : place + length]
            case 3:
                content[place:place] = random.choice(
                    (b"9" * 300, b"-", b"1e999", b"NaN", b"\xff\xfe", b"\0", b"\n", b",")
                )
            case 4:
                content[place : place + 1] = str(random.randrange(10)).encode()
            case _:
                content[place:place] = bytes(reversed(content[place : place + length]))
    return bytes(content[: random.randrange(len(content))] if random.random() < 0.1 else content)
