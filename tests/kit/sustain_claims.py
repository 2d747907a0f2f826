"""What the first screen of a sustained write may say of its passes and of what was read back, and when each of it is true."""

from collections.abc import Callable

from tests.kit.drawn_screens import is_known
from tests.kit.first_screen_claims import Claim, Known

from ssdlab.analysis.metrics.sustain import NOT_ALL_READ


def flat(number: int) -> Callable[[Known], bool]:
    """Of a pass."""
    return lambda known: known[f"sustain.pass{number}.flat"].value is True


def fell(number: int, *, known_cache: bool) -> Callable[[Known], bool]:
    """A pass that is not flat."""
    return lambda known: (
        known[f"sustain.pass{number}.flat"].value is False
        and is_known(known.get(f"sustain.pass{number}.cache_bytes")) is known_cache
    )


def lacks(name: str) -> Callable[[Known], bool]:
    """Without that number."""
    return lambda known: not is_known(known[name])


def of_pass(number: int) -> tuple[Claim, ...]:
    """What may be said of one."""
    point = f"sustain.pass{number}"
    mean = f"Pass {number} (<state>): <{point}.bandwidth_mean> on average"
    worst = f"{mean}, <{point}.bandwidth_min> in its worst second"
    return (
        Claim(f"{mean}.", lacks(f"{point}.bandwidth_min")),
        Claim(f"{mean}; whether it is flat is unknown: <why>.", lacks(f"{point}.flat")),
        Claim(f"{worst}; it is flat.", flat(number)),
        Claim(f"{worst}; it is not flat.", fell(number, known_cache=False)),
        Claim(f"{worst}; it fell after a cache of <{point}.cache_bytes>.", fell(number, known_cache=True)),
    )


def read_back(*, whole: bool, good: bool) -> Callable[[Known], bool]:
    """What came of reading."""

    def holds(known: Known) -> bool:
        bad = known["sustain.verify.bad_bytes"]
        return (bad.value == 0) is good and (not good or (bad.note != NOT_ALL_READ) is whole)

    return holds


SUSTAINED = (
    Claim("Read back: whether it is what was written is unknown: <why>.", lacks("sustain.verify.bad_bytes")),
    *(claim for number in (1, 2, 3) for claim in of_pass(number)),
    Claim("Read back: every byte is what was written.", read_back(whole=True, good=True)),
    Claim("Read back in part: what was read is what was written.", read_back(whole=False, good=True)),
    Claim("Read back: <sustain.verify.bad_bytes> are not what was written.", read_back(whole=True, good=False)),
)
