"""Series that others recorded: read as they are, or refused in words."""

import gzip
import lzma
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ssdlab.analysis.foreign.answer import StatedPurge, fill_answer, reclaim_answer, steady_answer
from ssdlab.analysis.foreign.series import ForeignSeries, SeriesSaid, read_series
from ssdlab.analysis.foreign.table import TableSaid
from ssdlab.analysis.foreign.units import RateUnit, TimeUnit
from ssdlab.analysis.log.file import LogError
from ssdlab.bundle.metric_key import Aspect
from ssdlab.bundle.quantities import (
    AFTER_CACHE,
    CACHE_BYTES,
    DELAY,
    DIRECT_BANDWIDTH,
    FOLDING_BANDWIDTH,
    RATE,
    STEADY_AT_BYTES,
    STEADY_BANDWIDTH,
    Quantity,
)
from ssdlab.units import MB
from ssdlab.unknown import Unknown

GB = 1000 * MB
SAID = SeriesSaid(TableSaid(RateUnit.MEGABYTES, TimeUnit.SECONDS))
RATES = [3000.0] * 40 + [1000.0] * 160
"""MB/s each second: 120 GB of cache, then 160 GB."""


def table(rates: Sequence[float], form: str = "{at},{rate:.1f}\n", head: str = "") -> str:
    return head + "".join(form.format(at=at, rate=rate) for at, rate in enumerate(rates, start=1))


def fio_log(rates: Sequence[float], step_ms: int = 1000) -> str:
    return "".join(f"{at * step_ms}, {round(rate * MB / 1024)}, 1, 0, 0\n" for at, rate in enumerate(rates, start=1))


def given(directory: Path, content: str | bytes, name: str = "given.csv") -> Path:
    path = directory / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path, said: SeriesSaid = SAID) -> ForeignSeries:
    return read_series([path], said)


def same(found: ForeignSeries, rates: Sequence[float] = RATES) -> bool:
    return np.allclose(found.series.bandwidth_bytes_per_s, np.array(rates) * MB, rtol=1e-6) and np.array_equal(
        found.series.time_ns, np.arange(1, len(rates) + 1) * 10**9
    )


@pytest.mark.parametrize(
    "content",
    [
        table(RATES),
        table(RATES, "{at}\t{rate}\n", "Time (s)\tWrite (MB/s)\n"),
        table(RATES, "{at};{rate:.1f}\r\n", "\ufefftime;rate\r\n"),
        table(RATES, "{at},0;{rate:.0f},00\n", "Zeit (s);MB/s\n"),
        table(RATES, "{at} {rate}\n"),
        table(RATES, '"{at}","{rate}"\n', "# made by a script\n"),
        table(RATES, "{at};{rate:,.2f}\n"),
        table(RATES, "{at},{rate}\n", "time,rate\n").encode("utf-16"),
        "".join(reversed(table(RATES[:20]).splitlines(keepends=True)))
        + "".join(table(RATES).splitlines(keepends=True)[20:]),
    ],
)
def test_a_table_is_read_however_it_is_written(tmp_path: Path, content: str | bytes) -> None:
    assert same(read(given(tmp_path, content)))


def test_titles_that_say_units_need_no_option_and_must_not_contradict_one(tmp_path: Path) -> None:
    path = given(tmp_path, table(RATES, "{at}000,{rate}\n", "time_ms,write [MB/s]\n"))
    assert same(read(path, SeriesSaid()))
    with pytest.raises(LogError, match="says MB/s at the head of the column, the option says MiB/s"):
        read(path, SeriesSaid(TableSaid(RateUnit.MEBIBYTES)))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (table(RATES).replace("\n5,", "\n4,"), "one line has the time of another, first line 5"),
        (table(RATES) + table(RATES), "the time starts again in line 201"),
        (table(RATES).replace("7,3000.0", "7,-1"), "line 7: a negative number"),
        (table(RATES).replace("7,3000.0", "7,fast"), "line 7: fast is no number"),
        (table(RATES).replace("7,3000.0", "7,inf"), "line 7: inf is no number"),
        (table(RATES).replace("7,3000.0", "7,1e30"), "more than any drive does"),
        (table(RATES).replace("7,3000.0", "7,3000,0"), "line 7: 3 columns, 2 in the first line"),
        (table(RATES, "{at};{rate:.0f}\n").replace("3000", "3,000").replace("1000", "1,000"), "may stand before"),
        ("".join(line for line in table(RATES).splitlines(keepends=True) if int(line.split(",")[0]) % 9), "is missing"),
        (table(RATES, "{at};{rate}\n", "time;Read (MB/s)\n"), "holds no writes"),
        (table(RATES, "{at};{rate}\n").replace("7;3000.0", "7;1,5"), "line 7: 1,5 is no number"),
        (table(RATES, "{at},5;{rate:.3f}\n").replace("000.000", ".000"), "may stand before"),
        (table(RATES, "{at};{rate}\n").replace("3000.0", "3,000").replace("1000.0", "1.000"), "may stand before"),
        (table(RATES).replace("7,3000.0", f"7,{'3' * 140_000}"), "line 7 has more than"),
        (table(RATES).replace("200,1000.0", "1e300,1000.0"), "line 200: the time is more than"),
        (table(RATES).replace("7,3000.0", "7,1e400"), "line 7: 1e400 is no number"),
        (table(RATES[:5]), "at least 20 are needed"),
        ("", "holds no series"),
        ("time,rate\n", "holds no series"),
        (table(RATES, "{at},{rate},7\n", "time,write,read\n"), "has 3 columns"),
        ("".join(f"{at},100\n{at + 0.01},100\n" for at in range(1, 99)), "not evenly apart"),
    ],
)
def test_what_makes_no_series_is_refused_in_words(tmp_path: Path, content: str, words: str) -> None:
    with pytest.raises(LogError, match=words):
        read(given(tmp_path, content))


def test_units_are_never_guessed(tmp_path: Path) -> None:
    path = given(tmp_path, table(RATES))
    with pytest.raises(LogError, match="does not say the unit of its rates"):
        read(path, SeriesSaid(TableSaid(time=TimeUnit.SECONDS)))
    with pytest.raises(LogError, match="does not say the unit of its times"):
        read(path, SeriesSaid(TableSaid(RateUnit.MEGABYTES)))
    with pytest.raises(LogError, match="does not say how large they are"):
        read(path, SeriesSaid(TableSaid(RateUnit.IOPS, TimeUnit.SECONDS)))


def test_columns_are_chosen_by_title_or_number(tmp_path: Path) -> None:
    path = given(tmp_path, table(RATES, "x,{rate},{at}\n", "host,write MB/s,time (s)\n"))
    for columns in (("time (s)", "Write MB/s"), ("3", "2")):
        assert same(read(path, SeriesSaid(TableSaid(columns=columns))))
    with pytest.raises(LogError, match="has no column latency"):
        read(path, SeriesSaid(TableSaid(columns=("3", "latency"))))


def test_a_missing_window_counts_as_nothing_written_and_is_said(tmp_path: Path) -> None:
    found = read(given(tmp_path, table(RATES).replace("100,1000.0", "100,NaN")))
    assert found.series.bandwidth_bytes_per_s[99] == 0
    assert "1 stretch" in str(found.notes[0]).replace("one stretch", "1 stretch")


def test_logs_of_fio_are_read_packed_or_not_and_jobs_added(tmp_path: Path) -> None:
    half = [rate / 2 for rate in RATES]
    paths = [
        given(tmp_path, fio_log(half), "a_bw.1.log"),
        given(tmp_path, gzip.compress(fio_log(half).encode()), "a_bw.2.log.gz"),
    ]
    found = read_series(paths, SeriesSaid())
    assert found.written_bytes == pytest.approx(sum(RATES) * MB, rel=1e-6)
    assert np.allclose(found.series.bandwidth_bytes_per_s, np.array(RATES) * MB, rtol=1e-5)
    assert any("2 jobs" in str(note) for note in found.notes)


def jobs(directory: Path, *logs: str) -> ForeignSeries:
    return read_series(
        [given(directory, log, f"a_bw.{place}.log") for place, log in enumerate(logs, start=1)], SeriesSaid()
    )


def test_what_follows_the_end_of_a_job_is_no_phase(tmp_path: Path) -> None:
    found = jobs(tmp_path, fio_log([500.0] * 200), fio_log([500.0] * 80))
    assert np.allclose(found.series.bandwidth_bytes_per_s, 1000 * MB, rtol=1e-5)
    assert found.lasted_ns == 80 * 10**9
    assert any("what follows is left out" in str(note) for note in found.notes)


def test_jobs_that_begin_apart_are_refused_and_a_small_shift_makes_no_wide_window(tmp_path: Path) -> None:
    def later(seconds: int) -> str:
        return "".join(fio_log([500.0] * 900).splitlines(keepends=True)[seconds:])

    with pytest.raises(LogError, match="s apart: the load changed"):
        jobs(tmp_path, later(0), later(30))
    found = jobs(tmp_path, later(0), later(4))
    assert np.ptp(found.series.duration_ns) == 0


def test_a_log_by_the_clock_says_when_it_began(tmp_path: Path) -> None:
    def by_the_clock(begin_ms: int) -> str:
        rows = (line.split(",", 1) for line in fio_log([500.0] * 900).splitlines())
        return "".join(f"{int(time) + begin_ms},{rest}\n" for time, rest in rows)

    found = jobs(tmp_path, by_the_clock(1_700_000_000_000), by_the_clock(1_700_000_004_000))
    assert not any("time zero" in str(note) for note in found.notes)


def test_a_file_given_twice_counts_once_and_other_jobs_are_not_dropped(tmp_path: Path) -> None:
    path = given(tmp_path, fio_log(RATES), "a_bw.1.log")
    assert read_series([path, tmp_path / "." / path.name], SeriesSaid()).written_bytes == pytest.approx(
        sum(RATES) * MB, rel=1e-5
    )
    iops = [given(tmp_path, fio_log(RATES), f"a_iops.{job}.log") for job in (1, 2)]
    read_series([path, iops[0]], SeriesSaid())
    with pytest.raises(LogError, match="of which there is no log of bandwidth"):
        read_series([path, *iops], SeriesSaid())


def test_rows_without_a_number_at_the_end_are_a_hole(tmp_path: Path) -> None:
    content = "".join(f"{at},{3000 if at < 150 else ''}\n" for at in range(1, 300))
    with pytest.raises(LogError, match="is missing, 150 s at once"):
        read(given(tmp_path, content))


def test_jobs_that_share_a_log_are_added(tmp_path: Path) -> None:
    doubled = "".join(2 * line for line in fio_log([rate / 2 for rate in RATES]).splitlines(keepends=True))
    assert read(given(tmp_path, doubled, "a_bw.log")).written_bytes == pytest.approx(sum(RATES) * MB, rel=1e-5)


def test_a_log_of_iops_needs_the_size_of_an_io(tmp_path: Path) -> None:
    path = given(tmp_path, "".join(f"{at * 1000}, 1000, 1, 0, 0\n" for at in range(1, 101)), "a_iops.log")
    with pytest.raises(LogError, match="counts I/Os"):
        read(path, SeriesSaid())
    assert read(path, SeriesSaid(block_bytes=4096)).written_bytes == 100 * 1000 * 4096


def test_a_log_of_reads_is_no_series_of_writes(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="holds no writes"):
        read(given(tmp_path, fio_log(RATES).replace(", 1, 0, 0", ", 0, 0, 0"), "a_bw.log"))


def test_a_job_that_only_reads_beside_averaged_logs_of_writers_has_no_part_in_them(tmp_path: Path) -> None:
    reads = fio_log(RATES).replace(", 1, 0, 0", ", 0, 0, 0")
    found = jobs(tmp_path, fio_log(RATES), reads, fio_log(RATES))
    assert found.written_bytes == pytest.approx(2 * sum(RATES) * MB, rel=1e-5)


def test_a_number_of_thousands_of_digits_is_no_crash(tmp_path: Path) -> None:
    with pytest.raises(LogError):
        read(given(tmp_path, fio_log(RATES).replace("1000,", f"1000, {'1' * 5000},", 1), "a_bw.log"))
    with pytest.raises(LogError):
        read(given(tmp_path, "1000, 1, 1, " + "1" * 5000 + "\n" + fio_log(RATES), "a_bw.log"))


def test_thousands_by_points_beside_decimal_commas_are_read(tmp_path: Path) -> None:
    path = given(tmp_path, table(RATES, "{at};{rate}\n").replace("3000.0", "3.000").replace("1000.0", "1000,0"))
    assert same(read(path))


def test_a_log_of_every_io_is_counted(tmp_path: Path) -> None:
    lines = "".join(f"{at * 10}, 1, 1, 131072, 0, 0\n" for at in range(1, 3001))
    found = read(given(tmp_path, lines, "a_bw.log"))
    assert found.series.window_ns == 10**8
    assert found.series.bandwidth_bytes_per_s[5] == pytest.approx(131072 * 100)


def test_jobs_that_log_every_io_end_and_begin_as_others_do(tmp_path: Path) -> None:
    def every_io(count: int, begin_ms: int = 0) -> str:
        return "".join(f"{begin_ms + at * 10}, 1, 1, 131072, 0, 0\n" for at in range(1, count + 1))

    found = jobs(tmp_path, every_io(6000), every_io(3000))
    assert found.lasted_ns == pytest.approx(30 * 10**9, rel=0.01)
    assert np.allclose(found.series.bandwidth_bytes_per_s[1:-1], 2 * 131072 * 100)
    with pytest.raises(LogError, match="s apart"):
        jobs(tmp_path, every_io(6000), every_io(4000, 20_000))
    assert jobs(tmp_path, every_io(6000, 5000)).lasted_ns == pytest.approx(65 * 10**9, rel=0.01)


def test_a_cache_is_only_said_of_a_drive_that_was_purged(tmp_path: Path) -> None:
    series = read(given(tmp_path, table(RATES)))
    stated = cache(fill_answer(series, 280 * GB, StatedPurge.STATED).metrics)
    assert stated == pytest.approx(120 * GB, rel=0.01)
    unstated = cache(fill_answer(series, 280 * GB, StatedPurge.UNSTATED).metrics)
    assert isinstance(unstated, Unknown)
    assert "120 GB" in str(unstated.reason)


def cache(metrics: Sequence[object], quantity: Quantity = CACHE_BYTES) -> float | Unknown:
    return value(metrics, quantity)


def value(metrics: Sequence[object], quantity: Quantity, aspect: Aspect | None = None) -> float | Unknown:
    found = next(one for one in metrics if one.key.quantity == quantity and one.key.aspect is aspect)  # type: ignore[attr-defined]
    return found.value  # type: ignore[attr-defined, no-any-return]


def test_windows_too_wide_for_a_fill_are_refused(tmp_path: Path) -> None:
    wide = given(tmp_path, fio_log(RATES, 60_000), "a_bw.log")
    with pytest.raises(LogError, match="windows of 60"):
        fill_answer(read(wide), 9000 * GB, StatedPurge.STATED)


def flat(seconds: int, then: Sequence[float] = ()) -> list[float]:
    random = np.random.default_rng(3)
    rates = [200.0] * seconds + list(then)
    return [rate * float(1 + 0.01 * random.standard_normal()) for rate in rates]


def test_steadiness_is_judged_by_all_criteria_the_log_can_carry(tmp_path: Path) -> None:
    series = read(given(tmp_path, table(flat(3000))))
    found = steady_answer(series, 100 * GB)
    assert value(found.metrics, STEADY_BANDWIDTH) == pytest.approx(200 * MB, rel=0.01)
    assert value(found.metrics, STEADY_AT_BYTES, Aspect.HELD) == pytest.approx(200 * GB, rel=0.02)
    snia = value(found.metrics, STEADY_AT_BYTES, Aspect.SNIA)
    assert isinstance(snia, Unknown)
    assert "five rounds" in str(snia.reason)


def test_a_steady_speed_that_the_log_leaves_later_is_none(tmp_path: Path) -> None:
    found = steady_answer(read(given(tmp_path, table(flat(2000, [100.0] * 1500)))), 100 * GB)
    speed = value(found.metrics, STEADY_BANDWIDTH)
    assert isinstance(speed, Unknown)
    assert found.left is not None
    assert "`held` was fulfilled" in str(speed.reason)
    assert "the mean of what follows is 50% of it" in str(speed.reason).replace("\u00a0", "").replace(" %", "%")


def test_where_held_cannot_be_judged_the_reason_is_given(tmp_path: Path) -> None:
    found = steady_answer(read(given(tmp_path, fio_log(flat(200), 60_000), "a_bw.log")), 100 * GB)
    speed = value(found.metrics, STEADY_BANDWIDTH)
    assert isinstance(speed, Unknown)
    assert "cannot tell" in str(speed.reason)


def test_part_of_a_pass_without_a_fall_has_no_phase(tmp_path: Path) -> None:
    series = read(given(tmp_path, table([3000.0] * 200)))
    part = fill_answer(series, 2000 * GB, StatedPurge.STATED)
    for quantity in (CACHE_BYTES, DIRECT_BANDWIDTH):
        unknown = value(part.metrics, quantity)
        assert isinstance(unknown, Unknown)
        assert "a larger cache would not show" in str(unknown.reason)
    assert any("a larger cache" in str(note) for note in part.notes)
    whole = fill_answer(series, 600 * GB, StatedPurge.STATED)
    assert not isinstance(value(whole.metrics, DIRECT_BANDWIDTH), Unknown)


def test_without_a_stated_purge_the_class_is_unknown_for_that_reason(tmp_path: Path) -> None:
    found = fill_answer(read(given(tmp_path, table(RATES))), 280 * GB, StatedPurge.UNSTATED)
    for quantity in (AFTER_CACHE, FOLDING_BANDWIDTH):
        unknown = value(found.metrics, quantity)
        assert isinstance(unknown, Unknown)
        assert "was the drive purged before?" in str(unknown.reason)


def test_less_than_a_capacity_says_nothing_of_steadiness(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="less than one says nothing"):
        steady_answer(read(given(tmp_path, table(flat(300)))), 100 * GB)


def test_wide_windows_carry_some_criteria_only(tmp_path: Path) -> None:
    series = read(given(tmp_path, fio_log(flat(2000), 10_000), "a_bw.log"))
    found = steady_answer(series, 500 * GB)
    for aspect in (Aspect.FIO, Aspect.WINDOW):
        unable = value(found.metrics, STEADY_AT_BYTES, aspect)
        assert isinstance(unable, Unknown)
        assert "cannot tell" in str(unable.reason)
    for aspect in (Aspect.SNIA, Aspect.HELD):
        assert not isinstance(value(found.metrics, STEADY_AT_BYTES, aspect), Unknown)
    assert any("by whole capacities alone" in str(note) for note in found.notes)


def test_the_way_back_of_a_cache_is_told_from_a_log_after_each_rest(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    after = []
    for rest_s in (5, 10, 15, 30, 60, 120, 240):
        size_mb, rates, done = 10_000 + min(60_000, 400 * max(0, rest_s - 4)), [], 0.0
        for _ in range(600):
            rate = (3000 if done < size_mb else 800) * float(1 + 0.01 * random.standard_normal())
            done += rate / 10
            rates.append(rate)
        path = given(tmp_path, fio_log(rates, 100), f"r{rest_s}_bw.log")
        after.append((rest_s * 10**9, read(path)))
    found = reclaim_answer(after)
    assert value(found.metrics, RATE) == pytest.approx(400 * MB, rel=0.05)
    delay = next(one for one in found.metrics if one.key.quantity == DELAY)
    assert delay.low is not None
    assert delay.high is not None
    assert delay.low <= 4 <= delay.high


def test_a_log_that_ends_early_after_a_rest_is_said_with_its_own_length(tmp_path: Path) -> None:
    short = read(given(tmp_path, fio_log([3000.0] * 40), "short_bw.log"))
    whole = read(given(tmp_path, fio_log([3000.0] * 60), "whole_bw.log"))
    found = reclaim_answer([(5 * 10**9, short), (10 * 10**9, whole)])
    assert "first 40.0 s" in str(found.notes[0])
    assert {len(rung.series.time_ns) for rung in found.rungs} == {40}


def test_xz_is_unpacked_by_the_command_alone(tmp_path: Path) -> None:
    with pytest.raises(LogError):
        read(given(tmp_path, lzma.compress(fio_log(RATES).encode()), "a_bw.log.xz"))


def test_a_rate_that_overflows_is_as_unknown_as_none(tmp_path: Path) -> None:
    rows = [f"{at};{'1e308' if at == 50 else 900}\n" for at in range(100)]
    path = tmp_path / "a.csv"
    path.write_text("Time (s);Write (GB/s)\n" + "".join(rows))
    found = read_series((path,), SeriesSaid())
    assert np.isfinite(found.series.bytes_done).all()
