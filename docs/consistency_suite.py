"""Write a suite that does the set of traces in the phases of PCMark 8's consistency test: `uv run python docs/consistency_suite.py docs/traces`.

It makes `consistency.toml` and the file of its writes there, beside the traces. Which rounds there are is published (`ssdlab.score.rounds`); sizes and places
of the writes are, too: 8 to 2048 sectors at random offsets, here of 17 sizes, nearly as often each. How many are in flight is not: here one.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

TRACES = ("install", "clone", "compile", "postgresql", "sqlite", "rocksdb", "browser", "copy")
WRITES = """\
title = "Random writes of PCMark 8's consistency test"
origin = "published"
source = "PCMark 8 Storage Consistency Test, as quoted by Tom's Hardware, How We Test Storage (2015)"

[[stream]]
share = "100%"
read = "0%"
order = "random"
sizes = {{ {sizes} }}
"""
"""The file `pcmark8-writes.toml`."""
_PREPARATION = """\
[suite]
name = "consistency"
version = "1"
engine = "load"

[profile.quick]          # a look; what it measures is not comparable
time = "1/60"

[[step]]
kind = "purge"

[[step]]                 # twice all of it
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2
"""


def writes() -> str:
    """The mix of the writes, as a file."""
    sizes = ['"4KiB" = 4', *(f'"{64 * part}KiB" = 6' for part in range(1, 17))]
    return WRITES.format(sizes=", ".join(sizes))


def suite(traces: Sequence[str] = TRACES, mix: str = "pcmark8-writes.toml", minute: str = "min") -> str:
    """The suite; with another unit in place of minutes it is over sooner."""
    return _PREPARATION + "\n".join(_rounds(traces, mix, minute))


def _rounds(traces: Sequence[str], mix: str, minute: str) -> Iterator[str]:
    degradation = [(f"degradation{number}", 5 + 5 * number) for number in range(1, 9)]
    steady = [(f"steady{number}", degradation[-1][1]) for number in range(1, 6)]
    for name, length in (*degradation, *steady):
        load = f'mix = ["{mix}"]\nqd = [1]\njob = {{ limit = "{length}{minute}" }}'
        yield f'[[step]]\nkind = "mixes"\nname = "{name}_writes"\n{load}\n'
        yield from _replays(name, traces)
    for number in range(1, 6):
        yield f'[[step]]\nkind = "rest"\nname = "recovery{number}_rest"\nduration = "5{minute}"\n'
        yield from _replays(f"recovery{number}", traces)


def _replays(name: str, traces: Sequence[str]) -> Iterator[str]:
    for trace in traces:
        path, pace = f'trace = "{trace}.ssdtrace"', 'pace = "dependent"'
        yield f'[[step]]\nkind = "replay"\nname = "{name}_{trace.rpartition("/")[2]}"\n{path}\n{pace}\n'


def main() -> None:
    """Both files."""
    directory = Path(sys.argv[1])
    (directory / "pcmark8-writes.toml").write_text(writes(), encoding="utf-8")
    (directory / "consistency.toml").write_text(suite(), encoding="utf-8")


if __name__ == "__main__":
    main()
