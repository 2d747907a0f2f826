"""Boot drives that keep every limit of BootBench, or miss one."""

from pathlib import Path

from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.cli.display import PlainDisplay
from ssdlab.lab.bench import open_bench
from ssdlab.lab.run import execute
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import expand

SOUND = """\
name = "boot"
description = "A boot drive"
[geometry]
capacity = "256 MiB"
raw = "384 MiB"
superblock = "6 MiB"
channels = 8
dies = 32
bits_per_cell = 3
stripe_unit = "32 KiB"
page = "32 KiB"
[timing]
sense = ["50us", "55us", "60us"]
sense_slc = "35us"
program = "600us"
program_slc = "200us"
erase = "1ms"
channel = "1200 MB/s"
link_read = "6 GB/s"
link_write = "4 GB/s"
command = "2us"
read_overhead = "10us"
write_overhead = "10us"
unmapped_read = "10us"
trim = "10us"
suspend = "20us"
[buffer]
kind = "protected"
size = "6 MiB"
flush = "10us"
flush_metadata = "20us"
flush_window = "200ms"
[collection]
start = 6
hard = 3
"""


def with_outliers(probability: float, lasts: str) -> str:
    """The sound drive, but so many I/Os take that much longer."""
    return f'{SOUND}[noise]\nsigma = 0.01\noutlier_probability = {probability}\noutlier = "{lasts}"\n'


def said_else(*changes: tuple[str, str]) -> str:
    """The sound drive with other words in its specification."""
    text = SOUND
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return text


def searched(directory: Path, spec: str, suite: str = "bootbench", profile: str = "quick") -> Bundle:
    """A whole run of BootBench on that drive."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "boot.toml"
    path.write_text(spec)
    with open_bench(f"model:{path}") as bench, (directory / "words").open("w") as words:
        plan = expand(load_suite(suite), profile, bench.drive.identity, seed=1)
        return execute(plan, bench, directory / "lab", PlainDisplay(words))


def metrics_of(bundle: Bundle) -> dict[str, Metric]:
    """By name."""
    return {metric.name: metric for metric in bundle.metrics}
