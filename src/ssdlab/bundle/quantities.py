"""Quantities: one definition of everything that is measured, and what is to be known of it wherever it is shown."""

import math
from dataclasses import dataclass, field
from enum import Enum

from ssdlab.message import Message, message


class Better(Enum):
    """Which end of a metric is good."""

    HIGHER = "higher is better"
    LOWER = "lower is better"
    NEAR_ZERO = "nearer to zero is better"


class ShownWhen(Enum):
    """When comparisons show a quantity."""

    ALWAYS = "always"
    IF_ASKED = "if asked"
    """There are dozens of percentiles a point."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """What is measured. Two of one word are the same."""

    word: str
    """In names of metrics."""
    unit: str = field(default="", compare=False)
    """SI, of all metrics of it; of a quantity that is not listed here only its metrics say it."""
    label: Message | None = field(default=None, compare=False)
    """For readers; the word where there is none."""
    low_is_good: Better | None = field(default=None, compare=False)
    """Set where more is not better and the unit does not tell: of times less is always better."""
    shown: ShownWhen = field(default=ShownWhen.ALWAYS, compare=False)
    percent_mark: str = field(default="_p", compare=False)
    """Between the word and a percentage."""
    least: float = field(default=0.0, compare=False)
    """No value of it is smaller: amounts, times and rates are not negative."""
    most: float = field(default=math.inf, compare=False)
    """Nor is one larger: a share of a whole."""

    def better(self, unit: str) -> Better:
        """Which end is good: times, errors of the mean and bad bytes are better low, all else high."""
        return Better.LOWER if unit in _TIMES else self.low_is_good or Better.HIGHER


_TIMES = {"ns", "s"}

IOPS = Quantity("iops", "1/s", label=message("metric-label-iops"))
BANDWIDTH = Quantity("bandwidth", "B/s", label=message("metric-label-bandwidth"))
CONSISTENCY = Quantity("consistency", "%", label=message("metric-label-consistency"), most=100)
RSE = Quantity("rse", "%", label=message("metric-label-rse"), low_is_good=Better.LOWER, shown=ShownWhen.IF_ASKED)
CLAT = Quantity("clat", "ns", shown=ShownWhen.IF_ASKED)
LAT = Quantity("lat", "ns", shown=ShownWhen.IF_ASKED)
"""Of these two there are only percentiles, from the submission and without it."""
CLAT_MEAN = Quantity("clat_mean", "ns", label=message("metric-label-clat-mean"))
LAT_MEAN = Quantity("lat_mean", "ns", label=message("metric-label-lat-mean"))
CLAT_MAX = Quantity("clat_max", "ns", label=message("metric-label-clat-max"))
WRITE_AMPLIFICATION = Quantity(
    "write_amplification", label=message("metric-label-write-amplification"), low_is_good=Better.LOWER
)
SILENCE = Quantity("silence", "s", label=message("metric-label-silence"), shown=ShownWhen.IF_ASKED)

MOVED_SHARE = Quantity(
    "moved", "%", label=message("metric-label-moved"), low_is_good=Better.LOWER, shown=ShownWhen.IF_ASKED, most=100
)
"""Of a replay: share of the bytes that lay beyond the end of the drive when they were recorded, and were done elsewhere on it."""
DURATION = Quantity("duration", "s", label=message("metric-label-duration"))
CACHE_BYTES = Quantity("cache_bytes", "B", label=message("metric-label-cache-bytes"))
CACHE_BANDWIDTH = Quantity("cache_bandwidth", "B/s", label=message("metric-label-cache-bandwidth"))
FOLDING_BANDWIDTH = Quantity("folding_bandwidth", "B/s", label=message("metric-label-folding-bandwidth"))
DIRECT_BANDWIDTH = Quantity("direct_bandwidth", "B/s", label=message("metric-label-direct-bandwidth"))
BANDWIDTH_MEAN = Quantity("bandwidth_mean", "B/s", label=message("metric-label-bandwidth-mean"))
BANDWIDTH_P1 = Quantity("bandwidth_p1", "B/s", label=message("metric-label-bandwidth-p1"))
LATENCY_MEAN_OVER_TIME = Quantity("latency_mean_over_time", "ns", label=message("metric-label-latency-mean-over-time"))
LATENCY_MEAN_OVER_IOS = Quantity("latency_mean_over_ios", "ns", label=message("metric-label-latency-mean-over-ios"))
AFTER_CACHE = Quantity("after_cache", label=message("metric-label-after-cache"))

REACH_BYTES = Quantity("reach_bytes", "B", label=message("metric-label-reach-bytes"))
BYTES = Quantity("bytes", "B", label=message("metric-label-bytes"))
DELAY = Quantity("delay", "s", label=message("metric-label-delay"))
RATE = Quantity("rate", "B/s", label=message("metric-label-rate"))

CRITERION = Quantity("criterion", label=message("metric-label-criterion"))
ROUTE = Quantity("route", label=message("metric-label-route"))
STEADY_AT_BYTES = Quantity("steady_at_bytes", "B", shown=ShownWhen.IF_ASKED)
STEADY_AFTER = Quantity("steady_after", "s", shown=ShownWhen.IF_ASKED)
FIRST_AT_BYTES = Quantity("first_at_bytes", "B", shown=ShownWhen.IF_ASKED)
STEADY_BANDWIDTH = Quantity("steady_bandwidth", "B/s", label=message("metric-label-steady-bandwidth"))
STEADY_IOPS = Quantity("steady_iops", "1/s", label=message("metric-label-steady-iops"))
FLAT_BYTES = Quantity("flat_bytes", "B", label=message("metric-label-flat-bytes"), shown=ShownWhen.IF_ASKED)
DRIFT = Quantity(
    "drift",
    "%",
    label=message("metric-label-drift"),
    low_is_good=Better.NEAR_ZERO,
    shown=ShownWhen.IF_ASKED,
    least=-math.inf,
)
"""Of the speed, a capacity written; it has a sign, and neither a rise nor a fall is good."""
MEASUREMENT_APART = Quantity(
    "measurement_apart",
    "%",
    label=message("metric-label-measurement-apart"),
    low_is_good=Better.LOWER,
    shown=ShownWhen.IF_ASKED,
)
FOB_IOPS = Quantity("fob_iops", "1/s", label=message("metric-label-fob-iops"))
TRANSITION_AT_BYTES = Quantity("transition_at_bytes", "B", label=message("metric-label-transition-at-bytes"))
STEADY_FROM_BYTES = Quantity("steady_from_bytes", "B", label=message("metric-label-steady-from-bytes"))

OFFERED_IOPS = Quantity("offered_iops", "1/s", label=message("metric-label-offered-iops"), shown=ShownWhen.IF_ASKED)
RESPONSE = Quantity("response", "ns", shown=ShownWhen.IF_ASKED)
"""Only percentiles, of the time from when an I/O was due to its completion."""
RESPONSE_MEAN = Quantity("response_mean", "ns", label=message("metric-label-response-mean"))
LATE = Quantity("late", "ns", shown=ShownWhen.IF_ASKED)
"""Only percentiles: of how late the host submitted."""
UNSUBMITTED = Quantity(
    "unsubmitted", label=message("metric-label-unsubmitted"), low_is_good=Better.LOWER, shown=ShownWhen.IF_ASKED
)
SATURATION_IOPS = Quantity("saturation_iops", "1/s", label=message("metric-label-saturation-iops"))
IOPS_WITHIN = Quantity("iops_within", "1/s")
"""Rate at which a percentile of the response latency just keeps a limit."""
KNEE_IOPS = Quantity("knee_iops", "1/s", label=message("metric-label-knee-iops"))
KNEE_LOAD = Quantity("knee_load", "%", label=message("metric-label-knee-load"))

ROUNDS = Quantity("rounds", label=message("metric-label-rounds"), low_is_good=Better.LOWER, shown=ShownWhen.IF_ASKED)
WINDOW_RANGE = Quantity(
    "window_range", "%", label=message("metric-label-window-range"), low_is_good=Better.LOWER, shown=ShownWhen.IF_ASKED
)
"""Largest less smallest of five rounds, of their mean."""
WINDOW_EXCURSION = Quantity(
    "window_excursion",
    "%",
    label=message("metric-label-window-excursion"),
    low_is_good=Better.LOWER,
    shown=ShownWhen.IF_ASKED,
)
"""How far the best line through five rounds goes, of their mean."""
IDLE_GAIN = Quantity("idle_gain", "%", label=message("metric-label-idle-gain"), least=-100)
"""By how much writes with idle time between are faster than without, in per cent."""
RECOVERY = Quantity("recovery", "s", label=message("metric-label-recovery"))
WAF_COUNTED = Quantity("waf_counted", label=message("metric-label-waf-counted"), low_is_good=Better.LOWER)
WAF_IMPLIED = Quantity("waf_implied", label=message("metric-label-waf-implied"), low_is_good=Better.LOWER)
WAF_MIXED = Quantity("waf_mixed", label=message("metric-label-waf-mixed"), shown=ShownWhen.IF_ASKED)
WAF_SEPARATED = Quantity("waf_separated", label=message("metric-label-waf-separated"), shown=ShownWhen.IF_ASKED)
"""By theory, with the spare space that uniform writes have shown: hot and cold data mixed, and each zone kept apart with its best share of it."""
EFFECTIVE_SPARE = Quantity("effective_spare", "%", label=message("metric-label-effective-spare"))
SEPARATES = Quantity("separates", label=message("metric-label-separates"))
SEPARATION = Quantity("separation", "%", label=message("metric-label-separation"), least=-math.inf)
GRADE = Quantity("grade", label=message("metric-label-grade"))

JOBS = Quantity("jobs", label=message("metric-label-jobs"))
PASS = Quantity("pass", label=message("metric-label-pass"))
WRITE_FLOOR = Quantity("write_floor", "B/s", label=message("metric-label-write-floor"))
TRIM_FLOOR = Quantity("trim_floor", "B/s", label=message("metric-label-trim-floor"))

BANDWIDTH_MIN = Quantity("bandwidth_min", "B/s", label=message("metric-label-bandwidth-min"))
BANDWIDTH_MEDIAN = Quantity("bandwidth_median", "B/s", label=message("metric-label-bandwidth-median"))
TIME_BELOW = Quantity(
    "time_below",
    "%",
    low_is_good=Better.LOWER,
    percent_mark="_",
    most=100,
)
"""Share of the time under so many per cent of the median."""
FLAT = Quantity("flat", label=message("metric-label-flat"))
NEED_MET = Quantity("need_met", "%", label=message("metric-label-need-met"), most=100)
SPEED_RETAINED = Quantity("speed_retained", "%", label=message("metric-label-speed-retained"))
BAD_BYTES = Quantity("bad_bytes", "B", label=message("metric-label-bad-bytes"), low_is_good=Better.LOWER)

ENERGY = Quantity("energy", "J", label=message("metric-label-energy"), low_is_good=Better.LOWER)
POWER_MEAN = Quantity("power_mean", "W", label=message("metric-label-power-mean"), low_is_good=Better.LOWER)
ENERGY_PER_GIB = Quantity(
    "energy_per_gib", "J/GiB", label=message("metric-label-energy-per-gib"), low_is_good=Better.LOWER
)
IOPS_PER_WATT = Quantity("iops_per_watt", "1/s/W", label=message("metric-label-iops-per-watt"))
POWER_MAX_1S = Quantity("power_max_1s", "W", label=message("metric-label-power-max-1s"), low_is_good=Better.LOWER)
POWER_MAX_100US = Quantity(
    "power_max_100us", "W", label=message("metric-label-power-max-100us"), low_is_good=Better.LOWER
)
POWER_QUANTITIES = frozenset({ENERGY, POWER_MEAN, ENERGY_PER_GIB, IOPS_PER_WATT, POWER_MAX_1S, POWER_MAX_100US})

QUANTITIES = {one.word: one for one in list(globals().values()) if isinstance(one, Quantity)}
"""By their words."""


def quantity_of(word: str) -> Quantity:
    """The quantity of that word; one of which nothing else is known where another program or a probe has words of its own."""
    return QUANTITIES.get(word) or Quantity(word, least=-math.inf)
