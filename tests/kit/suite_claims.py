"""What the first screen of a run of each built-in suite may say, as sentences with places for metrics, and what its tiles are called."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.kit.drawn_screens import is_known, why_of
from tests.kit.fill_claims import CACHE, PASSES
from tests.kit.first_screen_claims import Claim, Known, Told

KIB = 1024


@dataclass(frozen=True, slots=True)
class Said:
    """All that may be said of a drive that ran a suite."""

    claims: tuple[Claim, ...] = ()
    told: tuple[Told, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    """Of tiles, by the names of their metrics."""
    blocks: Mapping[str, int] = field(default_factory=dict)
    """Bytes of an I/O, of rates that are shown in bytes a second."""


def _fill_labels() -> Mapping[str, str]:
    return {
        "fill.bandwidth_mean": "fill: mean speed",
        "fill.pass1.bandwidth_p1": "fill: slowest 1 %, pass 1",
        "fill.pass1.bandwidth_mean": "mean speed, pass 1",
        "fill.pass1.cache_bytes": "SLC cache, pass 1",
        "fill.pass2.cache_bytes": "SLC cache, pass 2",
        "fill.pass1.cache_bandwidth": "speed within the cache, pass 1",
        "fill.pass1.direct_bandwidth": "speed past the cache, pass 1",
        "fill.pass1.folding_bandwidth": "speed while folding, pass 1",
    }


# The consumer suites

_SHALLOW = "With few I/Os in flight"


def _client(shortest_s: str, longest_s: str) -> Said:
    """Its rests as the profile scales them."""
    mixed = {
        "rw_ratio.rnd.rank.iops": "random 4 KiB reads and writes mixed",
        "sync_write.rnd.iops": "synchronous random 4 KiB writes",
    }
    rests = {
        f"reclaim.{name}.bytes": f"<reclaim.{name}.bytes> written after {rest_s} s of rest"
        for name, rest_s in (("t5", shortest_s), ("t240", longest_s))
    }
    labels = {
        **_fill_labels(),
        "rw_ratio.rnd.rank.iops": "read/write ratio, weighted mean, random 4 KiB",
        "sync_write.rnd.iops": "sync write, RND 4 KiB",
        "reclaim.t240.bytes": f"written after {longest_s} s of rest",
        "active_range.reach_bytes": "reach of the mapping cache",
    }
    return Said(CACHE, (Told(_SHALLOW, mixed), Told("Cache recovery", rests)), labels)


_CLIENT_2025_07 = Said(
    CACHE,
    (
        Told(
            _SHALLOW,
            {
                "rw_ratio.seq.rank.iops": "sequential 128 KiB reads and writes mixed",
                "rw_ratio.rnd.rank.iops": "random 4 KiB reads and writes mixed",
                "sync_write.seq.iops": "synchronous sequential 128 KiB writes",
                "sync_write.rnd.iops": "synchronous random 4 KiB writes",
            },
        ),
    ),
    {
        **_fill_labels(),
        "rw_ratio.seq.rank.iops": "read/write ratio, weighted mean, sequential 128 KiB",
        "rw_ratio.rnd.rank.iops": "read/write ratio, weighted mean, random 4 KiB",
        "sync_write.seq.iops": "sync write, SEQ 128 KiB",
        "sync_write.rnd.iops": "sync write, RND 4 KiB",
    },
    {"rw_ratio.seq.rank.iops": 128 * KIB, "sync_write.seq.iops": 128 * KIB},
)
_PROFILES = {
    f"cdm.{way}.{word}.bandwidth": f"{load} {way}"
    for way in ("read", "write")
    for word, load in (
        ("seq1m_q8t1", "SEQ 1 MiB Q8T1"),
        ("seq1m_q1t1", "SEQ 1 MiB Q1T1"),
        ("seq128k_q32t1", "SEQ 128 KiB Q32T1"),
        ("rnd4k_q32t16", "RND 4 KiB Q32T16"),
        ("rnd4k_q32t1", "RND 4 KiB Q32T1"),
        ("rnd4k_q1t1", "RND 4 KiB Q1T1"),
    )
}
_BOOTS = Said(
    (
        Claim(
            "It passes BootBench: <bootbench.iops> by <bootbench.jobs> readers at once within its limits.",
            lambda known: known["bootbench.pass"].value is True,
        ),
        Claim(
            "It does not pass BootBench: <bootbench.iops> by <bootbench.jobs> readers at once within its limits.",
            lambda known: known["bootbench.pass"].value is False,
        ),
        Claim(
            "It does not pass BootBench: <why>.",
            lambda known: known["bootbench.pass"].value is False and not is_known(known["bootbench.iops"]),
        ),
    ),
    (),
    {
        "bootbench.iops": "reads within the limits of BootBench",
        "bootbench.jobs": "readers at once within the limits of BootBench",
    },
)

# The data-centre suites


def _steady(depth: int, sequential: str = "SEQ 128 KiB") -> Told:
    parts = {
        "precondition.seq.steady_bandwidth": f"steady {sequential} QD{depth} write",
        "precondition.rnd.steady_iops": f"steady RND 4 KiB QD{depth} write",
    }
    return Told("Sustained writes", parts, unknown="unknown (<why>)")


def _saturated(depth: int) -> Said:
    fresh = f"Fresh drive, RND 4 KiB QD{depth} write: <wsat.fob_iops>"
    claims = (
        Claim(f"{fresh}.", lambda known: not is_known(known["wsat.transition_at_bytes"])),
        Claim(f"{fresh}, until <wsat.transition_at_bytes> were written."),
    )
    labels = {
        "wsat.fob_iops": f"fresh RND 4 KiB QD{depth} write",
        "wsat.transition_at_bytes": f"written when the fresh speed of RND 4 KiB QD{depth} write was lost",
        "precondition.rnd.steady_iops": f"steady RND 4 KiB QD{depth} write",
        "wsat.steady_iops": f"steady RND 4 KiB QD{depth} write",
    }
    return Said(claims, (_steady(depth),), labels)


def _by_depth(sequential: str, small_reads: Mapping[str, str]) -> Said:
    """Suites that go through queue depths up to 256."""
    ways = {
        "seq.read": f"{sequential} read",
        "seq.write": f"{sequential} write",
        "rnd.read": "RND 4 KiB read",
        "rnd.write": "RND 4 KiB write",
        **small_reads,
    }
    random = {name: words for name, words in ways.items() if name.startswith("rnd")}
    deep = {f"{name}.q256.{'iops' if name in random else 'bandwidth'}": words for name, words in ways.items()}
    latency = {f"{name}.q1.clat_mean": words for name, words in random.items()}
    labels = {
        "precondition.seq.steady_bandwidth": f"steady {sequential} QD256 write",
        "precondition.rnd.steady_iops": "steady RND 4 KiB QD256 write",
        **{name: f"{words}, QD256" for name, words in deep.items()},
        **{name: f"{words}, QD1: latency" for name, words in latency.items()},
        **{f"{name}.q256.consistency": f"{words}, QD256: consistency" for name, words in ways.items()},
    }
    told = (Told("With 256 I/Os in flight", deep), Told("Mean latency with one I/O in flight", latency))
    return Said((), (_steady(256, sequential), *told), labels)


_LOADS = {"read": "read", "r70w30": "70/30 mix", "write": "write"}
_LOAD_LATENCY = Said(
    (),
    (
        _steady(256),
        Told(
            "Highest rates with 99.9 % of the I/Os done within 1 ms",
            {f"load_latency.{name}.limit1ms.iops_within_p99_9": words for name, words in _LOADS.items()},
        ),
    ),
    {
        **{
            f"load_latency.{name}.limit1ms.iops_within_p99_9": f"{words} IOPS at p99.9 ≤ 1 ms"
            for name, words in _LOADS.items()
        },
        **{
            f"load_latency.{name}.load50.response_p99_9": f"{words}: response latency at half of the saturation, 99.9 %"
            for name, words in _LOADS.items()
        },
    },
)
_MIXES = {
    "iometer_webserver": "Iometer web server",
    "ours_ocp_search": "Search index (ours)",
    "ours_ml_training": "Training feed (ours)",
    "jesd219_enterprise": "JESD219 enterprise",
    "snia_oltp": "SNIA OLTP",
    "ours_vdi": "Virtual desktops (ours)",
    "ours_db_log_data": "Database pages and log (ours)",
    "ours_kv_zipf": "Key-value store (ours)",
    "ours_ml_checkpoint": "Training checkpoint (ours)",
}

# Write amplification

_AMPLIFICATION = "write_amplification"


def _is(name: str, value: str) -> Claim:
    """Part of a claim: the word of a metric."""
    return Claim("", lambda known: known[f"{_AMPLIFICATION}.{name}"].value == value)


def _apart(separates: str, grade: str, words: str) -> Claim:
    def holds(known: Known) -> bool:
        return _is("separates", separates).holds(known) and _is("grade", grade).holds(known)

    share = f"<{_AMPLIFICATION}.separation> of the way from all data in one stream to each zone apart"
    return Claim(f"{words}: {share} (grade {grade}).", holds)


_UNIFORM = "Uniform random writes (<state>) write <{times}> bytes to flash for each byte of the host, {how}: as much as <{spare}> of spare space explain."
_SPARE, _COUNTED = f"{_AMPLIFICATION}.effective_spare", f"{_AMPLIFICATION}.uniform.waf_counted"
_AMPLIFIED = Said(
    (
        Claim(_UNIFORM.format(times=_COUNTED, how="by the drive's own counters", spare=_SPARE)),
        Claim(
            _UNIFORM.format(times=f"{_AMPLIFICATION}.uniform.waf_implied", how="as their speed implies", spare=_SPARE),
            lambda known: not is_known(known[_COUNTED]),
        ),
        *(
            _apart(separates, grade, words)
            for grade in "ABC"
            for separates, words in (
                ("yes", "It keeps hot and cold data apart"),
                ("no", "It does not keep hot and cold data apart"),
                ("unclear", "Whether it keeps hot and cold data apart is not clear"),
            )
        ),
    ),
    (),
    {_SPARE: "effective spare space"},
)

# SNIA PTS


def _rounds_iops(depth: int, jobs: int) -> Said:
    depth_of_all = depth * jobs
    return Said(
        (),
        (
            Told(
                f"With {depth_of_all} I/Os in flight",
                {"iops.r0.b4KiB.iops": "RND 4 KiB write", "iops.r100.b1MiB.iops": "RND 1 MiB read"},
            ),
        ),
        {
            "iops.r0.b4KiB.iops": f"RND 4 KiB QD{depth} write, {jobs} jobs",
            "iops.r65.b64KiB.iops": f"RND 64 KiB QD{depth} 65/35, {jobs} jobs",
            "iops.r100.b1MiB.iops": f"RND 1 MiB QD{depth} read, {jobs} jobs",
        },
    )


def _rounds_throughput(depth: int) -> Said:
    blocks = {"tp_1mib.r0.b1MiB.bandwidth": "SEQ 1 MiB", "tp_128kib.r0.b128KiB.bandwidth": "SEQ 128 KiB"}
    told = Told(f"With {depth} I/Os in flight", {name: f"{words} write" for name, words in blocks.items()})
    return Said((), (told,), {name: f"{words} QD{depth} write, one job" for name, words in blocks.items()})


_ROUNDS_LATENCY = Said(
    (),
    (Told("Mean latency with one I/O in flight", {"lat.r0.b4KiB.lat_mean": "RND 4 KiB write"}),),
    {"lat.r0.b4KiB.lat_mean": "RND 4 KiB QD1 write, one job"},
)

_CHANGES = {
    f"hir.t{wait_s}.idle_gain": f"change of speed after {wait_s} s of idle time" for wait_s in (5, 10, 15, 25, 50)
}
_RESTED = Said(
    (),
    (
        Told(
            "RND 4 KiB QD128 write with idle time between, beside writes without a rest",
            _CHANGES,
            chosen=lambda known: known if len(known) < 3 else (known[0], known[-1]),
        ),
        Told("With 128 I/Os in flight", {"hir.t5.baseline.iops": "RND 4 KiB write"}),
    ),
    {**_CHANGES, "hir.t5.baseline.iops": "RND 4 KiB QD128 write without a rest"},
)


def _did_not_recover(known: Known) -> bool:
    return not is_known(known["xsr.recovery"]) and why_of(known["xsr.recovery"]).id == "unknown-not-recovered"


def _may_have_recovered(known: Known) -> bool:
    return not is_known(known["xsr.recovery"]) and not _did_not_recover(known)


_STIMULI = {
    "xsr.before.bandwidth": "SEQ 1 MiB QD32 write, first",
    "xsr.across.bandwidth": "RND 8 KiB QD32 write, in between",
    "xsr.after.bandwidth": "SEQ 1 MiB QD32 write, again",
}
_CROSSED = Said(
    (
        Claim("After writes of another kind the drive was back at 95 % of its speed within <xsr.recovery>."),
        Claim("After writes of another kind the drive did not recover: <why>.", _did_not_recover),
        Claim("Whether the drive recovered after writes of another kind is unknown: <why>.", _may_have_recovered),
    ),
    (Told("Sustained writes", _STIMULI),),
    {"xsr.recovery": "back at its speed after", **_STIMULI},
)


def _demands(step: str) -> Said:
    points = ("max", "mid", "min")
    parts = {
        f"{step}.{point}.iops": f"{point.upper()} rate <{step}.{point}.iops>, answered after <{step}.{point}.lat_mean> on average"
        for point in points
    }
    labels = {
        **{f"{step}.{point}.iops": f"{point.upper()} rate" for point in points},
        **{f"{step}.{point}.lat_mean": f"{point.upper()} mean response time" for point in points},
    }
    return Said((), (Told("Operating points", parts),), labels)


SAID: Mapping[str, Said] = {
    "fill": Said((*CACHE, *PASSES), (), _fill_labels()),
    "client": _client("5", "240"),
    "client-2025.07": _CLIENT_2025_07,
    "cdm": Said((), (Told("Best of the runs", _PROFILES),), _PROFILES),
    "bootbench": _BOOTS,
    "bootbench-compat": _BOOTS,
    "enterprise": _by_depth("SEQ 128 KiB", {"rnd.read512": "RND 512 B read"}),
    "enterprise-iu": _by_depth("SEQ 4 KiB", {}),
    "enterprise-sweep": _by_depth("SEQ 128 KiB", {}),
    "wsat": _saturated(256),
    "load-latency": _LOAD_LATENCY,
    "mixes": Said(
        (),
        (
            Told("With 32 I/Os in flight", {f"mixes.{name}.q32.iops": words for name, words in _MIXES.items()}),
            _steady(256),
        ),
        {f"mixes.{name}.q32.iops": f"{words} at QD32" for name, words in _MIXES.items()},
    ),
    "write-amplification": _AMPLIFIED,
    "pts-iops": _rounds_iops(32, 4),
    "pts-iops-client": _rounds_iops(16, 2),
    "pts-tp": _rounds_throughput(32),
    "pts-tp-client": _rounds_throughput(32),
    "pts-lat": _ROUNDS_LATENCY,
    "pts-lat-client": _ROUNDS_LATENCY,
    "pts-wsat": _saturated(128),
    "pts-hir": _RESTED,
    "pts-xsr": _CROSSED,
    "pts-dirth": _demands("dirth"),
    "pts-cbw": _demands("cbw"),
}
"""By the name of the suite."""

SAID_OF_QUICK_RUNS: Mapping[str, Said] = {**SAID, "client": _client("0.0833", "4")}
"""Likewise in the profile that divides rests."""
