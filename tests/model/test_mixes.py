"""Mixes on a drive of constant service time: what was done is what the file says, and an audit that would see if it were not."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from tests.kit.load_drives import FILLED, constant_drive, metrics_of, number, run_on

from ssdlab.analysis.audit.facts import Facts
from ssdlab.analysis.audit.of_step import facts_of
from ssdlab.analysis.audit.run import audit_facts
from ssdlab.analysis.evidence import StepEvidence, evidence_of
from ssdlab.bundle.model import Check, Outcome
from ssdlab.bundle.read import Bundle
from ssdlab.job import MixAction, MixPart, MixSize, StepKind, Zipf
from ssdlab.method.mix_file import load_mix, mix_names, title_of_mix
from ssdlab.report.method_words import method_words
from ssdlab.report.suite_numbers import NumberKind, suite_numbers
from ssdlab.units import KIB

MIXES = f"""{FILLED}
[[step]]
kind = "mixes"
mix = [{", ".join(f'"{name}"' for name in mix_names())}]
qd = [1, 8]
job = {{ ramp = "10ms", limit = "200ms" }}
[[step]]
kind = "mixes"
name = "long"
mix = ["jesd219-enterprise"]
qd = [8]
job = {{ limit = "4s" }}
"""
LONG = "long.jesd219_enterprise.q8"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return run_on(constant_drive(4), MIXES, tmp_path_factory.mktemp("mixes"))


def measured(run: Bundle, name: str) -> StepEvidence:
    step = next(one for one in run.steps if one.name == name)
    found = evidence_of(run, step)
    assert found is not None
    return found


def facts(run: Bundle) -> Facts:
    return facts_of(measured(run, LONG))


def shares_check(of: Facts) -> Check:
    return next(check for check in audit_facts(of) if check.name == "mix.shares")


def test_every_mix_was_issued_as_its_file_says(run: Bundle) -> None:
    checks = [check for check in run.audit if check.name == "mix.shares" and check.step.startswith("mixes.")]
    assert len(checks) == 4 * len(mix_names())
    assert {check.outcome for check in checks} == {Outcome.PASS}


def test_the_audit_fails_nothing_else(run: Bundle) -> None:
    measures = {step.name for step in run.steps if step.kind is StepKind.MEASURE}
    found = [check for check in run.audit if check.step in measures]
    assert [str(check) for check in found if check.outcome is Outcome.FAIL] == []


def test_a_load_without_kinds_has_nothing_to_check(run: Bundle) -> None:
    assert next(check for check in run.audit if check.name == "mix.shares").outcome is Outcome.NOT_APPLICABLE


def more_of_the_longest(parts: tuple[MixPart, ...]) -> tuple[MixPart, ...]:
    """Three in a hundred become four and a half."""

    def shifted(one: MixSize) -> MixSize:
        return replace(one, weight=one.weight * (15 if one.block_bytes == 64 * KIB else 10))

    return tuple(replace(part, sizes=tuple(map(shifted, part.sizes))) for part in parts)


def more_reads(parts: tuple[MixPart, ...]) -> tuple[MixPart, ...]:
    return tuple(replace(part, weight=part.weight * (11 if part.action is MixAction.READ else 10)) for part in parts)


def more_in_the_hot_zone(parts: tuple[MixPart, ...]) -> tuple[MixPart, ...]:
    return tuple(replace(part, weight=part.weight * (10 if part.region.offset_bytes else 11)) for part in parts)


def hotter_places(parts: tuple[MixPart, ...]) -> tuple[MixPart, ...]:
    return tuple(replace(part, order=Zipf(0.05)) for part in parts)


@pytest.mark.parametrize("changed", [more_of_the_longest, more_reads, more_in_the_hot_zone, hotter_places])
def test_a_wrong_share_fails(run: Bundle, changed: Callable[[tuple[MixPart, ...]], tuple[MixPart, ...]]) -> None:
    """The same counts beside another mix."""
    found, asked = facts(run), measured(run, LONG).job
    other = replace(asked, mix=changed(asked.mix))
    assert shares_check(found).outcome is Outcome.PASS
    assert shares_check(replace(found, asked=other)).outcome is Outcome.FAIL


def test_an_io_that_nobody_counted_fails(run: Bundle) -> None:
    found = facts(run)
    first, *others = found.issued
    assert shares_check(replace(found, issued=(replace(first, ios=first.ios - 1), *others))).outcome is Outcome.FAIL


def test_a_length_that_the_mix_has_not_fails(run: Bundle) -> None:
    found = facts(run)
    first, *others = found.issued
    assert shares_check(replace(found, issued=(replace(first, block_bytes=1 << 20), *others))).outcome is Outcome.FAIL


def test_bytes_are_those_of_the_lengths_and_not_of_one_block(run: Bundle) -> None:
    done, metrics = measured(run, LONG).result, metrics_of(run)
    mean_bytes = number(metrics, f"{LONG}.bandwidth") / number(metrics, f"{LONG}.iops")
    assert mean_bytes == pytest.approx(load_mix("jesd219-enterprise").mean_bytes, rel=0.02)
    assert sum(one.io_bytes for one in done.directions.values()) == sum(
        one.ios * one.block_bytes for one in done.issued
    )


def test_reads_and_writes_add_up_to_what_was_done_in_all(run: Bundle) -> None:
    metrics = metrics_of(run)
    apart = [number(metrics, f"{LONG}.{direction}.iops") for direction in ("read", "write")]
    assert sum(apart) == pytest.approx(number(metrics, f"{LONG}.iops"))
    assert apart[0] / sum(apart) == pytest.approx(0.4, abs=0.01)
    assert {f"{LONG}.{direction}.clat_p99" for direction in ("read", "write")} <= metrics.keys()


def test_an_interval_of_ios_is_about_their_number(run: Bundle) -> None:
    iops = metrics_of(run)[f"{LONG}.iops"]
    assert isinstance(iops.value, float)
    assert iops.low is not None
    assert iops.high is not None
    assert iops.low <= iops.value <= iops.high


def test_show_and_report_name_each_mix(run: Bundle) -> None:
    labels = {str(one.label) for one in suite_numbers([run]) if one.kind is NumberKind.MIX}
    assert labels == {f"{title_of_mix(name)} at QD8" for name in mix_names()}
    assert any("ours-kv-zipf" in str(words.text) for words in method_words(run))
