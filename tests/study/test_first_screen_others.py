"""What the first screen of a sustained write, of probes, of imported results and of drives beside each other says is true."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.kit.drawn_screens import (
    CAPACITY_BYTES,
    again,
    beside,
    by_name,
    drawn_metric,
    drawn_probe,
    drawn_run,
    drawn_sustain,
    is_known,
)
from tests.kit.fill_claims import CACHE, PASSES
from tests.kit.first_screen_claims import Known, faults_of_languages, faults_of_tiles, wrong_on
from tests.kit.imported_results import crystaldiskmark
from tests.kit.planned_bundle import planned_bundle
from tests.kit.portrait_claims import OPEN, PORTRAIT, UNITS
from tests.kit.sample_bundle import run_info
from tests.kit.sustain_claims import SUSTAINED
from tests.kit.told_values import read_value, told_in
from tests.study.passed import Study, runs_whole

from ssdlab.bundle.imported import ImportedRun
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.probe.answer import Grade
from ssdlab.report.comparison import summary
from ssdlab.report.first_screen.screen import first_screen, first_screen_of_imports

WHOLE, FEW = range(750, 800), range(750, 770)
NUMBERS = WHOLE if runs_whole(Study.FIRST_SCREENS) else FEW


@pytest.fixture(scope="module")
def plan() -> Bundle:
    """Any run, of which only the drive and the host are taken."""
    return planned_bundle(run_info(CAPACITY_BYTES), "fill", "standard")


# A sustained write


def test_each_sentence_and_tile_of_a_sustained_write_is_true(plan: Bundle) -> None:
    said: list[str] = []
    for number in NUMBERS:
        run = drawn_sustain(number, plan)
        screen = first_screen([run])
        assert wrong_on(screen, SUSTAINED, (), by_name(run.metrics)) == [], number
        said += map(str, screen.verdict)
    endings = (
        "it is flat.",
        "it is not flat.",
        "worst second; it fell after a cache of ",
        "every byte",
        "in part",
        "are not what",
    )
    assert [one for one in endings if not any(one in sentence for sentence in said)] == []


# Several runs of one drive

STUDENT_T = {2: 12.7062, 3: 4.30265}
"""97.5 % of the distribution, by the number of runs."""


def over(runs: Sequence[Known]) -> Known:
    """METHODS 0: of each number of the first run the median of those that have it, with the 95 % interval of their mean."""
    return {name: median_of(name, runs) for name in runs[0]}


def median_of(name: str, runs: Sequence[Known]) -> Metric:
    first = runs[0][name]
    alike = [run for run in runs if is_known(run[name])]
    if name.endswith(".direct_bandwidth"):
        size = name.replace("direct_bandwidth", "cache_bytes")
        alike = [run for run in alike if is_known(run[size]) is is_known(runs[0][size])]
    found = [run[name] for run in alike]
    if not is_known(first) or len(found) == 1:
        return first
    values = [float(str(one.value)) for one in found]
    if len(set(values)) == 1:
        widest = max(found, key=lambda one: (one.high or 0.0) - (one.low or 0.0))
        low, high = widest.low, widest.high
    else:
        reach = STUDENT_T[len(values)] * float(np.std(values, ddof=1)) / len(values) ** 0.5
        least, most = first.key.range
        low = max(least, min(float(np.median(values)), float(np.mean(values)) - reach))
        high = min(most, max(float(np.median(values)), float(np.mean(values)) + reach))
    failed = tuple(check for one in found for check in one.failed_checks)
    return replace(first, value=float(np.median(values)), low=low, high=high, failed_checks=failed)


def test_each_sentence_and_tile_of_a_drive_that_ran_several_times_is_true_of_the_medians(plan: Bundle) -> None:
    clocks = 0
    for number in NUMBERS:
        first = drawn_run("fill", number, plan)
        runs = [first, *(again(first, 2 * number + one) for one in range(1 + number % 2))]
        screen, known = first_screen(runs), over([by_name(run.metrics) for run in runs])
        assert str(screen.repeats) == f"Numbers are medians of {len(runs)} runs of this drive."
        assert wrong_on(screen, (*CACHE, *PASSES), (), known) == [], number
        clocks += any(re.search(r" (?:s|min) \(\d+ (?:h|min) ", str(sentence)) for sentence in screen.verdict)
    assert clocks


# Probes


def test_each_answer_told_of_a_probed_drive_is_a_sure_one_and_true(plan: Bundle, tmp_path: Path) -> None:
    told = 0
    for number in NUMBERS:
        run, grades = drawn_probe(number, plan, UNITS, tmp_path / str(number))
        sure = {f"probe.{name}" for name, grade in grades.items() if grade in {Grade.A, Grade.B}}
        known = {name: one for name, one in by_name(run.metrics).items() if name in sure and is_known(one)}
        screen = first_screen([run])
        assert wrong_on(screen, (OPEN,), PORTRAIT, known) == [], number
        told += len(screen.tiles)
    assert told > 2 * len(NUMBERS)


# Results of other programs

LABELS = {
    f"cdm.{word}.{way}.bandwidth": f"{load} {way}"
    for way in ("read", "write")
    for word, load in (
        ("seq1m_q8t1", "SEQ 1 MiB Q8T1"),
        ("seq128k_q32t1", "SEQ 128 KiB Q32T1"),
        ("rnd4k_q1t1", "RND 4 KiB Q1T1"),
        ("rnd4k_q32t16", "RND 4 KiB Q32T16"),
    )
}


def drawn_import(number: int, base: ImportedRun) -> ImportedRun:
    random = np.random.default_rng([2035, number])
    metrics = tuple(drawn_metric(random, one.key, one.unit) for one in base.metrics)
    drive = replace(base.info.drive, model=f"Drive {number}")
    return replace(base, path=base.path / str(number), info=replace(base.info, drive=drive), metrics=metrics)


def test_each_number_of_another_program_is_the_one_it_is_called(tmp_path: Path) -> None:
    base = crystaldiskmark(tmp_path / "lab", "A", 0)
    for number in NUMBERS:
        run = drawn_import(number, base)
        screen, known = first_screen_of_imports([run]), by_name(run.metrics)
        assert [*faults_of_tiles(screen, known), *faults_of_languages(screen)] == [], number
        chosen = [tile.metric.name for tile in screen.tiles]
        assert [str(tile.label) for tile in screen.tiles] == [LABELS[name] for name in chosen]
        named = [f"{LABELS[name]} <{name}>" for name in chosen[:4]]
        for sentence in (screen.verdict[0], screen.verdict_switched[0]):
            parts = str(sentence).removeprefix("CrystalDiskMark measured ").removesuffix(".").split("; ")
            assert [told_in(part, words) is None for part, words in zip(parts, named, strict=True)] == [False] * len(
                named
            )


# Drives beside each other


def ends_of(metric: Metric) -> tuple[float, float]:
    """Its interval; of one without any, 1.5 % to either side."""
    assert isinstance(metric.value, float)
    if metric.low is None or metric.high is None:
        return metric.value * 0.985, metric.value * 1.015
    return metric.low, metric.high


def place_words(name: str, drives: Sequence[Known]) -> str | None:
    """Where the first stands: behind another only where their intervals lie apart, and tied with all that are neither."""
    if not all(is_known(drive.get(name)) for drive in drives):
        return None
    if name.endswith(".direct_bandwidth") and not all(is_known(drive["fill.pass1.cache_bytes"]) for drive in drives):
        return None
    own, *rest = (ends_of(drive[name]) for drive in drives)
    above, below = (sum(low > own[1] for low, _ in rest), sum(high < own[0] for _, high in rest))
    less_is_better = drives[0][name].unit == "ns"
    first, last = (below if less_is_better else above) + 1, len(drives) - (above if less_is_better else below)
    if first != last:
        return f"place {first} to {last} of {len(drives)}, tied"
    return f"best of {len(drives)}" if first == 1 else f"place {first} of {len(drives)}"


@pytest.mark.parametrize("suite", ["fill", "client", "enterprise", "load-latency"])
def test_every_place_among_drives_of_one_name_is_the_one_that_the_intervals_allow(suite: str) -> None:
    base = planned_bundle(run_info(CAPACITY_BYTES), suite, "standard")
    said: list[str | None] = []
    for number in NUMBERS:
        own = drawn_run(suite, number, base)
        runs = [
            own,
            *(
                beside(own, 10 * number + one, by_percent)
                for one, by_percent in enumerate((0, 1, 3) if number % 2 else (50, 80, 120))
            ),
        ]
        known = [by_name(run.metrics) for run in runs]
        screen, alone = first_screen(runs), first_screen([own])
        places = {tile.metric.name: None if tile.place is None else str(tile.place.words) for tile in screen.tiles}
        wanted = {name: place_words(name, known) for name in places}
        if "fill.pass1.bandwidth_mean" in wanted:
            # It stands for a speed past a cache that was not found, and has no place.
            wanted["fill.pass1.bandwidth_mean"] = None
        assert places == wanted, number
        assert (screen.verdict, [tile.metric for tile in screen.tiles]) == (
            alone.verdict,
            [tile.metric for tile in alone.tiles],
        )
        said += places.values()
    words = " ".join(str(one) for one in said)
    assert "tied" in words
    assert "best of 4" in words
    assert "place 4 of 4" in words


def test_every_place_among_results_of_another_program_is_the_one_that_the_intervals_allow(tmp_path: Path) -> None:
    base = crystaldiskmark(tmp_path / "lab", "A", 0)
    for number in NUMBERS:
        runs = [drawn_import(10 * number + one, base) for one in range(4)]
        known = [by_name(run.metrics) for run in runs]
        for tile in first_screen_of_imports(runs).tiles:
            assert (None if tile.place is None else str(tile.place.words)) == place_words(tile.metric.name, known), (
                number
            )


def test_in_the_table_a_drive_without_a_cache_has_the_mean_of_its_pass_and_not_its_level(plan: Bundle) -> None:
    said = 0
    for number in NUMBERS:
        runs = [drawn_run("fill", one, plan) for one in (number, number + 1000)]
        known = [by_name(run.metrics) for run in runs]
        without = [not is_known(one["fill.pass1.cache_bytes"]) for one in known]
        for row in summary(runs).rows:
            for cell, has_none, one in zip(row.cells, without, known, strict=True):
                values = told_in(
                    str(cell.text), "no cache known; <fill.pass1.bandwidth_mean> is the mean speed of the pass"
                )
                if values is not None:
                    assert has_none
                    told = read_value(values["fill.pass1.bandwidth_mean"], "B/s")
                    assert told is not None
                    assert told.value == pytest.approx(one["fill.pass1.bandwidth_mean"].value, rel=0.06, abs=1)
                    said += 1
            if str(row.label) == "mean speed, pass 1":
                assert all(without)
                assert {cell.name for cell in row.cells} <= {"fill.pass1.bandwidth_mean", ""}
    assert said
