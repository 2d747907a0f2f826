"""The drives of a report: one subject each, the reason it is there, and what becomes of wrong reasons."""

from dataclasses import replace
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_bundle import write_whole
from tests.kit.sample_client import Made, client_bundle
from tests.kit.sample_enterprise import Made as MadeEnterprise
from tests.kit.sample_enterprise import enterprise_bundle

from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.errors import SsdlabError
from ssdlab.report.bench import benches
from ssdlab.report.page import page
from ssdlab.report.subjects import drive_rows, run_rows, subjects

PM, QLC = "Lab PM1 1TB", "Lab QLC 1TB"


def at(path: str, bundle: Bundle) -> Bundle:
    """The run in a place of its own, on a drive of one size in all suites."""
    run = bundle.run
    return replace(bundle, path=Path(path), run=replace(run, drive=replace(run.drive, capacity_bytes=10**12)))


@pytest.fixture
def bundles() -> list[Bundle]:
    return [
        at("a", client_bundle(Made(model=PM))),
        at("b", enterprise_bundle(MadeEnterprise(model=PM))),
        at("c", client_bundle(Made(model=QLC))),
    ]


def test_runs_of_one_drive_are_one_subject(bundles: list[Bundle]) -> None:
    found = subjects(bundles, {})

    assert [(one.name, len(one.bundles)) for one in found] == [(PM, 2), (QLC, 1)]
    assert [str(one.part) for one in drive_rows(found)] == ["under test", "compared"]
    assert [one.suites for one in drive_rows(found)] == ["client 2025.12.1, enterprise 2025.12", "client 2025.12.1"]


def test_two_drives_of_one_model_are_told_apart_by_serial_number(bundles: list[Bundle]) -> None:
    other = replace(bundles[0], run=replace(bundles[0].run, drive=replace(bundles[0].run.drive, serial="S9")))

    assert len(subjects([bundles[0], other], {})) == 2


def test_a_reason_belongs_to_the_drive_of_its_run(bundles: list[Bundle]) -> None:
    found = subjects(bundles, {Path("./c"): "the cheapest of its size"})

    assert [one.reason for one in found] == [None, "the cheapest of its size"]


@pytest.mark.parametrize(
    ("reasons", "found"),
    [
        ({"d": "new"}, "there is a reason for `d`, which is not among the runs"),
        ({"a": "new", "b": "fast"}, "the drive `Lab PM1 1TB` has 2 reasons"),
    ],
)
def test_wrong_reasons_are_refused(bundles: list[Bundle], reasons: dict[str, str], found: str) -> None:
    with pytest.raises(SsdlabError) as caught:
        subjects(bundles, {Path(path): reason for path, reason in reasons.items()})

    assert str(caught.value) == found


def test_runs_without_conclusions_say_so(bundles: list[Bundle]) -> None:
    assert [str(one.audit) for one in run_rows(bundles)] == ["none: not concluded"] * 3


def test_the_bench_is_told_once_and_does_not_hide_what_nobody_recorded(bundles: list[Bundle]) -> None:
    (bench,) = benches(bundles)

    assert bench.runs == ""
    assert {str(name): str(value) for name, value in bench.rows} == snapshot(
        {
            "Name": "bench",
            "CPU": "Ryzen 9 9950X, 32 threads",
            "Memory": "64.0 GiB",
            "System": "Debian 13",
            "Kernel": "6.12.0",
            "Engine": "fio-3.41",
            "Cooling": "unknown: the host does not say",
        }
    )


def test_two_hosts_are_two_benches_with_their_runs(bundles: list[Bundle]) -> None:
    moved = replace(bundles[2], run=replace(bundles[2].run, host=replace(bundles[2].run.host, hostname="other")))

    assert [one.runs for one in benches([*bundles[:2], moved])] == [f"{PM}: client, {PM}: enterprise", f"{QLC}: client"]


def test_the_chapter_of_a_comparison_counts_drives_and_not_runs(tmp_path: Path) -> None:
    first = open_bundle(write_whole(tmp_path / "a"))
    assert "2 runs of one drive, fill " in page([first, open_bundle(write_whole(tmp_path / "b"))])


def test_the_page_tells_audit_drives_bench_and_then_the_chapters(tmp_path: Path) -> None:
    first = open_bundle(write_whole(tmp_path / "a"))
    again = replace(first, run=replace(first.run, suite=replace(first.run.suite, name="again")))
    second = open_bundle(write_whole(tmp_path / "c"))
    other = replace(second, run=replace(second.run, drive=replace(second.run.drive, model=QLC)))

    html = page([first, again, other], reasons={tmp_path / "c": "the cheapest <of> its size"})

    titles = ['id="overview-audit"', 'id="overview-drives"', 'id="overview-bench"', 'id="comparison1"', 'id="run1"']
    assert sorted(titles, key=html.index) == titles
    assert "<title>Lab PM1 1TB: fill and again, beside 1 more drive</title>" in html
    assert "<td>the cheapest &lt;of&gt; its size<" in html
