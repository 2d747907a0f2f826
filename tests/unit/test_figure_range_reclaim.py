"""Active range, which is only shown where performance falls, and SLC cache reclaim (METHODS C3, C8)."""

import itertools
from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import (
    assert_inside_axes,
    assert_whole,
    axes,
    layer_names,
    rows,
    scale,
    texts,
    ticks,
)
from tests.kit.sample_client import RESTS_S, Made, client_bundle, range_iops, reclaimed_bytes, without

from ssdlab.figure.client.active_range import active_range
from ssdlab.figure.client.reclaim import reclaim
from ssdlab.figure.kit.model import Figure, plots_of
from ssdlab.units import GIB

FLAT, FALLING = Made(), Made(model="Lab QLC 1TB", factor=0.5, reach_bytes=48 * GIB)


@pytest.fixture(scope="module")
def ranges() -> Figure:
    (figure,) = active_range([client_bundle(FLAT), client_bundle(FALLING)])
    return figure


@pytest.fixture(scope="module")
def rests() -> Figure:
    (figure,) = reclaim([client_bundle(FLAT), client_bundle(FALLING)])
    return figure


def test_without_a_drop_there_is_no_figure_of_the_active_range() -> None:
    assert list(active_range([client_bundle(FLAT)])) == []
    assert list(active_range([client_bundle(FLAT), client_bundle(replace(FLAT, model="other"))])) == []


def test_one_drive_that_falls_brings_the_others_along(ranges: Figure) -> None:
    assert axes(ranges) == snapshot([("active range (log scale)", "random 4 KiB reads (IOPS)")])
    drawn = {(row["label"], row["x"]): row["y"] for row in rows(ranges, "key-ranges")}
    for made in (FLAT, FALLING):
        points = {size: speed for (label, size), speed in drawn.items() if label == made.model}
        assert len(points) == 11
        for size, speed in points.items():
            assert speed == pytest.approx(range_iops(size * 0.99999, made), rel=1e-5)
    assert "No drop within the drive: Lab PM1 1TB." in ranges.caption


def test_ranges_are_labelled_at_their_doublings(ranges: Figure) -> None:
    assert [tick / GIB for tick in ticks(ranges, "x")] == snapshot(
        [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0]
    )
    assert scale(ranges.spec, "x")["type"] == "log"


def test_the_reach_is_marked_with_its_interval(ranges: Figure) -> None:
    (mark,) = rows(ranges, "key-reach")

    assert mark["x"] == pytest.approx(48 * GIB, rel=1e-5)
    assert (mark["low"], mark["high"]) == pytest.approx((0.9 * 48 * GIB, 1.1 * 48 * GIB), rel=1e-5)
    assert mark["words"].startswith("Lab QLC 1TB: the mapping cache reaches over 48")
    assert "Lab QLC 1TB: reach 48 GiB" in texts(ranges)


def test_a_single_drive_needs_no_legend() -> None:
    (figure,) = active_range([client_bundle(FALLING)])

    assert figure.spec["layer"][-3]["encoding"]["color"]["legend"] is None
    assert "reach 48 GiB" in texts(figure)


def test_each_bar_is_what_was_written_after_a_rest(rests: Figure) -> None:
    assert axes(rests) == snapshot([("rest before the write (s)", "written in 60 s (GiB)")])
    bars = rows(rests, "key-written")
    expected = [reclaimed_bytes(rest_s, made.factor) / GIB for made in (FLAT, FALLING) for rest_s in RESTS_S]
    assert [bar["y"] for bar in bars] == pytest.approx(expected, rel=1e-5)
    assert bars[0]["words"] == snapshot("Lab PM1 1TB, after 5 s of rest: 110.0 GiB (118.1 GB)")


def test_bars_stand_in_groups_by_drive_under_its_name(rests: Figure) -> None:
    bars = rows(rests, "key-written")
    gaps = [right["x"] - left["x2"] for left, right in itertools.pairwise(bars)]

    assert [number for number, gap in enumerate(gaps) if gap > 0.5] == [len(RESTS_S) - 1]
    assert [text for text in texts(rests) if text.startswith("Lab")] == ["Lab PM1 1TB", "Lab QLC 1TB"]


def test_the_rests_are_the_labels_of_the_bars(rests: Figure) -> None:
    encoding = next(one for one in rests.spec["layer"] if one["name"] == "key-written")["encoding"]

    for rest_s in RESTS_S:
        assert f'"{rest_s}"' in encoding["x"]["axis"]["labelExpr"]
    assert len(ticks(rests, "x")) == 2 * len(RESTS_S)


def test_on_a_phone_each_drive_has_a_plot_of_its_own_with_one_scale(rests: Figure) -> None:
    plots = plots_of(rests.narrow_spec)

    assert [plot["title"]["text"] for plot in plots] == ["Lab PM1 1TB", "Lab QLC 1TB"]
    assert len({tuple(plot["layer"][0]["encoding"]["y"]["scale"]["domain"]) for plot in plots}) == 1


def test_a_drive_that_skipped_the_ladder_is_named() -> None:
    (figure,) = reclaim([client_bundle(FLAT), without(client_bundle(FALLING), "reclaim")])

    assert len(rows(figure, "key-written")) == len(RESTS_S)
    assert figure.caption.endswith("No value: Lab QLC 1TB.")
    assert list(reclaim([without(client_bundle(FLAT), "reclaim")])) == []


def test_a_single_drive_has_its_values_above_the_bars() -> None:
    (figure,) = reclaim([client_bundle(FLAT)])

    assert texts(figure) == snapshot(["110", "120", "130", "160", "220", "220", "220"])
    assert layer_names(figure) == snapshot(["key-written", "written-values-center-halo", "written-values-center"])


def test_the_pictures_are_whole(ranges: Figure, rests: Figure) -> None:
    (alone,) = reclaim([client_bundle(FLAT)])
    for figure in (ranges, rests, alone):
        assert_inside_axes(figure)
        assert_whole(figure)
