"""What the drives of a page are called."""

from dataclasses import replace

from tests.kit.sample_bundle import run_info
from tests.kit.sample_client import Made, client_bundle

from ssdlab.drive.identity import DriveIdentity
from ssdlab.figure.kit.called import drives_called, key_of, names_apart
from ssdlab.figure.kit.drives import subtitle_of
from ssdlab.figure.kit.subject import drive_name, named_with_capacity

DRIVE = run_info(10**12).drive


def made(serial: str, firmware: str = "1.0", capacity_bytes: int = 10**12) -> DriveIdentity:
    return replace(DRIVE, model="PM1", serial=serial, firmware=firmware, capacity_bytes=capacity_bytes)


def names(*drives: DriveIdentity) -> list[str]:
    with drives_called(names_apart(drives)):
        return [drive_name(drive) for drive in drives]


def test_a_figure_of_several_runs_counts_drives_and_not_runs() -> None:
    one, other = client_bundle(), client_bundle(Made(model="Other"))
    found = [subtitle_of(runs, [])[0] for runs in ([one, other], [one, one], [one, other, one])]
    assert found == ["2 drives", "2 runs of one drive", "3 runs of 2 drives"]


def test_one_drive_keeps_its_name_whatever_it_ran() -> None:
    assert names(made("A"), made("A", firmware="2.0")) == ["PM1", "PM1"]


def test_drives_of_one_model_are_told_apart_by_the_first_part_that_differs() -> None:
    assert names(made("A"), made("B", capacity_bytes=2 * 10**12)) == ["PM1, 1.00 TB", "PM1, 2.00 TB"]
    assert names(made("A"), made("B", firmware="2.0")) == ["PM1, FW 1.0", "PM1, FW 2.0"]
    assert names(made("S0000017"), made("S0000018")) == ["PM1, S/N …0017", "PM1, S/N …0018"]


def test_a_capacity_that_tells_drives_apart_is_not_told_twice() -> None:
    runs = [
        replace(client_bundle(), run=replace(client_bundle().run, drive=made("A", capacity_bytes=tb * 10**12)))
        for tb in (1, 2)
    ]
    with drives_called(names_apart([run.run.drive for run in runs])):
        assert [subtitle_of([run], [])[0] for run in runs] == ["PM1, 1.00 TB", "PM1, 2.00 TB"]
        # Figures of probes have it from the drive alone.
        assert named_with_capacity(runs[0].run.drive) == "PM1, 1.00 TB"
    assert subtitle_of(runs[:1], [])[0] == named_with_capacity(runs[0].run.drive) == "PM1 · 1.00 TB"


def test_ends_of_serial_numbers_are_as_long_as_they_must_be() -> None:
    assert names(made("X17000"), made("X27000"), made("Y17001")) == [
        "PM1, S/N …17000",
        "PM1, S/N …27000",
        "PM1, S/N …17001",
    ]


def test_a_name_that_was_asked_for_wins_and_ends_with_the_page() -> None:
    drive = made("A")
    with drives_called({key_of(drive): "Ours"}):
        assert drive_name(drive) == "Ours"
    assert drive_name(drive) == "PM1"


def test_a_name_does_not_turn_the_number_beside_it() -> None:
    turned = replace(DRIVE, model="PM1\N{RIGHT-TO-LEFT OVERRIDE} 1TB")
    assert drive_name(turned) == "PM1 1TB"
    from_the_right = replace(DRIVE, model="\N{HEBREW LETTER SHIN}\N{HEBREW LETTER LAMED}")
    assert (
        drive_name(from_the_right)
        == "\N{FIRST STRONG ISOLATE}\N{HEBREW LETTER SHIN}\N{HEBREW LETTER LAMED}\N{POP DIRECTIONAL ISOLATE}"
    )


def test_a_name_of_nothing_that_shows_is_no_name() -> None:
    assert drive_name(replace(DRIVE, model="\N{LEFT-TO-RIGHT MARK} ")) == DRIVE.target
