"""Every metric a run emits: name and unit from real runs on the model, meaning in words."""

import re
from collections.abc import Iterator

from sources.attributes import words_of
from sources.example import Example
from sources.markdown import code, table
from ssdlab.analysis.infer.policy import MEANING
from ssdlab.bundle.model import Metric
from ssdlab.job import StepKind

_NUMBERS = (
    (re.compile(r"\.pass\d+\."), ".pass<N>."),
    (re.compile(r"\.t\d+\."), ".t<rest>."),
    (re.compile(r"time_below_\d+$"), "time_below_<percent>"),
    (re.compile(r"^wipc\."), "fill."),
    (re.compile(r"^histogram\."), "<point>."),
    (re.compile(r"^lat\.r\d+\.b\w+\."), "<rounds>.<cell>."),
    (re.compile(r"^lat\.(rounds|criterion)$"), r"<rounds>.\1"),
    (re.compile(r"^precondition\.(seq|rnd)\.rounds$"), "<rounds>.rounds"),
    (re.compile(r"^precondition\.(seq|rnd)\.window_"), "<rounds>.<cell>.window_"),
    (re.compile(r"^steady\."), "wsat."),
    (re.compile(r"^hir\."), "idle_recovery."),
    (re.compile(r"^xsr\.(before|across|after)\."), "<point>."),
    (re.compile(r"^xsr\."), "cross_stimulus."),
    (re.compile(r"^dirth\.(saturate\.)?(rounds|criterion)$"), r"<rounds>.\2"),
    (re.compile(r"^dirth\.(saturate\.)?window_"), "<rounds>.<cell>.window_"),
    (re.compile(r"^dirth\.n\d+\.q\d+\."), "demand.<demand>."),
    (re.compile(r"\.r\d+\."), ".r<share>."),
    (re.compile(r"lat_p[0-9_]+$"), "lat_p<percent>"),
    (re.compile(r"response_p[0-9_]+$"), "response_p<percent>"),
    (re.compile(r"^load_latency\.(read|write|r\d+w\d+)\."), "load_latency.<mix>."),
    (
        re.compile(r"^write_amplification\.(sequential|uniform|cold\d+|zones\d+_\d+|zipf[0-9_]+)\."),
        "write_amplification.<pattern>.",
    ),
    (re.compile(r"\.limit\d+[num]?s\."), ".limit<limit>."),
    (re.compile(r"^<point>\.(read|write)\."), "<point>.<direction>."),
    (re.compile(r"^precondition\.(seq|rnd)\."), "precondition.<pattern>."),
    (re.compile(r"^\w+\.silence$"), "<step>.silence"),
    (re.compile(r"\.(held|window|snia|fio)$"), ".<criterion>"),
)
_MEANING = {
    "fill.pass<N>.duration": "Time of the pass, rest left out.",
    "fill.pass<N>.cache_bytes": "SLC cache: bytes written at its speed, until that fell for good. On a drive fresh out of the box the largest cache, on a full one the smallest.",
    "fill.pass<N>.cache_bandwidth": "Speed inside the cache: its bytes over its time.",
    "fill.pass<N>.folding_bandwidth": "Speed of the slower of two phases after the cache, in which the drive copies its cache into native cells beside writing; in classes C, E and F (`fill.after_cache`) of all that follows. Unknown where only one speed follows the cache.",
    "fill.pass<N>.direct_bandwidth": "Speed of the other phase after the cache, straight into native cells; or of the only one. Unknown in classes C, E and F, which write nothing directly.",
    "fill.pass<N>.bandwidth_mean": "All bytes of the pass over its time.",
    "fill.pass<N>.bandwidth_p1": "Slowest 1 % of the 100 ms windows: nearest rank. The sources call it P99.",
    "fill.pass<N>.write_amplification": "Bytes programmed into flash per byte written in the pass; see `<point>.write_amplification`.",
    "fill.bandwidth_mean": "All bytes of all passes over their time. Ranks drives.",
    "fill.latency_mean_over_time": "Mean of the windows' mean latencies, each weighted with its length: every moment counts the same.",
    "fill.latency_mean_over_ios": "Mean latency of all I/Os: every I/O counts the same, so fast phases count more.",
    "fill.after_cache": "What the drive does once its SLC cache is full, `class A` to `class F`: "
    + "; ".join(f"{after.value} {meaning}" for after, meaning in MEANING.items())
    + ". The letters are shorthand for this list; F can be told from D only if the run has a reclaim ladder.",
    "<point>.iops": "I/Os a second, of reads and writes together. Of a repeated point what the suite takes: the median of the last three runs, the mean without the largest and the smallest, or the best.",
    "<point>.bandwidth": "Bytes a second, likewise.",
    "<point>.rse": "Relative standard error of the last three runs' IOPS.",
    "<step>.silence": "Mean time that the drive was left alone between points which follow each other without a rest, their ramps among them: the start of fio and the keeping of what it measured. Of a step of several points, under the name of the step.",
    "<point>.clat_mean": "Mean latency from submission to completion.",
    "<point>.lat_mean": "Mean latency with the submission.",
    "<point>.clat_p<percent>": "So many per cent of all I/Os took at most this long; `_` stands for the decimal point. Only those with ten I/Os above them. Exact where every I/O is kept, else in fio's bins (0.8 %). Of repeated points only where every I/O is kept. Bundles of earlier versions kept every I/O with its submission: there the exact ones are `lat_p<percent>`.",
    "<point>.clat_max": "The longest of them. Of a search.",
    "<point>.write_floor": "Slowest rate of the writes beside the reads, over every 5 s. Of a search.",
    "<point>.trim_floor": "Likewise of the trims.",
    "<point>.pass": "Whether the candidate kept all limits but that of the rate. Of a search.",
    "<point>.consistency": "Speed that is reached 99.9 % of the time, in per cent of the mean speed: the 0.1th percentile of the 100 ms windows by nearest rank, without the ramp where the point ends by itself. Of points that are measured once.",
    "<point>.<direction>.iops": "Of a mixed point that is measured once: `read` or `write` alone, in the time of both, so that the two add up to the total.",
    "<point>.<direction>.bandwidth": "Likewise.",
    "<point>.<direction>.clat_mean": "Of the I/Os of that direction.",
    "<point>.<direction>.lat_mean": "Likewise.",
    "<point>.<direction>.clat_p<percent>": "Likewise.",
    "<point>.write_amplification": "Bytes programmed into flash per byte the host wrote, by the drive's own counters before and after; where it tells both and a hundredth of its capacity was written. What it does in rests belongs to no point, and what it holds back to the next.",
    "precondition.<pattern>.write_amplification": "Likewise, over all that was written until it was steady.",
    "precondition.<pattern>.bytes": "Written until the drive was steady, or as much as the suite allows; `seq` or `rnd` after the pattern of the step.",
    "precondition.<pattern>.criterion": "What ended the writing: `held`, `window` on the short way and in runs from before there was `held`, `snia` where the suite says so, `stopped by the operator`, or else `not steady`.",
    "precondition.<pattern>.route": "Of a step that asks for the short way: `short`, or `long` where it led nowhere or the purge proved nothing.",
    "precondition.<pattern>.steady_at_bytes.<criterion>": "Bytes after which `held`, `window`, `snia` or `fio` would have ended it, not before the least the suite asks for.",
    "precondition.<pattern>.steady_after.<criterion>": "The same as time.",
    "precondition.<pattern>.first_at_bytes.<criterion>": "Bytes after which it was fulfilled for the first time, however few.",
    "precondition.<pattern>.steady_bandwidth": "Mean over the end of it, as long as a measurement that follows and at most the last capacity, of the short way the stretch it was judged by; where `snia` ends it, of the last minutes of five half hours.",
    "precondition.<pattern>.steady_iops": "Likewise, of random writes.",
    "precondition.<pattern>.flat_bytes": "Written at one speed before the end, within 5 %: a rhythm that takes as much or more would not have been seen.",
    "precondition.<pattern>.drift": "Change of the speed a capacity written at the end, apart from what is left of the settling, with its interval.",
    "precondition.<pattern>.measurement_apart": "How far a stretch as long as a measurement was at most from the mean of all such stretches while the speed was one.",
    "wsat.fob_iops": "Speed of the drive fresh out of the box, until the transition; with an SLC cache that of the cache.",
    "wsat.transition_at_bytes": "Bytes written when the speed of the fresh drive was lost by a tenth for good.",
    "wsat.steady_from_bytes": "From here on the speed stays within a tenth of the steady one.",
    "wsat.steady_iops": "Mean over the last capacity written; of a step that `snia` ends, of the last minutes of five half hours. Unknown where the drive did not become steady.",
    "sustain.pass<N>.bandwidth_min": "Slowest second of the pass.",
    "sustain.pass<N>.bandwidth_median": "Median of its seconds.",
    "sustain.pass<N>.time_below_<percent>": "Share of its seconds slower than so many per cent of the median.",
    "sustain.pass<N>.flat": "Whether 99 % of its seconds are within 5 % of their median and the line of best fit moves by no more than 5 % of the mean.",
    "sustain.pass<N>.need_met": "Share of its seconds at least as fast as `--need`.",
    "<point>.bandwidth_mean": "Of a reading back (`sustain.verify<N>`): all bytes over all time.",
    "<point>.speed_retained": "Of data read again with `--verify-tag`: speed against that of the reading on the day of writing. Unknown where the lab has no bundle of that day.",
    "<point>.bad_bytes": "Bytes that are not what was written, or cannot be read. Where they are is in `bad.json` of the step.",
    "sustain.verify.bad_bytes": "Of all readings together.",
    "active_range.reach_bytes": "Range up to which the mapping cache covers the drive: where the speed begins to fall. Unknown, with `no drop within the drive` as the reason, where it does not.",
    "rw_ratio.rnd.weighted.r<share>.iops": "Weighted mean over the queue depths at that share of reads.",
    "rw_ratio.rnd.rank.iops": "Mean of the weighted curve. Ranks drives.",
    "rw_ratio.seq.weighted.r<share>.iops": "Likewise, sequential.",
    "rw_ratio.seq.rank.iops": "Likewise.",
    "reclaim.t<rest>.bytes": "Written in the minute after that many seconds of rest.",
    "reclaim.t<rest>.cache_bytes": "Of them at the speed of the cache, worked out from the speeds before and after its end. Unknown where the write ended inside the cache.",
    "bootbench.iops": "Reads of 32 KiB a second with as many jobs as still keep all limits: the slowest of the runs that confirm them. Ranks drives.",
    "bootbench.jobs": "That number of jobs, each with one read in flight.",
    "bootbench.pass": "Whether there is such a number and the rate is at least 60,000.",
    "bootbench.clat_p<percent>": "Of these runs the worst, or of the candidate that decided that there is none.",
    "bootbench.clat_p99.margin": "How far inside the limit, 10 ms, in per cent of it; negative outside.",
    "bootbench.clat_p99_9.margin": "Likewise, 50 ms.",
    "bootbench.clat_max": "The longest read.",
    "bootbench.clat_max.margin": "Likewise, 500 ms.",
    "bootbench.write_floor": "Slowest rate of the writes beside the reads, over every 5 s.",
    "bootbench.write_floor.margin": "Likewise, 5 MiB/s.",
    "bootbench.trim_floor": "Slowest rate of the trims.",
    "bootbench.trim_floor.margin": "Likewise, 2 MiB/s.",
    "bootbench.iops.margin": "Likewise, 60,000 reads a second.",
    "load_latency.<mix>.saturation_iops": "The most that closed loops reach, at whichever queue depth; what the offered loads are shares of. `<mix>` is `read`, `write` or such as `r70w30`.",
    "load_latency.<mix>.limit<limit>.iops_within_p99_9": "Rate at which 99.9 % of the I/Os are just done within that limit of when they were due, such as `limit1ms`: between the highest offered load that keeps it and the next, on the logarithm of the latency. The interval is where those of the latencies pass the limit. Unknown where every offered load keeps it, or none.",
    "load_latency.<mix>.knee_iops": "Rate at which rate over mean response latency is largest; beyond it latency grows faster than the rate.",
    "load_latency.<mix>.knee_load": "The same as a share of the saturation.",
    "<rounds>.rounds": "Rounds that were measured whole. Of a step of kind `rounds` or `demand`, under its name; of the writes before the rounds of the latter as `dirth.saturate.rounds`; of one of kind `steady` that `snia` ends the half hours, as `precondition.rnd.rounds`.",
    "<rounds>.criterion": "`snia` where five rounds in a row were flat, else `not steady`.",
    "<rounds>.<cell>.iops": "I/Os a second, of reads and writes together: the mean of the last five rounds, each of which counts alike; its interval is that of the mean of five numbers. A cell is such as `r65.b4KiB`. In single rounds only what is tracked is told, such as `lat.round3.r65.b4KiB.lat_mean`.",
    "<rounds>.<cell>.bandwidth": "Bytes a second, likewise.",
    "<rounds>.<cell>.lat_mean": "Mean latency with the submission, likewise.",
    "<rounds>.<cell>.clat_mean": "Mean latency from submission to completion, of all I/Os of the five rounds.",
    "<rounds>.<cell>.clat_p<percent>": "So many per cent of all I/Os of the five rounds took at most this long.",
    "<rounds>.<cell>.clat_max": "The longest of them.",
    "<rounds>.<cell>.window_range": "Largest less smallest of the five rounds, in per cent of their mean. Of a tracked cell, or as `precondition.rnd.window_range` of the last minutes of five half hours; at most 20 where it is steady.",
    "<rounds>.<cell>.window_excursion": "By how much the line of least squares through the five rounds changes from the first to the last, in per cent of their mean. Of a tracked cell; at most 10 where it is steady.",
    "idle_recovery.t<rest>.iops": "I/Os a second in the bursts that a wait of so many seconds comes before: all they wrote over the time they took.",
    "idle_recovery.t<rest>.clat_mean": "Mean latency of the I/Os of these bursts.",
    "idle_recovery.t<rest>.lat_mean": "Likewise, with the submission.",
    "idle_recovery.t<rest>.clat_p<percent>": "So many per cent of the I/Os of these bursts took at most this long.",
    "idle_recovery.t<rest>.silence": "Mean time that the drive was left alone between these bursts: the wait as the profile scales it, and the start of a job.",
    "idle_recovery.t<rest>.idle_gain": "By how much the bursts are faster than the writes without a rest that follow them (`idle_recovery.t<rest>.baseline.iops`, of which the last third counts), in per cent of these; negative where they are slower.",
    "cross_stimulus.recovery": "From the end of the other writes to the end of the first minute in which the drive has 95 % of its mean speed before them. Unknown where there is none.",
    "demand.<demand>.iops": "I/Os a second, of reads and writes together, with so many jobs and so deep a queue (`n4.q32`): the mean of the last five rounds, with its interval. Of each round the rate with the most in flight is told, such as `dirth.round3.n32.q32.iops`.",
    "demand.<demand>.lat_mean": "Mean response time, with the submission, likewise.",
    "write_amplification.<pattern>.waf_counted": "Bytes written to flash for each byte of the host by the drive's own counters, over the last capacity written. `<pattern>` is `uniform`, `cold80` (80 % of the blocks not written), `zones90_10` (90 % of the writes to 10 % of the blocks) or `zipf0_8`.",
    "write_amplification.<pattern>.waf_implied": "The same by how much slower it is than the second half of the sequential pass of the run.",
    "write_amplification.<pattern>.waf_mixed": "What theory expects, with `write_amplification.effective_spare`, if all data go into one stream.",
    "write_amplification.<pattern>.waf_separated": "Likewise if every zone is kept apart with its best share of the spare space.",
    "write_amplification.<pattern>.write_amplification": "Of the whole pattern, from what the one before had left; see `<point>.write_amplification`.",
    "write_amplification.effective_spare": "Spare space in per cent of the capacity at which uniform writes are amplified as they were.",
    "write_amplification.separates": "Whether the drive keeps hot and cold data apart: `yes`, `no` or `unclear`.",
    "write_amplification.separation": "Where it lies between mixed (0 %) and separated (100 %): median of the patterns of two written zones that tell.",
    "write_amplification.grade": "Of that verdict: A by counters, B implied by speed, C not steady in a pattern that counts.",
    "<point>.offered_iops": "Mean rate at which I/Os came, whatever the drive did. Of an offered load; `iops` is the rate that was reached.",
    "<point>.response_mean": "Mean time from when an I/O was due to its completion; `clat_mean` counts from its submission. Of an offered load. Unknown where I/Os were never submitted.",
    "<point>.response_p<percent>": "So many per cent of all I/Os that were due took at most this long; those that were never submitted count as slower than all others. Unknown with fewer than ten I/Os above. The interval allows for I/Os that wait for the same queue being alike.",
    "<point>.late_p99": "99 % of the I/Os were submitted at most so long after they were due and had room: what the host lost.",
    "<point>.unsubmitted": "I/Os that were due, found no room before the end and were never submitted: the drive was overloaded.",
    "<point>.<direction>.response_mean": "Of the I/Os of that direction.",
    "<point>.<direction>.response_p<percent>": "Likewise.",
    "reclaim.t<rest>.write_amplification": "Of the minute after that rest, likewise.",
    "reclaim.delay": "Silence before the cache begins to come back.",
    "reclaim.rate": "Cache that comes back a second, once it has begun.",
}


def page(example: Example) -> str:
    """`metrics.md`."""
    units = dict(_units(example))
    if surplus := _MEANING.keys() - units.keys():
        raise KeyError(f"no run emits {', '.join(sorted(surplus))}")
    rows = [(code(name), unit, _MEANING[name]) for name, unit in units.items()]
    words = words_of(Metric)
    described = {"name": "Stable and dotted; made of the key.", **words, **_FIELDS}
    fields = [(code(name), described[name]) for name in ("name", *Metric.__dataclass_fields__)]
    return (
        "# Metrics\n\nWhat `metrics.json`, `ssdlab show --json` and the report hold. A name begins with the name of its step, so "
        "a fill you call `warm_up` gives `warm_up.pass1.duration`. `<N>` is the number of the pass; a fill of one pass has "
        "`pass1` too. `<point>` is one of the points a step measures, such as `sync_write.rnd` or `rw_ratio.rnd.q1.r30`. What a run "
        "cannot tell is `unknown` with the reason, never 0.\n\n"
        f"{table(('name', 'unit', 'meaning'), rows)}\n"
        f"## The parts of a metric\n\n{table(('key', 'meaning'), fields)}"
    )


def general_name(name: str) -> str:
    """The name with its numbers left open."""
    for number, words in _NUMBERS:
        name = number.sub(words, name)
    # A sustained write is a fill too.
    as_fill = f"fill{name.removeprefix('sustain')}"
    return as_fill if name.startswith("sustain.") and as_fill in _MEANING else name


_FIELDS = {
    "key": "What it is of: `point` with its coordinates, `quantity`, and where they apply `direction`, `percent` and `aspect`.",
    "value": 'Number, word, `true`/`false`, or `{"unknown": why}`.',
    "unit": "SI: `B`, `B/s`, `s`, `ns`, `1/s`, or `%`; empty for a word or a truth value.",
    "state": "State of the drive when the number was taken: FOB (fresh out of the box), filled once, and so on.",
    "step": "The step it came from.",
    "high": "Upper end of it.",
}


def _units(example: Example) -> Iterator[tuple[str, str]]:
    for bundle in example.bundles:
        points = {step.point.name for step in bundle.steps if step.kind is StepKind.MEASURE and step.name != step.group}
        ladder = {step.point.name for step in bundle.steps if step.kind is StepKind.PURGE}
        for metric in bundle.metrics:
            name = metric.name
            if metric.step in points - ladder:
                name = f"<point>{name.removeprefix(metric.step)}"
            yield general_name(name), metric.unit
