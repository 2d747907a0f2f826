"""What the operator states of drives, in the figures that it concerns: class, consistency and percentiles of a datasheet."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.figure_content import assert_inside_axes, assert_whole, layer_names, rows, texts
from tests.kit.sample_client import Made as Consumer
from tests.kit.sample_client import client_bundle
from tests.kit.sample_enterprise import Made, enterprise_bundle, with_every_io

from ssdlab.bundle.read import Bundle
from ssdlab.figure.client.ranking import fill_rankings, sync_rankings
from ssdlab.figure.enterprise.consistency import consistency
from ssdlab.figure.enterprise.tail_qd1 import tail_qd1
from ssdlab.figure.kit.stated import (
    Datasheet,
    DatasheetValue,
    DriveClass,
    StatedDrive,
    StatedFacts,
    StatedLoad,
    StatedQuantity,
    facts_stated,
)

NOTHING = StatedDrive(
    drive_class=None,
    controller=None,
    flash=None,
    heatsink=None,
    purged_by=None,
    price=None,
    photo=None,
    notes=None,
    datasheet=None,
)
READ_90 = DatasheetValue(
    load=StatedLoad.RANDOM_READ,
    quantity=StatedQuantity.CONSISTENCY,
    value=90.0,
    block_bytes=4096,
    queue_depth=None,
    state=None,
    percentile=None,
)
WRITE_90 = replace(READ_90, load=StatedLoad.RANDOM_WRITE)
READ_TAIL = replace(READ_90, quantity=StatedQuantity.LATENCY, value=120_000.0, percentile="99.99")


@contextmanager
def stated(bundle: Bundle, *values: DatasheetValue) -> Iterator[None]:
    drive = replace(NOTHING, datasheet=Datasheet(source=None, endurance_bytes=None, values=values))
    with facts_stated({bundle.path: StatedFacts(None, drive)}):
        yield


def of_classes(*classes: DriveClass | None) -> tuple[list[Bundle], dict[Path, StatedFacts]]:
    bundles = [
        replace(client_bundle(Consumer(model=f"Drive {number}")), path=Path(f"run{number}"))
        for number in range(len(classes))
    ]
    told = [StatedFacts(None, replace(NOTHING, drive_class=one)) for one in classes]
    return bundles, {bundle.path: facts for bundle, facts in zip(bundles, told, strict=True)}


# Durable writes


def test_durable_writes_of_enterprise_drives_are_no_comparison_for_a_consumer_drive() -> None:
    bundles, facts = of_classes(DriveClass.CLIENT, DriveClass.ENTERPRISE, DriveClass.INDUSTRIAL)
    with facts_stated(facts):
        (figure,) = sync_rankings(bundles)
        filled = next(iter(fill_rankings(bundles)))

    assert sorted(str(row[0]) for row in figure.table.rows) == ["Drive 0", "Drive 2"]
    assert "Left out, being enterprise drives by what is stated of them: Drive 1." in figure.caption
    assert len(filled.table.rows) == 3


@pytest.mark.parametrize("first", [None, DriveClass.CLIENT])
def test_a_drive_of_which_no_class_is_stated_stays(first: DriveClass | None) -> None:
    bundles, facts = of_classes(first, None)
    with facts_stated(facts):
        (figure,) = sync_rankings(bundles)

    assert len(figure.table.rows) == 2
    assert "Left out" not in figure.caption


def test_enterprise_drives_are_compared_with_each_other() -> None:
    bundles, facts = of_classes(DriveClass.ENTERPRISE, DriveClass.ENTERPRISE, DriveClass.CLIENT)
    with facts_stated(facts):
        (figure,) = sync_rankings(bundles)

    assert len(figure.table.rows) == 3


# Consistency


def test_a_stated_consistency_is_a_line_with_the_loads_it_is_stated_for() -> None:
    bundle = enterprise_bundle(Made())
    with stated(bundle, READ_90, WRITE_90):
        (figure,) = consistency([bundle])

    assert [(row["y"], row["words"]) for row in rows(figure, "key-stated")] == snapshot(
        [(90.0, "datasheet: 90 % (Random 4 KiB read, Random 4 KiB write)")]
    )
    assert_whole(figure)
    assert_inside_axes(figure)


def test_beside_other_drives_it_stands_in_the_plot_of_its_load() -> None:
    first, second = (
        replace(enterprise_bundle(Made(model=name)), path=Path(name)) for name in ("Lab PM1 3.84TB", "Lab PM2 7.68TB")
    )
    with stated(second, WRITE_90):
        figures = list(consistency([first, second]))

    lines = [(one.name, name) for one in figures for name in layer_names(one) if name.startswith("key-stated")]
    assert lines == [("consistency-rnd-1", "key-stated1")]
    assert [row["words"] for row in rows(figures[1], "key-stated1")] == ["datasheet: 90 % (Lab PM2 7.68TB)"]


def test_without_a_datasheet_no_figure_has_a_line_of_one() -> None:
    (figure,) = consistency([enterprise_bundle(Made())])
    assert [name for name in layer_names(figure) if "stated" in name] == []


# Tails


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    latencies = {share: [50_000] * 11_976 + [300_000] * 24 for share in (0, 50, 70, 95, 100)}
    return with_every_io(enterprise_bundle(Made()), tmp_path_factory.mktemp("run"), latencies)


def test_a_stated_percentile_is_a_cross_where_the_curve_would_have_to_be(kept: Bundle) -> None:
    with stated(kept, READ_TAIL):
        (figure,) = tail_qd1([kept])

    cross = rows(figure, "key-stated")
    assert [(row["x"], round(row["y"], 6)) for row in cross] == [(120, 4)]
    assert cross[0]["words"] == snapshot("datasheet, 4 KiB read: 99.99 % within 120 µs")
    assert cross[0]["words"] in texts(figure)
    assert_whole(figure)


@pytest.mark.parametrize(("percent", "height"), [("99.95", 3.30103), ("99.999", 5.0), ("50", 0.555556)])
def test_percentiles_between_the_nines_stand_between_them(kept: Bundle, percent: str, height: float) -> None:
    with stated(kept, replace(READ_TAIL, percentile=percent)):
        (figure,) = tail_qd1([kept])

    assert [round(row["y"], 6) for row in rows(figure, "key-stated")] == [pytest.approx(height, abs=1e-5)]


def test_what_is_stated_beyond_the_axis_widens_it(kept: Bundle) -> None:
    with stated(kept, replace(READ_TAIL, value=80e6)):
        (figure,) = tail_qd1([kept])

    assert [row["x"] for row in rows(figure, "key-stated")] == [80_000]
    assert_inside_axes(figure)


@pytest.mark.parametrize(
    "other",
    [
        replace(READ_TAIL, queue_depth=32),
        replace(READ_TAIL, percentile=None),
        replace(READ_TAIL, block_bytes=65536),
        replace(READ_TAIL, load=StatedLoad.SEQUENTIAL_READ),
    ],
)
def test_what_is_stated_of_another_load_is_not_drawn(kept: Bundle, other: DatasheetValue) -> None:
    with stated(kept, other):
        (figure,) = tail_qd1([kept])

    assert [name for name in layer_names(figure) if "stated" in name] == []
