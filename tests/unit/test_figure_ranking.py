"""Ranking bars: the best on top, the drive under test standing out."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, axes, rows, scale, texts, ticks
from tests.kit.sample_client import SHARES, Made, client_bundle, weighted_iops, without

from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.ranking import fill_rankings, read_percent_rankings, sync_rankings
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.style import fitted

MIDDLE, BEST, LAST = (
    Made(),
    Made(model="Lab PM9 4TB", factor=1.5),
    Made(model="A drive with a rather long name", factor=0.5),
)


@pytest.fixture(scope="module")
def bundles() -> list[Bundle]:
    return [client_bundle(made) for made in (MIDDLE, BEST, LAST)]


@pytest.fixture(scope="module")
def figures(bundles: list[Bundle]) -> dict[str, Figure]:
    made = [*fill_rankings(bundles), *sync_rankings(bundles), *read_percent_rankings(bundles)]
    return {figure.name: figure for figure in made}


def test_the_method_ranks_by_four_numbers(figures: dict[str, Figure]) -> None:
    assert {name: (figure.title, axes(figure)[0]) for name, figure in figures.items()} == snapshot(
        {
            "ranking-fill-mean": (
                "Filling the drive: mean speed",
                ("mean write bandwidth over both passes (MiB/s)", "drive"),
            ),
            "ranking-fill-slowest": (
                "Filling the drive: slowest 1 %",
                ("write bandwidth in the slowest 1 % of pass 1 (MiB/s)", "drive"),
            ),
            "ranking-sync-write-rnd": (
                "Sync write: random 4 KiB",
                ("random 4 KiB sync writes at QD1 (IOPS)", "drive"),
            ),
            "ranking-rw-ratio-rnd": (
                "Random 4 KiB by read/write ratio: weighted mean",
                ("weighted mean of random 4 KiB I/O (IOPS)", "drive"),
            ),
        }
    )


def test_a_ranking_says_how_much_the_runs_in_it_differ() -> None:
    (figure,) = read_percent_rankings([client_bundle(MIDDLE), client_bundle(replace(BEST, rse_percent=7.25))])
    assert [text for text in texts(figure) if "RSE" in text] == ["73,120 IOPS, RSE 7.2 %"]
    assert "RSE: the largest relative standard error of the last three runs" in figure.caption


def test_bars_are_the_metrics_the_largest_first(figures: dict[str, Figure]) -> None:
    drawn = {name: [(row["name"], row["x"]) for row in rows(figure, "key-bars")] for name, figure in figures.items()}
    mixed = [weighted_iops(share) for share in SHARES if 0 < share < 100]
    first = {
        "ranking-fill-mean": 1700,
        "ranking-fill-slowest": 1100,
        "ranking-sync-write-rnd": 1200,
        "ranking-rw-ratio-rnd": sum(mixed) / len(mixed),
    }
    for name, value in first.items():
        assert drawn[name] == [
            (made.model, pytest.approx(value * made.factor, rel=1e-5)) for made in (BEST, MIDDLE, LAST)
        ]
        assert ticks(figures[name], "y") == [made.model for made in (BEST, MIDDLE, LAST)]


def test_bars_begin_at_zero(figures: dict[str, Figure]) -> None:
    for figure in figures.values():
        assert scale(figure.spec, "x")["domain"][0] == 0
        assert scale(figure.spec, "x")["type"] == "linear"


def test_values_stand_at_the_bars_with_their_unit(figures: dict[str, Figure]) -> None:
    assert sorted(texts(figures["ranking-fill-mean"])) == snapshot(["1,700 MiB/s", "2,600 MiB/s", "850 MiB/s"])


def test_the_drive_under_test_has_the_full_colour_and_a_bold_value(figures: dict[str, Figure]) -> None:
    figure = figures["ranking-fill-mean"]

    opacity = {row["name"]: row["opacity"] for row in rows(figure, "key-bars")}
    assert opacity[MIDDLE.model] == 1
    assert opacity[BEST.model] == opacity[LAST.model] < 1
    assert [row["name"] for row in rows(figure, "values-under-test")] == [MIDDLE.model]


def test_intervals_are_drawn_where_the_metric_has_one(figures: dict[str, Figure]) -> None:
    interval = next(row for row in rows(figures["ranking-fill-mean"], "intervals") if row["name"] == MIDDLE.model)

    assert (interval["low"], interval["high"]) == pytest.approx((1700 * 0.95, 1700 * 1.05), rel=1e-5)
    assert "95 % interval" in figures["ranking-fill-mean"].caption
    assert "interval" not in figures["ranking-fill-slowest"].caption


def test_a_number_that_failed_its_audit_is_marked() -> None:
    failed = client_bundle(replace(MIDDLE, failed={"fill.bandwidth_mean": ("coverage.fill",)}))

    mean, _ = fill_rankings([failed])

    assert texts(mean) == snapshot(["1,700 MiB/s ✗"])
    assert rows(mean, "key-bars")[0]["words"] == snapshot("Lab PM1 1TB: 1,700 MiB/s, failed coverage.fill")


def test_drives_without_the_number_are_named(bundles: list[Bundle]) -> None:
    mean, _ = fill_rankings([bundles[0], without(bundles[1], "fill.bandwidth")])

    assert len(rows(mean, "key-bars")) == 1
    assert mean.caption.endswith("No value: Lab PM9 4TB.")
    assert mean.subtitle[0].startswith("Lab PM1 1TB")


def test_without_any_number_there_is_no_figure(bundles: list[Bundle]) -> None:
    assert list(fill_rankings([without(one, "fill") for one in bundles])) == []


def test_writing_the_file_of_a_desktop_benchmark_is_no_fill_of_the_drive() -> None:
    assert list(fill_rankings([client_bundle(made, suite="cdm") for made in (MIDDLE, BEST)])) == []


def test_the_pictures_are_whole(figures: dict[str, Figure], bundles: list[Bundle]) -> None:
    for figure in [*figures.values(), *fill_rankings(bundles[:1])]:
        assert_inside_axes(figure)
        assert_whole(figure)


def test_a_name_without_a_blank_is_broken_rather_than_leave_no_room_for_bars() -> None:
    bundles = [client_bundle(Made(model="W" * 200)), client_bundle(Made(model="Lab PM2 2TB"))]
    assert list(fill_rankings(bundles))
    assert [len(line) for line in fitted("M" * 50, 100, 12)] == [14, 14, 14, 8]
    assert fitted("of several words", 60, 12) == ["of", "several", "words"]
