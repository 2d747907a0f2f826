"""What stands between ssdlab and a simulator that others wrote: the wire, the form of results, and theory. The simulator itself is not needed."""

import struct
from collections.abc import Sequence
from io import BytesIO
from typing import IO

import numpy as np
import pytest
from tests.study.others.ios import Ios, bins_of, direction_result, series_of_ios
from tests.study.others.mqsim import Caching, Settings
from tests.study.others.simplessd import Caching as SimplessdCaching
from tests.study.others.simplessd import Mapped
from tests.study.others.simplessd import Settings as SimplessdSettings
from tests.study.others.source import Change, repairs
from tests.study.others.theory import greedy_amplification
from tests.study.others.wire import Answered, Asked, SimulatorError, Wire, joined

from ssdlab._core import bin_index
from ssdlab.analysis.infer.amplification import uniform_amplification
from ssdlab.job import WINDOW_NS, Job, Pattern, Region
from ssdlab.units import KIB, MIB

SECTORS = 2048


class Canned:
    """A process whose answers are known beforehand."""

    def __init__(self, *answers: bytes) -> None:
        self.asked = BytesIO()
        self.stdin: IO[bytes] | None = self.asked
        self.stdout: IO[bytes] | None = BytesIO(struct.pack("<Q", SECTORS) + b"".join(answers))


def answer(state: int, now_ns: int, submitted: int, rows: Sequence[tuple[int, int, int]]) -> bytes:
    columns = zip(*rows, strict=True) if rows else ((), (), ())
    head = struct.pack("<4Q", state, now_ns, submitted, len(rows))
    return head + b"".join(struct.pack(f"<{len(rows)}Q", *column) for column in columns)


def test_a_wire_hears_how_large_the_drive_is() -> None:
    assert Wire(Canned()).capacity_bytes == MIB


def test_commands_go_out_in_columns_and_completions_come_back() -> None:
    process = Canned(answer(0, 90, 2, [(1, 10, 80), (0, 10, 90)]))
    asked = Asked(*(np.array(column) for column in ([0, 1], [0, 1], [8, 16], [1, 2], [0, 5])))
    done = Wire(process).commands(asked, 4, 1000)
    expected = struct.pack("<IIQQ", 1, 4, 1000, 2) + bytes([0, 1, 0, 1]) + struct.pack("<2Q2I2Q", 8, 16, 1, 2, 0, 5)
    assert process.asked.getvalue() == expected
    assert (done.now_ns, done.submitted, done.number.tolist()) == (90, 2, [1, 0])
    assert (done.completed_ns - done.submitted_ns).tolist() == [70, 80]


def test_a_simulator_that_stands_still_is_an_error_that_says_when() -> None:
    with pytest.raises(SimulatorError, match="stands still at 77 ns"):
        Wire(Canned(answer(1, 77, 3, []))).drain()


def test_a_simulator_that_ends_within_an_answer_is_an_error() -> None:
    with pytest.raises(SimulatorError, match="has ended"):
        Wire(Canned(answer(0, 77, 3, [(0, 1, 2)])[:-1])).drain()


def test_answers_are_joined_in_order_and_the_last_one_tells_the_time() -> None:
    first, last = (Answered(now, now, *(np.array([now]),) * 3) for now in (5, 9))
    whole = joined([first, last])
    assert (whole.now_ns, whole.number.tolist()) == (9, [5, 9])


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 129, 255, 256, 90_867, 2**31 - 1, 2**31, 2**40 + 12345])
def test_latencies_fall_in_the_bins_of_fio(value: int) -> None:
    assert bins_of(np.array([value], dtype=np.int64)).tolist() == [bin_index(value)]


def ios(*rows: tuple[int, int]) -> Ios:
    time_ns, latency_ns = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return Ios(time_ns, latency_ns, np.ones(len(rows), dtype=np.uint8))


def test_windows_have_no_gaps_and_the_last_one_is_as_long_as_the_job() -> None:
    # The second completes at the very end of the first window, and nothing in the second one.
    end_ns = 2 * WINDOW_NS + WINDOW_NS // 2
    series = series_of_ios(ios((1000, 10), (WINDOW_NS, 30), (end_ns, 50)), end_ns, 4 * KIB)
    assert series.time_ns.tolist() == [WINDOW_NS, 2 * WINDOW_NS, end_ns]
    assert series.iops.tolist() == [20.0, 0.0, 20.0]
    np.testing.assert_array_equal(series.latency_ns_mean, [20.0, np.nan, 50.0])
    np.testing.assert_array_equal(series.latency_ns_max, [30.0, np.nan, 50.0])


def test_a_direction_has_all_bytes_and_exact_extremes() -> None:
    job = Job(
        name="write",
        pattern=Pattern.RANDOM,
        read_percent=0,
        block_bytes=8 * KIB,
        queue_depth=4,
        region=Region(0, MIB),
        amount_bytes=24 * KIB,
        duration_ns=None,
        seed=1,
    )
    found = direction_result(job, ios((1000, 10), (2000, 30), (3000, 50)), 3000)
    (histogram, _) = found.latency.values()
    assert (found.io_bytes, found.series.bytes_done[-1]) == (24 * KIB, pytest.approx(24 * KIB))
    assert (histogram.total, histogram.min_ns, histogram.max_ns, histogram.mean_ns) == (3, 10, 50, 30.0)


def test_settings_are_said_in_the_simulators_words() -> None:
    text = Settings(channels=2, page_bytes=16 * KIB, caching=Caching.WRITES).xml().decode()
    assert "<Flash_Channel_Count>2</Flash_Channel_Count>" in text
    assert "<Page_Capacity>16384</Page_Capacity>" in text
    assert "<Ideal_Mapping_Table>true</Ideal_Mapping_Table>" in text


def test_settings_of_simplessd_are_said_in_its_words() -> None:
    settings = SimplessdSettings(channels=2, caching=SimplessdCaching.READS, mapping=Mapped.SUPERPAGE)
    (text,) = (content.decode() for content in settings.files().values())
    assert "Channel = 2\n" in text
    assert "EnableReadCache = 1\nEnableWriteCache = 0\n" in text
    assert "SuperblockSize = C\n" in text
    assert "EnableRandomIOTweak = 0\n" in text


def test_a_superpage_is_written_in_one_piece_on_all_channels() -> None:
    settings = SimplessdSettings(channels=4, packages=2, page_bytes=8 * KIB, mapping=Mapped.SUPERPAGE)
    assert (settings.written_bytes, settings.units) == (32 * KIB, 2)


def test_flash_of_simplessd_that_was_programmed_and_not_erased_holds_data() -> None:
    settings = SimplessdSettings(page_bytes=8 * KIB, pages=64, planes=2)
    assert settings.holding_bytes({"programmed_bytes": 5 * MIB, "erased": 3}) == 2 * MIB


def test_counters_come_by_name_behind_the_time() -> None:
    wire = Wire(Canned(struct.pack("<3Q", 7, 11, 13)), ("read", "written"))
    assert wire.counters() == {"now_ns": 7, "read": 11, "written": 13}


def test_repairs_are_read_from_the_last_place_of_a_file_to_the_first() -> None:
    text = "what is wrong\n\nfile a.cpp\nafter 3\n+new;\nreplace 7 8\n+\tone;\n+\ttwo;\nfile b.cpp\nreplace 5 5\n"
    assert repairs(text) == {
        "a.cpp": [Change(7, 8, ("\tone;", "\ttwo;")), Change(4, 3, ("new;",))],
        "b.cpp": [Change(5, 5, ())],
    }


def collected_emptiest_first(blocks: int, pages: int, spare: float) -> float:
    """Amplification of uniform writes by brute force; one block more is being written."""
    random = np.random.default_rng(1)
    users = int(blocks * pages / (1 + spare))
    place = np.full(users, -1)
    content: list[list[int]] = [[] for _ in range(blocks + 1)]
    valid = np.zeros(blocks + 1, dtype=np.int64)
    written, current, free = 0, 0, list(range(1, blocks + 1))
    passes = 6
    host = np.concatenate([np.arange(users), random.integers(0, users, passes * users)])
    for at, page in enumerate(host):
        if at == (passes - 1) * users:
            written = 0
        if place[page] >= 0:
            valid[place[page]] -= 1
        place[page] = -1
        if len(content[current]) == pages and free:
            current = free.pop()
        elif len(content[current]) == pages:
            current = int(np.argmin(valid))
            content[current] = [one for one in dict.fromkeys(content[current]) if place[one] == current]
            written += len(content[current])
        content[current].append(page)
        place[page], valid[current] = current, valid[current] + 1
        written += 1
    return written / (2 * users)


@pytest.mark.parametrize(("pages", "spare"), [(16, 0.2), (32, 0.15)])
def test_theory_of_the_emptiest_block_agrees_with_brute_force(pages: int, spare: float) -> None:
    assert greedy_amplification(spare, pages) == pytest.approx(collected_emptiest_first(400, pages, spare), rel=0.02)


def test_large_blocks_make_it_the_theory_of_the_oldest_block() -> None:
    assert greedy_amplification(0.15, 100_000) == pytest.approx(uniform_amplification(0.15), rel=0.001)
