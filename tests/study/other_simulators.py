"""What probes and analyses say of drives that others simulate: MQSim, whose settings are the truth. Writes `docs/other-simulators.md`.

uv run python -m tests.study.other_simulators                  # fetches MQSim from github.com, builds it, and runs all settings
uv run python -m tests.study.other_simulators --from CLONE     # from a clone of it
uv run python -m tests.study.other_simulators --only NAME      # prints the page for one setting
"""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

from tests.study.others.examined import (
    AFTER,
    DEPTH,
    HOT,
    HOT_AFTER,
    SETTINGS,
    Examined,
    HotAndCold,
    Written,
    examine,
    write_hot_and_cold,
)
from tests.study.others.mqsim_drive import Caching, Settings
from tests.study.others.mqsim_source import COMMIT, REPOSITORY, built
from tests.study.others.theory import greedy_amplification
from tests.study.probe_study import Judged, Verdict

from ssdlab.analysis.infer.amplification import uniform_amplification
from ssdlab.message import Message
from ssdlab.probe.answer import Answer, Grade
from ssdlab.units import KIB, MIB
from ssdlab.unknown import Unknown

PAGE = Path(__file__).parents[2] / "docs" / "other-simulators.md"
REPAIRS = Path(__file__).parent / "others" / "mqsim_repairs.txt"
STEADY_WITHIN = 0.03
COUNTED_WITHIN = 0.05
_WRONG = {Verdict.WRONG, Verdict.INVENTED}


def page(found: Sequence[Examined], hot: Sequence[HotAndCold]) -> str:
    """`other-simulators.md`."""
    parts = (_head(found), _settings_part(found), _written_part(found), _hot_part(hot), _probe_part(found), _tail())
    return "\n".join(line for part in parts for line in part)


def _head(found: Sequence[Examined]) -> list[str]:
    answers = [one for each in found for one in each.answers]
    wrong = [one for one in answers if one.verdict in _WRONG]
    of_grade = {grade: sum(one.answer.grade is grade for one in wrong) for grade in (Grade.A, Grade.B, Grade.C)}
    written = [one.written for one in found if isinstance(one.written, Written)]
    steady = [one for one in written if one.steady_at is not None]
    near = sum(abs(one.apart) <= STEADY_WITHIN for one in steady)
    counted = [one for one in written if one.counted is not None]
    same = sum(one.counted is not None and abs(one.counted / one.own - 1) <= COUNTED_WITHIN for one in counted)
    return [
        "<!-- Written by `uv run python -m tests.study.other_simulators`; do not edit. -->",
        "",
        "# Against other simulators",
        "",
        "The inside of a [real drive](reference/against-real-drives.md) is not known, and the other studies are of drives of our own model. Here suites,",
        "analyses and probes run on drives that others simulate, and the settings of those are the truth. MQSim (Tavakkol et al., FAST 2018; MIT licence) simulates NVMe, a page-mapped translation layer, garbage",
        f"collection, channels and dies. It is fetched from `{REPOSITORY}` at commit `{COMMIT[:12]}`, held against a",
        "hash, mended where it could not collect garbage for long (`tests/study/others/mqsim_repairs.txt`, below), and linked with an adapter of",
        "ours that asks and answers in the time of the simulator (`tests/study/others/`). Nothing of it is in this repository.",
        "",
        f"{len(found)} settings, {len(answers)} answers of probes whose truth follows from the settings: {_counted(answers, Verdict.RIGHT)} right,",
        f"{_counted(answers, Verdict.SILENT)} not said, {_counted(answers, Verdict.RIGHTLY_SILENT)} rightly none; wrong or invented: {of_grade[Grade.A]} of grade A, {of_grade[Grade.B]} of B, {of_grade[Grade.C]} of C.",
        f"Of {len(written)} settings that could be written at random to the end {len(steady)} were called steady, {near} of them within {STEADY_WITHIN:.0%} of what followed.",
        f"The amplification that the suite counts is within {COUNTED_WITHIN:.0%} of MQSim's own count on {same} of {len(counted)}.",
        "",
    ]


def _counted(answers: Sequence[Judged], verdict: Verdict) -> int:
    return sum(one.verdict is verdict for one in answers)


def _settings_part(found: Sequence[Examined]) -> list[str]:
    rows = [
        f"| {one.name} | {one.capacity_bytes / MIB:.0f} MiB | {_geometry(one.settings)} | {one.settings.page_bytes // KIB} KiB x {one.settings.pages} "
        f"| {one.settings.overprovisioning:.0%} | {one.settings.collect_below:.0%} | {one.settings.victim.value} | {_caches(one.settings)} |"
        for one in found
    ]
    return [
        "## The settings",
        "",
        "Whatever is not named is as MQSim has it by default: reading a page takes 75 us, programming one 750 us, erasing a block 3.8 ms; channels of",
        "8 bits at 333 MT/s; erasing can be suspended, programming cannot.",
        "",
        "| name | capacity | channels x chips x dies x planes | block | over-provisioning | kept free | collected | caches |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _geometry(settings: Settings) -> str:
    return (
        f"{settings.channels} x {settings.chips} x {settings.dies} x {settings.planes}, {settings.blocks} blocks each"
    )


def _caches(settings: Settings) -> str:
    parts = []
    if settings.caching is Caching.WRITES:
        parts.append(f"data {settings.data_cache_bytes // MIB} MiB")
    if settings.mapping_cache_bytes is not None:
        parts.append(f"mapping {settings.mapping_cache_bytes // KIB} KiB")
    return ", ".join(parts) or "none; mapping all in memory"


def _written_part(found: Sequence[Examined]) -> list[str]:
    rows = [_written_row(one) for one in found]
    return [
        "## Random writes: steady, amplification, spare space",
        "",
        f"`write-amplification` with its uniform pattern alone, blocks as long as a page and {DEPTH} in flight, then {AFTER} capacities more. `steady` is what was",
        "written at random when `held` called the drive steady, `apart` by how much the five minutes after that differ from the mean of the",
        f"{AFTER} capacities after it. Amplification: as the suite has it from the counters over the last capacity, and by how much slower the drive",
        f"writes than in order; what MQSim's own statistics come to over the {AFTER} capacities; and what theory has for the spare space that MQSim counts",
        "(flash that holds data, valid or not, beyond the capacity, in the mean over them): blocks collected oldest first, and emptiest first with so many pages to a",
        "block (Desnoyers, ACM TOS 10(2), 2014). Spare space: as the suite finds it, as MQSim counts it, and what over-provisioning names, which has what is",
        "kept free in it; all in per cent of the capacity.",
        "",
        "| setting | steady | apart | counted | by speed | own | oldest first | emptiest first | spare found | spare counted | spare named |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _written_row(one: Examined) -> str:
    if isinstance(one.written, str):
        return f"| {one.name} | MQSim ends: {one.written} | | | | | | | | | |"
    written, pages = one.written, one.settings.pages
    oldest, emptiest = uniform_amplification(written.own_spare), greedy_amplification(written.own_spare, pages)
    named = one.settings.raw_bytes / one.capacity_bytes - 1
    cells = (
        "no" if written.steady_at is None else f"{written.steady_at:.1f} x",
        f"{written.apart:+.1%}",
        _beside(written.counted, written.own),
        _beside(written.implied, written.own),
        f"{written.own:.2f}",
        _beside(oldest, written.own),
        _beside(emptiest, written.own),
        "?" if written.spare is None else f"{100 * written.spare:.1f}",
        f"{100 * written.own_spare:.1f}",
        f"{100 * named:.1f}",
    )
    return f"| {one.name} | {' | '.join(cells)} |"


def _beside(value: float | None, own: float) -> str:
    return "?" if value is None else f"{value:.2f} ({value / own - 1:+.1%})"


def _hot_part(hot: Sequence[HotAndCold]) -> list[str]:
    rows = [
        f"| {one.name} | {one.hot_percent} % to {100 - one.hot_percent} % | {_beside(one.counted, one.own)} | {one.own:.2f} | {_beside(one.mixed, one.own)} "
        f"| {_beside(one.separated, one.own)} | {'?' if one.separation_percent is None else f'{one.separation_percent:.0f} %'} | {one.verdict} |"
        for one in hot
    ]
    return [
        "## Hot and cold data",
        "",
        f"The same suite with its uniform pattern and one of two zones, then {HOT_AFTER} capacities more. Theory is that of the suite, for the spare space that it found by",
        "uniform writes. MQSim writes what the host sends into one stream, hot or cold, and what it moves into another, where cold data gathers: it does not keep",
        "the two apart, but does not mix them wholly either. `?`: theory for mixed and for separated data is too close for a verdict.",
        "",
        "| setting | writes | counted | own | theory: mixed | theory: separated | separation | separates |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _probe_part(found: Sequence[Examined]) -> list[str]:
    names = list(dict.fromkeys(one.name for each in found for one in each.answers))
    rows = []
    for name in names:
        answers = [(each, one) for each in found for one in each.answers if one.name == name]
        rows += [_answer_row(each, one) for each, one in answers]
    stopped = [f"| {each.name} | `{probe}` | {words} |" for each in found for probe, words in each.stopped.items()]
    return [
        "## Probes",
        "",
        "Each probe that needs reads and writes alone, on a new drive. `right`: exact, or within the limits of the",
        "[study of our own drives](probe-study.md), or inside the stated interval. Of numbers that have no truth, such as a delay, see the second table.",
        "",
        "| answer | setting | says | grade | truth | verdict |",
        "| --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
        "| setting | answer | says | grade |",
        "| --- | --- | --- | --- |",
        *(
            f"| {each.name} | `{one.name}` | {_said(one)} | {one.grade.value} |"
            for each in found
            for one in each.beside
        ),
        "",
        *(
            [
                "MQSim ended during these probes:",
                "",
                "| setting | probe | its words |",
                "| --- | --- | --- |",
                *stopped,
                "",
            ]
            if stopped
            else []
        ),
    ]


def _answer_row(each: Examined, one: Judged) -> str:
    truth = ", ".join(_told(value) for value in each.truth[one.name].values) or "none"
    return f"| `{one.name}` | {each.name} | {_said(one.answer)} | {one.answer.grade.value} | {truth} | {one.verdict.value} |"


def _told(value: float | Message) -> str:
    return f"{value:.4g}" if isinstance(value, float) else f"{value}"


def _said(answer: Answer) -> str:
    value = answer.value
    if isinstance(value, Unknown):
        return f"{value.reason}"
    if isinstance(value, float):
        interval = "" if answer.interval is None else f" ({answer.interval.low:.4g} to {answer.interval.high:.4g})"
        return f"{value:.4g}{interval}"
    return f"{value}"


def _tail() -> list[str]:
    said, _, _ = REPAIRS.read_text(encoding="utf-8").partition("\nfile ")
    _, _, repairs = said.partition("\n\n")
    return [
        "## What disagrees, and why",
        "",
        "- **Amplification by speed** is above the count everywhere. What is compared is the time that writing takes, and collection also reads and",
        "  erases: in `base` that alone makes 16 % of programming (75 us for each of three pages in four, 3.8 ms for each block of 64). Beside it planes wait for",
        "  each other, most where MQSim begins to collect when almost no block is free (`few blocks`) and where two planes share a chip. The suite takes the count",
        "  where a drive has one.",
        "- **Few blocks**: 12 of the 256 blocks of a plane are kept free, and below 10 MQSim stops all writes until some are erased. Its speed swings between the two",
        "  all the time, and the drive is rightly not called steady: its five minutes are far from the mean.",
        "- **Theory of the emptiest block** is below the count: MQSim collects up to ten blocks of a plane at a time, and those that are being collected are no longer",
        "  chosen by how empty they are. The theory of the oldest block, which the suite uses, is nearer.",
        "- **Dies and planes** (`2 dies a chip`, `2 planes a die`): MQSim has one command on a chip at a time (`TSU_OutOfOrder::service_read_transaction` asks for an",
        "  idle chip), so channels times chips is what works at once, and the truth here; planes do only where two pages of the same number meet.",
        "- **The read page** is not said: pages lie one to a channel in turn, and both parts of a read that straddles two are read side by side.",
        "- **Placement** is not said: read times stay 1 to 10 % off the stairs of the law, and drives without any noise leave no room for that. **Allocation** is",
        "  said only where pages are so large that they keep data together (`pages of 16 KiB`): else it is not known without the law whether pages out of place",
        "  would show. **The stripe** of two planes to a die is left open, between the planes of one chip and those of all.",
        "- **The write cache** is not seen: MQSim takes no more writes than one page for each plane ahead of the flash, however large the cache (the depth of its back",
        "  pressure), so that a burst is no faster than the flash. It does hide how long writes take, and with that the **management block**. Where that is not known",
        "  the **spare space** is asked for with writes of 4 KiB, which MQSim reads, modifies and writes as whole pages; the probe says so and gives no answer.",
        "- **A mapping cache** was called a read buffer, at grade A, when this was first run: MQSim keeps mappings one by one, and a page read again is faster because",
        "  its mapping is there. Now nothing is said where both explain it. Its **reach** is not said: for each page of the table the probe reads one page of data",
        "  beforehand, which in MQSim brings one mapping into the cache and not all of them, so that no range is read with all of its mappings there.",
        "",
        "## What had to be mended in MQSim",
        "",
        repairs.strip(),
        "",
        "Left as it is: with a mapping cache MQSim ends when much is collected (a mapping that is being fetched is entered a second time), so that those settings",
        "have no spare space and no random writes here; with `RGA` it stands still when no block that is drawn has anything to collect while all writes wait.",
        "",
    ]


def main(arguments: Sequence[str]) -> int:
    """Examine all settings and write the page, or print it for one of them."""
    parser = ArgumentParser()
    parser.add_argument("--from", dest="source", default=REPOSITORY)
    parser.add_argument("--only", choices=list(SETTINGS))
    options = parser.parse_args(arguments)
    program = built(options.source)
    found, hot = [], []
    for name in SETTINGS if options.only is None else [options.only]:
        found.append(examine(name, program))
        hot += [write_hot_and_cold(name, percent, program) for one, percent in HOT if one == name]
        print(name, file=sys.stderr, flush=True)
    text = page(found, hot)
    if options.only is None:
        PAGE.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
