"""What the first screen of each suite says is true: each number that of the metric it is called by, each word what the numbers say."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from tests.kit.drawn_screens import CAPACITY_BYTES, by_name, drawn_run, is_known
from tests.kit.first_screen_claims import faults_of, faults_of_languages, faults_of_tiles
from tests.kit.planned_bundle import planned_bundle, with_first_round
from tests.kit.sample_bundle import run_info
from tests.kit.suite_claims import SAID
from tests.kit.told_values import told_in

from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import Bundle
from ssdlab.method.builtin import builtin_names
from ssdlab.report.first_screen.screen import first_screen

NUMBERS = range(700, 750)


@pytest.fixture(scope="module")
def plans() -> Mapping[str, Bundle]:
    """Of each suite one; drives differ in what came of it."""
    return {suite: with_first_round(planned_bundle(run_info(CAPACITY_BYTES), suite, "standard")) for suite in SAID}


def test_of_each_built_in_suite_what_it_may_say_is_written_down() -> None:
    assert SAID.keys() == set(builtin_names())


@pytest.mark.parametrize("suite", SAID)
def test_each_sentence_and_tile_of_a_suite_is_true(suite: str, plans: Mapping[str, Bundle]) -> None:
    may = SAID[suite]
    said: list[str] = []
    for number in NUMBERS:
        run = drawn_run(suite, number, plans[suite])
        screen, known = first_screen([run]), in_bytes(by_name(run.metrics), may.blocks)
        sentences = [str(one) for one in (*screen.verdict, *screen.verdict_switched)]
        faults = [fault for sentence in sentences for fault in faults_of(sentence, may.claims, may.told, known)]
        assert [*faults, *faults_of_tiles(screen, known), *faults_of_languages(screen)] == [], number
        assert [str(tile.label) for tile in screen.tiles] == [may.labels[tile.metric.name] for tile in screen.tiles]
        said += sentences
    # Drawn drives are so different that nearly all there is to say of one is said.
    assert len([claim for claim in may.claims if any(told_in(one, claim.template) for one in said)]) >= 0.7 * len(
        may.claims
    )
    assert [one.lead for one in may.told if not any(sentence.startswith(one.lead) for sentence in said)] == []


def in_bytes(known: Mapping[str, Metric], blocks: Mapping[str, int]) -> Mapping[str, Metric]:
    """Rates of I/Os of one length as bytes a second."""
    return {name: times(one, blocks[name]) if name in blocks and is_known(one) else one for name, one in known.items()}


def times(metric: Metric, block_bytes: int) -> Metric:
    value, low, high = (
        None if one is None else float(str(one)) * block_bytes for one in (metric.value, metric.low, metric.high)
    )
    assert value is not None
    return replace(metric, value=value, unit="B/s", low=low, high=high)
