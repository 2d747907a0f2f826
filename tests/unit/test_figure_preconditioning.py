"""Preconditioning to steady state and write saturation: the series, criteria and phases (METHODS E1, E3, S)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, rows, texts, ticks
from tests.kit.sample_enterprise import CAPACITY_BYTES, Made, enterprise_bundle, with_series, written_series

from ssdlab.bundle.metric_key import Aspect
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.preconditioning import preconditioning
from ssdlab.figure.enterprise.wsat import wsat
from ssdlab.figure.kit.model import Figure, layers_of
from ssdlab.figure.kit.steady_series import ending_title, steady_runs
from ssdlab.message import message
from ssdlab.unknown import Unknown

FIRST, SECOND = Made(), Made(model="Lab PM2 7.68TB")
SPEEDS = [4e9] * 400 + [1e9] * 1600


def criteria(prefix: str, ended_by: str = "window") -> dict[str, tuple[float | str | Unknown, str]]:
    """`fio` fires at once after 2 x the capacity, `window` after 8 x, `snia` never."""
    found: dict[str, tuple[float | str | Unknown, str]] = {
        f"{prefix}.criterion": (ended_by, ""),
        f"{prefix}.first_at_bytes.fio": (0.01 * CAPACITY_BYTES, "B"),
        f"{prefix}.steady_at_bytes.fio": (2.0 * CAPACITY_BYTES, "B"),
        f"{prefix}.steady_after.fio": (100.0, "s"),
    }
    if ended_by == "window":
        found |= {
            f"{prefix}.first_at_bytes.window": (8.0 * CAPACITY_BYTES, "B"),
            f"{prefix}.steady_at_bytes.window": (8.0 * CAPACITY_BYTES, "B"),
            f"{prefix}.steady_after.window": (900.0, "s"),
        }
    return found


def conditioned(path: Path, made: Made = FIRST, ended_by: str = "window") -> Bundle:
    metrics = {**criteria("precondition.seq", ended_by), **criteria("precondition.rnd", ended_by)}
    return with_series(enterprise_bundle(made), path, written_series(SPEEDS), metrics)


def saturated(
    path: Path,
    made: Made = FIRST,
    steady: float | Unknown = 8.0 * CAPACITY_BYTES,
    speeds: Sequence[float] = SPEEDS,
) -> Bundle:
    metrics: dict[str, tuple[float | str | Unknown, str]] = {
        **criteria("precondition.rnd", "window" if isinstance(steady, float) else "not steady"),
        "wsat.fob_iops": (4e9 / 4096, "1/s"),
        "wsat.transition_at_bytes": (5.0 * CAPACITY_BYTES, "B"),
        "wsat.steady_from_bytes": (steady, "B"),
        "wsat.steady_iops": (speeds[-1] / 4096 if isinstance(steady, float) else steady, "1/s"),
    }
    return with_series(enterprise_bundle(made, "wsat"), path, written_series(speeds), metrics)


def shown(figure: Figure) -> list[str]:
    """Labels of a figure of two plots, each once."""
    return list(dict.fromkeys(texts(figure)))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[Figure]:
    return list(preconditioning([conditioned(tmp_path_factory.mktemp("a"))]))


@pytest.fixture(scope="module")
def saturation(tmp_path_factory: pytest.TempPathFactory) -> Figure:
    (figure,) = wsat([saturated(tmp_path_factory.mktemp("w"))])
    return figure


def test_each_preconditioning_has_a_figure_of_speed_and_latency(alone: list[Figure]) -> None:
    assert [(one.name, one.title) for one in alone] == snapshot(
        [
            ("preconditioning-seq-conditioning", "Sequential 128 KiB writes at QD256 until steady"),
            ("preconditioning-rnd-conditioning", "Random 4 KiB writes at QD256 until steady"),
        ]
    )
    assert [axes(one) for one in alone] == snapshot(
        [
            [(None, "write bandwidth (MiB/s)"), ("written (multiples of the capacity)", "latency (log scale)")],
            [(None, "random writes (IOPS)"), ("written (multiples of the capacity)", "latency (log scale)")],
        ]
    )
    assert ticks(alone[0], "x") == list(range(11))


def test_speeds_are_those_of_the_windows(alone: list[Figure]) -> None:
    for figure, unit in zip(alone, (1024**2, 4096), strict=True):
        name = "windows-mean-write-bandwidth" if unit > 4096 else "windows-mean-random-writes"
        line = rows(figure, name)
        assert (line[0]["y"], line[-1]["y"]) == (pytest.approx(4e9 / unit, 1e-5), pytest.approx(1e9 / unit, 1e-5))
        assert line[-1]["x"] == pytest.approx(10, abs=0.02)


def test_every_criterion_that_fired_is_marked_and_the_one_that_ended_it_said(alone: list[Figure]) -> None:
    assert [(row["x"], row["words"]) for row in rows(alone[0], "key-marks-write-bandwidth")] == snapshot(
        [
            (8.0, "window after 8.00 x the capacity, 30.7 TB, 15 min, which ended it"),
            (2.0, "fio after 2.00 x the capacity, 7.68 TB, 100 s"),
        ]
    )
    assert shown(alone[0]) == snapshot(["window 8.00 x, 30.7 TB, 15 min, ended it", "fio 2.00 x, 7.68 TB, 100 s"])
    assert alone[0].caption.partition("When")[2] == snapshot(
        " each criterion called the drive steady: window after 8.00 x, 15 min; snia never; fio after 2.00 x, 100 s (first held at 0.01 x)."
    )


def test_a_drive_that_never_got_steady_says_so(tmp_path: Path) -> None:
    figure = next(iter(preconditioning([conditioned(tmp_path, ended_by="not steady")])))
    assert figure.subtitle[-1] == snapshot("Not steady after 10.00 x the capacity, where the suite ends")
    assert "not steady" in texts(figure)
    assert_whole(figure)


def test_the_window_in_which_the_last_ios_drain_is_not_drawn(alone: list[Figure]) -> None:
    band = rows(alone[0], "windows-band-write-bandwidth")
    assert min(row["low"] for row in band) == pytest.approx(1e9 / 1024**2, 1e-5)


def test_it_can_be_zoomed_into_window_by_window(alone: list[Figure]) -> None:
    chart = alone[1].long_chart
    assert chart is not None
    assert (len(chart.series[0].x), chart.y_title, chart.note) == (2000, "random writes (IOPS)", "every window")


def test_several_drives_have_a_line_each_to_where_it_ended(tmp_path: Path) -> None:
    bundles = [conditioned(tmp_path / "a"), conditioned(tmp_path / "b", SECOND, "not steady")]
    figure = list(preconditioning(bundles))[1]
    assert axes(figure) == [("written (multiples of the capacity)", "random writes (IOPS)")]
    assert [row["words"] for row in rows(figure, "key-drives")] == snapshot(
        [
            "Lab PM2 7.68TB: not steady after 10.00 x the capacity, where the suite ends",
            "Lab PM1 3.84TB: ended by the criterion window after 10.00 x the capacity, 6 h 40 min",
        ]
    )
    assert_whole(figure)
    assert_inside_axes(figure)


def test_write_saturation_has_its_phases_shaded_and_named(saturation: Figure) -> None:
    assert (saturation.name, saturation.title) == ("wsat", "Write saturation: random 4 KiB writes at QD256")
    assert rows(saturation, "stretches-random-writes") == [{"x": 5.0, "x2": 8.0}]
    assert shown(saturation)[:3] == ["FOB", "transition", "steady"]


def test_the_name_of_a_phase_is_not_laid_over_a_curve_at_the_foot_of_the_plot(tmp_path: Path) -> None:
    slow = 3e8
    (figure,) = wsat([saturated(tmp_path, speeds=[4e9] * 400 + [slow] * 9600)])
    (height,) = {
        row["y"]
        for one in layers_of(figure.spec)
        for row in one.get("data", {}).get("values", [])
        if row.get("text") == "steady"
    }
    assert slow / 4096 < height < 4e9 / 4096 / 2


def test_its_levels_are_the_speeds_of_the_fresh_and_the_steady_drive(saturation: Figure) -> None:
    drawn = [(row["x"], row["x2"], row["words"]) for row in rows(saturation, "key-levels-random-writes")]
    assert drawn == [(0, 5, "FOB: 976,562 IOPS"), (8, pytest.approx(10), "steady: 244,141 IOPS")]
    assert "transition from 5.00 x; steady from 8.00 x the capacity" in saturation.caption


def test_a_saturation_that_never_gets_steady_ends_in_the_transition(tmp_path: Path) -> None:
    (figure,) = wsat([saturated(tmp_path, steady=Unknown(message("unknown-not-steady")))])
    assert "steady" not in texts(figure)
    assert "steady never" in figure.caption
    assert_whole(figure)


def test_a_saturation_is_no_preconditioning_and_the_other_way_round(tmp_path: Path) -> None:
    assert list(preconditioning([saturated(tmp_path / "w")])) == []
    assert list(wsat([conditioned(tmp_path / "c")])) == []


def test_everything_is_drawn_wide_and_narrow(alone: list[Figure], saturation: Figure) -> None:
    for figure in (*alone, saturation):
        assert_whole(figure)
        assert_inside_axes(figure)


def test_what_ended_it_is_said_even_where_another_mark_is_beside_it(tmp_path: Path) -> None:
    metrics = criteria("precondition.seq")
    metrics["precondition.seq.steady_at_bytes.fio"] = (7.95 * CAPACITY_BYTES, "B")
    metrics["precondition.seq.steady_at_bytes.snia"] = (8.05 * CAPACITY_BYTES, "B")
    metrics["precondition.seq.steady_after.snia"] = (901.0, "s")
    figure = next(iter(preconditioning([with_series(enterprise_bundle(), tmp_path, written_series(SPEEDS), metrics)])))
    assert set(shown(figure)) == snapshot(
        {"fio 7.95 x, 30.5 TB, 100 s", "snia 8.05 x 30.9 TB, 15 min", "window 8.00 x ended it"}
    )


def test_all_criteria_that_would_not_yet_have_ended_it_are_said(tmp_path: Path) -> None:
    run = next(steady_runs([conditioned(tmp_path, ended_by="held")]))[0]
    of_fio = {key: value for key, value in run.numbers.items() if key.aspect is Aspect.FIO}
    by_held = {replace(key, aspect=Aspect.HELD): value for key, value in of_fio.items()}
    assert ending_title(replace(run, numbers=by_held)).endswith("; by then not window, snia or fio")
