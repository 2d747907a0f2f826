"""What the operator states, on the page and in the post: beside the drive, beside the bench, against what was measured."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.reported_drives import NVME, run_on
from tests.kit.sample_bundle import fill_plan, write_whole
from tests.kit.sample_client import Made as MadeClient
from tests.kit.sample_client import client_bundle
from tests.kit.sample_enterprise import Made, enterprise_bundle

from ssdlab.bundle.layout import Moment
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.block.details import SMART_LOG
from ssdlab.figure.kit.stated import (
    Datasheet,
    DatasheetValue,
    DriveClass,
    Photo,
    Price,
    StatedBench,
    StatedDrive,
    StatedFacts,
    StatedLoad,
    StatedQuantity,
    StatedState,
    facts_stated,
)
from ssdlab.job import StepKind
from ssdlab.message import Message, message
from ssdlab.report.comparison import summary
from ssdlab.report.host_facts import bench_rows
from ssdlab.report.markdown_post import write_post
from ssdlab.report.page import page
from ssdlab.report.stated.datasheet import DatasheetLine, Promise, datasheet_of
from ssdlab.unknown import Unknown
from ssdlab.words import Language

HOSTILE = '<script>alert("1")</script>&amp;<img src=x onerror=alert(1)>|*_`'
BENCH = StatedBench(
    cooling="a fan",
    ambient_c=23.5,
    power_supply=HOSTILE,
    case=None,
    slot=None,
    adapter="none",
    memory="DDR5-5600",
    boot_drive=None,
    driver=None,
    notes=None,
)
SHEET = Datasheet(source="brief 1.2", endurance_bytes=600 * 10**12, values=())
DRIVE = StatedDrive(
    drive_class=DriveClass.CLIENT,
    controller=HOSTILE,
    flash="236 layers",
    heatsink=None,
    purged_by="a tool of its vendor",
    price=Price(Decimal("129.90"), "EUR", None),
    photo=Photo(b"\xff\xd8 picture", 320, 200),
    notes=None,
    datasheet=SHEET,
)


def value(load: StatedLoad, quantity: StatedQuantity, stated: float, **more: object) -> DatasheetValue:
    plain = DatasheetValue(
        load=load, quantity=quantity, value=stated, block_bytes=None, queue_depth=None, state=None, percentile=None
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def lines_of(
    bundle: Bundle, values: Sequence[DatasheetValue], endurance_bytes: int | None = None
) -> list[DatasheetLine]:
    sheet = Datasheet(source=None, endurance_bytes=endurance_bytes, values=tuple(values))
    with facts_stated({bundle.path: StatedFacts(None, replace(DRIVE, datasheet=sheet))}):
        found = datasheet_of(bundle)
    assert found is not None
    return list(found.lines)


def told(lines: Sequence[DatasheetLine]) -> list[str]:
    return [" | ".join(map(str, (one.label, one.stated, one.measured, one.words, one.of))) for one in lines]


@pytest.fixture
def filled(tmp_path: Path) -> Bundle:
    return open_bundle(write_whole(tmp_path / "run"))


# The page


def test_nothing_is_shown_where_nothing_is_stated(filled: Bundle) -> None:
    html = page([filled])
    assert 'class="photo"' not in html
    assert "datasheet" not in html.lower()
    assert "Stated by the operator" not in html
    assert "unknown: the host does not say" in html


def test_what_is_stated_stands_in_the_head_the_tables_and_the_bench(filled: Bundle) -> None:
    with facts_stated({filled.path: StatedFacts(BENCH, DRIVE)}):
        html = page([filled])
    head = html[html.index("<header>") : html.index("</header>")]
    assert "Stated by the operator: client drive · " in head
    assert "129.90 EUR, 0.130 EUR/GB" in head
    assert re.search(
        r'<img class="photo" src="data:image/jpeg;base64,[A-Za-z0-9+/=]+" width="320" height="200" alt="Photo of', head
    )
    assert "<dt>Cooling</dt><dd>a fan</dd>" in html
    assert "<dt>Ambient temperature</dt><dd>23.5 °C</dd>" in html
    assert "<dt>Purged beforehand by</dt><dd>a tool of its vendor</dd>" in html
    assert "the host does not say" not in html
    assert html.index('href="#run1-datasheet"') < html.index("<figure") < html.index('id="run1-datasheet"')


def test_hostile_facts_are_text(filled: Bundle) -> None:
    with facts_stated({filled.path: StatedFacts(BENCH, replace(DRIVE, datasheet=replace(SHEET, source=HOSTILE)))}):
        html = page([filled], language=Language.KOREAN)
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") >= 4
    assert "<img src=x" not in html
    assert 'alert("1")' not in html


def test_hostile_facts_are_text_in_a_post(filled: Bundle, tmp_path: Path) -> None:
    with facts_stated({filled.path: StatedFacts(BENCH, DRIVE)}):
        write_post([filled], tmp_path / "post.md", [], {})
    post = (tmp_path / "post.md").read_text()
    assert "\\<script\\>" in post
    assert "<script>" not in post
    assert "| endurance | 600 TB |" in post


def test_the_bench_says_that_nobody_told_its_cooling(filled: Bundle) -> None:
    with facts_stated({filled.path: StatedFacts(replace(BENCH, cooling=None), None)}):
        rows = {str(name): str(said) for name, said in bench_rows(filled)}
    assert rows["Cooling"] == "unknown: the host does not say"
    assert rows["Memory modules"] == "DDR5-5600"


def test_drives_stand_beside_each_other_with_what_is_said_of_any() -> None:
    first, second = client_bundle(), client_bundle(MadeClient(model="Other"))
    second = replace(second, path=Path("other"))
    with facts_stated({second.path: StatedFacts(None, DRIVE)}):
        rows = {str(row.label): [str(cell.text) for cell in row.cells] for row in summary([first, second]).facts}
    assert rows["Price per GB"] == ["", "0.130 EUR/GB"]
    assert rows["Flash"] == ["", "236 layers"]


# Against the datasheet


def test_a_datasheet_is_held_against_what_a_fill_measured(filled: Bundle) -> None:
    speed, load = StatedQuantity.SPEED, StatedLoad.SEQUENTIAL_WRITE
    cache = next(one for one in filled.metrics if one.name == "fill.pass1.cache_bandwidth")
    assert cache.low is not None
    lines = lines_of(
        filled,
        [
            value(load, speed, cache.low),
            value(load, speed, cache.low - 1e9, state=StatedState.CACHE),
            value(load, speed, 2e9, state=StatedState.SUSTAINED),
            value(StatedLoad.RANDOM_READ, StatedQuantity.IOPS, 1e6, block_bytes=4096),
        ],
    )
    assert told(lines) == snapshot(
        [
            "sequential write | 12,770 MB/s | 12,790 MB/s (12,770 to 12,820) | meets | speed within the cache, pass 1",
            "sequential write, within the cache | 11,770 MB/s | 12,790 MB/s (12,770 to 12,820) | exceeds | speed within the cache, pass 1",
            "sequential write, sustained | 2,000 MB/s | 1,573 MB/s (1,571 to 1,574) | misses | speed past the cache, pass 1",
            "random read, 4 KiB | 1,000,000 IOPS |  | unknown: this run did not measure it | None",
        ]
    )


def test_a_datasheet_is_held_against_each_quantity_of_an_enterprise_run() -> None:
    read, write = StatedLoad.RANDOM_READ, StatedLoad.RANDOM_WRITE
    latency, iops = StatedQuantity.LATENCY, StatedQuantity.IOPS
    lines = lines_of(
        enterprise_bundle(Made(consistency_percent=98)),
        [
            value(StatedLoad.SEQUENTIAL_READ, StatedQuantity.SPEED, 6.5e9),
            value(read, iops, 1_000_000, block_bytes=4096),
            value(write, iops, 190_000, block_bytes=4096),
            value(read, iops, 14_000, block_bytes=4096, queue_depth=1),
            value(write, StatedQuantity.CONSISTENCY, 90, block_bytes=4096),
            value(read, StatedQuantity.CONSISTENCY, 99.9, block_bytes=4096, queue_depth=256),
            value(read, latency, 66_000, block_bytes=4096),
            value(read, latency, 2_000_000, block_bytes=4096, percentile="99.99"),
            value(read, latency, 1_000_000, block_bytes=4096, percentile="99.99"),
            value(read, latency, 1_000_000, block_bytes=4096, percentile="98.7"),
            value(read, iops, 14_000, block_bytes=8192),
        ],
    )
    assert told(lines) == snapshot(
        [
            "sequential read | 6,500 MB/s | 6,554 MB/s | meets | SEQ 128 KiB read, QD256",
            "random read, 4 KiB | 1,000,000 IOPS | 900,000 IOPS | misses | RND 4 KiB read, QD256",
            "random write, 4 KiB | 190,000 IOPS | 200,000 IOPS | exceeds | RND 4 KiB write, QD256",
            "random read, 4 KiB, QD1 | 14,000 IOPS | 15,000 IOPS | exceeds | RND 4 KiB QD1 read (rnd.read.q1)",
            "random write, 4 KiB, consistency | 90.00 % | 98.00 % | exceeds | RND 4 KiB write, QD256: consistency",
            "random read, 4 KiB, QD256, consistency | 99.90 % | 98.00 % | misses | RND 4 KiB QD256 read (rnd.read.q256)",
            "random read, 4 KiB, mean latency | 66.00 µs | 66.67 µs | meets | RND 4 KiB QD1 read (rnd.read.q1)",
            "random read, 4 KiB, 99.99 % latency | 2.000 ms | 1.067 ms | exceeds | RND 4 KiB QD1 read (rnd.read.q1)",
            "random read, 4 KiB, 99.99 % latency | 1.000 ms | 1.067 ms | misses | RND 4 KiB QD1 read (rnd.read.q1)",
            "random read, 4 KiB, 98.7 % latency | 1.000 ms |  | unknown: this run did not measure it | None",
            "random read, 8 KiB | 14,000 IOPS |  | unknown: this run did not measure it | None",
        ]
    )


def test_the_best_run_of_a_desktop_benchmark_counts() -> None:
    lines = lines_of(
        client_bundle(suite="cdm"),
        [
            value(StatedLoad.SEQUENTIAL_READ, StatedQuantity.SPEED, 6e9),
            value(StatedLoad.RANDOM_WRITE, StatedQuantity.IOPS, 1e6, block_bytes=4096),
        ],
    )
    assert told(lines) == snapshot(
        [
            "sequential read | 6,000 MB/s | 6,711 MB/s | exceeds | SEQ 1 MiB Q8T1 read",
            "random write, 4 KiB | 1,000,000 IOPS | 12,800 IOPS | misses | RND 4 KiB Q32T16 write",
        ]
    )


def test_a_run_that_was_scaled_down_is_no_judge() -> None:
    (line,) = lines_of(
        enterprise_bundle(profile="quick"),
        [value(StatedLoad.RANDOM_READ, StatedQuantity.IOPS, 1e9, block_bytes=4096)],
    )
    assert str(line.words) == snapshot("unknown: quick profile: not comparable")


def test_a_number_that_failed_a_check_is_no_judge() -> None:
    (line,) = lines_of(
        enterprise_bundle(Made(failed={"rnd.read.q256.iops": ("in-flight",)})),
        [value(StatedLoad.RANDOM_READ, StatedQuantity.IOPS, 1e9, block_bytes=4096)],
    )
    assert str(line.words) == "unknown: a check of this number failed: in-flight"


# What is no judge of a stated value


def with_unknown_cache(bundle: Bundle, why: Message) -> Bundle:
    """A pass of which it is not known where its cache ends."""
    metrics = tuple(
        replace(metric, value=Unknown(why), low=None, high=None)
        if metric.name in {"fill.pass1.cache_bytes", "fill.pass1.cache_bandwidth"}
        else metric
        for metric in bundle.metrics
    )
    return replace(bundle, metrics=metrics)


@pytest.mark.parametrize(
    ("why", "promises"),
    [
        (message("unknown-no-fall", share="20 %", shortest_s="1"), [Promise.MISSED, Promise.UNTOLD, Promise.MISSED]),
        (message("unknown-no-target"), [Promise.UNTOLD] * 3),
    ],
    ids=["no cache", "not known"],
)
def test_the_mean_of_a_pass_judges_only_drives_without_a_cache(
    filled: Bundle, why: Message, promises: list[Promise]
) -> None:
    load, speed = StatedLoad.SEQUENTIAL_WRITE, StatedQuantity.SPEED
    states = (None, StatedState.CACHE, StatedState.SUSTAINED)
    lines = lines_of(with_unknown_cache(filled, why), [value(load, speed, 4e9, state=state) for state in states])
    assert [line.promise for line in lines] == promises
    assert {line.reason for line in lines if line.promise is Promise.UNTOLD} == {why}


def test_forced_writes_and_loads_at_a_rate_are_no_random_writes() -> None:
    bundle = client_bundle()
    stated = value(StatedLoad.RANDOM_WRITE, StatedQuantity.IOPS, 1000, block_bytes=4096, queue_depth=1)
    only = replace(bundle, steps=tuple(step for step in bundle.steps if step.group == "sync_write"))
    assert [line.promise for line in lines_of(only, [stated])] == [Promise.UNTOLD]
    plain = [step for step in bundle.steps if step.group == "rw_ratio" and step.job is not None]
    rated = tuple(replace(step, job=replace(step.job, rate_iops=500)) for step in plain if step.job is not None)
    assert [line.promise for line in lines_of(replace(bundle, steps=tuple(plain)), [stated])] == [Promise.EXCEEDED]
    assert [line.promise for line in lines_of(replace(bundle, steps=rated), [stated])] == [Promise.UNTOLD]


@pytest.mark.parametrize(
    ("state", "promise"),
    [(None, Promise.MISSED), (StatedState.SUSTAINED, Promise.MISSED), (StatedState.CACHE, Promise.UNTOLD)],
)
def test_the_state_counts_at_a_stated_queue_depth(state: StatedState | None, promise: Promise) -> None:
    stated = value(StatedLoad.RANDOM_WRITE, StatedQuantity.IOPS, 5e5, block_bytes=4096, queue_depth=256, state=state)
    assert [line.promise for line in lines_of(enterprise_bundle(), [stated])] == [promise]


def test_a_used_drive_is_not_said_to_be_steady() -> None:
    stated = value(StatedLoad.RANDOM_WRITE, StatedQuantity.IOPS, 5e4, block_bytes=4096, queue_depth=1)
    sustained = replace(stated, state=StatedState.SUSTAINED)
    assert [line.promise for line in lines_of(client_bundle(), [stated, sustained])] == [
        Promise.EXCEEDED,
        Promise.UNTOLD,
    ]


def test_a_fill_is_held_against_its_own_block_size(filled: Bundle) -> None:
    blocks = {step.job.block_bytes for step in filled.steps if step.kind is StepKind.FILL and step.job is not None}
    (block,) = blocks
    plain = value(StatedLoad.SEQUENTIAL_WRITE, StatedQuantity.SPEED, 1e9)
    lines = lines_of(filled, [replace(plain, block_bytes=block), replace(plain, block_bytes=2 * block)])
    assert [line.promise for line in lines] == [Promise.EXCEEDED, Promise.UNTOLD]
    assert str(lines[1].reason) == "this run did not measure it"


@pytest.mark.parametrize(
    ("used", "stated_tb", "promise"),
    [
        (20, 300, Promise.EXCEEDED),
        (20, 500, Promise.MET),
        (20, 477, Promise.MET),
        (20, 530, Promise.MISSED),
        (9, 500, Promise.UNTOLD),
        (0, 500, Promise.UNTOLD),
        (255, 500, Promise.UNTOLD),
    ],
)
def test_endurance_is_judged_by_the_wear_that_a_drive_counts(
    tmp_path: Path, used: int, stated_tb: int, promise: Promise
) -> None:
    """100 TB were written."""
    smart = json.loads(NVME[SMART_LOG]) | {"percent_used": used, "data_units_written": 100 * 10**12 // 512_000}
    writer = BundleWriter(tmp_path / "run", run_on("nvme0n1", dict(NVME)), fill_plan(1 << 30, 0))
    writer.drive_said(0, Moment.END, {SMART_LOG: json.dumps(smart)})
    writer.close()
    (line,) = lines_of(open_bundle(tmp_path / "run"), [], stated_tb * 10**12)
    assert line.promise is promise, told([line])
