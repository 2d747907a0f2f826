"""Suites of the load engine: the drive is written once, and what is to be measured then follows."""

_FILLED = """\
[suite]
name = "{name}"
version = "1"
engine = "load"

[[step]]
kind = "purge"

[[step]]
kind = "fill"
job = {{ pattern = "sequential", bs = "128KiB", qd = 16 }}
"""

_MEASURED = """
[[step]]
kind = "measure"
name = "{name}"
job = {{ region = "fill", pattern = "random", bs = "4KiB", {job} }}
sweep = {{ {sweep} }}
"""


def load_suite(name: str, *measured: str) -> str:
    """With steps that `random_ios` made."""
    return "".join((_FILLED.format(name=name), *measured))


def random_ios(name: str, job: str, sweep: str) -> str:
    """A step that measures them all over the drive, in suite words: what the job has besides, and what is swept."""
    return _MEASURED.format(name=name, job=job, sweep=sweep)
