"""`./dev bench`: every number is a ratio against a baseline measured in the same run, because machines are shared and noisy.

Prints one line a measurement: what was measured, the baseline, their ratio, the target, and whether it is met. Exit status 3
when a target is missed, so that a log shows it; nothing in the test suite depends on these numbers.
"""

import sys
from collections.abc import Callable, Iterable

from capture import capture
from imports import imports
from library import library
from library_large import library_large
from load import load
from log_scan import log_scan
from measure import Measurement
from model_speed import model_speed
from nbd_against_nbdkit import nbd_against_nbdkit
from overhead import help_time, overhead_of_a_run
from pattern import pattern
from replay import replay
from report import report
from sustain import sustain
from through_ssdlab import through_ssdlab
from traces import traces

BENCHES: dict[str, Callable[[], Iterable[Measurement]]] = {
    "help": help_time,
    "through": through_ssdlab,
    "nbd": nbd_against_nbdkit,
    "overhead": overhead_of_a_run,
    "capture": capture,
    "model": model_speed,
    "log": log_scan,
    "pattern": pattern,
    "sustain": sustain,
    "load": load,
    "trace": traces,
    "replay": replay,
    "import": imports,
    "library": library,
    "library-large": library_large,
    "report": report,
}


def main() -> int:
    """Run the benches named on the command line, or all of them."""
    names = sys.argv[1:] or list(BENCHES)
    if unknown := [name for name in names if name not in BENCHES]:
        print(f"error: no bench `{unknown[0]}`\nhint: there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    missed = 0
    for name in names:
        for measurement in BENCHES[name]():
            print(measurement.line(), flush=True)
            missed += not measurement.met
    return 3 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
