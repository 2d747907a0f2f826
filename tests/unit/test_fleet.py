"""What of a fleet needs no database: rules of a host, its place, the store, and that nobody else loads what a fleet needs."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from tests.kit.small_bundle import write_small
from tests.kit.watched_drive import Overlap, Stay, overlaps_of

from ssdlab.cli.extra import require_extra
from ssdlab.errors import SsdlabError, UsageError
from ssdlab.fleet.database import DatabaseAway, DatabaseError, connected, require_address
from ssdlab.fleet.place import HostPlace
from ssdlab.fleet.progress import finished_directories
from ssdlab.fleet.records import AnnouncedDrive, FleetDrive, Standing, chosen
from ssdlab.fleet.rules import AllowedDrive, Manner, read_rules
from ssdlab.fleet.submit import condition_of
from ssdlab.fleet.suites import require_nothing_beside
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.method.suite import parse_suite

PACKAGE = Path(__file__).parents[2] / "src" / "ssdlab"


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.ImportFrom(module=str(module)):
                yield from (module, *(f"{module}.{name.name}" for name in node.names))
            case ast.Import():
                yield from (name.name for name in node.names)
            case _:
                pass


def test_only_the_commands_of_a_fleet_load_what_a_fleet_needs() -> None:
    own = {"agent.py", "fleet.py", "fleet_lines.py"}
    others = [
        path
        for path in PACKAGE.rglob("*.py")
        if not {"fleet", "web"} & set(path.relative_to(PACKAGE).parts)
        and not (path.parent.name == "cli" and path.name in own)
    ]
    assert len(others) > 100
    needed = [
        f"{path}: {name}"
        for path in others
        for name in imported(path)
        if name.split(".")[0] in {"procrastinate", "psycopg", "psycopg_pool", "obstore"}
        or name.startswith("ssdlab.fleet.")
    ]
    assert needed == []


def test_an_installation_without_the_extra_says_how_to_get_it() -> None:
    with pytest.raises(SsdlabError) as caught:
        require_extra("fleet", "no_such_package_of_anybody")
    assert caught.value.hints[0].id == "cli-hint-extra"


def rules_file(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(('database = "postgresql:///fleet"', 'store = "/srv/store"', *lines)) + "\n")
    path.chmod(0o600)
    return path


def test_the_rules_of_a_host_are_read(tmp_path: Path) -> None:
    drives = (
        "[[drive]]",
        'serial = "S1"',
        "[[drive]]",
        'serial = "S2"',
        'target = "file:/mnt/x"',
        'max_write = "3 TB"',
    )
    rules = read_rules(rules_file(tmp_path / "agent.toml", 'name = "bench"', 'runs = "quiet"', *drives))
    assert (rules.name, rules.manner, rules.store) == ("bench", Manner.QUIET, Path("/srv/store"))
    assert rules.drives == (AllowedDrive("S1"), AllowedDrive("S2", "file:/mnt/x", 3 * 10**12))
    assert rules.drive("S3") is None


@pytest.mark.parametrize(
    "lines",
    [
        ('erase = "all"',),
        ('state = "here"',),
        ('runs = "loud"',),
        ("[[drive]]", 'target = "/dev/sda"'),
        ("[[drive]]", 'serial = ""'),
        ("[[drive]]", 'serial = "S1"', "max_write = 3"),
        ("[[drive]]", f'serial = "{"S" * 61}"'),
        ("[[drive]]", 'serial = "S1"', "[[drive]]", 'serial = "S1"'),
    ],
)
def test_rules_that_mean_nothing_are_refused(tmp_path: Path, lines: tuple[str, ...]) -> None:
    with pytest.raises(SsdlabError):
        read_rules(rules_file(tmp_path / "agent.toml", *lines))


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_rules_that_others_may_write_are_refused(tmp_path: Path, mode: int) -> None:
    path = rules_file(tmp_path / "agent.toml")
    path.chmod(mode)
    with pytest.raises(SsdlabError) as caught:
        read_rules(path)
    assert caught.value.message.id == "fleet-rules-not-own"


def test_a_host_has_one_agent_and_stays_the_same_host(tmp_path: Path) -> None:
    first = HostPlace(tmp_path / "state")
    with pytest.raises(SsdlabError) as caught:
        HostPlace(tmp_path / "state")
    assert caught.value.message.id == "fleet-second-agent"
    first.close()
    again = HostPlace(tmp_path / "state")
    assert again.host == first.host
    again.close()


@pytest.mark.parametrize("serial", ["S1", "..", "a/b", "../../x", "\u202e", "x y"])
def test_a_drive_is_held_once_and_remembers_its_last_run(tmp_path: Path, serial: str) -> None:
    place, run = HostPlace(tmp_path / "state"), uuid4()
    with place.held(serial) as drive, place.held(serial) as second, place.held("another") as other:
        assert drive is not None
        assert (drive.last_run, second) == ("", None)
        assert other is not None
        drive.note_run(run)
    with place.held(serial) as later:
        assert later is not None
        assert later.last_run == str(run)
    # No serial number leads out of the place.
    assert {path.parent.name for path in tmp_path.rglob("*.lock")} == {"drives", "state"}
    place.close()


def test_what_runs_have_written_to_a_drive_adds_up(tmp_path: Path) -> None:
    place, first, second = HostPlace(tmp_path / "state"), uuid4(), uuid4()
    with place.held("S1") as drive:
        assert drive is not None
        drive.note_written(first, 5)
        drive.note_written(second, 7)
        # It went on after a power cut.
        drive.note_written(first, 6)
    with place.held("S1") as drive:
        assert drive is not None
        assert (drive.written_bytes(without=uuid4()), drive.written_bytes(without=second)) == (13, 6)
    place.close()


def test_an_attempt_is_taken_up_once(tmp_path: Path) -> None:
    host = HostPlace(tmp_path / "state")
    place = host.run(UUID(int=1))
    place.make("text")
    assert not place.asked_before(1)
    place.note_attempt(1)
    assert (place.asked_before(1), place.asked_before(2), place.bundle) == (True, False, None)
    assert host.runs() == (UUID(int=1),)
    place.remove()
    assert host.runs() == ()
    host.close()


def test_what_finished_steps_left_may_be_brought_before_the_run_is_over(tmp_path: Path) -> None:
    host = HostPlace(tmp_path / "state")
    place = host.run(UUID(int=1))
    place.make("text")
    assert finished_directories(place) == frozenset()
    bundle = write_small(place.path / "runs" / "20261127T000000Z-small")
    assert place.bundle == bundle
    assert finished_directories(place) == {path.name for path in bundle.iterdir() if path.is_dir()} != set()
    host.close()


def fleet_drive(serial: str, host: str, **fields: object) -> FleetDrive:
    drive = AnnouncedDrive(
        serial=serial,
        model="PM9A1",
        firmware=None,
        capacity_bytes=None,
        temperature_c=None,
        standing=Standing.FREE,
        reasons=(),
    )
    seen = datetime(2026, 1, int(str(fields.pop("day", 1))), tzinfo=UTC)
    return FleetDrive(
        drive=replace(drive, **fields),  # type: ignore[arg-type]
        host=UUID(int=len(host)),
        host_name=host,
        seen_at=seen,
        run=None,
    )


def test_drives_are_chosen_by_all_conditions_and_only_free_ones() -> None:
    drives = (
        fleet_drive("A", "one"),
        fleet_drive("B", "one", standing=Standing.REFUSED),
        fleet_drive("C", "two", model=None),
        fleet_drive("D", "two"),
    )
    assert [one.drive.serial for one in chosen(drives, [("model", "PM9*")])] == ["A", "D"]
    assert [one.drive.serial for one in chosen(drives, [("model", "PM9*"), ("host", "two")])] == ["D"]
    assert [one.drive.serial for one in chosen(drives, [("model", "pm9*")])] == []


def test_a_drive_that_two_hosts_reach_is_that_of_the_one_heard_of_last() -> None:
    drives = (fleet_drive("A", "one", day=2), fleet_drive("A", "three", day=1))
    assert [one.host_name for one in chosen(drives, [("serial", "A")])] == ["one"]


@pytest.mark.parametrize("text", ["model", "=x", "size=1", "PM9*"])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        condition_of(text)


def test_a_pattern_may_hold_anything() -> None:
    assert condition_of("model=a=b*") == ("model", "a=b*")


def test_a_run_that_rests_between_two_connections_is_at_its_drive_all_the_same() -> None:
    stays = [Stay("a", 0, 10), Stay("b", 20, 50), Stay("c", 30, 40), Stay("d", 60, 70)]
    assert overlaps_of(stays) == [Overlap("b", "c")]


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ssdlab:ba@dpart/g00d@db.invalid/ssdlab",
        "postgresql://ssdlab:ba@dpart@db.invalid/ssdlab",
        "postgresql://ssdlab:ba/dpart@127.0.0.1/x",
        "postgresql://ssdlab:12/dpart@127.0.0.1/x",
        "postgresql://ssdlab:ba%zzdpart@127.0.0.1/x",
        "host=127.0.0.1 password=ba dpart user=a",
    ],
)
def test_of_what_is_no_address_of_a_database_nothing_is_repeated(text: str) -> None:
    with pytest.raises(DatabaseError) as caught, connected(text):
        pass
    assert not isinstance(caught.value, DatabaseAway)
    said = " ".join(str(line) for line in (*caught.value.lines, *caught.value.hints))
    assert "part" not in said.replace("of a password", "")
    assert caught.value.message.id == "fleet-no-address"


@pytest.mark.parametrize(
    "text",
    [
        "postgresql://ssdlab@db.lab/ssdlab",
        "postgresql://ssdlab@/fleet?host=/tmp/x",
        "postgresql://u:p%40ss%2Fw@a:5432,b:5433/x?sslmode=require",
        "postgresql://u@a,b:5433/x",
        "dbname=x@y host=@abstract",
        "",
    ],
)
def test_addresses_of_databases_are_read(text: str) -> None:
    require_address(text)


HEAD = '[suite]\nname = "own"\nversion = "1"\nengine = "load"\n[[step]]\nkind = "fill"\njob = { pattern = "sequential", bs = "128KiB", qd = 8 }\n'
MIXES = '[[step]]\nkind = "mixes"\nqd = [1]\njob = { limit = "1s" }\n'


@pytest.mark.parametrize(
    "step",
    [
        '[[step]]\nkind = "replay"\ntrace = "x.ssdtrace"\n',
        f'{MIXES}mix = ["/etc/passwd"]\n',
        f'{MIXES}mix = ["iometer-database", "mine.toml"]\n',
    ],
)
def test_a_suite_that_reads_files_is_not_submitted(step: str) -> None:
    with pytest.raises(SsdlabError) as caught:
        require_nothing_beside(parse_suite(HEAD + step, "own.toml"))
    assert caught.value.message.id == "fleet-suite-reads"


def test_suites_that_come_with_ssdlab_read_no_files() -> None:
    for name in builtin_names():
        require_nothing_beside(load_suite(name))
    require_nothing_beside(parse_suite(f'{HEAD}{MIXES}mix = ["iometer-database"]\n', "own.toml"))
