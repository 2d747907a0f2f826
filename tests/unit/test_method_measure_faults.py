"""What a suite may not say about measuring, and how it is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kit.plans import HEADER

from ssdlab.method.faults import SuiteError
from ssdlab.method.kinds.measure import MeasureStep, RankOver, Take
from ssdlab.method.suite import parse_suite
from ssdlab.method.values import Doubling
from ssdlab.units import GIB, KIB, Share

JOB = 'job = { pattern = "random", bs = "4KiB", qd = 1, read = "0%", limit = "1s" }\n'
STEP = '[[step]]\nkind = "measure"\n'
RECLAIM = """\
[[step]]
kind = "reclaim"
job = { pattern = "sequential", bs = "128KiB", qd = 1 }
fill = "50%"
rests = ["5s"]
write = "1min"
"""


def message_of(text: str) -> str:
    with pytest.raises(SuiteError) as raised:
        parse_suite(HEADER + text, "suite.toml")
    return str(raised.value)


def measure(text: str) -> MeasureStep:
    step = parse_suite(HEADER + STEP + text, "suite.toml").steps[0]
    assert isinstance(step, MeasureStep)
    return step


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STEP, "suite.toml:4: job: is missing"),
        (STEP + JOB.replace("qd = 1, ", ""), "suite.toml:6: job.qd: is missing; say it here or sweep it"),
        (STEP + JOB.replace('read = "0%", ', ""), "job.read: is missing; say it here or sweep it"),
        (STEP + JOB.replace('bs = "4KiB", ', ""), "job.bs: is missing; say it here or sweep it"),
        (
            STEP + JOB.replace(', limit = "1s"', ""),
            "suite.toml:6: job.amount: is missing; a job needs an `amount`, a `limit`, or both",
        ),
        (
            STEP + JOB + "sweep = { qd = [1] }",
            "suite.toml:6: job.qd: is swept already by `sweep.qd`; say it in one place",
        ),
        (
            STEP + JOB.replace('read = "0%", ', "") + 'sweep = { mix = ["read"], read = ["0%"] }',
            "suite.toml:7: sweep.mix: is the share of reads, which `sweep.read` sweeps already; say it in one place",
        ),
        (
            STEP + JOB.replace('"random"', '"random", region = "front"'),
            "suite.toml:6: job.region: `front` is no region made by an earlier step (choose from drive)",
        ),
        (STEP + JOB.replace('limit = "1s"', 'limit = "1s", until = "0%"'), "job.until: `0%` is out of range"),
        (STEP + JOB.replace('limit = "1s"', 'limit = "1s", until = "101%"'), "job.until: `101%` is out of range"),
        (STEP + JOB + "repeat = { at_most = 5 }", "repeat.until_rse: is missing; `at_most` and `until_rse` go together"),
        (
            STEP + JOB + 'repeat = { times = 3, until_rse = "5%" }',
            "repeat.at_most: is missing; `at_most` and `until_rse` go together",
        ),
        (
            STEP + JOB + 'repeat = { times = 5, at_most = 5, until_rse = "5%" }',
            "suite.toml:7: repeat.at_most: `5` is no more than `times`",
        ),
        (
            STEP + JOB + 'repeat = { times = 2, at_most = 5, until_rse = "5%" }',
            "repeat.times: `2` is too small; the error is that of the last three runs",
        ),
        (
            STEP + JOB + 'weighted = { qd = { 1 = "80%", 2 = "20%" }, rank_over = "all" }',
            "suite.toml:7: weighted: needs a curve over shares of reads; sweep `read`",
        ),
        (
            STEP + JOB.replace("qd = 1, ", "") + 'sweep = { qd = [1, 4] }\nweighted = { qd = { 1 = "50%", 2 = "30%" }, rank_over = "all" }',
            "weighted.qd: the weights add up to 80.0000%\nsuite.toml:8: weighted.qd: weighs 1, 2, the sweep's `qd` is 1, 4",
        ),
        (STEP + JOB + 'take = "mean"', "take: `mean` is not allowed here; allowed is 'median', 'trimmed_mean' or 'best'"),
        (STEP + JOB + "sweep = { qd = [] }", "sweep.qd: the list is empty or says something twice (name each value once)"),
        (STEP + JOB + "sweep = { qd = [1, 1] }", "sweep.qd: the list is empty or says something twice"),
        (STEP + JOB + "sweep = { qd = [1, 0] }", "sweep.qd: `0` is no queue depth (write a whole number from 1 to 65,536 like `256`)"),
        (STEP + JOB + 'sweep = { qd = "1..99999 doubling" }', "sweep.qd: `99999` is no queue depth"),
        (STEP + JOB + "sweep = { qd = [true] }", "sweep.qd: `True` is no queue depth"),
        (STEP + JOB + 'sweep = { qd = "1-8" }', "sweep.qd: `1-8` is no series of values (write a list, or `1..256 doubling`)"),
        (STEP + JOB + 'sweep = { qd = "8..1 doubling" }', "sweep.qd: `8..1 doubling` is no series of 1 to 1000 values"),
        (STEP + JOB + 'sweep = { qd = "1..9999 step 1" }', "is no series of 1 to 1000 values"),
        (STEP + JOB + 'sweep = { read = "0%..100% step 30%" }', "sweep.read: `0%..100% step 30%` would end at `90%` and leave out `100%` (write `0%..90% step 30%`, or a list of the values; steps of `25%` meet `100%`)"),
        (STEP + JOB + 'sweep = { qd = "1..100 doubling" }', "sweep.qd: `1..100 doubling` would end at `64` and leave out `100` (write `1..64 doubling`, or a list of the values)"),
        (STEP + JOB + 'sweep = { bs = "4KiB..1MiB step 96KiB" }', "sweep.bs: `4KiB..1MiB step 96KiB` would end at `964KiB` and leave out `1MiB` (write `4KiB..964KiB step 96KiB`"),
        (STEP + JOB + 'sweep = { read = "0%..100% step 0%" }', "is no series of 1 to 1000 values"),
        (STEP + JOB + 'sweep = { read = ["110%"] }', "sweep.read: `110%` is no share of reads"),
        (STEP + JOB + 'sweep = { read = ["0.5%"] }', "`0.5%` is no share of reads (write a whole per cent"),
        (STEP + JOB + 'sweep = { mix = ["r70w20"] }', "sweep.mix: `r70w20` is no mix (write `read`, `write`, or both shares"),
        (STEP + JOB + 'sweep = { mix = "read" }', "sweep.mix: `read` is no list (write the values in brackets"),
        (STEP + JOB + 'sweep = { range = "1GiB..100% step 1GiB" }', "sweep.range: `1GiB..100% step 1GiB` is no series of ranges"),
        (STEP + JOB + "sweep = { depth = [1] }", "sweep.depth: unknown key (choose from mix, bs, qd, read, range)"),
        (STEP + 'job.rnd = { pattern = "random", bss = "4KiB" }', "job.rnd.bss: unknown key (did you mean `bs`?"),
        (STEP + 'job.Rnd = { pattern = "random" }', "suite.toml:6: job.Rnd: `Rnd` is no name here"),
        (STEP + JOB + 'every_io = { bs = ["4KiB"] }', "every_io.bs: unknown key (choose from qd, read)"),
        (STEP + JOB.replace('"1s"', '"0s"'), "job.limit: `0s` is nothing (write a duration above zero like `30s`)"),
        (RECLAIM.replace('["5s"]', '["5s", "5s"]'), "rests: the list is empty or says something twice"),
        (RECLAIM.replace('["5s"]', '"5s"'), "suite.toml:8: rests: `5s` is no list"),
    ],
)  # fmt: skip
def test_a_fault_says_what_was_found_and_what_is_allowed(text: str, message: str) -> None:
    assert message in message_of(text)


def test_a_region_is_made_by_the_steps_before() -> None:
    fill = (
        '[[step]]\nkind = "fill"\nname = "front"\njob = { pattern = "random", bs = "4KiB", qd = 1 }\namount = "50%"\n'
    )
    step = STEP + JOB.replace('"random"', '"random", region = "front"')
    assert len(parse_suite(HEADER + fill + step, "suite.toml").steps) == 2
    assert "no region made by an earlier step (choose from drive)" in message_of(step + fill)


def test_faults_of_several_kinds_are_listed_in_the_order_of_the_file() -> None:
    text = STEP + JOB.replace("qd = 1, ", "") + 'take = "best"\nrepeat = { at_most = 2 }\n'
    assert [line.split(":")[1] for line in message_of(text).splitlines()] == ["6", "8"]


def test_series_are_read_as_what_they_mean() -> None:
    step = measure(
        'job = { pattern = "random", limit = "1s" }\n'
        'sweep = { bs = "512B..4KiB doubling", qd = "1..5 step 2", read = ["0%", "30%"], range = "1GiB..100% doubling" }'
    )
    assert step.sweep.block_bytes == (512, KIB, 2 * KIB, 4 * KIB)
    assert step.sweep.queue_depth == (1, 3, 5)
    assert step.sweep.read_percent == (0, 30)
    assert step.sweep.active_range == Doubling(GIB, Share(100, 100))


def test_what_is_left_out_measures_once_and_takes_the_median() -> None:
    step = measure(JOB)
    assert (step.repeat.times, step.repeat.runs_max, step.take, step.rest_ns) == (1, 1, Take.MEDIAN, 0)
    assert (step.weighted, step.every_io) == (None, None)


def test_weights_are_known_by_their_queue_depth() -> None:
    step = measure(
        'job = { pattern = "random", bs = "4KiB", limit = "1s" }\nsweep = { qd = [1, 16], read = ["0%", "50%"] }\n'
        'weighted = { qd = { 1 = "75%", 16 = "25%" }, rank_over = "mixed" }'
    )
    assert step.weighted is not None
    assert step.weighted.share_of_depth == {1: Share(75, 100), 16: Share(25, 100)}
    assert step.weighted.rank_over is RankOver.MIXED


TOKENS = (
    '[[step]]\nkind = "measure"\n', '[[step]]\nkind = "precondition"\n', '[[step]]\nkind = "reclaim"\n', "job = {", "}\n", "sweep = {",
    "repeat = {", "weighted = {", "random = {", 'qd = "1..4 doubling"', "qd = [1, 2]", "qd = { 1 = ", "qd = 1", ",", 'read = "0%..100% step 10%"',
    'read = "50%"', 'mix = ["read"]', 'range = "1GiB..100% doubling"', "times = 5", "at_most = 3", 'until_rse = "5%"', 'amount = "1GiB"',
    'limit = "1s"', 'pattern = "random"', 'bs = "4KiB"', 'trim = "25%"\n', 'fill = "50%"\n', 'rests = ["5s"]\n', "job.rnd = {", "[", "]", '"x"',
)  # fmt: skip


@given(st.lists(st.sampled_from(TOKENS), max_size=30).map("".join))
def test_any_text_is_a_suite_or_a_list_of_faults(text: str) -> None:
    assert all_told(text)


def all_told(text: str) -> bool:
    """Whether the text is a suite, or every fault of it has words."""
    try:
        return parse_suite(HEADER + text, "suite.toml").text == HEADER + text
    except SuiteError as error:
        return error.faults != () and all(str(one.message) for one in error.faults)
