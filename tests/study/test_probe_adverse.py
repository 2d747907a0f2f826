"""Probes on drives that are hard to probe: each of these was once answered wrongly with confidence."""

from pathlib import Path

import pytest
from tests.kit.adverse_probe_drives import MENDED, adverse_drive
from tests.study.probe_study import Verdict, judged

from ssdlab.lab.bench import open_bench
from ssdlab.probe.answer import Grade
from ssdlab.probe.probes.registry import probes_named
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator

WRONG = {Verdict.WRONG, Verdict.INVENTED}


def wrongly_said(number: int, probe: str, directory: Path, family: int = MENDED) -> list[str]:
    """Names of the answers of grades A and B that are wrong."""
    drive = adverse_drive(family, number).drive
    spec = directory / "spec.toml"
    spec.write_text(drive.text)
    with open_bench(f"model:{spec}") as bench:
        session = Session(bench, seed=number, watch=lambda _name, _progress: None)
        found = [answer for one in session.run_all(probes_named(probe), Estimator.ROBUST) for answer in one.answers]
    verdicts = [judged(drive, answer) for answer in found if answer.name in drive.truth]
    return [one.name for one in verdicts if one.verdict in WRONG and one.answer.grade in {Grade.A, Grade.B}]


@pytest.mark.parametrize("number", [21, 23, 74])
@pytest.mark.parametrize("probe", ["read-ahead", "read-buffer"])
def test_reads_that_find_their_mapping_are_not_taken_for_reads_that_find_their_data(
    number: int, probe: str, tmp_path: Path
) -> None:
    assert wrongly_said(number, probe, tmp_path) == []


@pytest.mark.parametrize("number", [16, 42, 76, 86])
def test_reads_that_wait_for_a_mapping_are_not_taken_for_reads_that_wait_for_a_unit(
    number: int, tmp_path: Path
) -> None:
    assert wrongly_said(number, "units", tmp_path) == []


@pytest.mark.parametrize("number", [54, 73, 87])
def test_writes_smaller_than_a_unit_do_not_make_the_buffer_smaller(number: int, tmp_path: Path) -> None:
    assert wrongly_said(number, "write-buffer", tmp_path) == []


@pytest.mark.parametrize("number", [48, 63])
def test_reads_that_are_repeated_are_not_taken_for_reads_that_wait_for_each_other(number: int, tmp_path: Path) -> None:
    assert wrongly_said(number, "placement", tmp_path) == []


@pytest.mark.parametrize(("family", "number"), [(MENDED, 13), (MENDED, 83), (13, 17), (13, 102)])
def test_a_forced_write_costs_nothing_where_the_turns_differ_as_much(family: int, number: int, tmp_path: Path) -> None:
    assert wrongly_said(number, "flush", tmp_path, family) == []


@pytest.mark.parametrize(("family", "number"), [(7, 37), (7, 44), (MENDED, 99), (11, 115), (13, 29), (67, 108)])
def test_a_stripe_is_neither_twice_nor_half_as_wide(family: int, number: int, tmp_path: Path) -> None:
    """Of 24 and 56 KiB, behind channels as slow as the flash, and of 1920 KiB, of which a distance between stands out, too."""
    assert wrongly_said(number, "stripe", tmp_path, family) == []


@pytest.mark.parametrize(("family", "number"), [(7, 3), (7, 41), (7, 86), (13, 48), (13, 89)])
def test_units_are_counted_beside_missing_mappings_and_retries_and_where_they_are_many(
    family: int, number: int, tmp_path: Path
) -> None:
    assert wrongly_said(number, "units", tmp_path, family) == []


@pytest.mark.parametrize("number", [64, 117])
def test_reads_that_wait_for_short_programs_are_not_taken_for_reads_that_overtake(number: int, tmp_path: Path) -> None:
    assert wrongly_said(number, "interference", tmp_path, 13) == []


def test_speed_that_wavers_slowly_is_not_taken_for_a_drift(tmp_path: Path) -> None:
    assert wrongly_said(83, "drift", tmp_path, 13) == []


@pytest.mark.parametrize("number", [89, 93, 97, 90, 94, 98])
@pytest.mark.parametrize("probe", ["read-ahead", "stripe", "units"])
def test_long_stripes_and_small_drives_are_not_taken_for_few_units(number: int, probe: str, tmp_path: Path) -> None:
    assert wrongly_said(number, probe, tmp_path) == []


def test_a_write_to_two_places_is_not_taken_for_two_copies(tmp_path: Path) -> None:
    assert wrongly_said(6, "shift-write", tmp_path, 7) == []


def test_units_of_a_small_drive_that_lie_in_one_page_are_not_taken_for_pages(tmp_path: Path) -> None:
    assert wrongly_said(94, "read-page", tmp_path, 31) == []


def test_pages_two_to_a_unit_are_not_taken_for_pages_of_twice_the_size(tmp_path: Path) -> None:
    assert wrongly_said(22, "read-page", tmp_path, 89) == []


@pytest.mark.parametrize(("family", "number"), [(MENDED, 95), (37, 107)])
def test_reads_that_are_repeated_are_not_taken_for_pages_in_the_order_of_writing(
    family: int, number: int, tmp_path: Path
) -> None:
    assert wrongly_said(number, "allocation", tmp_path, family) == []


def test_a_ratio_within_three_errors_of_the_border_tells_no_order(tmp_path: Path) -> None:
    """Pages between order and address: the ratio is 2.6 standard errors from the border."""
    assert wrongly_said(40, "allocation", tmp_path, 41) == []


def test_pages_that_wait_as_long_for_a_channel_as_for_each_other_tell_no_address(tmp_path: Path) -> None:
    """In the order of writing: a page takes 36 us, a further channel 32."""
    assert wrongly_said(64, "allocation", tmp_path, 71) == []


def test_reads_that_are_repeated_are_not_taken_for_reads_that_wait_for_the_one_unit(tmp_path: Path) -> None:
    """A fifth is repeated, and a quarter of the pairs meet in one of four units: more than half take longer."""
    assert wrongly_said(68, "placement", tmp_path, 43) == []


def test_room_that_comes_in_lumps_does_not_make_the_buffer_smaller(tmp_path: Path) -> None:
    """12 MiB, of which 8 are free at once when 64 programs end together."""
    assert wrongly_said(74, "write-buffer", tmp_path, 43) == []


def test_reads_that_meet_few_programs_are_not_taken_for_reads_that_overtake(tmp_path: Path) -> None:
    assert wrongly_said(117, "interference", tmp_path, 37) == []


def test_planes_that_hold_nothing_but_padding_are_not_counted(tmp_path: Path) -> None:
    """A write of 128 KiB through to flash covers two of three planes of 64 KiB."""
    assert wrongly_said(43, "units", tmp_path, 37) == []


def test_reads_that_wait_for_the_buffer_to_be_written_out_are_no_scatter(tmp_path: Path) -> None:
    assert wrongly_said(92, "noise", tmp_path, 43) == []


def test_stripes_that_are_filled_up_are_not_taken_for_blocks_that_are_copied(tmp_path: Path) -> None:
    """Writes through to stripes of 128 KiB that share a channel as slow as the flash."""
    assert wrongly_said(111, "shift-write", tmp_path, 43) == []


def test_a_buffer_that_drains_faster_than_a_program_ends_is_no_more_than_a_hint(tmp_path: Path) -> None:
    """42 MB that drain at 4 GB/s once the first programs have ended."""
    assert wrongly_said(109, "write-buffer", tmp_path, 67) == []
