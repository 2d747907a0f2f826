"""What whoever watches a run sees, on a terminal and in a log."""

import io
import os
import pty
import re
import select
from collections.abc import Iterator
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_fio import sequential_fill

from ssdlab.bundle.dotted_names import point_of_name
from ssdlab.cli import display as cli_display
from ssdlab.cli.display import Pace, PlainDisplay, display_for
from ssdlab.cli.live_display import LiveDisplay
from ssdlab.drive.identity import DriveIdentity, Freshness, Memory
from ssdlab.engine.base import Progress
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.display import Ending
from ssdlab.message import verbatim
from ssdlab.method.builtin import load_suite
from ssdlab.method.plan import Plan, PlannedStep, expand
from ssdlab.method.suite import Suite, parse_suite
from ssdlab.units import GIB, MIB, NS_PER_S

REST = PlannedStep(
    index=2,
    name="purge.rest",
    group="purge",
    point=point_of_name("purge.rest"),
    kind=StepKind.REST,
    state=DriveState.FOB,
    job=None,
    rest_ns=900 * NS_PER_S,
)
FILL = PlannedStep(
    index=3,
    name="fill.pass1",
    group="fill",
    point=point_of_name("fill.pass1"),
    kind=StepKind.FILL,
    state=DriveState.FOB,
    job=sequential_fill(),
    rest_ns=0,
)


class Clock:
    """Time that goes on when it is told to."""

    now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(cli_display, "time", made)
    return made


def plan(profile: str = "standard") -> Plan:
    return plan_of(load_suite("fill"), profile)


def plan_of(suite: Suite, profile: str) -> Plan:
    identity = DriveIdentity(
        target="x",
        model="m",
        serial="s",
        firmware="f",
        capacity_bytes=GIB,
        logical_block_bytes=512,
        indirection_unit_bytes=4096,
        description=verbatim("d"),
        purge_leaves=Freshness.FRESH,
        memory=Memory.KEEPS,
    )
    return expand(suite, profile, identity, seed=1)


def pace_after(step: PlannedStep, *progress: Progress) -> Pace:
    pace = Pace(step)
    for one in progress:
        pace.take(one)
    return pace


def test_a_fill_says_how_far_it_is_how_fast_and_how_long_it_takes_at_this_speed() -> None:
    pace = pace_after(FILL, Progress(0.25, 16 * MIB))
    assert pace.words() == snapshot(" 25%, 16.0 MiB of 64.0 MiB, 16.0 MiB/s, 3.00 s left")


def test_a_rest_says_how_long_it_still_is() -> None:
    assert pace_after(REST, Progress(0.5, None)).words() == snapshot(" 50%, 450 s left")


def test_without_any_word_of_the_engine_nothing_is_made_up() -> None:
    assert pace_after(FILL).words() == snapshot("  0%, 0 B of 64.0 MiB")
    assert pace_after(FILL, Progress(None, None)).words() == snapshot("  0%, 0 B of 64.0 MiB")


def test_a_job_without_an_amount_is_extrapolated_from_its_time(clock: Clock) -> None:
    timed = PlannedStep(
        index=1,
        name="timed",
        group="timed",
        point=point_of_name("timed"),
        kind=StepKind.MEASURE,
        state=DriveState.FOB,
        job=sequential_fill(amount_bytes=None, duration_ns=40 * NS_PER_S),
        rest_ns=0,
    )
    pace = Pace(timed)
    clock.now_s = 10
    pace.take(Progress(0.25, None))
    assert pace.words() == snapshot(" 25%, 30.0 s left")


def test_more_than_all_is_all() -> None:
    assert pace_after(FILL, Progress(1.2, None)).share_done == 1


def test_the_latest_bandwidths_are_bars_with_the_highest_full() -> None:
    pace = pace_after(FILL, *(Progress(0.1, rate) for rate in (0.0, 50.0, 100.0, 25.0)))
    assert pace.sparkline() == snapshot("▁▄█▂")
    assert pace_after(FILL).sparkline() == ""
    assert pace_after(FILL, Progress(0.1, 0.0)).sparkline() == ""
    assert len(pace_after(FILL, *[Progress(0.1, 1.0)] * 100).sparkline()) == 24


def test_a_log_gets_a_line_when_something_begins_or_ends_and_one_every_half_minute(clock: Clock) -> None:
    stream = io.StringIO()
    display = PlainDisplay(stream)
    display.run_starts(plan(), Path("lab/runs/one"))
    display.step_starts(FILL)
    for clock.now_s in range(70):
        display.progress(FILL, Progress(0.5, 16 * MIB))
    display.warning(verbatim("it is hot"))
    display.step_ends(FILL, Ending.DONE, verbatim("64 MiB in 4.00 s"))
    assert stream.getvalue() == snapshot("""\
fill 2025.12 (profile standard) -> lab/runs/one
3/5 fill.pass1 ...
3/5 fill.pass1   50%, 32.0 MiB of 64.0 MiB, 16.0 MiB/s, 2.00 s left
3/5 fill.pass1   50%, 32.0 MiB of 64.0 MiB, 16.0 MiB/s, 2.00 s left
warning: it is hot
3/5 fill.pass1  64 MiB in 4.00 s
""")


MANY = """\
[suite]
name = "many"
version = "1"
[profile.quick]
runs = 2
[[step]]
kind = "purge"
[[step]]
kind = "measure"
name = "mix"
job = { pattern = "random", bs = "4KiB", qd = 1, amount = "1MiB" }
sweep = { read = "0%..100% step 25%" }
repeat = { times = 3, at_most = 5, until_rse = "5%" }
rest = "1s"
[[step]]
kind = "reclaim"
job = { pattern = "sequential", bs = "128KiB", qd = 256 }
fill = "50%"
rests = ["5s", "10s", "15s"]
write = "1min"
skip_above = "1MiB"
"""


def shown_of_many(clock: Clock, profile: str) -> str:
    """What a log shows of a run in which a settled point needs no fourth run."""
    stream = io.StringIO()
    display, made = PlainDisplay(stream), plan_of(parse_suite(MANY, "many.toml"), profile)
    display.run_starts(made, Path("one"))
    for step in made.steps:
        if step.skip is not None or step.run > 3:
            display.step_ends(step, Ending.SKIPPED, step.skip or verbatim("RSE is small"))
            continue
        display.step_starts(step)
        clock.now_s += 10
        display.progress(step, Progress(0.5, None))
        display.step_ends(step, Ending.DONE, verbatim("done"))
    return stream.getvalue()


def test_of_many_jobs_of_one_step_there_is_a_line_now_and_then_and_one_at_the_end(clock: Clock) -> None:
    assert shown_of_many(clock, "standard") == snapshot("""\
many 1 (profile standard) -> one
1/62 purge ...
1/62 purge  done
mix 1/25 ...
mix 2/25  mix.r0.run2   50%, 512 KiB of 1.00 MiB, 10.0 s left
mix 6/25  mix.r25.run1.rest   50%, 500 ms left
mix 7/25  mix.r25.run2   50%, 512 KiB of 1.00 MiB, 10.0 s left
mix 11/25  mix.r50.run1.rest   50%, 500 ms left
mix 12/25  mix.r50.run2   50%, 512 KiB of 1.00 MiB, 10.0 s left
mix 16/25  mix.r75.run1.rest   50%, 500 ms left
mix 17/25  mix.r75.run2   50%, 512 KiB of 1.00 MiB, 10.0 s left
mix 21/25  mix.r100.run1.rest   50%, 500 ms left
mix 22/25  mix.r100.run2   50%, 512 KiB of 1.00 MiB, 10.0 s left
mix  15 done, 10 not needed, in 290 s
reclaim  skipped, the drive has 1.07 GB, the suite does this only up to 1.05 MB
""")


def test_how_long_many_jobs_took_is_told_by_the_clock_of_the_drive(clock: Clock) -> None:
    stream = io.StringIO()
    made = plan_of(parse_suite(MANY, "many.toml"), "quick")
    drive_ns = iter(range(0, 10**15, 60 * NS_PER_S))
    with display_for(stream, lambda: next(drive_ns)) as display:
        display.run_starts(made, Path("one"))
        for step in made.steps:
            if step.group == "mix":
                display.step_starts(step)
                clock.now_s += 0.001
                display.step_ends(step, Ending.DONE, verbatim("done"))
    assert re.search(r"^mix  \d+ done, in \d+ min$", stream.getvalue(), re.MULTILINE)


def test_what_is_skipped_altogether_is_said_once(clock: Clock) -> None:
    lines = [line for line in shown_of_many(clock, "quick").splitlines() if "reclaim" in line]
    assert lines == snapshot(["reclaim  skipped, the drive has 1.07 GB, the suite does this only up to 1.05 MB"])


def test_a_profile_that_is_scaled_down_is_called_not_comparable() -> None:
    stream = io.StringIO()
    PlainDisplay(stream).run_starts(plan("quick"), Path("one"))
    assert stream.getvalue() == snapshot("fill 2025.12 (profile quick, not comparable) -> one\n")


@pytest.mark.parametrize("colour", ["FORCE_COLOR", "TTY_COMPATIBLE", "CI"])
def test_a_stream_that_is_no_terminal_gets_plain_lines(monkeypatch: pytest.MonkeyPatch, colour: str) -> None:
    monkeypatch.setenv(colour, "1")
    with display_for(io.StringIO()) as display:
        assert isinstance(display, PlainDisplay)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, io.TextIOWrapper]]:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as stream:
        yield leader, stream
    os.close(leader)


def all_drawn(leader: int) -> str:
    """What a terminal was sent; it may arrive in pieces."""
    drawn = b""
    while select.select([leader], [], [], 0.5)[0]:
        drawn += os.read(leader, 65536)
    return drawn.decode()


def test_a_terminal_gets_one_line_that_is_redrawn(terminal: tuple[int, io.TextIOWrapper]) -> None:
    leader, stream = terminal
    with display_for(stream) as display:
        assert isinstance(display, LiveDisplay)
        display.run_starts(plan(), Path("one"))
        display.step_starts(FILL)
        display.progress(FILL, Progress(0.25, 16 * MIB))
        display.progress(REST, Progress(0.99, None))
        display.warning(verbatim("it is hot"))
        display.step_ends(FILL, Ending.DONE, verbatim("64 MiB in 4.00 s"))
    drawn = all_drawn(leader)
    assert "fill 2025.12 (profile standard) -> one" in drawn
    assert "it is hot" in drawn
    assert "99%" not in drawn, "progress of a step that is not the present one"
    assert "\x1b[2K" in drawn, "the live line is wiped before it is drawn again"


def test_a_path_is_printed_as_it_is(terminal: tuple[int, io.TextIOWrapper]) -> None:
    leader, stream = terminal
    with display_for(stream) as display:
        display.run_starts(plan(), Path("[bold]/[/odd]"))
    assert "-> [bold]/[/odd]" in all_drawn(leader)
