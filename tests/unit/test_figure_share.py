"""Figures over the read/write ratio: the curves of one drive, of several, and the weighted ones (METHODS C6)."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import (
    assert_inside_axes,
    assert_whole,
    axes,
    layer_names,
    panel_titles,
    rows,
    scale,
    texts,
    ticks,
)
from tests.kit.sample_client import DEPTHS, SHARES, Made, client_bundle, share_iops, weighted_iops, without

from ssdlab.bundle.model import SuiteText
from ssdlab.figure.client.read_percent import by_read_percent, by_read_percent_if_unweighted
from ssdlab.figure.client.weighted import weighted
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.registry import _ALONE, _BESIDE, _SHOWN_BESIDE

FIRST, SECOND = Made(), Made(model="Lab PM2 2TB", factor=0.5)


@pytest.fixture(scope="module")
def alone() -> Figure:
    (figure,) = by_read_percent([client_bundle(FIRST)])
    return figure


@pytest.fixture(scope="module")
def beside() -> Figure:
    (figure,) = by_read_percent([client_bundle(FIRST), client_bundle(SECOND)])
    return figure


@pytest.fixture(scope="module")
def curves() -> Figure:
    (figure,) = weighted([client_bundle(FIRST), client_bundle(SECOND)])
    return figure


def test_one_drive_has_a_line_for_each_queue_depth(alone: Figure) -> None:
    assert axes(alone) == snapshot([("share of reads (%)", "random 4 KiB I/O (IOPS, log scale)")])
    assert ticks(alone, "x") == list(SHARES)
    lines = rows(alone, "shares-compared")
    assert list(dict.fromkeys(row["label"] for row in lines)) == snapshot(["QD1", "QD2", "QD4"])
    assert len(lines) == len(DEPTHS) * len(SHARES)


def test_every_point_is_the_metric(alone: Figure) -> None:
    drawn = {(row["label"], row["x"]): row["y"] for row in rows(alone, "key-shares")}

    assert drawn == {
        (f"QD{depth}", share): pytest.approx(share_iops(depth, share), rel=1e-5) for depth in DEPTHS for share in SHARES
    }


def test_points_are_said_in_words(alone: Figure) -> None:
    assert rows(alone, "key-shares")[3]["words"] == snapshot("Lab PM1 1TB, QD1, 30 % reads: 46,500 IOPS")


def test_several_drives_have_a_plot_for_each_queue_depth(beside: Figure) -> None:
    assert panel_titles(beside) == snapshot(["QD1", "QD2", "QD4"])
    assert axes(beside) == [("share of reads (%)", "random 4 KiB I/O (IOPS, log scale)")] * 3
    for depth in DEPTHS:
        drawn = {(row["label"], row["x"]): row["y"] for row in rows(beside, f"key-q{depth}")}
        assert drawn["Lab PM1 1TB", 30] == pytest.approx(share_iops(depth, 30), rel=1e-5)
        assert drawn["Lab PM2 2TB", 30] == pytest.approx(share_iops(depth, 30, 0.5), rel=1e-5)


def test_all_plots_have_one_scale(beside: Figure) -> None:
    domains = [plot["layer"][0]["encoding"]["y"]["scale"]["domain"] for plot in beside.spec["hconcat"]]

    assert domains[0] == domains[1] == domains[2]


def test_the_drive_under_test_is_drawn_thick_and_last(beside: Figure) -> None:
    compared, under_test = (
        next(one for one in beside.spec["hconcat"][0]["layer"] if one["name"] == name)
        for name in ("q1-compared", "q1-under-test")
    )

    assert {row["label"] for row in under_test["data"]["values"]} == {"Lab PM1 1TB"}
    assert under_test["mark"]["strokeWidth"] > compared["mark"]["strokeWidth"]
    names = layer_names(beside)
    assert names.index("q1-compared") < names.index("q1-under-test")


def test_runs_that_differ_too_much_are_hollow_and_say_how_much() -> None:
    (figure,) = by_read_percent([client_bundle(replace(FIRST, rse_percent=7.25))])

    assert len(rows(figure, "shares-holes")) == len(DEPTHS) * len(SHARES)
    assert "RSE 7.2 %" in texts(figure)
    assert "Hollow: the last three runs still had a relative standard error (RSE) of 5 % or more." in figure.caption


def test_runs_that_agree_are_not_remarked_on(alone: Figure) -> None:
    assert "shares-holes" not in layer_names(alone)
    assert "RSE" not in " ".join(texts(alone))
    assert "The last three runs of every point have a relative standard error under 5 %." in alone.caption
    assert "In bandwidth, 256 IOPS are 1 MiB/s." in alone.caption


def test_a_point_that_failed_its_audit_is_hollow() -> None:
    failed = {"rw_ratio.rnd.q1.r30.iops": ("io.errors",)}

    (figure,) = by_read_percent([client_bundle(replace(FIRST, failed=failed))])

    (hole,) = rows(figure, "shares-holes")
    assert hole["words"] == snapshot("Lab PM1 1TB, QD1, 30 % reads: 46,500 IOPS, failed io.errors")


def test_drives_of_like_speed_share_a_linear_axis_from_zero() -> None:
    bundle = client_bundle(FIRST)
    even = replace(
        bundle,
        metrics=tuple(
            replace(metric, value=10_000.0) if metric.unit == "1/s" and metric.name.startswith("rw_ratio") else metric
            for metric in bundle.metrics
        ),
    )

    (figure,) = by_read_percent([even])

    assert scale(figure.spec, "y")["type"] == "linear"
    assert scale(figure.spec, "y")["domain"][0] == 0


def test_each_drive_has_one_weighted_curve(curves: Figure) -> None:
    assert axes(curves) == snapshot([("share of reads (%)", "weighted random 4 KiB I/O (IOPS)")])
    drawn = {(row["label"], row["x"]): row["y"] for row in rows(curves, "key-weighted")}
    for made in (FIRST, SECOND):
        for share in SHARES:
            assert drawn[made.model, share] == pytest.approx(weighted_iops(share, made.factor), rel=1e-5)
    assert len(drawn) == 2 * len(SHARES)
    assert curves.caption == snapshot("Random 4 KiB, each point 80 % QD1 + 15 % QD2 + 5 % QD4.")


def test_a_weighted_curve_says_how_much_the_runs_in_it_differ() -> None:
    bundles = [client_bundle(FIRST), client_bundle(replace(SECOND, rse_percent=7.25))]
    (figure,) = weighted(bundles)

    assert len(rows(figure, "weighted-holes")) == len(SHARES)
    assert "RSE 7.2 %" in texts(figure)
    assert "of 5 % or more; the largest stands beside it." in figure.caption


def test_several_drives_stand_beside_each_other_only_weighted() -> None:
    bundles = [client_bundle(FIRST), client_bundle(SECOND)]
    assert list(by_read_percent_if_unweighted(bundles)) == []
    assert by_read_percent_if_unweighted in _BESIDE
    assert by_read_percent in _ALONE
    assert by_read_percent not in _SHOWN_BESIDE


def test_the_table_is_a_matrix(beside: Figure) -> None:
    assert [f"{one.title} {one.unit}".strip() for one in beside.table.columns][:4] == snapshot(
        ["drive", "queue depth", "0 % reads IOPS", "10 % reads IOPS"]
    )
    assert beside.table.rows[0][:4] == snapshot(("Lab PM1 1TB", "QD1", "60,000", "55,500"))
    assert len(beside.table.rows) == 2 * len(DEPTHS)


def test_quick_runs_are_marked() -> None:
    for build in (by_read_percent, weighted):
        (figure,) = build([client_bundle(made, profile="quick") for made in (FIRST, SECOND)])
        assert "quick profile: not comparable" in figure.spec["title"]["subtitle"]
        assert "not comparable" in " ".join(figure.narrow_spec["title"]["subtitle"])


def test_models_are_named_as_such() -> None:
    virtual, other = (
        replace(bundle, run=replace(bundle.run, spec_text="[geometry]"))
        for bundle in (client_bundle(FIRST), client_bundle(SECOND))
    )

    (figure,) = by_read_percent([virtual, client_bundle(SECOND)])
    (every,) = by_read_percent([virtual, other])

    assert "2 drives · 1 of them virtual" in figure.subtitle[0]
    assert "2 drives · virtual drives" in every.subtitle[0]


def test_two_runs_of_one_drive_keep_their_names_apart() -> None:
    (figure,) = weighted([client_bundle(FIRST), client_bundle(FIRST)])

    assert sorted({row["label"] for row in rows(figure, "key-weighted")}) == snapshot(
        ["Lab PM1 1TB, 2026-01-20", "Lab PM1 1TB, 2026-01-20, run 2"]
    )


def test_a_drive_without_the_points_is_left_out() -> None:
    (figure,) = weighted([client_bundle(FIRST), without(client_bundle(SECOND), "rw_ratio")])

    assert {row["label"] for row in rows(figure, "key-weighted")} == {"Lab PM1 1TB"}
    assert list(by_read_percent([without(client_bundle(FIRST), "rw_ratio")])) == []


def test_a_drive_under_test_without_the_points_does_not_hide_those_of_the_others() -> None:
    (figure,) = weighted([without(client_bundle(FIRST), "rw_ratio"), client_bundle(SECOND)])

    assert {row["label"] for row in rows(figure, "key-weighted")} == {"Lab PM2 2TB"}


def test_a_suite_this_version_cannot_read_has_no_such_figure() -> None:
    bundle = client_bundle(FIRST)
    broken = SuiteText(name="client", version="0", text="[[step]]", sha256="")

    assert list(by_read_percent([replace(bundle, run=replace(bundle.run, suite=broken))])) == []


def test_the_pictures_are_whole(alone: Figure, beside: Figure, curves: Figure) -> None:
    for figure in (alone, beside, curves):
        assert_inside_axes(figure)
        assert_whole(figure)
