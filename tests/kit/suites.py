"""Suites that are over soon: the built-in one rests for minutes, as a method must."""

from pathlib import Path

SHORT = """\
[suite]
name = "short"
version = "1"
description = "A fill without the long rests"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
amount = "100%"
passes = 2
rest = "100ms"
"""


def write_short(directory: Path) -> Path:
    path = directory / "short.toml"
    path.write_text(SHORT)
    return path
