"""Drives of which all that a first screen may tell is drawn by chance: values of all sizes, ties, intervals of all widths and none,
what is unknown, zero, or failed a check. What is true of them is the drawing itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tests.kit.metric_names import key
from tests.kit.planned_bundle import planned_bundle
from tests.kit.sample_bundle import run_info

from ssdlab.analysis.metrics.sustain import ALL_READINGS, NOT_ALL_READ
from ssdlab.bundle.files import BundleFiles, Unlisted
from ssdlab.bundle.layout import step_directory
from ssdlab.bundle.metric_key import MetricKey
from ssdlab.bundle.model import Metric, Step
from ssdlab.bundle.quantities import (
    BAD_BYTES,
    BANDWIDTH_MEAN,
    BANDWIDTH_MEDIAN,
    BANDWIDTH_MIN,
    CACHE_BYTES,
    FLAT,
    NEED_MET,
    RECOVERY,
    TIME_BELOW,
    Quantity,
    quantity_of,
)
from ssdlab.bundle.read import Bundle
from ssdlab.job import DriveState
from ssdlab.message import Message, bandwidth_decimal, duration, message, number, size_decimal
from ssdlab.method.probes import NAME as PROBES
from ssdlab.method.sustain import NAME as SUSTAIN
from ssdlab.point import CoordinateAxis, Point
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.store.files import ANSWERS, ANSWERS_ADAPTER, KeptAnswers
from ssdlab.report.suite_numbers import suite_numbers
from ssdlab.units import NS_PER_S
from ssdlab.unknown import Unknown

CAPACITY_BYTES = 10**12
_STATES = (DriveState.FOB, DriveState.FILLED_ONCE, DriveState.PARTLY_FILLED, DriveState.STEADY)
_USUAL: Mapping[str, float] = {"B/s": 1e9, "B": 1e11, "1/s": 1e5, "ns": 1e5, "s": 600.0, "%": 60.0, "": 30.0}
_NO_FALL = message("unknown-no-fall", share="10 %", shortest_s="3")
_GRADUAL = message(
    "unknown-gradual-fall",
    fast=bandwidth_decimal(3e9),
    slow=bandwidth_decimal(4e8),
    low=size_decimal(10**11),
    high=size_decimal(9 * 10**11),
)
_NOT_STEADY = message("unknown-not-steady")
_NOT_RECOVERED = message("unknown-not-recovered", lasted=duration(8 * 3600 * NS_PER_S), share=number(0.95, ".0%"))
_FILL = (
    "duration",
    "cache_bytes",
    "cache_bandwidth",
    "folding_bandwidth",
    "direct_bandwidth",
    "bandwidth_mean",
    "bandwidth_p1",
)

_TOLD_BESIDE: Mapping[str, Sequence[str]] = {
    "bootbench": ("bootbench.pass",),
    "bootbench-compat": ("bootbench.pass",),
    "write-amplification": (
        "write_amplification.uniform.waf_counted",
        "write_amplification.uniform.waf_implied",
        "write_amplification.separation",
        "write_amplification.separates",
        "write_amplification.grade",
    ),
}
"""Of a suite what its sentences tell and its tables of other drives do not."""
_WORDS: Mapping[str, Sequence[bool | str]] = {
    "pass": (True, False),
    "separates": ("yes", "no", "unclear"),
    "grade": ("A", "B", "C"),
}
"""Quantities that are no numbers, and what they may be."""

Draws = np.random.Generator


def drawn_run(suite: str, number: int, base: Bundle | None = None) -> Bundle:
    """A finished run of a built-in suite; with `base` the same plan, which is costly to make.

    Args:
        suite: Its name.
        number: Of the drive: always the same one.
        base: Another of that suite.
    """
    random = np.random.default_rng([2031, number, *suite.encode()])
    bundle = base or planned_bundle(run_info(CAPACITY_BYTES), suite, "standard")
    keys = dict.fromkeys(one.metric for one in suite_numbers((bundle,)))
    fills = [key(f"fill.pass{one}.{word}") for one in (1, 2) for word in _FILL]
    own = [one for one in keys if one not in fills] + (fills if suite in {"fill", "client", "client-2025.07"} else [])
    own += [key(name) for name in _TOLD_BESIDE.get(suite, ()) if key(name) not in own]
    metrics = {one: drawn_metric(random, one) for one in own}
    for one in own:
        if one.quantity.word in _WORDS:
            metrics[one] = _drawn_word(random, metrics[one])
    for pass_ in (1, 2):
        _make_sense(random, metrics, f"fill.pass{pass_}")
    _make_lasting(random, metrics)
    drive = replace(bundle.run.drive, serial=f"S{number}")
    return replace(bundle, run=replace(bundle.run, drive=drive), metrics=tuple(metrics.values()))


def _make_sense(random: Draws, metrics: dict[MetricKey, Metric], point: str) -> None:
    """Of a pass without a cache nothing is known that a cache has; a third of those that never fall are level."""
    size = metrics.get(key(f"{point}.cache_bytes"))
    if size is None:
        return
    if isinstance(size.value, Unknown):
        why = Unknown(_NO_FALL if random.random() < 0.7 else _GRADUAL)
        for word in ("cache_bytes", "cache_bandwidth", "folding_bandwidth"):
            _change(metrics, f"{point}.{word}", value=why, low=None, high=None)
        level, slowest = metrics[key(f"{point}.direct_bandwidth")], metrics[key(f"{point}.bandwidth_p1")]
        if isinstance(level.value, float) and random.random() < 0.5:
            metrics[slowest.key] = replace(slowest, value=level.value * random.uniform(0.9, 1), low=None, high=None)
    elif random.random() < 0.5:
        _change(metrics, f"{point}.folding_bandwidth", note=message("metric-direct-first"))


def _make_lasting(random: Draws, metrics: dict[MetricKey, Metric]) -> None:
    """A time to recovery is one of whole minutes and has no interval; where it is unknown, most drives were seen not to recover."""
    for one in [of for of in metrics if of.quantity is RECOVERY]:
        value = metrics[one].value
        if isinstance(value, float):
            metrics[one] = replace(metrics[one], value=60.0 * (1 + value // 60), low=None, high=None)
        elif random.random() < 0.7:
            metrics[one] = replace(metrics[one], value=Unknown(_NOT_RECOVERED))


def _change(metrics: dict[MetricKey, Metric], name: str, **others: object) -> None:
    metrics[key(name)] = replace(metrics[key(name)], **others)  # type: ignore[arg-type]


def drawn_metric(random: Draws, of: MetricKey, unit: str | None = None) -> Metric:
    """One of any size, or unknown."""
    shown = of.quantity.unit if unit is None else unit
    value = _turned(random, _drawn_value(random, shown, of.quantity.most), of.range[0])
    low, high = _drawn_interval(random, value, of.range)
    metric = Metric(
        key=of,
        value=value,
        unit=shown,
        state=_STATES[int(random.integers(len(_STATES)))],
        step=of.point.name,
        low=low,
        high=high,
        failed_checks=("a.check",) if random.random() < 0.15 else (),
    )
    return replace(metric, value=Unknown(_NOT_STEADY), low=None, high=None) if random.random() < 0.2 else metric


def _drawn_value(random: Draws, unit: str, most: float) -> float:
    kind, usual = random.random(), _USUAL[unit]
    if kind < 0.05:
        return 0.0
    if kind < 0.1:
        value = usual * 10 ** random.uniform(3, 6)
    elif kind < 0.2:
        # Close to the next unit, or to the next digit.
        value = float(random.choice([1.0, 1024.0, 1000.0])) ** int(random.integers(1, 4)) * random.uniform(
            0.9999, 1.0001
        )
    else:
        value = usual * float(np.exp(random.normal(0, 1.5)))
    return min(float(most), value)


def _turned(random: Draws, value: float, least: float) -> float:
    """What may fall as well as rise does so on half of the drives."""
    return max(least, -value) if least < 0 and random.random() < 0.5 else value


def _drawn_word(random: Draws, metric: Metric) -> Metric:
    if isinstance(metric.value, Unknown):
        return metric
    words = _WORDS[metric.key.quantity.word]
    return replace(metric, value=words[int(random.integers(len(words)))], low=None, high=None, failed_checks=())


def _drawn_interval(random: Draws, value: float, ends: tuple[float, float]) -> tuple[float | None, float | None]:
    kind = random.random()
    if kind < 0.35:
        return None, None
    if kind < 0.4:
        return value, value
    reach = abs(value) * 10 ** random.uniform(-6, 0.3)
    return max(ends[0], value - reach * random.uniform(0.5, 1)), min(ends[1], value + reach)


def beside(run: Bundle, number: int, by_percent: float) -> Bundle:
    """A drive of the same name whose numbers are about those of the other: most are tied, and some of them are unknown."""
    random = np.random.default_rng([2032, number])
    metrics = tuple(_near(random, one, by_percent) for one in run.metrics)
    drive = replace(run.run.drive, serial=f"T{number}")
    return replace(run, run=replace(run.run, drive=drive), metrics=metrics)


def _near(random: Draws, metric: Metric, by_percent: float) -> Metric:
    if not isinstance(metric.value, float):
        return metric
    times = 1 + by_percent / 100 * random.normal()
    value = metric.value * abs(times)
    low, high = _drawn_interval(random, value, metric.key.range)
    return replace(metric, value=value, low=low, high=high)


def again(run: Bundle, number: int) -> Bundle:
    """Another run of the same drive a day or so later, which lacks some of the numbers."""
    random = np.random.default_rng([2037, number])
    near = (_near(random, one, 5) for one in run.metrics)
    metrics = tuple(_lost(one) if random.random() < 0.1 else one for one in near)
    return replace(run, run=replace(run.run, started_at=f"2026-01-2{1 + number % 5}T09:30:00+00:00"), metrics=metrics)


def _lost(metric: Metric) -> Metric:
    return replace(metric, value=Unknown(_NOT_STEADY), low=None, high=None)


# A sustained write


def drawn_sustain(number: int, base: Bundle) -> Bundle:
    """One to three passes, read back or not."""
    random = np.random.default_rng([2033, number])
    metrics: list[Metric] = []
    for pass_ in range(1, 2 + int(random.integers(3))):
        point = Point(SUSTAIN).at(CoordinateAxis.PASS, pass_)
        whole: list[Quantity] = [BANDWIDTH_MEAN, BANDWIDTH_MIN, BANDWIDTH_MEDIAN]
        if random.random() < 0.6:
            whole.append(CACHE_BYTES)
        metrics += [drawn_metric(random, MetricKey(point, one)) for one in whole]
        metrics.append(drawn_metric(random, MetricKey(point, NEED_MET)))
        metrics.append(drawn_metric(random, MetricKey(point, TIME_BELOW, "80")))
        flat = replace(metrics[-1], key=MetricKey(point, FLAT), unit="", low=None, high=None, failed_checks=())
        metrics.append(replace(flat, value=bool(random.integers(2))))
        if random.random() < 0.2:
            metrics[-1] = replace(metrics[-1], value=Unknown(message("unknown-short-pass", least_s=5)))
    if random.random() < 0.8:
        bad = replace(
            metrics[0], key=MetricKey(ALL_READINGS, BAD_BYTES), unit="B", low=None, high=None, failed_checks=()
        )
        value = float(random.choice([0.0, 0.0, 1.0, 4096.0, 123_456.0]))
        metrics.append(replace(bad, value=value, note=NOT_ALL_READ if random.random() < 0.3 else None))
    return _as_suite(base, SUSTAIN, metrics, number)


def _as_suite(base: Bundle, suite: str, metrics: Iterable[Metric], number: int) -> Bundle:
    info = base.run
    info = replace(
        info, suite=replace(info.suite, name=suite), drive=replace(info.drive, serial=f"S{number}"), comparable=True
    )
    return replace(base, run=info, metrics=tuple(metrics))


# Probes


def drawn_probe(number: int, base: Bundle, units: Mapping[str, str], path: Path) -> tuple[Bundle, Mapping[str, Grade]]:
    """Answers of all grades in the files of a probe.

    Args:
        number: Of the drive.
        base: Any run; what it holds is replaced.
        units: Of each answer.
        path: Where its files are written.

    Returns:
        The run, and how sure each answer is.
    """
    random = np.random.default_rng([2034, number])
    grades = {name: list(Grade)[int(random.integers(len(Grade)))] for name in units}
    metrics = [drawn_metric(random, MetricKey(Point(PROBES), quantity_of(name)), unit) for name, unit in units.items()]
    whole = _as_suite(base, PROBES, metrics, number)
    step: Step = whole.finished()[0]
    directory = path / step_directory(whole.run, step)
    directory.mkdir(parents=True)
    nothing = Unknown(_NOT_STEADY)
    answers = tuple(Answer(name=name, value=nothing, unit=units[name], grade=grade) for name, grade in grades.items())
    (directory / ANSWERS).write_bytes(ANSWERS_ADAPTER.dump_json(KeptAnswers(refusal=None, answers=answers)))
    return replace(whole, path=path, files=BundleFiles(path, {}, Unlisted.READ)), grades


def by_name(metrics: Sequence[Metric]) -> Mapping[str, Metric]:
    """The metrics as the tests call them."""
    return {metric.name: metric for metric in metrics}


def is_known(metric: Metric | None) -> bool:
    """Whether there is a value to tell."""
    return metric is not None and not isinstance(metric.value, Unknown)


def why_of(metric: Metric) -> Message:
    """Why it is unknown."""
    assert isinstance(metric.value, Unknown)
    return metric.value.reason
