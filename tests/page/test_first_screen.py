"""The first screen of the page: who the drive is, whether to trust it, a verdict, key numbers, the main figure."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.browser import CHROMIUM, Page
from tests.kit.five_drives import FIVE, shared_run
from tests.kit.imported_results import crystaldiskmark, threedmark
from tests.kit.planned_bundle import planned_bundle
from tests.kit.probe_runs import record
from tests.kit.quoted_numbers import numbers_in, numbers_of
from tests.kit.sample_bundle import CHECKS, run_info, write_interrupted, write_killed, write_whole
from tests.kit.sample_client import Made, client_bundle, without
from tests.kit.sample_enterprise import enterprise_bundle
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.analysis.audit.rules.host import UNINTERRUPTED
from ssdlab.bundle.dotted_names import key_of_name
from ssdlab.bundle.model import Metric, Outcome, RunStatus
from ssdlab.bundle.quantities import Better
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.job import DriveState
from ssdlab.message import Message, as_written, bandwidth_decimal, message, size_decimal
from ssdlab.probe.probes.registry import probes_named
from ssdlab.report.first_screen.masthead import masthead
from ssdlab.report.first_screen.place import place_among
from ssdlab.report.first_screen.quoted import QuotedMetric
from ssdlab.report.first_screen.repeats import metrics_of_drive
from ssdlab.report.first_screen.screen import FirstScreen, first_screen, first_screen_of_imports
from ssdlab.report.first_screen.tiles import TILES_MAX
from ssdlab.report.first_screen.verdict import SENTENCES_MAX
from ssdlab.report.page import page, write_report
from ssdlab.report.view import Tone
from ssdlab.unknown import Unknown
from ssdlab.words import Language, in_language


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return open_bundle(write_whole(tmp_path_factory.mktemp("filled") / "run"))


def told(screen: FirstScreen) -> list[str]:
    return [str(sentence) for sentence in screen.verdict]


def tiles(screen: FirstScreen) -> list[str]:
    parts = (
        (one.label, one.metric.text, one.metric.interval, None if one.place is None else one.place.words)
        for one in screen.tiles
    )
    return [" | ".join(str(part) for part in tile if part is not None) for tile in parts]


# What it says


def test_a_fill_is_told_by_its_cache_its_whole_pass_and_the_full_drive(filled: Bundle) -> None:
    assert told(first_screen([filled])) == snapshot(
        [
            "Pass 1 (FOB): 12,200 MiB/s (12,180 to 12,220) within an SLC cache of 233 GiB (232 to 234); past it, first 1,200 MiB/s (1,198 to 1,202) while folding, then 1,500 MiB/s (1,498 to 1,501) writing directly.",
            "The whole of pass 1 took 544.0 s at 1,750 MiB/s (1,730 to 1,770) on average; the slowest 1 % of its windows stayed at or below 1,131 MiB/s.",
            "Pass 2 (filled once): 1,400 MiB/s ✗ (1,380 to 1,410) on average, with an SLC cache of 41.0 GiB ✗ (40.8 to 41.1).",
        ]
    )


def test_the_tiles_of_a_fill(filled: Bundle) -> None:
    assert tiles(first_screen([filled])) == snapshot(
        [
            "speed within the cache, pass 1 | 12,200 MiB/s | 12,180 to 12,220 MiB/s",
            "SLC cache, pass 1 | 233 GiB | 232 to 234 GiB",
            "speed past the cache, pass 1 | 1,500 MiB/s | 1,498 to 1,501 MiB/s",
            "speed while folding, pass 1 | 1,200 MiB/s | 1,198 to 1,202 MiB/s",
            "fill: mean speed | 1,750 MiB/s | 1,730 to 1,770 MiB/s",
            "fill: slowest 1 %, pass 1 | 1,131 MiB/s",
        ]
    )


def test_a_client_run(filled: Bundle) -> None:
    screen = first_screen([client_bundle()])
    assert told(screen) == snapshot(
        [
            "With few I/Os in flight: random 4 KiB reads and writes mixed 48,750 IOPS; synchronous random 4 KiB writes 1,200 IOPS (1,180 to 1,220).",
            "Cache recovery: 110.0 GiB written after 5 s of rest; 220.0 GiB written after 240 s of rest.",
        ]
    )
    assert tiles(screen) == snapshot(
        [
            "SLC cache, pass 1 | 230.0 GiB",
            "fill: mean speed | 1,700 MiB/s | 1,620 to 1,780 MiB/s",
            "read/write ratio, weighted mean, random 4 KiB | 48,750 IOPS",
            "sync write, RND 4 KiB | 1,200 IOPS | 1,180 to 1,220 IOPS",
            "written after 240 s of rest | 220.0 GiB",
            "fill: slowest 1 %, pass 1 | 1,100 MiB/s",
        ]
    )


def test_an_enterprise_run() -> None:
    screen = first_screen([enterprise_bundle()])
    assert told(screen) == snapshot(
        [
            "With 256 I/Os in flight: SEQ 128 KiB read 6,250 MiB/s; SEQ 128 KiB write 3,125 MiB/s; RND 4 KiB read 900,000 IOPS; RND 4 KiB write 200,000 IOPS.",
            "Mean latency with one I/O in flight: RND 4 KiB read 66.67 µs; RND 4 KiB write 16.67 µs; RND 512 B read 66.67 µs.",
        ]
    )
    assert tiles(screen) == snapshot(
        [
            "RND 4 KiB read, QD1: latency | 66.67 µs",
            "SEQ 128 KiB read, QD256 | 6,250 MiB/s",
            "RND 4 KiB read, QD256 | 900,000 IOPS",
            "RND 4 KiB write, QD256 | 200,000 IOPS",
            "SEQ 128 KiB write, QD256 | 3,125 MiB/s",
            "RND 4 KiB write, QD256: consistency | 98.00 %",
        ]
    )


def test_write_saturation_is_steady_at_one_speed() -> None:
    bundle = planned_bundle(run_info(10**12), "wsat", "standard")
    state = DriveState.STEADY
    metrics = tuple(
        Metric(
            key=key_of_name(f"{step}.steady_iops", step), value=value, unit="1/s", state=state, step="precondition.rnd"
        )
        for step, value in (("precondition.rnd", 50_000.0), ("wsat", 48_000.0))
    )
    screen = first_screen([replace(bundle, metrics=metrics)])
    assert [tile.metric.name for tile in screen.tiles] == ["wsat.steady_iops"]
    assert "48,000 IOPS" in " ".join(told(screen))
    assert "50,000" not in " ".join(told(screen))
    assert [str(tile.label) for tile in screen.tiles] == ["steady RND 4 KiB QD256 write"]
    assert "steady RND 4 KiB QD256 write 48,000 IOPS" in " ".join(told(screen))


def test_results_of_another_program(tmp_path: Path) -> None:
    runs = [crystaldiskmark(tmp_path / "lab", "A", 0), crystaldiskmark(tmp_path / "lab", "B", 0, factor=2)]
    screen = first_screen_of_imports(runs)
    assert told(screen) == snapshot(
        [
            "CrystalDiskMark measured SEQ 1 MiB Q8T1 read 7,428 MB/s; SEQ 1 MiB Q8T1 write 6,520 MB/s; RND 4 KiB Q1T1 read 84.50 MB/s; RND 4 KiB Q1T1 write 287.5 MB/s."
        ]
    )
    assert tiles(screen) == snapshot(
        [
            "SEQ 1 MiB Q8T1 read | 7,428 MB/s | place 2 of 2",
            "SEQ 1 MiB Q8T1 write | 6,520 MB/s | place 2 of 2",
            "RND 4 KiB Q1T1 read | 84.50 MB/s | place 2 of 2",
            "RND 4 KiB Q1T1 write | 287.5 MB/s | place 2 of 2",
            "RND 4 KiB Q32T16 read | 4,095 MB/s | place 2 of 2",
            "RND 4 KiB Q32T16 write | 2,021 MB/s | place 2 of 2",
        ]
    )


def test_results_of_another_program_are_never_one_number(tmp_path: Path) -> None:
    lab = tmp_path / "lab"
    runs = [crystaldiskmark(lab, "A", 0), crystaldiskmark(lab, "A", 0, factor=2)]
    assert tiles(first_screen_of_imports(runs)) == tiles(first_screen_of_imports(runs[:1]))


def test_a_score_of_another_program(tmp_path: Path) -> None:
    assert tiles(first_screen_of_imports([threedmark(tmp_path / "lab", "A", 3210)])) == snapshot(
        ["storage: score | 3,210"]
    )


def test_beside_others_each_tile_has_its_place() -> None:
    runs = [client_bundle(made) for made in (Made(factor=1.01), Made(model="Fast", factor=2), Made(model="Slow"))]
    assert tiles(first_screen(runs)) == snapshot(
        [
            "SLC cache, pass 1 | 232.3 GiB | place 2 to 3 of 3, tied",
            "fill: mean speed | 1,720 MiB/s | 1,630 to 1,800 MiB/s | place 2 to 3 of 3, tied",
            "read/write ratio, weighted mean, random 4 KiB | 49,240 IOPS | place 2 to 3 of 3, tied",
            "sync write, RND 4 KiB | 1,210 IOPS | 1,190 to 1,240 IOPS | place 2 to 3 of 3, tied",
            "written after 240 s of rest | 222.2 GiB | place 2 to 3 of 3, tied",
            "fill: slowest 1 %, pass 1 | 1,111 MiB/s | place 2 to 3 of 3, tied",
        ]
    )


def test_what_is_unknown_is_said_with_its_reason_or_left_out(filled: Bundle) -> None:
    known = tuple(metric for metric in filled.metrics if not metric.name.endswith("folding_bandwidth"))
    assert "folding" not in " ".join(told(first_screen([replace(filled, metrics=known)])))
    assert first_screen([replace(filled, metrics=())]).tiles == ()
    assert told(first_screen([replace(filled, metrics=())])) == []


NO_FALL = message("unknown-no-fall", share="10 %", shortest_s="3")
LITTLE_BY_LITTLE = message(
    "unknown-gradual-fall",
    fast=bandwidth_decimal(3e9),
    slow=bandwidth_decimal(4e8),
    low=size_decimal(10**11),
    high=size_decimal(9 * 10**11),
)


def without_cache(filled: Bundle, why: Message, slowest: float) -> Bundle:
    """The same where no cache was found, most of it written at 1.7 GB/s, all of it at 1.5 on average."""

    def changed(metric: Metric) -> Metric:
        match metric.name.rpartition(".pass1."):
            case ("fill", _, "cache_bytes" | "cache_bandwidth" | "folding_bandwidth"):
                return replace(metric, value=Unknown(why), low=None, high=None)
            case ("fill", _, "direct_bandwidth"):
                return replace(metric, value=1.7e9, low=None, high=None)
            case ("fill", _, "bandwidth_mean"):
                return replace(metric, value=1.5e9, low=None, high=None)
            case ("fill", _, "bandwidth_p1"):
                return replace(metric, value=slowest)
            case _:
                return metric

    return replace(filled, metrics=tuple(map(changed, filled.metrics)))


@pytest.mark.parametrize(
    ("why", "slowest", "words", "korean"),
    [
        (NO_FALL, 1.69e9, "level at 1,621 MiB/s", "1,621 MiB/s로 일정"),
        (NO_FALL, 0.9e9, "1,431 MiB/s on average", "평균 1,431 MiB/s"),
        (LITTLE_BY_LITTLE, 0.4e9, "1,431 MiB/s on average", "평균 1,431 MiB/s"),
        (message("unknown-rhythm"), 1.69e9, "1,431 MiB/s on average", "평균 1,431 MiB/s"),
    ],
    ids=["level", "rising", "falling", "rhythm"],
)
def test_only_a_pass_that_never_falls_has_no_cache_and_only_one_that_does_not_rise_either_is_level(
    filled: Bundle, why: Message, slowest: float, words: str, korean: str
) -> None:
    screen = first_screen([without_cache(filled, why, slowest)])
    sentence = screen.verdict[0]
    none_found = why == NO_FALL
    answer, in_korean = (
        ("no cache found: ", "캐시가 발견되지 않음: ")
        if none_found
        else ("SLC cache unknown: ", "SLC 캐시는 알 수 없음: ")
    )
    assert str(sentence).startswith(f"Pass 1 (FOB): {words}; {answer}")
    assert in_language(sentence, Language.KOREAN).startswith(f"1회차(FOB): {korean}. {in_korean}")
    assert not re.findall(r"\d [kMGT]B\b", " ".join(told(screen)))
    assert not re.findall(r"\d [KMGT]iB/s", " ".join(map(str, screen.verdict_switched)))


def test_a_reason_has_its_speeds_in_the_unit_of_the_verdict(filled: Bundle) -> None:
    screen = first_screen([without_cache(filled, LITTLE_BY_LITTLE, 0.4e9)])
    reasons = [str(one[0]).partition("SLC cache unknown: ")[2] for one in (screen.verdict, screen.verdict_switched)]
    quantities = [re.findall(r"([\d.,]+) ([KMGTk]i?B(?:/s)?)", reason) for reason in reasons]
    sizes = {("93.1", "GiB"), ("838", "GiB")}
    assert [set(one) for one in quantities] == [
        {("2,861", "MiB/s"), ("381", "MiB/s"), *sizes},
        {("3,000.0", "MB/s"), ("400.0", "MB/s"), *sizes},
    ]


def test_phases_are_told_in_the_order_they_came(filled: Bundle) -> None:
    folded_last = tuple(
        replace(metric, note=message("metric-direct-first"))
        if metric.name.endswith("pass1.folding_bandwidth")
        else metric
        for metric in filled.metrics
    )
    first, last = (first_screen([replace(filled, metrics=made)]).verdict[0] for made in (filled.metrics, folded_last))
    assert re.findall("while folding|writing directly|first|then", str(first)) == [
        "first",
        "while folding",
        "then",
        "writing directly",
    ]
    assert re.findall("while folding|writing directly|first|then", str(last)) == [
        "first",
        "writing directly",
        "then",
        "while folding",
    ]
    assert re.findall("폴딩|직접 쓰기|먼저|그다음", in_language(first, Language.KOREAN)) == [
        "먼저",
        "폴딩",
        "그다음",
        "직접 쓰기",
    ]
    assert re.findall("폴딩|직접 쓰기|먼저|그다음", in_language(last, Language.KOREAN)) == [
        "먼저",
        "직접 쓰기",
        "그다음",
        "폴딩",
    ]


def test_the_tile_has_the_note_of_its_metric(filled: Bundle) -> None:
    note = message("metric-may-change", drift="7 %")
    metrics = tuple(
        replace(metric, note=note) if metric.name == "fill.pass1.cache_bytes" else metric for metric in filled.metrics
    )
    shown = re.search(r'<dl class="tiles".*?</dl>', page([replace(filled, metrics=metrics)]), re.DOTALL)
    assert shown is not None
    assert f'title="{note}"' in shown[0]


def test_a_speed_is_past_the_cache_only_where_a_cache_was_found(filled: Bundle) -> None:
    alone = without_cache(filled, LITTLE_BY_LITTLE, 0.4e9)
    alone = replace(alone, run=replace(alone.run, drive=replace(alone.run.drive, serial="S2")))
    assert tiles(first_screen([alone]))[0] == "mean speed, pass 1 | 1,431 MiB/s"
    assert not [tile for tile in tiles(first_screen([alone])) if "cache, pass 1" in tile]
    assert [tile.place for tile in first_screen([alone, filled]).tiles if "mean speed, pass" in str(tile.label)] == [
        None
    ]
    past = [tile.place for tile in first_screen([filled, alone]).tiles if "past the cache" in str(tile.label)]
    assert past == [None]


@pytest.mark.parametrize("made", [client_bundle, enterprise_bundle])
def test_every_number_of_the_verdict_is_one_of_the_metrics(made: object) -> None:
    bundle = made()  # type: ignore[operator]
    for sentence in told(first_screen([bundle])):
        assert numbers_in(sentence) <= numbers_of(bundle.metrics), sentence


def test_every_number_of_the_verdict_of_a_fill_is_one_of_its_metrics(filled: Bundle) -> None:
    sentences = told(first_screen([filled]))
    assert all(numbers_in(sentence) for sentence in sentences)
    assert set().union(*map(numbers_in, sentences)) <= numbers_of(filled.metrics)


# Whether to trust it


def test_the_line_of_trust_is_red_only_if_something_failed(filled: Bundle, tmp_path: Path) -> None:
    passed = tuple(check for check in CHECKS if check.outcome is not Outcome.FAIL)

    assert masthead([filled]).tone is Tone.BAD
    assert masthead([replace(filled, audit=passed)]).tone is Tone.PLAIN
    assert masthead([replace(filled, audit=passed), filled]).tone is Tone.BAD
    assert masthead([replace(filled, audit=passed, faults=(as_written("a file is missing"),))]).tone is Tone.BAD
    assert masthead([open_bundle(write_interrupted(tmp_path / "stopped"))]).tone is Tone.BAD


def test_the_lines_below_the_name(filled: Bundle) -> None:
    lines = masthead([filled])
    assert [str(lines.facts), str(lines.trust)] == snapshot(
        ["1.00 TB · NVMe drive", "run finished · comparable · audit: 1 passed, 1 warning, 1 failed, 1 unknown"]
    )


# Places


def number(value: float, low: float | None = None, high: float | None = None) -> QuotedMetric:
    return QuotedMetric("a", value, "1/s", low, high, DriveState.FOB, ())


@pytest.mark.parametrize(
    ("own", "better", "words"),
    [
        (number(30), Better.HIGHER, "best of 4"),
        (number(30), Better.LOWER, "place 4 of 4"),
        (number(15, 14, 16), Better.HIGHER, "place 2 of 4"),
        (number(15, 9, 16), Better.HIGHER, "place 2 to 3 of 4, tied"),
        (number(15, 1, 40), Better.HIGHER, "place 1 to 4 of 4, tied"),
    ],
)
def test_drives_whose_intervals_overlap_share_their_places(own: QuotedMetric, better: Better, words: str) -> None:
    place = place_among([own], [[number(5)], [number(10, 8, 12)], [number(20, 19, 21)]], better)
    assert place is not None
    assert str(place.words) == words


def test_alone_there_is_no_place() -> None:
    assert place_among([number(5)], [], Better.HIGHER) is None


def test_numbers_without_intervals_are_tied_unless_they_differ_in_practice() -> None:
    near, far = (place_among([number(100)], [[number(other)]], Better.HIGHER) for other in (98, 96))
    assert near is not None
    assert far is not None
    assert (str(near.words), str(far.words)) == ("place 1 to 2 of 2, tied", "best of 2")


def test_runs_of_one_drive_are_one_drive_among_the_others() -> None:
    runs = [number(100, 99, 101), number(104, 103, 105), number(96, 95, 97)]
    place = place_among(runs, [[number(200)], [number(50)]], Better.HIGHER)
    assert place is not None
    assert str(place.words) == "place 2 of 3"


def on_day(bundle: Bundle, day: int) -> Bundle:
    return replace(bundle, run=replace(bundle.run, started_at=f"2026-01-{20 + day}T09:30:00+00:00"))


def of_metric(bundle: Bundle, beginning: str, **others: object) -> Bundle:
    metrics = (
        replace(one, **others) if one.name.startswith(beginning) else one  # type: ignore[arg-type]
        for one in bundle.metrics
    )
    return replace(bundle, metrics=tuple(metrics))


def test_runs_of_one_drive_are_not_beside_it() -> None:
    again = [on_day(client_bundle(), day) for day in range(3)]
    others = [client_bundle(Made(model=f"Other {factor}", factor=factor)) for factor in (2, 3, 4, 5)]
    assert {str(tile.place.words) for tile in first_screen([*again, *others]).tiles if tile.place} == {"place 5 of 5"}
    assert [tile.place for tile in first_screen(again).tiles] == [None] * len(first_screen(again).tiles)


def test_of_several_runs_of_a_drive_the_median_is_told_with_its_interval() -> None:
    made = [on_day(client_bundle(Made(factor=factor)), day) for day, factor in enumerate((1.0, 1.02, 1.01))]
    screen = first_screen(made)
    sync = next(tile for tile in screen.tiles if "sync write" in str(tile.label))
    assert sync.metric.value == pytest.approx(1200 * 1.01)
    assert sync.metric.low == pytest.approx(1212 - 29.8, abs=0.5)
    assert sync.metric.high == pytest.approx(1212 + 29.8, abs=0.5)
    assert "1,210 IOPS (1,180 to 1,240)" in " ".join(told(screen))
    assert str(screen.repeats) == "Numbers are medians of 3 runs of this drive."


def test_what_is_no_repetition_enters_no_median() -> None:
    first, other = client_bundle(), on_day(client_bundle(Made(factor=2)), 1)
    info = other.run
    runs = (
        replace(info, started_at="2031-01-01T00:00:00+00:00"),
        replace(info, drive=replace(info.drive, firmware="other")),
        replace(info, drive=replace(info.drive, serial="other")),
        replace(info, suite=replace(info.suite, sha256="0" * 64)),
        replace(info, engine="load-1"),
        replace(info, host=replace(info.host, hostname="other")),
        first.run,
    )
    alone = first_screen([first])
    assert first_screen([first, other]).repeats is not None
    for again in (*(replace(other, run=run) for run in runs), replace(other, status=RunStatus.INTERRUPTED)):
        screen = first_screen([first, again])
        assert told(screen) == told(alone)
        assert screen.repeats is None


def test_drives_of_unknown_serial_are_never_one_drive() -> None:
    def unnamed(bundle: Bundle) -> Bundle:
        drive = replace(bundle.run.drive, serial=Unknown(as_written("not told")))
        return replace(bundle, run=replace(bundle.run, drive=drive))

    first, other = unnamed(client_bundle()), unnamed(on_day(client_bundle(Made(factor=2)), 1))
    assert told(first_screen([first, other])) == told(first_screen([first]))


def test_the_interval_of_a_median_ends_where_the_values_do() -> None:
    runs = [on_day(client_bundle(Made(factor=factor)), day) for day, factor in enumerate((1, 0.1))]
    lows = [tile.metric.low for tile in first_screen(runs).tiles]
    assert 0 in lows
    assert all(low is None or low >= 0 for low in lows)


def test_a_number_measured_while_the_host_stood_still_enters_no_median() -> None:
    first, other = client_bundle(), on_day(client_bundle(Made(factor=2)), 1)
    stood = of_metric(other, "sync_write.rnd.iops", failed_checks=(UNINTERRUPTED,))
    sync = next(tile for tile in first_screen([first, stood]).tiles if "sync write" in str(tile.label))
    assert (sync.metric.value, sync.metric.failed_checks) == (1200, ())


def test_the_speed_of_a_whole_pass_is_not_averaged_with_one_past_a_cache(filled: Bundle) -> None:
    other = of_metric(filled, "fill.pass1.direct_bandwidth", value=1.0, low=None, high=None)
    bare = of_metric(other, "fill.pass1.cache_bytes", value=Unknown(as_written("none found")), low=None, high=None)
    key = key_of_name("fill.pass1.direct_bandwidth", "fill.pass1")

    def speed(run: Bundle) -> object:
        return metrics_of_drive([filled, run])[key].value

    own = metrics_of_drive([filled])[key].value
    assert speed(bare) == own
    assert speed(other) != own


def test_there_is_no_place_where_a_drive_of_the_page_has_no_such_number() -> None:
    runs = [client_bundle(), client_bundle(Made(model="Fast", factor=2))]
    third = without(client_bundle(Made(model="Third")), "fill")
    screen = first_screen([*runs, third])
    assert {tile.metric.name.split(".")[0] for tile in screen.tiles if tile.place is None} == {"fill"}
    other_suite = replace(enterprise_bundle(), run=replace(enterprise_bundle().run, drive=third.run.drive))
    assert [tile for tile in first_screen([*runs, other_suite]).tiles if tile.place is not None] == []


# The page


def test_it_stands_before_everything_else_and_the_figure_only_once(filled: Bundle) -> None:
    html = page([filled])
    wanted = [
        "<h1>",
        'class="who"',
        'class="trust bad"',
        'class="answer"',
        'class="tiles"',
        "<figure",
        'class="verdict"',
    ]
    assert sorted(wanted, key=html.index) == wanted
    assert html.count('<figure id="run1-bandwidth-over-bytes"') == 1
    assert html.index('<figure id="run1-bandwidth-over-bytes"') < html.index('id="run1-figures"')
    assert '<a href="#run1-bandwidth-over-bytes">' in html[html.index('id="run1-figures"') :]


def test_the_tiles_have_the_exact_values_of_the_metrics(filled: Bundle) -> None:
    shown = re.search(r'<dl class="tiles".*?</dl>', page([filled]), re.DOTALL)
    assert shown is not None
    known = {metric.name: metric.value for metric in filled.metrics}
    values = re.findall(r'<data value="([^"]+)"', shown[0])
    assert values == [str(known[tile.metric.name]) for tile in first_screen([filled]).tiles]


def test_a_run_without_numbers_has_no_verdict_and_a_page(tmp_path: Path) -> None:
    html = page([open_bundle(write_killed(tmp_path / "run"))])
    assert 'class="answer"' not in html
    assert 'class="tiles"' not in html


def test_in_korean_it_is_the_same_with_other_words(filled: Bundle) -> None:
    html = page([filled], language=Language.KOREAN)
    assert re.findall(r"<p[^>]*>(.*?)</p>", html[html.index('class="answer"') :])[:3] == snapshot(
        [
            "1회차(FOB): SLC 캐시 233 GiB (232 ~ 234) 안에서 12,200 MiB/s (12,180 ~ 12,220), 캐시 이후 먼저 폴딩 중 1,200 MiB/s (1,198 ~ 1,202), 그다음 직접 쓰기 1,500 MiB/s (1,498 ~ 1,501).",
            "1회차 전체는 544.0 s 동안 평균 1,750 MiB/s (1,730 ~ 1,770)이며, 가장 느린 1 % 구간은 1,131 MiB/s 이하입니다.",
            "2회차(한 번 채움): 평균 1,400 MiB/s ✗ (1,380 ~ 1,410), SLC 캐시 41.0 GiB ✗ (40.8 ~ 41.1).",
        ]
    )


WIDTH, HEIGHT = 1280, 800
SUBJECTS = ("fill", "client", "enterprise", "sustain", "compared", "probe", "imported")


def sustained(lab: Path) -> Bundle:
    done = CliRunner().invoke(cli.app, ["sustain", f"model:{FIVE[0]}?capacity=1GiB", "--lab", str(lab)])
    assert done.exit_code == 0, done.output
    return open_bundle(next((lab / "runs").iterdir()))


@pytest.fixture(scope="module")
def pages(filled: Bundle, five: list[Bundle], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page of each subject."""
    directory = tmp_path_factory.mktemp("pages")
    probed, _ = record(
        [one for name in ("read-page", "shift-write") for one in probes_named(name)],
        directory / "probed",
        lambda _name, _progress: None,
    )
    made: dict[str, list[Bundle]] = {
        "fill": [filled],
        "client": five[:1],
        "enterprise": [shared_run(FIVE[0], "enterprise")],
        "sustain": [sustained(directory / "sustained")],
        "compared": five,
        "probe": [open_bundle(probed)],
    }
    for name, bundles in made.items():
        write_report(bundles, directory / f"{name}.html")
    write_report([], directory / "imported.html", [crystaldiskmark(directory / "lab", "A", 0)])
    return {name: directory / f"{name}.html" for name in (*made, "imported")}


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH")
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_top_of_the_main_figure_is_on_the_first_screen(chromium: Page, pages: dict[str, Path], name: str) -> None:
    chromium.open(pages[name], WIDTH)
    chromium.call("Emulation.setDeviceMetricsOverride", width=WIDTH, height=HEIGHT, deviceScaleFactor=1, mobile=False)
    tops = chromium.run(
        "['.trust', '.answer', '.tiles', 'figure'].map((one) => document.querySelector(one).getBoundingClientRect().top)"
    )
    assert tops == sorted(tops)
    assert tops[-1] < HEIGHT - 100
    assert len(chromium.run("[...document.querySelectorAll('.tiles data')].map((one) => one.textContent)")) <= TILES_MAX
    assert chromium.run("document.querySelectorAll('.answer p').length") <= SENTENCES_MAX


@pytest.mark.browser
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium in PATH")
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_of_it_is_wider_than_the_screen(chromium: Page, pages: dict[str, Path], width: int) -> None:
    for path in pages.values():
        chromium.open(path, width)
        assert chromium.run("document.documentElement.scrollWidth") <= width, path.name
