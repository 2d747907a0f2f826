"""A sustained write in words: what it will do, where it is, what came of it."""

import io
import re
from itertools import pairwise
from pathlib import Path

import pytest
from inline_snapshot import snapshot
from tests.kit.metric_names import key
from typer.testing import CliRunner

from ssdlab import cli
from ssdlab.analysis.metrics.sustain_words import pass_rows, sentences
from ssdlab.bundle.model import Metric
from ssdlab.bundle.read import open_bundle
from ssdlab.cli.sustain_screen import line_of, screen_for
from ssdlab.engine.sustain.writer import Content, Done
from ssdlab.job import DriveState, StepKind
from ssdlab.lab.sustain.foreseen import foreseen
from ssdlab.lab.sustain.ground import Before
from ssdlab.lab.sustain.live import Outlook
from ssdlab.lab.sustain.records import Phase, Recorder, SustainRecord
from ssdlab.message import Message, message, verbatim
from ssdlab.method.sustain import Keeping, SustainSettings, Verify, Work, keeping
from ssdlab.units import GIB, NS_PER_S
from ssdlab.unknown import Unknown

# Before it begins


@pytest.mark.parametrize(
    ("settings", "target", "said"),
    [
        (
            SustainSettings(passes=3, verify=Verify.EACH_PASS, rest_ns=60 * NS_PER_S, rest_between_ns=30 * NS_PER_S),
            "/dev/nvme9n1",
            (
                "writes 3 times 100 GiB, reads it back each time; takes 104 min at 100 MiB/s, 12 min at 1000 MiB/s, "
                "120 s of it rests\n"
                "what is on `/dev/nvme9n1` is lost: its first 100 GiB are written over"
            ),
        ),
        (
            SustainSettings(passes=None),
            "model:demo",
            "writes 100 GiB again and again, until Ctrl-C; a pass takes 17 min at 100 MiB/s, 102 s at 1000 MiB/s",
        ),
        (
            SustainSettings(work=Work.READ_AGAIN, tag="shelf", verify=Verify.AFTER),
            "/dev/sdx",
            "reads 100 GiB; takes 17 min at 100 MiB/s, 102 s at 1000 MiB/s\nnothing is written",
        ),
    ],
    ids=["passes", "forever", "again"],
)
def test_what_will_be_done_is_said_before_it_begins(settings: SustainSettings, target: str, said: str) -> None:
    assert "\n".join(map(str, foreseen(target, settings, Before.AS_IT_IS, 100 * GIB))) == said


def test_the_time_is_that_of_an_earlier_run_where_the_lab_has_one(tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        words = ["sustain", "model:demo", "--record", "1GiB", *arguments, "--lab", str(tmp_path)]
        return CliRunner().invoke(cli.app, words).stderr

    assert "at 100 MiB/s" in said("--verify", "after")
    again = said("--passes", "2", "--verify", "each-pass", "--rest", "1min", "--rest-between", "1min")
    written, read = re.findall(r"(\d+\.\d) MB/s", again.splitlines()[0])
    took_s = 2 * 2 * GIB * (1 / float(written) + 1 / float(read)) / 1e6 + 120
    took = re.search(r"reads it back each time; takes (\d+) s at the speed of \d{4}-", again)
    assert took is not None
    assert float(took[1]) == pytest.approx(took_s, rel=0.01)
    assert "120 s of it rests" in again


def test_files_are_announced_and_nothing_is_said_to_be_lost(tmp_path: Path) -> None:
    lines = list(foreseen(str(tmp_path), SustainSettings(), Before.AS_IT_IS, GIB))
    assert str(lines[1]) == f"makes files of its own in `{tmp_path}` and touches nothing else there"


# While it goes on


def second_of(total_bytes: int, seconds: float, phase: Phase = Phase.WRITE) -> SustainRecord:
    return SustainRecord(1, phase, 1, total_bytes, round(seconds * NS_PER_S), GIB / seconds)


def test_the_time_left_goes_by_the_mean_speed_so_far() -> None:
    outlook = Outlook(
        SustainSettings(passes=2, verify=Verify.AFTER, rest_ns=60 * NS_PER_S, rest_between_ns=60 * NS_PER_S), 4 * GIB
    )
    outlook.rested(60 * NS_PER_S)
    outlook.pass_begins(4 * GIB)
    outlook.take(second_of(GIB, 1))
    live = outlook.take(second_of(2 * GIB, 3))
    assert live.left_ns == 4 * NS_PER_S
    # Two passes and a reading, two GiB of which are done in 4 s, and a rest.
    assert live.left_in_all_ns == (20 + 60) * NS_PER_S


def test_nobody_knows_how_long_an_endless_run_takes() -> None:
    outlook = Outlook(SustainSettings(passes=None), GIB)
    outlook.pass_begins(GIB)
    assert outlook.take(second_of(GIB, 1)).left_in_all_ns == Unknown(message("unknown-until-ctrl-c"))


def test_the_worst_record_is_that_of_the_pass() -> None:
    outlook = Outlook(SustainSettings(passes=2), 2 * GIB)
    outlook.pass_begins(2 * GIB)
    outlook.take(second_of(GIB, 4))
    assert outlook.take(second_of(2 * GIB, 1)).worst_bytes_per_s == GIB / 4
    outlook.pass_begins(2 * GIB)
    assert outlook.take(second_of(GIB, 1)).worst_bytes_per_s == GIB


def test_the_live_line_says_speed_worst_temperature_and_time_left() -> None:
    outlook = Outlook(SustainSettings(), 4 * GIB)
    outlook.pass_begins(4 * GIB)
    unknown = line_of(outlook.take(second_of(GIB, 2)))
    outlook.temperature_c = 41.6
    assert (unknown, line_of(outlook.take(second_of(2 * GIB, 1)))) == snapshot(
        (
            "write 1  1.00 GiB of 4.00 GiB  537 MB/s, worst 537  6.00 s left",
            "write 1  2.00 GiB of 4.00 GiB  1,074 MB/s, worst 537  42 °C  3.00 s left",
        )
    )


def test_off_a_terminal_each_record_is_a_line() -> None:
    stream = io.StringIO()
    outlook = Outlook(SustainSettings(), 2 * GIB)
    outlook.pass_begins(2 * GIB)
    with screen_for(stream) as screen:
        screen.record(outlook.take(second_of(GIB, 1)))
        screen.rests(NS_PER_S)
    assert stream.getvalue().splitlines()[-1] == "the drive rests for 1.00 s"


def test_that_there_is_no_temperature_is_said_once_and_a_sensor_that_answers_later_is_shown() -> None:
    stream = io.StringIO()
    outlook = Outlook(SustainSettings(), 8 * GIB)
    outlook.pass_begins(8 * GIB)
    outlook.temperature_c = Unknown(verbatim("the card has no sensor"))
    with screen_for(stream) as screen:
        for number, felt in enumerate((None, None, 40.0, None), start=1):
            outlook.temperature_c = felt or outlook.temperature_c
            screen.record(outlook.take(second_of(number * GIB, 1)))
        outlook.temperature_c = Unknown(verbatim("it fell asleep"))
        screen.record(outlook.take(second_of(5 * GIB, 1)))
    notes = [line for line in stream.getvalue().splitlines() if line.startswith("note: ")]
    warm = [line for line in stream.getvalue().splitlines() if "°C" in line]
    assert notes == ["note: no temperature: the card has no sensor"]
    assert [line.split("  ")[0:4:3] for line in warm] == [["write 1", "40 °C"]] * 2


class Terminal(io.StringIO):
    """A stream that says it is one."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_changes_and_what_follows_begins_a_new_one() -> None:
    stream = Terminal()
    outlook = Outlook(SustainSettings(), 4 * GIB)
    outlook.pass_begins(4 * GIB)
    with screen_for(stream) as screen:
        screen.record(outlook.take(second_of(GIB, 1)))
        screen.record(outlook.take(second_of(2 * GIB, 1)))
        screen.note(verbatim("warm"))
        screen.record(outlook.take(second_of(3 * GIB, 1)))
    shown = [line.rpartition("\x1b[K")[2] for line in stream.getvalue().split("\n")]
    assert [line.partition(" of ")[0] for line in shown] == [
        "note: no temperature: the drive has not been asked yet",
        "write 1  2.00 GiB",
        "note: warm",
        "write 1  3.00 GiB",
        "",
    ]
    assert all(len(line) < 80 for line in shown)


def test_a_pass_is_cut_into_records_and_none_is_lost() -> None:
    recorder = Recorder(Phase.READ, 2, 100)
    taken = [recorder.take(Done(done, done * 10)) for done in (60, 120, 180, 240, 250)]
    last = recorder.finish(Done(250, 2500))
    records = [one for one in (*taken, last) if one is not None]
    assert [one.total_bytes for one in records] == [120, 240, 250]
    assert records[0].line == "1,read2,120,0.001,100.000\n"
    assert recorder.finish(Done(250, 2500)) is None


# What stays


def test_the_first_passes_are_kept_whole_and_of_later_ones_ever_fewer_but_evenly_spread() -> None:
    for last in (1, 128, 129, 1000, 100_000, 10**6):
        whole = [number for number in range(1, last + 1) if keeping(number, last) is Keeping.WHOLE]
        later = [number for number in whole if number > 128]
        assert whole[:128] == list(range(1, min(last, 128) + 1))
        assert len(later) <= 128
        assert last < 256 or len(later) > 40
        assert len({after - before for before, after in pairwise(later)}) <= 1


def test_a_pass_that_stays_has_always_stayed() -> None:
    for number in range(1, 600, 7):
        stays = [keeping(number, last) is Keeping.WHOLE for last in range(number, 3000, 3)]
        assert stays == sorted(stays, reverse=True)


def test_data_is_known_to_be_of_a_pass_or_of_another_run() -> None:
    content = Content(seed=1, before=2**32 - 2)
    generations = [content.generation(number) for number in (1, 2, 3)]
    assert generations == [2**32 - 1, 0, 1]
    assert [content.number(one, 3) for one in generations] == [1, 2, 3]
    assert content.number(content.generation(3), 2) is None


# What came of it


Value = float | bool | Unknown


def metric(name: str, value: Value, note: Message | None = None) -> Metric:
    step = name.rpartition(".")[0]
    return Metric(key=key(name), value=value, unit="", state=DriveState.FOB, step=step, note=note)


def of_pass(number: int, mean: float, met: float = 100.0) -> list[Metric]:
    prefix = f"sustain.pass{number}"
    return [
        metric(f"{prefix}.bandwidth_mean", mean),
        metric(f"{prefix}.bandwidth_min", mean / 2),
        metric(f"{prefix}.bandwidth_median", mean),
        *(metric(f"{prefix}.time_below_{share}", 1.0) for share in (50, 80, 95)),
        metric(f"{prefix}.flat", number != 3, verbatim("why")),
        metric(f"{prefix}.cache_bytes", 2.5e11),
        metric(f"{prefix}.need_met", met, verbatim("of the time at least 1.35 GB/s")),
    ]


def test_a_pass_says_how_fast_how_steady_and_whether_it_met_the_need() -> None:
    assert list(map(str, sentences(of_pass(3, 1.4e9, 41.5)))) == snapshot(
        [
            "pass 3: 1,400.0 MB/s mean, not flat (why)",
            "pass 3: worst second 700.0 MB/s; of the time 1.0 % under 50 %, 1.0 % under 80 %, 1.0 % under 95 % of the median",
            "pass 3: fell after 232.8 GiB (250.0 GB)",
            "pass 3: 41.5 % of the time at least 1.35 GB/s",
        ]
    )


def test_many_passes_are_summed_up_with_the_first_the_slowest_and_the_last() -> None:
    metrics = [one for number in range(1, 21) for one in of_pass(number, 1e9 - (number == 7) * 1e8, 100.0 - number)]
    said = list(map(str, sentences(metrics)))
    assert said[0] == snapshot(
        "20 passes: 900.0 MB/s to 1,000.0 MB/s mean, 19 flat; at least 80.0 % of the time at least 1.35 GB/s"
    )
    assert [line.partition(":")[0] for line in said[1:] if " mean" in line] == ["pass 1", "pass 7", "pass 20"]


def test_a_pass_that_was_too_short_says_so() -> None:
    short = Unknown(message("unknown-short-pass", least_s=5))
    metrics = [metric("sustain.pass1.bandwidth_mean", 2e8), metric("sustain.pass1.flat", short)]
    (row,) = pass_rows(metrics)
    assert (row.flat, str(row.verdict)) == (short, "not known whether flat: the pass took less than 5 s")
    assert list(map(str, sentences(metrics))) == [
        "pass 1: 200.0 MB/s mean, not known whether flat: the pass took less than 5 s"
    ]


@pytest.mark.parametrize(
    ("options", "rests"),
    [
        (("--rest", "1h"), ["sustain.rest"]),
        (("--rest-between", "1min"), ["sustain.rest1", "sustain.rest2"]),
        (("--rest", "1h", "--rest-between", "1min"), ["sustain.rest", "sustain.rest1", "sustain.rest2"]),
    ],
    ids=["before", "between", "both"],
)
def test_passes_follow_each_other_unless_a_rest_between_them_is_asked_for(
    tmp_path: Path, options: tuple[str, ...], rests: list[str]
) -> None:
    words = [
        "sustain",
        "model:demo?capacity=64MiB",
        "--record",
        "64MiB",
        "--passes",
        "3",
        *options,
        "--lab",
        str(tmp_path),
    ]
    ended = CliRunner().invoke(cli.app, words)
    assert ended.exit_code == 0, ended.stderr
    bundle = open_bundle(Path(ended.stdout.strip()))
    assert [step.name for step in bundle.steps if step.kind is StepKind.REST] == rests
