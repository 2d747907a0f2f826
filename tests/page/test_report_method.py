"""The method of a report in words, made of the suite that ran."""

from dataclasses import replace

import pytest
from inline_snapshot import snapshot
from tests.kit.sample_client import client_bundle

from ssdlab.bundle.model import SuiteText
from ssdlab.bundle.read import Bundle
from ssdlab.method.builtin import builtin_names, load_suite
from ssdlab.report.method_words import method_duration, method_words, scaling_words


def run_of(suite: str, profile: str = "standard") -> Bundle:
    """A run whose suite is that one; nothing else of it matters here."""
    bundle, made = client_bundle(), load_suite(suite)
    text = SuiteText(name=made.name, version=made.version, text=made.text, sha256="")
    return replace(bundle, run=replace(bundle.run, suite=text, profile=profile))


def told(suite: str) -> dict[str, str]:
    return {one.name: str(one.text) for one in method_words(run_of(suite))}


def test_the_consumer_suite_is_told_step_by_step() -> None:
    assert told("client") == snapshot(
        {
            "purge": "Purge to fresh out of the box, then rest 15 min.",
            "fill": "Write the whole drive twice with sequential 128 KiB writes at QD256, resting 5 min in between.",
            "active_range": "Random 4 KiB reads QD256, 1 GiB a point. Only the first 1 GiB is touched, then twice as much each time up to the whole drive.",
            "precondition": "Write the first 8 GiB with random 4 KiB writes at QD256, rest 5 min, and trim the last 25 % of the drive. From here on random tests touch only that part, and sequential tests only the rest of what is in use.",
            "sync_write": "Random 4 KiB writes QD1 in the random region, each write durable before it counts, 500 MiB or 2 min a point, whichever is first.",
            "rw_ratio": "Random 4 KiB reads and writes in the random region, 1.00 GB or 30 s a point, whichever is first. Measured at every combination of QD 1, 2, 4; read shares of 0 to 100 in steps of 10 %. Each point 5 times, at most 10 until the relative standard error (RSE) of the last three is under 5 %; the median of the last three runs counts. Rest of 1 min between runs. Weighted curve of 80 % QD1, 15 % QD2, 5 % QD4; its mean over mixed points only ranks the drives.",
            "reclaim": "For each rest of 5 s, 10 s, 15 s, 30 s, 1 min, 2 min, 4 min: purge, rest 15 min, fill 50 % of the drive with sequential 128 KiB writes at QD256, rest that long, then write in the same way for 1 min.",
        }
    )


def test_the_enterprise_suite_is_told_step_by_step() -> None:
    assert told("enterprise") == snapshot(
        {
            "purge": "Purge to fresh out of the box, then rest 15 min.",
            "seq_conditioning": "Keep up sequential 128 KiB writes at QD256 over the whole drive until its speed is steady: at least 2 and at most 23 times the user capacity.",
            "seq": "Sequential 128 KiB reads, 5 min a point after a ramp of 30 s; sequential 128 KiB writes, 5 min a point after a ramp of 30 s; sequential 128 KiB 95 % reads and 5 % writes, 5 min a point after a ramp of 30 s. Measured at QD 1 to 256, doubling.",
            "rnd_conditioning": "Keep up random 4 KiB writes at QD256 over the whole drive until its speed is steady: at least 2 and at most 23 times the user capacity.",
            "rnd": "Random 4 KiB reads, 5 min a point after a ramp of 30 s; random 4 KiB writes, 5 min a point after a ramp of 30 s; random 4 KiB 70 % reads and 30 % writes, 5 min a point after a ramp of 30 s; random 4 KiB 50 % reads and 50 % writes, 5 min a point after a ramp of 30 s; random 512 B reads, 5 min a point after a ramp of 30 s. Measured at QD 1 to 256, doubling. The latency of every single I/O is kept where the suite asks for it.",
            "bootbench_purge": "Purge to fresh out of the box, then rest 15 min.",
            "bootbench": "Write the whole drive twice with random 128 KiB writes at QD16. Then find the most readers (4 to 256 jobs of random 32 KiB reads, one in flight each) beside writes of 15 MiB/s and trims of 5 MiB/s with which 99 % of the reads take at most 10 ms, 99.9 % at most 50 ms and all at most 500 ms: doubling for 30 s each, bisecting for 1 min each, confirmed 3 times for 2 min; 60,000 reads a second pass.",
        }
    )


@pytest.mark.parametrize("suite", builtin_names())
def test_every_step_of_every_suite_is_told_in_whole_sentences(suite: str) -> None:
    words = method_words(run_of(suite))

    assert len(words) == len(load_suite(suite).steps_under("standard"))
    for text in (str(step.text) for step in words):
        assert text[0].isupper()
        assert text.endswith(".")
        assert "  " not in text
        assert "Share(" not in text


def test_a_profile_that_scales_down_says_what() -> None:
    assert str(scaling_words(run_of("client", "quick"))) == snapshot(
        "The profile quick ran the steps scaled down: times to 1/60, rests to 1/300, absolute amounts to 1/128, at most once a point."
    )
    assert str(scaling_words(run_of("enterprise", "quick"))) == snapshot(
        "The profile quick ran the steps scaled down: times to 1/250, rests to 1/250, conditioning of at least once the capacity, conditioning of at most twice the capacity."
    )
    assert scaling_words(run_of("client")) is None


def test_a_suite_that_cannot_be_read_any_more_tells_nothing() -> None:
    bundle = run_of("client")
    broken = replace(bundle, run=replace(bundle.run, suite=replace(bundle.run.suite, text="[suite]\nname = 1")))

    assert method_words(broken) == ()
    assert scaling_words(broken) is None


@pytest.mark.parametrize(
    ("duration_ns", "words"),
    [(900 * 10**9, "15 min"), (90 * 10**9, "90 s"), (10**7, "10 ms"), (7200 * 10**9, "2 h"), (1, "1 ns")],
)
def test_durations_have_no_needless_digits(duration_ns: int, words: str) -> None:
    assert str(method_duration(duration_ns)) == words
