"""How long the I/Os took with which a method after a published text ends (SNIA PTS LAT, WSAT): all of them, by percentile."""

from collections.abc import Iterator, Sequence

from ssdlab.analysis.statistics.percentile import SAMPLES_ABOVE_MIN, merged
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.quantities import IOPS
from ssdlab.bundle.read import Bundle
from ssdlab.engine.result import LatencyKind
from ssdlab.figure.enterprise.rounds import cell_words
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.latency_axis import latency_text
from ssdlab.figure.kit.model import Figure
from ssdlab.figure.kit.readings import readings
from ssdlab.figure.kit.say import say
from ssdlab.figure.kit.subject import mix_title, pattern_of_blocks_title
from ssdlab.figure.kit.suite_steps import measure_steps, measured_points, published_by
from ssdlab.figure.kit.tail import TailWords, curve_of_bins, tail_figure
from ssdlab.job import Job, StepKind
from ssdlab.message import message, number
from ssdlab.method.kinds.measure import MeasureStep
from ssdlab.method.kinds.rounds import Cell
from ssdlab.point import Point
from ssdlab.unknown import Unknown


def response_time(bundles: Sequence[Bundle]) -> Iterator[Figure]:
    """Of the device under test, for each step of one point in a suite that follows a published text."""
    bundle = bundles[0]
    if published_by(bundle) is None:
        return
    for step in measure_steps(bundle):
        points = measured_points(bundle, step.name)
        if len(points) == 1:
            ((point, job),) = points.items()
            yield from _figures(bundle, step, point, job)


def _figures(bundle: Bundle, said: MeasureStep, point: Point, job: Job) -> Iterator[Figure]:
    """One; none where so few I/Os were done that no percentile is known."""
    steps = [one for one in bundle.finished() if one.point == point and one.kind is StepKind.MEASURE]
    of_all = [kinds[LatencyKind.CLAT] for step in steps for kinds in bundle.histograms(step).values()]
    if not any(one.total for one in of_all):
        return
    found = merged(of_all)
    rate = readings(bundle).get(MetricKey(point, IOPS))
    iops = Unknown(message("unknown-not-measured")) if rate is None else rate.value
    label = cell_words(Cell(job.read_percent, job.block_bytes))
    curve = curve_of_bins(label, iops, found.bin_index, found.count)
    if not len(curve.nines):
        return
    work, mix = pattern_of_blocks_title(job.pattern, job.block_bytes), mix_title(job.read_percent)
    done = message("figure-done-at-depth", work=work, mix=mix, depth=job.in_flight)
    caption = message(
        "figure-response-caption",
        ios=number(found.total),
        mean=latency_text(found.mean_ns),
        longest=latency_text(found.max_ns),
        count=SAMPLES_ABOVE_MIN,
    )
    words = TailWords(
        name=f"response-{said.name.replace('_', '-')}",
        title=say(message("figure-by-percentile", done=done)),
        subtitle=subtitle_of([bundle], [step.state for step in steps]),
        caption=say(caption),
        latency=message("figure-completion-latency"),
    )
    yield tail_figure([curve], words)
