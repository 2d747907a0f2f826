"""`ssdlab sustain` on served drives that are ill: caught by the command, with the very bytes the server says it spoilt."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.kit.nbd_peer import Server
from tests.kit.processes import ssdlab
from typer.testing import CliRunner, Result

from ssdlab import _core, cli
from ssdlab.bundle.read import Bundle, open_bundle
from ssdlab.drive.kinds.own_files import Keep
from ssdlab.errors import ExitStatus
from ssdlab.lab.lifecycle import RunFailed
from ssdlab.lab.sustain.ground import Before, Choice, open_ground
from ssdlab.lab.sustain.live import Live
from ssdlab.lab.sustain.run import sustain
from ssdlab.message import Message
from ssdlab.method.sustain import SustainSettings, Verify, Work
from ssdlab.units import KIB, MIB

pytestmark = pytest.mark.fio

CAPACITY = 16 * MIB
BLOCK = 4 * KIB
LOST_CACHE = 'kind = "lost_cache"\ncache = "1 MiB"\nflush = "{}"\n'
GOOD = "verified: every byte is what was written"
Serve = Callable[..., Server]


@pytest.fixture
def ill(nbd_server: Serve, tmp_path: Path) -> Serve:
    """Serves `zero` with 16 MiB in a file and one fault; sizes in the fault are meant for its 1 GiB."""

    def serve(fault: str, link_write: str = "unlimited") -> Server:
        spec = tmp_path / "ill.toml"
        text = _core.spec_text("zero").replace('link_write = "unlimited"', f'link_write = "{link_write}"')
        spec.write_text(f"{text}\n[[fault]]\n{fault}")
        return nbd_server(f"{spec}?capacity=16MiB", "--store", tmp_path / "store")

    return serve


def target_of(server: Server) -> str:
    return f"nbd+unix:///?socket={server.socket}"


def run(server: Server, lab: Path, *arguments: str) -> Result:
    words = [target_of(server), "--chunk", "1MiB", "--record", "4MiB", "--erase", "nbd", *arguments]
    return CliRunner().invoke(cli.app, ["sustain", *words, "--lab", str(lab)])


def bundle_of(result: Result) -> Bundle:
    return open_bundle(Path(result.stdout.strip().splitlines()[-1]))


def bad_of(result: Result, step: str = "sustain.verify1") -> list[dict[str, object]]:
    assert result.exit_code == ExitStatus.AUDIT_FAILED, result.stderr
    bundle = bundle_of(result)
    found: list[dict[str, object]] = json.loads((bundle.directory(bundle.step(step)) / "bad.json").read_text())
    return found


def ranges_of(bad: list[dict[str, object]]) -> list[list[object]]:
    return [[one["offset_bytes"], one["length_bytes"]] for one in bad]


def spoilt(server: Server) -> list[list[int]]:
    """What the server says it has spoilt, block by block, neighbours joined."""
    (report,) = server.ask('{"do":"faults"}')["data"]
    ranges: list[list[int]] = report["ranges"]
    return ranges


def kinds_of(bad: list[dict[str, object]]) -> set[object]:
    return {one["kind"] for one in bad}


def test_swapped_blocks_are_named_with_where_they_belong(ill: Serve, tmp_path: Path) -> None:
    server = ill('kind = "swap"\nevery = 512\n')
    bad = bad_of(run(server, tmp_path, "--verify", "after"))
    places = {one["offset_bytes"]: one["found_offset_bytes"] for one in bad}
    assert kinds_of(bad) == {"elsewhere"}
    assert all(places[other] == place for place, other in places.items())
    assert sum(int(str(one["length_bytes"])) for one in bad) == sum(length for _, length in spoilt(server)) > 0
    assert {offset for offset, _ in spoilt(server)} <= set(places)


def test_flipped_bits_are_named_to_the_sector(ill: Serve, tmp_path: Path) -> None:
    server = ill('kind = "flip"\nevery = 512\n')
    bad = bad_of(run(server, tmp_path, "--verify", "after"))
    assert [(one["kind"], one["length_bytes"], one["detail"]) for one in bad] == [("corrupted", 512, "1 wrong bit")] * 8
    assert [[int(str(one["offset_bytes"])) // BLOCK * BLOCK, BLOCK] for one in bad] == spoilt(server)


def test_a_fake_capacity_is_named_with_what_was_written_over(ill: Serve, tmp_path: Path) -> None:
    bad = bad_of(run(ill('kind = "wrap"\nreal = "640 MiB"\n'), tmp_path, "--verify", "after"))
    assert [(one["offset_bytes"], one["length_bytes"], one["found_offset_bytes"]) for one in bad] == [
        (0, 6 * MIB, 10 * MIB)
    ]


def test_data_that_outlives_a_trim_is_stale_and_of_an_earlier_run(ill: Serve, tmp_path: Path) -> None:
    server = ill('kind = "stale_after_trim"\nevery = 512\n')
    assert GOOD in run(server, tmp_path, "--verify", "after").stderr
    bad = bad_of(run(server, tmp_path, "--trim", "--verify", "after"))
    assert {(one["kind"], one["detail"], one["found_generation"]) for one in bad} == {
        ("stale", "of an earlier run", None)
    }
    assert ranges_of(bad) == spoilt(server)


@pytest.mark.parametrize(("passes", "kind", "generation"), [("1", "zero", None), ("2", "stale", 1)])
def test_a_lost_write_is_told_by_what_was_there_before(
    ill: Serve, tmp_path: Path, passes: str, kind: str, generation: int | None
) -> None:
    """The power goes after the last pass, before it is read back."""
    server = ill(LOST_CACHE.format("ignored"))
    choice = Choice(target=target_of(server), erase="nbd", before=Before.AS_IT_IS, keep=Keep.REMOVE)
    settings = SustainSettings(chunk_bytes=MIB, record_bytes=4 * MIB, passes=int(passes), verify=Verify.AFTER)
    lost: list[list[int]] = []

    class Cut(_Nobody):
        def record(self, live: Live) -> None:
            if (live.record.number, live.record.total_bytes) == (int(passes), CAPACITY) and not lost:
                lost.extend(server.ask('{"do":"power_cut"}')["lost"])

    with open_ground(choice, settings) as ground, pytest.raises(RunFailed):
        sustain(settings, ground, tmp_path, Cut(), None)
    assert lost
    medium = _core.SustainMedium.nbd(server.socket, "")
    content = ground.passes.content  # type: ignore[attr-defined]
    bad, _ = medium.check(0, CAPACITY, MIB, content.seed, content.generation(int(passes)), 100, lambda *_: True)
    assert [[one.offset_bytes, one.length_bytes] for one in bad] == lost
    assert {one.kind for one in bad} == {kind}
    assert {content.number(one.found_generation, 2) for one in bad if one.found_generation is not None} <= {generation}


class _Nobody:
    """Nobody watches."""

    def begins(self, bundle: Path, length_bytes: int) -> None: ...
    def record(self, live: Live) -> None: ...
    def rests(self, duration_ns: int) -> None: ...
    def note(self, text: Message) -> None: ...


# Weeks later


LEFT = ("--write-only", "--tag", "shelf")


@pytest.mark.parametrize("flush", ["obeyed", "ignored"])
def test_data_that_was_left_is_read_again_by_another_process_with_another_lab(
    ill: Serve, tmp_path: Path, flush: str
) -> None:
    """Between the two the power goes; a drive that dropped its flushes is caught, with the very bytes."""
    server = ill(LOST_CACHE.format(flush))
    words = ("sustain", target_of(server), "--chunk", "1MiB", "--record", "4MiB")
    wrote = ssdlab(*words, *LEFT, "--erase", "nbd", "--lab", tmp_path / "here")
    assert GOOD in wrote.stderr, wrote.stderr
    lost = server.ask('{"do":"power_cut"}')["lost"]
    again = ssdlab(*words, "--verify-tag", "shelf", "--lab", tmp_path / "elsewhere")
    (path,) = (tmp_path / "elsewhere" / "runs").iterdir()
    bundle = open_bundle(path)
    bad = json.loads((bundle.directory(bundle.step("sustain.verify1")) / "bad.json").read_text())
    assert ranges_of(bad) == lost
    # A busy host may fail the audit of so short a reading, so a good end is told by its words.
    assert (GOOD not in again.stderr) == bool(lost) == (flush == "ignored")
    assert again.status == ExitStatus.AUDIT_FAILED or not lost


def test_data_of_a_tag_that_is_on_the_drive_is_not_written_over_it(ill: Serve, tmp_path: Path) -> None:
    server = ill(LOST_CACHE.format("obeyed"))
    words = ("sustain", target_of(server), "--chunk", "1MiB", "--record", "4MiB", "--erase", "nbd")
    wrote = ssdlab(*words, *LEFT, "--lab", tmp_path / "here")
    assert GOOD in wrote.stderr, wrote.stderr
    again = ssdlab(*words, *LEFT, "--lab", tmp_path / "elsewhere")
    assert again.status == ExitStatus.REFUSED
    assert "holds data of the tag `shelf`: the same data again would hide a write that was lost" in again.stderr
    other = ssdlab(*words, "--write-only", "--tag", "drawer", "--lab", tmp_path / "elsewhere")
    assert GOOD in other.stderr, other.stderr


def test_data_outlives_the_server_and_its_speed_is_held_against_the_day_of_writing(ill: Serve, tmp_path: Path) -> None:
    healthy = LOST_CACHE.format("obeyed")
    server = ill(healthy)
    wrote = run(server, tmp_path / "lab", *LEFT)
    server.process.terminate()
    server.process.wait()
    again = run(ill(healthy), tmp_path / "lab", "--verify-tag", "shelf")
    assert GOOD in again.stderr, again.stderr
    day = bundle_of(wrote).run.started_at[:10]
    assert f" % of the day of writing ({day})" in again.stderr
    assert bundle_of(again).run.seed == bundle_of(wrote).run.seed == SustainSettings(tag="shelf").seed


# A power cut


class _UntilCut(_Nobody):
    """Cuts the power from outside, a while after the record of that number was shown."""

    def __init__(self, server: Server, record: int, delay_s: float) -> None:
        self.shown_bytes = 0
        self._record = record
        self._due = threading.Event()
        self._thread = threading.Thread(target=self._cut, args=(server, delay_s))
        self._thread.start()

    def record(self, live: Live) -> None:
        self.shown_bytes = live.record.total_bytes
        if live.record.interval == self._record:
            self._due.set()

    def _cut(self, server: Server, delay_s: float) -> None:
        self._due.wait(60)
        time.sleep(delay_s)
        server.ask('{"do":"power_cut"}')

    def join(self) -> None:
        self._thread.join()


def test_a_power_cut_at_fifty_moments_takes_no_record_that_was_shown(ill: Serve, tmp_path: Path) -> None:
    server = ill(LOST_CACHE.format("obeyed"), link_write="400 MB/s")
    choice = Choice(target=target_of(server), erase="nbd", before=Before.AS_IT_IS, keep=Keep.REMOVE)
    random = np.random.default_rng(9)
    cut_short = 0
    for number in range(50):
        settings = SustainSettings(
            chunk_bytes=256 * KIB, record_bytes=MIB, work=Work.WRITE_AND_LEAVE, tag=str(number), verify=Verify.NONE
        )
        watcher = _UntilCut(server, int(random.integers(1, 12)), float(random.uniform(0, 0.01)))
        csv = tmp_path / f"{number}.csv"
        with open_ground(choice, settings) as ground:
            try:
                sustain(settings, ground, tmp_path, watcher, csv)
            except RunFailed:
                cut_short += 1
        watcher.join()
        rows = [line.split(",") for line in csv.read_text().splitlines()[1:]]
        assert int(rows[-1][2]) >= watcher.shown_bytes > 0
        medium, seed = _core.SustainMedium.nbd(server.socket, ""), settings.seed
        assert seed is not None
        assert medium.check(0, int(rows[-1][2]), MIB, seed, 1, 10, lambda *_: True) == ([], 0)
    # The host may be quicker with the rest than with the cut, but not always.
    assert cut_short
