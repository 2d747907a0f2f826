"""Drives of the sizes a research prototype of the model was asked about, what it said of them, and what is said here."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.probe_drives import Noise

from ssdlab.lab.open import open_bench
from ssdlab.probe.answer import Answer, Grade
from ssdlab.probe.registry import probes_named
from ssdlab.probe.run import Session
from ssdlab.probe.script import Estimator
from ssdlab.probe.words import value_words
from ssdlab.units import GIB, KIB, MIB

_QUIET = (Noise.LOW,)
_SPEC = """
name = "asked"
description = "a drive of today"
seed = 1

[geometry]
capacity = "{capacity_gib} GiB"
raw = "{raw_mib} MiB"
superblock = "{superblock_mib} MiB"
channels = 4
dies = {dies}
bits_per_cell = 1
stripe_unit = "{stripe_kib} KiB"
page = "16 KiB"

[timing]
sense = ["45us"]
program = "600us"
erase = "3ms"
channel = "1.6 GB/s"
link_read = "7 GB/s"
link_write = "5 GB/s"
command = "1us"
read_overhead = "8us"
write_overhead = "8us"
unmapped_read = "8us"
trim = "15us"

[buffer]
kind = "{buffer}"
size = "{buffer_mib} MiB"
flush = "12us"
flush_metadata = "800us"

[map]
unit = "4 KiB"
{reach}

[collection]
start = 8
hard = 3

[idle]
reclaim_after = "2s"

[noise]
sigma = {sigma}
outlier_probability = {outliers}
outlier = "20ms"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A drive that is asked one thing.

    Attributes:
        truth: Absent where there is nothing to find.
        said_then: By the prototype.
    """

    truth: float | str | None
    said_then: str
    dies: int = 16
    stripe_kib: int = 16
    capacity_gib: int = 8
    buffer: str = "volatile"
    buffer_mib: int = 16
    reach_gib: int | None = None

    def text(self, noise: Noise) -> str:
        """The specification."""
        sigma, outliers = noise.value
        superblock_mib = 5 * self.capacity_gib
        return _SPEC.format(
            capacity_gib=self.capacity_gib,
            raw_mib=237 * superblock_mib,
            superblock_mib=superblock_mib,
            dies=self.dies,
            stripe_kib=self.stripe_kib,
            buffer=self.buffer,
            buffer_mib=self.buffer_mib,
            reach="" if self.reach_gib is None else f'cache = "sram"\nreach = "{self.reach_gib} GiB"',
            sigma=sigma,
            outliers=outliers,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What the prototype was asked.

    Attributes:
        share: By which a number may be off and still count as right.
        levels: Of noise for which it gives what it said.
    """

    words: str
    probe: str
    answer: str
    share: float
    levels: tuple[Noise, ...]
    drives: tuple[Asked, ...]


_COSTLY = "a flush writes what is buffered: no sign of protection"
_CHEAP = "flushes are cheap: nothing to write, protected, or not honoured"

QUESTIONS = (
    Question(
        words="units: 8, 16, 32, 64",
        probe="units",
        answer="units.count",
        share=0.25,
        levels=_QUIET,
        drives=tuple(
            Asked(truth=dies, said_then=said, dies=dies)
            for dies, said in ((8, "7.9"), (16, "15.3"), (32, "31.3"), (64, "67.6"))
        ),
    ),
    Question(
        words="stripe: 1 MiB of 16 units, 1 MiB of 32, 128 KiB of 8",
        probe="stripe",
        answer="stripe.width",
        share=0.0,
        levels=_QUIET,
        drives=tuple(
            Asked(truth=dies * stripe_kib * KIB, said_then="exact", dies=dies, stripe_kib=stripe_kib)
            for dies, stripe_kib in ((16, 64), (32, 32), (8, 16))
        ),
    ),
    Question(
        words="write buffer: 16 MiB, 64 MiB",
        probe="write-buffer",
        answer="write_buffer.size",
        share=0.15,
        levels=(Noise.LOW, Noise.MIDDLE),
        drives=tuple(
            Asked(truth=size * MIB, said_then=said, buffer_mib=size, dies=8)
            for size, said in ((16, "15.1 MiB"), (64, "63.1 MiB"))
        ),
    ),
    Question(
        words="flushes of a volatile and of a protected buffer",
        probe="flush",
        answer="flush.behaviour",
        share=0.0,
        levels=_QUIET,
        drives=(
            Asked(truth=_COSTLY, said_then="926 µs", buffer="volatile"),
            Asked(truth=_CHEAP, said_then="20 µs", buffer="protected"),
        ),
    ),
    Question(
        words="reach of the mapping: 4, 16, 64 GiB, all",
        probe="reach",
        answer="reach.bytes",
        share=0.15,
        levels=_QUIET,
        drives=(
            *(
                Asked(truth=reach * GIB, said_then=said, reach_gib=reach, capacity_gib=128)
                for reach, said in ((4, "4.0 GiB"), (16, "15.4 GiB"), (64, "64.0 GiB"))
            ),
            Asked(truth=None, said_then="flat", capacity_gib=128),
        ),
    ),
)


def said_of(question: Question, noise: Noise) -> list[Answer]:
    """The answer of each drive, in their order."""
    found = []
    for asked in question.drives:
        with tempfile.TemporaryDirectory() as directory:
            spec = Path(directory) / "spec.toml"
            spec.write_text(asked.text(noise))
            with open_bench(f"model:{spec}") as bench:
                session = Session(bench, seed=1, watch=lambda _name, _progress: None)
                findings = list(session.run_all(probes_named(question.probe), Estimator.ROBUST))
        answers = [answer for finding in findings for answer in finding.answers]
        found.append(next(answer for answer in answers if answer.name == question.answer))
    return found


def right_of(question: Question, answers: Sequence[Answer]) -> int:
    """How many are right; of a drive that lacks the feature, that nothing was said."""
    return sum(_is_right(question, asked.truth, one) for asked, one in zip(question.drives, answers, strict=True))


def _is_right(question: Question, truth: float | str | None, answer: Answer) -> bool:
    if truth is None or answer.grade is Grade.NONE:
        return truth is None and answer.grade is Grade.NONE
    if isinstance(truth, str) or not isinstance(answer.value, int | float):
        return answer.value == truth
    return abs(answer.value / truth - 1) <= question.share


def rows(found: dict[tuple[str, Noise], list[Answer]]) -> list[str]:
    """Of the table; `found` by the words of a question."""
    lines = []
    for question in QUESTIONS:
        then = ", ".join(asked.said_then for asked in question.drives)
        here = []
        for noise in Noise:
            answers = found[question.words, noise]
            said = ", ".join("none" if one.grade is Grade.NONE else value_words(one) for one in answers)
            here.append(f"{right_of(question, answers)} of {len(answers)}: {said}")
        lines.append(f"| {question.words} | {then} | {' | '.join(here)} |")
    return lines
