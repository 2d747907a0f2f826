"""Write amplification, run whole on models whose own counters and spare space are known."""

from pathlib import Path

import numpy as np
import pytest
from tests.kit.amplified_drives import CAPACITY_MIB, MANY_KIB, patterns, plain_drive, spare_of_data
from tests.kit.figure_content import assert_whole, panel_titles, rows
from tests.kit.load_drives import metrics_of, number, run_on

from ssdlab.analysis.infer.amplification import uniform_amplification
from ssdlab.bundle.read import Bundle
from ssdlab.figure.enterprise.write_amplification import write_amplification
from ssdlab.figure.registry import figures_for
from ssdlab.report.first_screen.verdict import verdict_of
from ssdlab.report.method_words import method_words
from ssdlab.units import MIB
from ssdlab.unknown import Unknown
from ssdlab.words import Language
from ssdlab.words.catalogue import in_language

STEP = "write_amplification"
SKEWED = patterns(cold="[50]", hot="[80, 90]", zipf="[0.8]")


@pytest.fixture(scope="module", params=[7, 15, 28])
def spare_percent(request: pytest.FixtureRequest) -> int:
    spare: int = request.param
    return spare


@pytest.fixture(scope="module", params=[1, 2], ids=["one stream", "two streams"])
def streams(request: pytest.FixtureRequest) -> int:
    count: int = request.param
    return count


@pytest.fixture(scope="module")
def uniform(spare_percent: int, streams: int, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    drive = plain_drive(spare_percent, streams=streams)
    return run_on(drive, patterns(), tmp_path_factory.mktemp("uniform"))


@pytest.fixture(scope="module")
def skewed(spare_percent: int, streams: int, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(plain_drive(spare_percent, MANY_KIB, streams), SKEWED, tmp_path_factory.mktemp("skewed"))


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(plain_drive(15, MANY_KIB), SKEWED, tmp_path_factory.mktemp("mixed"))


def counted_by_the_model(bundle: Bundle, name: str) -> float:
    """By its counters over the last capacity of the pattern, found without what is tested."""
    step = next(one for one in bundle.finished() if one.name == name)
    sensors = bundle.sensors(step)
    assert not isinstance(sensors, Unknown)
    host, media = np.asarray(sensors.host_written_bytes), np.asarray(sensors.media_written_bytes)
    begin = np.searchsorted(host, host[-1] - CAPACITY_MIB * MIB)
    return float((media[-1] - media[begin]) / (host[-1] - host[begin]))


def test_counters_give_the_models_own_amplification_within_2_percent(uniform: Bundle) -> None:
    found = number(metrics_of(uniform), f"{STEP}.uniform.waf_counted")
    assert found == pytest.approx(counted_by_the_model(uniform, f"{STEP}.uniform"), rel=0.02)


def test_the_speed_implies_it_within_10_percent(uniform: Bundle) -> None:
    known = metrics_of(uniform)
    counted = number(known, f"{STEP}.uniform.waf_counted")
    assert number(known, f"{STEP}.uniform.waf_implied") == pytest.approx(counted, rel=0.10)


def test_the_spare_space_is_found_within_a_point(uniform: Bundle, spare_percent: int) -> None:
    found = number(metrics_of(uniform), f"{STEP}.effective_spare")
    assert found == pytest.approx(100 * spare_of_data(spare_percent), abs=1.0)


def test_without_a_cache_the_published_equation_holds(uniform: Bundle, spare_percent: int) -> None:
    """Of the spare space that holds data; the blocks that stay free are none of it."""
    found = number(metrics_of(uniform), f"{STEP}.uniform.waf_counted")
    assert found == pytest.approx(uniform_amplification(spare_of_data(spare_percent)), rel=0.03)


def test_hot_and_cold_data_are_seen_to_be_apart_where_they_are(skewed: Bundle, streams: int) -> None:
    known = metrics_of(skewed)
    assert known[f"{STEP}.separates"].value == ("yes" if streams == 2 else "no")
    assert known[f"{STEP}.grade"].value == "A"
    assert (number(known, f"{STEP}.separation") < 25) == (streams == 1)


@pytest.mark.parametrize("pattern", ["cold50", "zones80_20", "zones90_10", "zipf0_8"])
def test_a_skewed_pattern_is_counted_as_the_model_does(skewed: Bundle, pattern: str) -> None:
    known = metrics_of(skewed)
    found = number(known, f"{STEP}.{pattern}.waf_counted")
    assert found == pytest.approx(counted_by_the_model(skewed, f"{STEP}.{pattern}"), rel=0.02)
    assert number(known, f"{STEP}.{pattern}.waf_separated") < found
    assert number(known, f"{STEP}.{pattern}.waf_implied") == pytest.approx(found, rel=0.10)


def test_the_figure_has_a_plot_a_family_with_the_drive_and_both_theories(mixed: Bundle) -> None:
    (figure,) = write_amplification([mixed])
    assert_whole(figure)
    assert panel_titles(figure) == ["two zones", "a part is not written", "zipf"]
    labels = {row["label"] for row in rows(figure, "key-plot0")}
    assert labels == {"measured", "theory, mixed", "theory, separated"}


def test_figure_and_method_have_words_in_every_language(mixed: Bundle) -> None:
    for language in Language:
        assert "write-amplification" in [one.name for one in figures_for(mixed, language)]
    assert STEP in [one.name for one in method_words(mixed)]


def test_uniform_writes_alone_have_no_verdict_and_no_figure(tmp_path: Path) -> None:
    bundle = run_on(plain_drive(28), patterns(), tmp_path)
    assert not isinstance(metrics_of(bundle)[f"{STEP}.separates"].value, str)
    assert list(write_amplification([bundle])) == []


def test_the_verdict_tells_the_counted_amplification_and_that_zones_are_not_kept_apart(mixed: Bundle) -> None:
    known = mixed.metrics
    told = [in_language(one, Language.ENGLISH) for one in verdict_of(mixed, {one.key: one for one in known})]
    counted = number(metrics_of(mixed), f"{STEP}.uniform.waf_counted")
    assert f"write {counted:.2f} (" in told[0]
    assert "by the drive's own counters" in told[0]
    assert told[1].startswith("It does not keep hot and cold data apart")
    assert told[1].endswith("(grade A).")
