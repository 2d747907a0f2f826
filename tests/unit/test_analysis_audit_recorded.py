"""Results of real fio 3.33, each made with one thing done wrong, against the audit; and one in order.

`tests/data/fio-3.33/audit` has the job file of each beside its JSON, and `record.sh`, which made them.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from tests.kit.recorded_results import DATA, SENSED, check, direction, facts_of, latencies, recorded

from ssdlab.analysis.audit.facts import Attained, Facts, Span, SteadyClaim, VirtualTime
from ssdlab.analysis.audit.of_fio_json import facts_of_files
from ssdlab.analysis.audit.run import RULES, audit_facts
from ssdlab.analysis.audit.setup import Contents, EngineSetup, Flag, Flushes, HostCache, Order
from ssdlab.analysis.log.file import LogError, identify
from ssdlab.bundle.model import Outcome
from ssdlab.engine.fio.binary import FioVersion
from ssdlab.engine.result import DeviceTraffic, Direction, Dropped
from ssdlab.engine.standstill import Cause, Standstill
from ssdlab.host.link import PcieLink
from ssdlab.host.settings import Knob
from ssdlab.host.state import Attachment, QueueState, look
from ssdlab.host.tune import Applied, SetOutcome, Tuning
from ssdlab.job import Draw, Job, Pattern, Region, StepKind
from ssdlab.message import message, verbatim
from ssdlab.units import GIB, KIB, MIB, NS_PER_S
from ssdlab.unknown import Unknown

PASS, WARN, FAIL = Outcome.PASS, Outcome.WARN, Outcome.FAIL
UNKNOWN, NOT_APPLICABLE = Outcome.UNKNOWN, Outcome.NOT_APPLICABLE


def edited(tmp_path: Path, case: str, edit: Callable[[dict[str, Any]], None]) -> Facts:
    """A recorded result with a field written by hand: what no fio here can be brought to do."""
    content = json.loads((DATA / f"{case}.json").read_text())
    edit(content)
    path = tmp_path / f"{case}.json"
    path.write_text(json.dumps(content))
    return facts_of(path)


def test_a_result_in_order_has_nothing_but_what_no_json_can_say() -> None:
    notable = {
        one.name: one.outcome for one in audit_facts(recorded("clean")) if one.outcome not in {PASS, NOT_APPLICABLE}
    }
    assert notable == {
        "host.settings": UNKNOWN,
        "host.link": UNKNOWN,
        "host.power_saving": UNKNOWN,
        "host.uninterrupted": UNKNOWN,
        "device.other_io": UNKNOWN,
        "device.temperature": UNKNOWN,
        "device.throttled": UNKNOWN,
        "device.link": UNKNOWN,
        "device.error_log": UNKNOWN,
        "device.kernel_log": UNKNOWN,
    }


TRIPPED = {
    "sqpoll": ("fio.version", FAIL, "fio 3.33, sqthread_poll on"),
    "sqpoll_bare": ("latency.clat_within_lat", FAIL, "mean clat 627 ms, mean lat 14.3 ms"),
    "not_steady": ("fio.steady_state", WARN, "not attained, window of 10 samples"),
    "grouped": ("fio.group_rates", WARN, "3 jobs in one entry"),
    "page_cache": ("host.page_cache", FAIL, "direct=0, ioengine=psync"),
    "buffered_fsync": ("host.page_cache", WARN, "direct=0, ioengine=psync, with flushes"),
    "psync_deep": ("queue.littles_law", FAIL, "QD 32 asked, IOPS x mean latency gives 0.996"),
    "early_end": ("load.duration", WARN, "lasted 11.0 ms of 60.0 s, 100.00% of the amount"),
    "stopped": ("load.duration", FAIL, "lasted 1.55 s of 60.0 s"),
    "long_ramp": ("load.ramp", WARN, "a ramp of 2.00 s, then 1.00 s measured"),
    "even_rate": ("load.rate", WARN, "500 of 500 IOPS, evenly spaced"),
    "missed_rate": ("load.rate", WARN, "of 1000000 IOPS, by a Poisson process"),
    "skewed": ("load.jobs_alike", WARN, "jobs ran 550 ms on the mean, 1.06 s at the longest"),
    "beyond_32_bits": ("offsets.generator", FAIL, "32-bit generator on 8.05 G blocks: it reaches 53% of them"),
    "uneven": ("offsets.generator", WARN, "some are drawn 2.00 times as often as others"),
    "straddling": ("offsets.aligned", WARN, "blocks of 4,096 B from 512 B on"),
    "four_kib": ("offsets.aligned", FAIL, "blocks of 4,000 B from 0 B on: no multiple of 512 B"),
    "same_start": ("offsets.shared", WARN, "4 sequential jobs on one file, all from the same offset"),
    "hole": ("device.bytes", FAIL, "read: 244,855 I/Os counted, vda 78"),
    "zeros": ("data.contents", FAIL, "zeros or one pattern"),
    "unscrambled": ("data.contents", FAIL, "one buffer, again and again"),
    "scrambled": ("data.contents", WARN, "one buffer, lightly scrambled"),
    "io_errors": ("io.errors", FAIL, "1 errors"),
    "nbd_sync": ("writes.forced", FAIL, "fio's nbd engine ignores `sync=1`, and fio counted 0 flushes"),
    "untimed": ("latency.measured", WARN, "fio measured none"),
}


@pytest.mark.parametrize("case", TRIPPED)
def test_what_was_done_wrong_is_found(case: str) -> None:
    name, outcome, finding = TRIPPED[case]
    found = check(recorded(case), name)
    assert (found.outcome, finding in str(found.finding), found.remedy is None) == (outcome, True, False), found


@pytest.mark.parametrize("name", sorted({name for name, _, _ in TRIPPED.values()}))
def test_what_is_in_order_does_not_trip_the_same_check(name: str) -> None:
    in_order = {
        "fio.steady_state": "steady",
        "load.ramp": "ramp",
        "load.rate": "poisson",
        "load.jobs_alike": "ungrouped",
        "offsets.shared": "skewed",
        "fio.group_rates": "clean",
        "data.contents": "clean",
        "writes.forced": "clean",
    }
    applies = name not in {"fio.group_rates", "data.contents", "writes.forced"}
    assert check(recorded(in_order.get(name, "clean")), name).outcome is (PASS if applies else NOT_APPLICABLE)


@pytest.mark.parametrize(
    ("io_ms", "job_ms", "outcome"),
    [(983, 1003, PASS), (983, 983, FAIL), (983, 985, FAIL), (500, 1003, FAIL)],
    ids=["its start took the rest", "it ended early", "its start took less", "no start takes that long"],
)
def test_a_job_whose_io_began_late_came_to_its_end(tmp_path: Path, io_ms: int, job_ms: int, outcome: Outcome) -> None:
    def begin_late(content: dict[str, Any]) -> None:
        content["jobs"][0]["job_runtime"] = job_ms
        content["jobs"][0]["read"]["runtime"] = io_ms

    assert check(edited(tmp_path, "clean", begin_late), "load.duration").outcome is outcome


def test_writes_of_new_data_pass() -> None:
    assert check(recorded("buffered_fsync"), "data.contents").outcome is PASS


def test_an_option_without_a_value_is_not_in_the_json_so_its_absence_proves_nothing() -> None:
    assert "sqthread_poll" not in (DATA / "sqpoll_bare.json").read_text()
    assert check(recorded("sqpoll_bare"), "fio.version").outcome is UNKNOWN
    assert check(recorded("bare_flags"), "data.contents").outcome is UNKNOWN
    assert str(check(recorded("clean"), "fio.version").finding) == "fio 3.33, sqthread_poll off"


def test_seconds_of_completion_latency_are_caught_whatever_the_options_say() -> None:
    for case in ("sqpoll", "sqpoll_bare"):
        found = check(recorded(case), "latency.clat_within_lat")
        clat, lat = (float(one.value) for one in found.numbers)
        assert clat > 10 * lat


def test_a_repeated_order_is_warned_of_and_a_recorded_seed_is_not() -> None:
    assert check(recorded("straddling"), "offsets.seed").outcome is WARN
    assert check(recorded("clean"), "offsets.seed").outcome is PASS
    assert str(check(recorded("even_rate"), "offsets.seed").finding).startswith("`randseed` is given")


def test_a_small_region_visited_again_and_again_is_warned_of() -> None:
    assert check(recorded("hole"), "offsets.working_set").outcome is WARN
    assert check(recorded("clean"), "offsets.working_set").outcome is PASS


def test_copies_of_a_job_are_one_load_with_and_without_group_reporting() -> None:
    ungrouped = recorded("ungrouped")
    entries = json.loads((DATA / "ungrouped.json").read_text())["jobs"]
    assert len(entries) == 3
    assert ungrouped.directions[Direction.READ].io_count == sum(one["read"]["total_ios"] for one in entries)
    assert str(check(ungrouped, "queue.littles_law").finding).startswith("QD 12 asked")
    assert check(ungrouped, "queue.littles_law").outcome is PASS
    assert check(ungrouped, "latency.histogram_whole").outcome is PASS
    assert str(check(recorded("grouped"), "queue.littles_law").finding).startswith("QD 12 asked")


def test_the_number_of_jobs_is_told_from_their_times_where_the_json_leaves_it_out(tmp_path: Path) -> None:
    def forget(content: dict[str, Any]) -> None:
        del content["jobs"][0]["job options"]["numjobs"]

    setup = edited(tmp_path, "grouped", forget).setup
    assert isinstance(setup, EngineSetup)
    assert setup.jobs == 3


def test_without_options_what_depends_on_them_is_unknown(tmp_path: Path) -> None:
    def forget(content: dict[str, Any]) -> None:
        del content["jobs"][0]["job options"]

    facts = edited(tmp_path, "clean", forget)
    for name in ("fio.version", "queue.littles_law", "offsets.seed", "host.page_cache", "load.duration"):
        assert check(facts, name).outcome is UNKNOWN
    assert check(facts, "latency.clat_within_lat").outcome is PASS


# Logs against the JSON they came with.


@pytest.mark.parametrize("log", ["bw.1", "iops.1"])
def test_logs_of_the_run_agree_with_its_total(log: str) -> None:
    assert check(recorded("with_logs", log), "bytes.logs_agree").outcome is PASS
    assert check(recorded("with_logs", log), "series.regular").outcome is PASS


def test_a_log_of_another_run_does_not_agree(tmp_path: Path) -> None:
    lines = (DATA / "with_logs_bw.1.log").read_text().splitlines()
    foreign = tmp_path / "a_bw.1.log"
    foreign.write_text(
        "".join(f"{time}, {int(value) * 2}, 0, 0, 0\n" for time, value, *_ in (line.split(", ") for line in lines))
    )
    found = check(facts_of(DATA / "with_logs.json", foreign), "bytes.logs_agree")
    assert found.outcome is FAIL


def test_a_log_that_lost_its_second_half_is_incomplete(tmp_path: Path) -> None:
    lines = (DATA / "with_logs_iops.1.log").read_text().splitlines(keepends=True)
    half = tmp_path / "a_iops.1.log"
    half.write_text("".join(lines[: len(lines) // 2]))
    facts = facts_of(DATA / "with_logs.json", half)
    assert check(facts, "bytes.logs_agree").outcome is FAIL
    assert check(facts, "series.regular").outcome is FAIL


def test_a_log_with_a_gap_is_warned_of(tmp_path: Path) -> None:
    lines = (DATA / "with_logs_lat.1.log").read_text().splitlines(keepends=True)
    gap = tmp_path / "a_lat.1.log"
    gap.write_text("".join(lines[:3] + lines[6:]))
    facts = facts_of(DATA / "with_logs.json", gap)
    assert check(facts, "series.regular").outcome is WARN
    assert check(facts, "bytes.logs_agree").outcome is NOT_APPLICABLE


def test_a_time_that_fio_wrote_twice_is_warned_of_and_one_that_goes_back_fails(tmp_path: Path) -> None:
    lines = (DATA / "with_logs_lat.1.log").read_text().splitlines(keepends=True)
    twice, back = tmp_path / "a_lat.1.log", tmp_path / "b_lat.1.log"
    twice.write_text("".join(lines[:4] + lines[3:]))
    back.write_text("".join(lines[:4] + lines[2:]))
    assert check(facts_of(DATA / "with_logs.json", twice), "series.regular").outcome is WARN
    assert check(facts_of(DATA / "with_logs.json", back), "series.regular").outcome is FAIL


def test_a_log_of_every_io_is_counted_in_bytes(tmp_path: Path) -> None:
    log = tmp_path / "a_lat.1.log"
    total = recorded("with_logs").io_bytes
    log.write_text("".join(f"{number * 1000 // (total // 4096)}, 9, 0, 4096, 0\n" for number in range(total // 4096)))
    found = check(facts_of(DATA / "with_logs.json", log), "bytes.logs_agree")
    assert (found.outcome, found.numbers[0].value) == (PASS, total)


def test_logs_without_a_json_or_with_several_are_refused() -> None:
    log = DATA / "with_logs_bw.1.log"
    with pytest.raises(LogError, match="there is no JSON of fio among the files"):
        facts_of(log)
    with pytest.raises(LogError, match="logs can be held against one JSON only"):
        facts_of_files([identify(path, None) for path in (log, DATA / "clean.json", DATA / "with_logs.json")])


def test_a_log_whose_job_cannot_be_told_is_refused(tmp_path: Path) -> None:
    def second_job(content: dict[str, Any]) -> None:
        content["jobs"].append(dict(content["jobs"][0], jobname="other"))

    content = json.loads((DATA / "with_logs.json").read_text())
    second_job(content)
    path, log = tmp_path / "two.json", tmp_path / "all_bw.log"
    path.write_text(json.dumps(content))
    log.write_text((DATA / "with_logs_bw.1.log").read_text())
    with pytest.raises(LogError, match="it cannot be told which of the JSON's 2 jobs"):
        facts_of_files([identify(one, None) for one in (path, log)])
    log.rename(tmp_path / "all_bw.2.log")
    first, second = facts_of_files([identify(one, None) for one in (path, tmp_path / "all_bw.2.log")])
    assert isinstance(first.directions[Direction.READ].logged_bytes, Unknown)
    assert isinstance(second.directions[Direction.READ].logged_bytes, int)


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"jobs": []}', '{"fio version": "fio-3.33"}', '{"fio version": 3, "jobs": [1]}']
)
def test_what_is_no_json_of_fio_is_refused_with_its_name(tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text("{\n" + content if content else "{\n")
    with pytest.raises(LogError, match=r"a\.json"):
        facts_of(path)


# What no fio here can be brought to do: a recorded result with one field changed by hand.


def known(facts: Facts) -> EngineSetup:
    assert isinstance(facts.setup, EngineSetup)
    return facts.setup


def asked_for(facts: Facts, **changes: Any) -> Facts:
    return replace(facts, setup=replace(known(facts), **changes))


FILL = Job(
    name="fill",
    pattern=Pattern.RANDOM,
    draw=Draw.PERMUTATION,
    read_percent=0,
    block_bytes=4 * KIB,
    queue_depth=8,
    region=Region(0, GIB),
    amount_bytes=GIB,
    duration_ns=None,
    seed=1,
)
TRAFFIC = DeviceTraffic(
    device="sda",
    io_count={Direction.READ: 1, Direction.WRITE: 0},
    moved_bytes={Direction.READ: recorded("clean").io_bytes, Direction.WRITE: 0},
)
NO_BLOCK_DEVICE = Unknown(message("unknown-target-no-block-device"))
NOBODY_KNOWS = Unknown(verbatim("nobody knows"))
LINK = PcieLink(speed_now="16.0 GT/s PCIe", speed_best="16.0 GT/s PCIe", lanes_now=4, lanes_best=4)


def moved(facts: Facts, **changes: int) -> Facts:
    assert isinstance(TRAFFIC.moved_bytes, dict)
    numbers = TRAFFIC.moved_bytes | {Direction(name): count for name, count in changes.items()}
    return replace(facts, device=replace(TRAFFIC, moved_bytes=numbers))


def sensed(facts: Facts, **changes: Any) -> Facts:
    return replace(facts, sensed=replace(SENSED, **changes))


def hosted(facts: Facts, *, link: PcieLink | Unknown = LINK, reason: str = "", active: tuple[str, ...] = ()) -> Facts:
    """Measured on a drive of a host whose scheduler was to be changed."""
    queue = QueueState(
        device="nvme0n1",
        scheduler="mq-deadline",
        schedulers=("none", "mq-deadline"),
        nomerges="2",
        rq_affinity="1",
        io_poll="1",
        wbt_lat_us="0",
    )
    found = replace(look(NO_BLOCK_DEVICE), attachment=Attachment(queue=queue, link=link, slot=LINK, aspm_active=active))
    scheduler = Applied(
        knob=Knob.SCHEDULER,
        path=PurePosixPath("block/nvme0n1/queue/scheduler"),
        before="mq-deadline",
        wanted="none",
        after="mq-deadline" if reason else "none",
        outcome=SetOutcome.REFUSED if reason else SetOutcome.SET,
        reason=verbatim(reason) if reason else None,
    )
    return replace(facts, host=Tuning(found=found, applied=(scheduler,), recovered=()))


def polled_queue(facts: Facts) -> Facts:
    path, known = PurePosixPath("block/nvme0n1/queue/io_poll"), SetOutcome.ALREADY
    poll = Applied(knob=Knob.IO_POLL, path=path, before="1", wanted="1", after="1", outcome=known)
    return replace(facts, host=Tuning(found=look(NO_BLOCK_DEVICE), applied=(poll,), recovered=()))


def filled(facts: Facts, **changes: Any) -> Facts:
    written = replace(facts.directions[Direction.READ], io_bytes=GIB)
    return replace(
        asked_for(facts, **changes), purpose=StepKind.FILL, asked=FILL, directions={Direction.WRITE: written}
    )


def slow_to_submit(facts: Facts) -> Facts:
    submission = facts.directions[Direction.READ].submission
    assert not isinstance(submission, Unknown)
    return direction(facts, submission=replace(submission, mean_ns=1e9))


SLEPT = Standstill(cause=Cause.HOST_SUSPENDED, duration_ns=3600 * NS_PER_S)
CHANGED: dict[str, tuple[Callable[[Facts], Facts], str, Outcome]] = {
    # Values of the measurement with fio 3.42, a window of 1100 s at one sample a second.
    "steady in a window that overflows": (
        lambda one: replace(one, engine=FioVersion(3, 42), steady=SteadyClaim(Attained.YES, 1100)),
        "fio.steady_state",
        FAIL,
    ),
    "steady in a window that does not": (
        lambda one: replace(one, engine=FioVersion(3, 42), steady=SteadyClaim(Attained.YES, 1000)),
        "fio.steady_state",
        PASS,
    ),
    "the same window before the fault": (
        lambda one: replace(one, engine=FioVersion(3, 33), steady=SteadyClaim(Attained.YES, 1100)),
        "fio.steady_state",
        PASS,
    ),
    "SQPOLL with a fio that can": (
        lambda one: asked_for(replace(one, engine=FioVersion(3, 36)), sqpoll=Flag.ON),
        "fio.version",
        PASS,
    ),
    "SQPOLL one release earlier": (
        lambda one: asked_for(replace(one, engine=FioVersion(3, 35)), sqpoll=Flag.ON),
        "fio.version",
        FAIL,
    ),
    "fewer histograms than windows": (
        lambda one: replace(
            one, dropped=(Dropped("log_hist_msec=100", verbatim("they would fill the host's memory")),)
        ),
        "options.dropped",
        PASS,
    ),
    "polled flushes": (
        lambda one: asked_for(one, polled=Flag.ON, writes=True, flushes=Flushes.BETWEEN),
        "fio.polling",
        FAIL,
    ),
    "polled reads": (lambda one: asked_for(one, polled=Flag.ON), "fio.polling", UNKNOWN),
    "polled reads of queues that are polled": (
        lambda one: asked_for(polled_queue(one), polled=Flag.ON),
        "fio.polling",
        PASS,
    ),
    "not polled": (lambda one: one, "fio.polling", NOT_APPLICABLE),
    "another load than planned": (lambda one: replace(one, asked=FILL), "options.as_asked", FAIL),
    "a ramp in the numbers": (
        lambda one: asked_for(one, ramp_ns=NS_PER_S, duration_ns=NS_PER_S // 4),
        "load.ramp",
        FAIL,
    ),
    "a busy core": (lambda one: replace(one, busy_percent=97.0), "host.cpu", WARN),
    "a host that slept": (lambda one: replace(one, outside_ns=3600 * NS_PER_S), "clock.agrees", WARN),
    "clocks that agree": (lambda one: one, "clock.agrees", PASS),
    "a host that was suspended": (lambda one: replace(one, standstills=(SLEPT,)), "host.uninterrupted", FAIL),
    "a host that let it go on": (lambda one: replace(one, standstills=()), "host.uninterrupted", PASS),
    "short I/Os": (lambda one: direction(one, short_ios=1), "io.short", WARN),
    "a fill with holes": (lambda one: filled(one, order=Order.INDEPENDENT), "coverage.fill", FAIL),
    "a fill that is to have holes": (
        lambda one: replace(filled(one, order=Order.INDEPENDENT), asked=replace(FILL, draw=Draw.INDEPENDENT)),
        "coverage.fill",
        WARN,
    ),
    "a fill without": (lambda one: filled(one, order=Order.PERMUTATION), "coverage.fill", PASS),
    "no fill": (lambda one: one, "coverage.fill", NOT_APPLICABLE),
    "all bytes at the device": (moved, "device.bytes", PASS),
    "half of the bytes at the device": (lambda one: moved(one, read=one.io_bytes // 2), "device.bytes", FAIL),
    "nobody else": (moved, "device.other_io", PASS),
    "somebody else's reads": (lambda one: moved(one, read=one.io_bytes + 64 * MIB), "device.other_io", WARN),
    "somebody else's writes": (lambda one: moved(one, write=64 * MIB), "device.other_io", WARN),
    "somebody else's writes beside a ramp": (
        lambda one: asked_for(moved(one, write=64 * MIB), ramp_ns=NS_PER_S),
        "device.other_io",
        WARN,
    ),
    "reads of a ramp": (
        lambda one: asked_for(moved(one, read=2 * one.io_bytes), ramp_ns=NS_PER_S),
        "device.other_io",
        PASS,
    ),
    "a device behind NBD": (lambda one: asked_for(one, host_cache=HostCache.NONE), "device.bytes", NOT_APPLICABLE),
    "a steady temperature": (sensed, "device.temperature", PASS),
    "a drive that warmed up": (
        lambda one: sensed(one, temperature_celsius=Span(30, 71)),
        "device.temperature",
        WARN,
    ),
    "no thermometer": (lambda one: sensed(one, temperature_celsius=NOBODY_KNOWS), "device.temperature", UNKNOWN),
    "a drive that throttled": (lambda one: sensed(one, throttled_s=4.0), "device.throttled", FAIL),
    "one that did not": (sensed, "device.throttled", PASS),
    "a link that fell back": (lambda one: sensed(one, link_after="8 GT/s x4"), "device.link", FAIL),
    "a link that held": (sensed, "device.link", PASS),
    "a drive that logged errors": (lambda one: sensed(one, errors_logged=2), "device.error_log", WARN),
    "one that did not log any": (sensed, "device.error_log", PASS),
    "a drive that was reset": (lambda one: sensed(one, messages=("nvme0: reset",)), "device.kernel_log", WARN),
    "one the kernel did not speak of": (sensed, "device.kernel_log", PASS),
    "a host set up as the method wants": (hosted, "host.settings", PASS),
    "a host that could not be": (lambda one: hosted(one, reason="Permission denied"), "host.settings", WARN),
    "a host nobody described": (lambda one: one, "host.settings", UNKNOWN),
    "a target that is no drive of the host": (
        lambda one: replace(one, host=Tuning(found=look(NO_BLOCK_DEVICE), applied=(), recovered=())),
        "host.settings",
        NOT_APPLICABLE,
    ),
    "a link as good as the drive": (hosted, "host.link", PASS),
    "half of the lanes": (lambda one: hosted(one, link=replace(LINK, lanes_now=2)), "host.link", WARN),
    "a drive on no PCIe link": (lambda one: hosted(one, link=NOBODY_KNOWS), "host.link", NOT_APPLICABLE),
    "a link that stays awake": (hosted, "host.power_saving", PASS),
    "a link that may sleep": (lambda one: hosted(one, active=("l1_aspm",)), "host.power_saving", WARN),
    "parts that do not add up": (
        slow_to_submit,
        "latency.sum",
        FAIL,
    ),
    "parts that do": (lambda one: one, "latency.sum", PASS),
    "a mean above the largest": (lambda one: latencies(one, max_ns=10), "latency.ordered", FAIL),
    "percentiles that fall": (
        lambda one: latencies(one, percentile_ns={50.0: 2000, 99.0: 1000}),
        "latency.ordered",
        FAIL,
    ),
    "another order": (lambda one: one, "latency.ordered", PASS),
    "I/Os that are in no bin": (
        lambda one: direction(one, io_count=one.directions[Direction.READ].io_count + 1),
        "latency.histogram_whole",
        FAIL,
    ),
    "every I/O in a bin": (lambda one: one, "latency.histogram_whole", PASS),
    "bytes of another block size": (lambda one: asked_for(one, block_bytes=8 * KIB), "bytes.totals_agree", FAIL),
    "totals that agree": (lambda one: one, "bytes.totals_agree", PASS),
    "a low end that undershoots": (
        lambda one: direction(
            one,
            latency={
                kind: replace(
                    latency,
                    histogram=NOBODY_KNOWS,
                    percentile_ns={50.0: 40 if kind.value == "clat" else 100},
                )
                for kind, latency in one.directions[Direction.READ].latency.items()
            },
        ),
        "latency.clat_low_end",
        WARN,
    ),
    "a low end in order": (lambda one: one, "latency.clat_low_end", PASS),
    "an engine nobody knows": (lambda one: replace(one, engine=NOBODY_KNOWS), "fio.version", UNKNOWN),
    "data to measure": (lambda one: asked_for(one, writes=True, contents=Contents.SHAPED), "data.contents", PASS),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_change_to_a_result_in_order_is_judged(change: str) -> None:
    edit, name, outcome = CHANGED[change]
    found = check(edit(recorded("clean")), name)
    assert found.outcome is outcome, found.finding


AS_CLEAN = Job(
    name="clean",
    pattern=Pattern.RANDOM,
    read_percent=100,
    block_bytes=4 * KIB,
    queue_depth=8,
    region=Region(0, GIB),
    amount_bytes=None,
    duration_ns=NS_PER_S + 300_000,
    seed=7,
)


def test_fio_did_what_the_plan_asks_to_the_millisecond() -> None:
    assert check(replace(recorded("clean"), asked=AS_CLEAN), "options.as_asked").outcome is PASS
    longer = replace(recorded("clean"), asked=replace(AS_CLEAN, duration_ns=2 * NS_PER_S))
    assert str(check(longer, "options.as_asked").finding) == "runtime: 2000 asked, 1000 done"


def test_an_option_that_was_left_out_and_recorded_is_no_surprise() -> None:
    shorter = replace(recorded("clean"), asked=replace(AS_CLEAN, duration_ns=2 * NS_PER_S))
    known_of = replace(shorter, dropped=(Dropped("runtime=2000ms", verbatim("the host's memory holds no more")),))
    assert check(known_of, "options.as_asked").outcome is PASS


def test_virtual_time_leaves_out_what_needs_a_host() -> None:
    facts = replace(recorded("clean"), engine=VirtualTime("model-0.1.0"))
    names = ("fio.version", "host.cpu", "host.page_cache", "data.contents", "device.bytes", "device.link")
    assert {check(facts, name).outcome for name in names} == {NOT_APPLICABLE}


def test_each_check_is_tripped_by_one_result_and_passed_by_another() -> None:
    """Those that only a step of a bundle can trip stand in `test_analysis_audit.py` and `test_analysis_audit_late.py`,
    and what passes `writes.forced` in `test_analysis_audit_durability.py`, `load.unbroken` and `points.gap` in
    `test_analysis_audit_silence.py`, `point.known` in `test_analysis_audit_point.py`, `mix.shares` in `tests/model/test_mixes.py`.
    """
    in_steps = {
        "options.dropped",
        "bytes.series_agrees",
        "latency.percentile_samples",
        "latency.host_on_time",
        "load.unbroken",
        "points.gap",
        "point.known",
        "mix.shares",
    }
    found = [one for case in DATA.glob("*.json") for one in audit_facts(recorded(case.stem))]
    found += [check(edit(recorded("clean")), name) for edit, name, _ in CHANGED.values()]
    found += [check(recorded("with_logs", "bw.1"), name) for name in ("bytes.logs_agree", "series.regular")]
    tripped = {one.name for one in found if one.outcome in {WARN, FAIL}}
    passed = {one.name for one in found if one.outcome is PASS}
    names = {rule.name for rule in RULES} - in_steps
    assert names - tripped == {"bytes.logs_agree", "series.regular"}
    assert names - passed == {"fio.group_rates", "options.as_asked", "writes.forced"}


def test_there_is_a_page_for_every_check_and_no_other() -> None:
    pages = {path.stem for path in (DATA.parents[3] / "docs" / "reference" / "checks").glob("*.md")}
    assert pages == {rule.name for rule in RULES}
