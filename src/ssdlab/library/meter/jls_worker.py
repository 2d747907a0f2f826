"""What Joulescope's own reader `pyjls` finds in a file, told by a process of its own: of some damaged files, its C code ends the process.

`FILE` alone is answered by a line of JSON for each signal; `FILE LENGTH SIGNAL...` by the product of the samples of these signals,
float64 as this machine has them. Status 1 says that the file is damaged, and so does a signal that ends the process.
"""

import json
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyjls

_PIECE_SAMPLES = 1 << 18
_GROWTH_BYTES_MAX = 1 << 30
_PIECE_S_MAX = 20.0
"""Of a processor, for what takes a moment in a whole file."""


def _signals(reader: Any, answer: BinaryIO) -> None:
    for one in reader.signals.values():
        # Signal 0 is of the file, and one of type 1 has no constant rate.
        if one.signal_type == 0 and one.length > 0:
            told = {"number": one.signal_id, "name": str(one.name), "rate_hz": one.sample_rate, "length": one.length}
            answer.write(json.dumps(told).encode() + b"\n")


def _samples(reader: Any, length: int, signals: list[int], answer: BinaryIO) -> None:
    for begin in range(0, length, _PIECE_SAMPLES):
        _limit_time()
        count = min(_PIECE_SAMPLES, length - begin)
        product = np.ones(count)
        for number in signals:
            product *= np.asarray(reader.fsr(number, begin, count), dtype=np.float64).reshape(count)
        answer.write(product.tobytes())


def _limit_time() -> None:
    """The signal that comes then ends the process, whatever the C code is at."""
    signal.setitimer(signal.ITIMER_PROF, _PIECE_S_MAX)


def _limit_harm() -> None:
    """No memory without end, no core file, and no byte written to any file."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    bound = pages * resource.getpagesize() + _GROWTH_BYTES_MAX
    for limit, most in ((resource.RLIMIT_AS, bound), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0)):
        _, allowed = resource.getrlimit(limit)
        limited = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(limit, (limited, limited))


def _main(path: str, numbers: list[int]) -> None:
    answer = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    _limit_harm()
    _limit_time()
    # What it raises is for whoever runs it by hand: its status tells of it.
    reader = pyjls.Reader(path)
    if numbers:
        length, *signals = numbers
        _samples(reader, length, signals, answer)
    else:
        _signals(reader, answer)
    answer.flush()


if __name__ == "__main__":
    _main(sys.argv[1], [int(word) for word in sys.argv[2:]])
