"""What probes and analyses say of drives that others simulate, whose settings are the truth. Writes the page of the simulator in `docs`.

uv run python -m tests.study.other_simulators mqsim                     # fetches it from github.com, builds it, and runs all settings
uv run python -m tests.study.other_simulators simplessd --from CLONE    # from a clone of it
uv run python -m tests.study.other_simulators simplessd --only NAME     # prints the page for one setting
uv run python -m tests.study.other_simulators simplessd --kept FOLDER   # keeps there what is done; where it is interrupted, it goes on from that
"""

import pickle
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.study.others.examined import (
    AFTER,
    DEPTH,
    HOT_AFTER,
    Case,
    Examined,
    HotAndCold,
    Written,
    examine,
    write_hot_and_cold,
)
from tests.study.others.mqsim import MQSIM
from tests.study.others.simplessd import SIMPLESSD
from tests.study.others.simulator import Simulator
from tests.study.others.theory import greedy_amplification
from tests.study.probe_study import Judged, Verdict

from ssdlab.analysis.infer.amplification import uniform_amplification
from ssdlab.message import Message
from ssdlab.probe.answer import Answer, Grade
from ssdlab.units import MIB
from ssdlab.unknown import Unknown

SIMULATORS: Mapping[str, Simulator] = {one.key: one for one in (MQSIM, SIMPLESSD)}
DOCS = Path(__file__).parents[2] / "docs"
STEADY_WITHIN = 0.03
COUNTED_WITHIN = 0.05
_WRONG = {Verdict.WRONG, Verdict.INVENTED}


def page(simulator: Simulator, found: Sequence[Examined], hot: Sequence[HotAndCold]) -> str:
    """The page of a simulator."""
    parts = (
        _head(simulator, found),
        _settings_part(simulator, found),
        _written_part(simulator, found),
        _hot_part(simulator, hot),
        _probe_part(simulator, found),
        _tail(simulator),
    )
    return "\n".join(line for part in parts for line in part)


def _head(simulator: Simulator, found: Sequence[Examined]) -> list[str]:
    answers = [one for each in found for one in each.answers]
    wrong = [one for one in answers if one.verdict in _WRONG]
    of_grade = {grade: sum(one.answer.grade is grade for one in wrong) for grade in (Grade.A, Grade.B, Grade.C)}
    written = [one.written for one in found if isinstance(one.written, Written)]
    steady = [one for one in written if one.steady_at is not None]
    near = sum(abs(one.apart) <= STEADY_WITHIN for one in steady)
    counted = [one for one in written if one.counted is not None]
    same = sum(one.counted is not None and abs(one.counted / one.own - 1) <= COUNTED_WITHIN for one in counted)
    return [
        f"<!-- Written by `uv run python -m tests.study.other_simulators {simulator.key}`; do not edit. -->",
        "",
        f"# {_title(simulator)}",
        "",
        "The inside of a [real drive](reference/against-real-drives.md) is not known, and the other studies are of drives of our own model. Here suites,",
        f"analyses and probes run on drives that others simulate, and the settings of those are the truth. {simulator.intro}",
        f"It is fetched from `{simulator.pinned.repository}` at commit `{simulator.pinned.commit[:12]}`, held against a hash, mended",
        f"(`tests/study/others/{simulator.pinned.repairs.name}`, below), and linked with an adapter of",
        "ours that asks and answers in the time of the simulator (`tests/study/others/`). Nothing of it is in this repository.",
        _other_pages(simulator),
        "",
        f"{len(found)} settings, {len(answers)} answers of probes whose truth follows from the settings: {_counted(answers, Verdict.RIGHT)} right,",
        f"{_counted(answers, Verdict.SILENT)} not said, {_counted(answers, Verdict.RIGHTLY_SILENT)} rightly none; wrong or invented: {of_grade[Grade.A]} of grade A, {of_grade[Grade.B]} of B, {of_grade[Grade.C]} of C.",
        f"Of {len(written)} settings that could be written at random to the end {len(steady)} were called steady, {near} of them within {STEADY_WITHIN:.0%} of what followed.",
        f"The amplification that the suite counts is within {COUNTED_WITHIN:.0%} of {simulator.name}'s own count on {same} of {len(counted)}.",
        "",
    ]


def _title(simulator: Simulator) -> str:
    return "Against other simulators" if simulator is MQSIM else f"Against other simulators: {simulator.name}"


def _other_pages(simulator: Simulator) -> str:
    others = [one for one in SIMULATORS.values() if one is not simulator]
    return f"Other pages: {', '.join(f'[{one.name}]({one.page})' for one in others)}."


def _counted(answers: Sequence[Judged], verdict: Verdict) -> int:
    return sum(one.verdict is verdict for one in answers)


def _settings_part(simulator: Simulator, found: Sequence[Examined]) -> list[str]:
    rows = [
        f"| {' | '.join((one.name, f'{one.capacity_bytes / MIB:.0f} MiB', *one.settings.row()))} |" for one in found
    ]
    columns = ("name", "capacity", *simulator.columns)
    return [
        "## The settings",
        "",
        f"Whatever is not named is as {simulator.name} has it by default: {simulator.defaults}",
        "",
        f"| {' | '.join(columns)} |",
        f"| {' | '.join('---' for _ in columns)} |",
        *rows,
        "",
    ]


def _written_part(simulator: Simulator, found: Sequence[Examined]) -> list[str]:
    rows = [_written_row(simulator, one) for one in found]
    return [
        "## Random writes: steady, amplification, spare space",
        "",
        f"`write-amplification` with its uniform pattern alone, blocks as long as a page and {DEPTH} in flight, then {AFTER} capacities more. `steady` is what was",
        "written at random when `held` called the drive steady, `apart` by how much the five minutes after that (a quarter of what follows,",
        f"where that is shorter) differ from the mean of the {AFTER} capacities after it. Amplification: as the suite has it from the counters over the last capacity, and by how much slower the drive",
        f"writes than in order; what {simulator.name}'s own statistics come to over the {AFTER} capacities; and what theory has for the spare space that it counts",
        "(flash that holds data, valid or not, beyond the capacity, in the mean over them): blocks collected oldest first, and emptiest first with so many pages to a",
        "block (Desnoyers, ACM TOS 10(2), 2014). Spare space: as the suite finds it, as it counts it itself, and what over-provisioning names, which has what is",
        "kept free in it; all in per cent of the capacity.",
        "",
        "| setting | steady | apart | counted | by speed | own | oldest first | emptiest first | spare found | spare counted | spare named |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _written_row(simulator: Simulator, one: Examined) -> str:
    if isinstance(one.written, str):
        return f"| {one.name} | {simulator.name} ends: {one.written} | | | | | | | | | |"
    written, pages = one.written, one.settings.block_pages
    spare = written.own_spare
    oldest = None if spare is None else uniform_amplification(spare)
    emptiest = None if spare is None else greedy_amplification(spare, pages)
    named = one.settings.raw_bytes / one.capacity_bytes - 1
    cells = (
        "no" if written.steady_at is None else f"{written.steady_at:.1f} x",
        f"{written.apart:+.1%}",
        _beside(written.counted, written.own),
        _beside(written.implied, written.own),
        f"{written.own:.2f}",
        _beside(oldest, written.own),
        _beside(emptiest, written.own),
        _per_cent(written.spare),
        _per_cent(spare),
        _per_cent(named),
    )
    return f"| {one.name} | {' | '.join(cells)} |"


def _per_cent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.1f}"


def _beside(value: float | None, own: float) -> str:
    return "?" if value is None else f"{value:.2f} ({value / own - 1:+.1%})"


def _hot_part(simulator: Simulator, hot: Sequence[HotAndCold]) -> list[str]:
    if not hot:
        return []
    rows = [
        f"| {one.name} | {one.hot_percent} % to {100 - one.hot_percent} % | {_beside(one.counted, one.own)} | {one.own:.2f} | {_beside(one.mixed, one.own)} "
        f"| {_beside(one.separated, one.own)} | {'?' if one.separation_percent is None else f'{one.separation_percent:.0f} %'} | {one.verdict} |"
        for one in hot
    ]
    return [
        "## Hot and cold data",
        "",
        f"The same suite with its uniform pattern and one of two zones, then {HOT_AFTER} capacities more. Theory is that of the suite, for the spare space that it found by",
        f"uniform writes. {simulator.streams} `?`: theory for mixed and for separated data is too close for a verdict.",
        "",
        "| setting | writes | counted | own | theory: mixed | theory: separated | separation | separates |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        *rows,
        "",
    ]


def _probe_part(simulator: Simulator, found: Sequence[Examined]) -> list[str]:
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
                f"{simulator.name} ended during these probes:",
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
    interval = answer.interval
    if isinstance(value, float):
        within = "" if interval is None else f" ({interval.low:.4g} to {interval.high:.4g})"
        return f"{value:.4g}{within}"
    if isinstance(value, int) and interval is not None and interval.low < interval.high:
        return f"{value} ({interval.low:.0f} to {interval.high:.0f})"
    return f"{value}"


def _tail(simulator: Simulator) -> list[str]:
    said, _, _ = simulator.pinned.repairs.read_text(encoding="utf-8").partition("\nfile ")
    _, _, repairs = said.partition("\n\n")
    why, _, left = simulator.why.read_text(encoding="utf-8").partition("\n\n")
    return [
        "## What disagrees, and why",
        "",
        why.strip(),
        "",
        f"## What had to be mended in {simulator.name}",
        "",
        repairs.strip(),
        "",
        left.strip(),
        "",
    ]


def _done(case: Case, kept: Path | None) -> tuple[Examined, list[HotAndCold]]:
    """Of one setting, from the folder where it is there."""
    path = None if kept is None else kept / f"{case.name}.pickle"
    if path is not None and path.exists():
        before: tuple[Examined, list[HotAndCold]] = pickle.loads(path.read_bytes())  # noqa: S301 - a file of ours
        return before
    percents = [percent for name, percent in case.simulator.hot if name == case.name]
    done = (examine(case), [write_hot_and_cold(case, percent) for percent in percents])
    if path is not None:
        path.write_bytes(pickle.dumps(done))
    return done


def main(arguments: Sequence[str]) -> int:
    """Examine all settings and write the page, or print it for one of them."""
    parser = ArgumentParser()
    parser.add_argument("simulator", choices=list(SIMULATORS))
    parser.add_argument("--from", dest="source")
    parser.add_argument("--only")
    parser.add_argument("--kept", type=Path)
    options = parser.parse_args(arguments)
    simulator = SIMULATORS[options.simulator]
    program = simulator.built(options.source)
    if options.kept is not None:
        options.kept.mkdir(parents=True, exist_ok=True)
    found, hot = [], []
    for name in simulator.settings if options.only is None else [options.only]:
        case = Case(simulator, name, program)
        one, its_hot = _done(case, options.kept)
        found.append(one)
        hot += its_hot
        print(name, file=sys.stderr, flush=True)
    text = page(simulator, found, hot)
    if options.only is None:
        (DOCS / simulator.page).write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
