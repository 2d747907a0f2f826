"""`metrics.json` of many jobs is written part by part, and is what it would be if it were written at once."""

import math

import pytest

from ssdlab.bundle import layout
from ssdlab.bundle.metric_key import Aspect, MetricKey
from ssdlab.bundle.model import Metric
from ssdlab.bundle.quantities import CLAT, IOPS
from ssdlab.engine.result import Direction
from ssdlab.job import DriveState
from ssdlab.message import duration, message, verbatim
from ssdlab.point import CoordinateAxis, Point, labelled
from ssdlab.unknown import Unknown

ODD = 'a "b"\n\\ \x7f \u2028 ä 가'
NUMBERS: tuple[float, ...] = (1, 1.0, 1e-7, 1e22, -0.0, math.nan, math.inf, True)
READ = Point("step").at(CoordinateAxis.LABEL, "read")
MIX = Point("step").at(CoordinateAxis.NAMED_READ_PERCENT, 100)


def metric(value: float | str | Unknown, point: Point = READ) -> Metric:
    return Metric(key=MetricKey(point, IOPS), value=value, unit="1/s", state=DriveState.UNKNOWN, step=point.step)


@pytest.mark.parametrize(
    "metrics",
    [
        (),
        tuple(metric(at, labelled("fio", f"job {at}")) for at in range(2500)),
        # Points of one name are equal, and not in JSON.
        (metric(1, READ), metric(1, MIX), metric(1, READ)),
        (*(metric(value) for value in NUMBERS), metric("word")),
        (metric(Unknown(message("audit-no-plan"))), metric(Unknown(message("audit-no-median", kind=ODD)))),
        (
            Metric(
                key=MetricKey(labelled("fio", ODD), CLAT, "99.9", Direction.READ, Aspect.HELD),
                value=1.5,
                unit="ns",
                state=DriveState.THREE_QUARTERS_FULL,
                step=ODD,
                low=1,
                high=2.5,
                note=message("audit-together", findings=duration(3.0)),
                failed_checks=("one", ODD),
            ),
            Metric(
                key=MetricKey(Point(""), IOPS), value=0, unit="", state=DriveState.UNKNOWN, step="", note=verbatim(ODD)
            ),
        ),
    ],
    ids=["none", "more than are in memory at a time", "points of one name", "values", "unknown", "all fields"],
)
def test_metrics_in_parts_have_the_bytes_of_those_written_whole(metrics: tuple[Metric, ...]) -> None:
    assert b"".join(layout.metric_parts(metrics)) == layout.pretty_json(layout.METRICS_ADAPTER, metrics)
