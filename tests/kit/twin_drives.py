"""A small drive whose times are told apart by a small suite, in seconds: what a twin is fitted to in tests."""

SENSE_US, OVERHEAD_US, SPREAD = 63, 14, 0.2

DRIVE = f"""\
name = "measured"
description = "A drive that a twin is made of"
[geometry]
capacity = "256 MiB"
raw = "384 MiB"
superblock = "2 MiB"
channels = 2
dies = 4
bits_per_cell = 2
stripe_unit = "64 KiB"
page = "16 KiB"
[timing]
sense = ["{SENSE_US}us", "{SENSE_US}us"]
program = "1300us"
erase = "1ms"
channel = "800 MB/s"
link_read = "900 MB/s"
link_write = "800 MB/s"
command = "1us"
suspend = "60us"
read_overhead = "{OVERHEAD_US}us"
write_overhead = "17us"
[buffer]
kind = "volatile"
size = "16 MiB"
flush = "20us"
flush_metadata = "500us"
[collection]
start = 6
hard = 3
[spread]
flash = {SPREAD}
"""

PREPARED = """\
[suite]
name = "points"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
job = { pattern = "sequential", bs = "128KiB", qd = 32 }
passes = 2
"""

SUITE = f"""{PREPARED}
[[step]]
kind = "measure"
name = "rnd"
job.small = {{ pattern = "random", bs = "4KiB", read = "100%", amount = "16MiB", limit = "5s" }}
job.large = {{ pattern = "random", bs = "64KiB", read = "100%", amount = "64MiB", limit = "5s" }}
job.write = {{ pattern = "random", bs = "4KiB", read = "0%", amount = "4MiB", limit = "5s" }}
sweep = {{ qd = [1, 2, 4, 16] }}
"""

READS = f"""{PREPARED}
[[step]]
kind = "measure"
name = "rnd"
job.small = {{ pattern = "random", bs = "4KiB", read = "100%", amount = "16GiB", limit = "5s" }}
job.large = {{ pattern = "random", bs = "32KiB", read = "100%", amount = "16GiB", limit = "5s" }}
sweep = {{ qd = [1, 2, 4, 8, 16] }}
"""
"""Whole seconds of reads: their windows tell what the speed of a drive does by itself."""

NEVER_SEEN = f"""{PREPARED}
[[step]]
kind = "measure"
name = "seen"
job = {{ pattern = "random", bs = "16KiB", read = "100%", amount = "64MiB", limit = "5s" }}
sweep = {{ qd = [1, 8] }}
"""
"""Another block size, and another depth of the queue."""

SHORT_WAY = """\
[suite]
name = "short"
version = "1"
engine = "load"
[[step]]
kind = "purge"
[[step]]
kind = "steady"
name = "pre"
job = { pattern = "random", bs = "4KiB", qd = 32 }
at_least = "2x"
at_most = "23x"
measured = "5s"
route = "short"
"""
"""Steady by parts that are filled, and overwritten at random in between."""

OUTLIERS = f"""{DRIVE}
[noise]
sigma = 0.02
outlier_probability = 0.01
outlier = "3ms"
"""

MIXED_THEN_READ = f"""{PREPARED}
[[step]]
kind = "measure"
name = "rnd"
job = {{ pattern = "random", bs = "4KiB", qd = 1, amount = "8MiB", limit = "5s" }}
sweep = {{ read = "50%..100% step 50%" }}
"""
"""The second point is held out, and is the only one of reads alone."""

SMALL_MAP = f"""{DRIVE}
[map]
cache = "sram"
unit = "4 KiB"
reach = "32 MiB"
hit = "500ns"
"""

DIPPING = f"""{DRIVE}
[pace]
drift_per_hour = -0.6
dip_every = "6100ms"
dip_length = "400ms"
dip_speed = 0.1
"""
"""It gets faster by the hour, and for 0.4 s of every six it is ten times as slow: some runs of a point are hit, and others not."""

REWRITING = f"""{DRIVE}
[refresh]
every = "400ms"
after = "60s"
"""
"""It rewrites 1.7 MiB every 0.4 s."""

REPEATED = f"""{PREPARED}
[[step]]
kind = "measure"
name = "again"
job = {{ pattern = "random", bs = "4KiB", read = "100%", amount = "4GiB", limit = "2s" }}
sweep = {{ qd = [1, 2, 3, 4, 5, 6, 7, 8] }}
repeat = {{ times = 5 }}
rest = "1min"
"""

RANGES = f"""{PREPARED}
[[step]]
kind = "measure"
name = "ranges"
job = {{ pattern = "random", bs = "4KiB", qd = 1, read = "100%", amount = "8MiB", limit = "5s" }}
sweep = {{ range = "4MiB..100% doubling" }}
"""

_CACHED_TIMES = """\
program = "5200us"
program_slc = "1300us"
sense_slc = "40us"
"""

CACHED = f"""{DRIVE.replace('program = "1300us"', _CACHED_TIMES)}
[slc]
static = "64 MiB"
max = "64 MiB"
after = "direct"
fold = 0.0
"""

PART_FILLED = """\
[suite]
name = "part"
version = "1"
[[step]]
kind = "purge"
[[step]]
kind = "fill"
name = "file"
job = { pattern = "sequential", bs = "1MiB", qd = 8 }
amount = "64MiB"
"""

_SLOW_TIMES = """\
program = "120ms"
program_slc = "16ms"
sense_slc = "40us"
"""

THROUGH_CACHE = f"""{DRIVE.replace('program = "1300us"', _SLOW_TIMES)}
[slc]
static = "12 MiB"
max = "12 MiB"
after = "cache_only"
fold = 1.0
"""
"""So slow that its small cache lasts for a second."""
