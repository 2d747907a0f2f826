"""How fast the drive model simulates 4 KiB random writes at steady state, and what it costs in memory; a process for each size."""

import json
import subprocess
from collections.abc import Iterator

from measure import Aim, Measurement, release_binary

SIZES_GIB = (64, 931, 3725)
"""64 GiB, 1 TB, 4 TB."""
IOS_PER_CPU_S_MIN = 4e6
MQSIM_WRITES_PER_CPU_S = 29_000
"""MQSim's paper (Tavakkol et al., FAST 2018) gives no rate that we found; one run of it on another host took 3.8 s of processor time
for 110,789 writes and 7.4 s for 381,870 reads."""


def model_speed() -> Iterator[Measurement]:
    """Speed, memory, and how the cost of an I/O grows with the drive."""
    example = release_binary("ssdlab-vdrive", "--example", "speed")
    cases = {}
    for size_gib in SIZES_GIB:
        said = subprocess.run([example, str(size_gib)], capture_output=True, text=True, check=True).stdout
        cases[size_gib] = json.loads(said)
    for size_gib, case in cases.items():
        speed = case["random_write_ios_per_cpu_s"]
        aim = Aim.AT_LEAST if size_gib == 931 else Aim.NONE
        detail = f"write amplification {case['write_amplification_recent']:.2f}"
        yield Measurement(
            f"model {size_gib} GiB, 4 KiB random writes", speed, "1/CPU s", aim, IOS_PER_CPU_S_MIN, detail
        )
    for size_gib, limit_gib in ((931, 1.2), (3725, 4.6)):
        used = cases[size_gib]["peak_resident_mib"] / 1024
        yield Measurement(f"model {size_gib} GiB, peak memory", used, "GiB", Aim.AT_MOST, limit_gib, "")
    costs = [case["random_write_cpu_ns_per_io"] for case in cases.values()]
    detail = " / ".join(f"{cost:.0f} ns" for cost in costs)
    yield Measurement(
        "model, dearest / cheapest I/O over sizes", max(costs) / min(costs), "x", Aim.AT_MOST, 2.0, detail
    )
    speed = cases[931]["random_write_ios_per_cpu_s"]
    detail = f"MQSim: {MQSIM_WRITES_PER_CPU_S:,} writes per CPU s in one run on another host; none is published"
    yield Measurement("model against MQSim", speed / MQSIM_WRITES_PER_CPU_S, "x", Aim.NONE, 0, detail)
