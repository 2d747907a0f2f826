"""What others measured on real drives, analysed here: agreements and disagreements, none left out."""

from collections.abc import Callable, Iterator, Sequence
from statistics import median

from tests.study.real_drives import FLAT, Answer, Drive, Question, Source, Verdict, Why, answers, files, known

from sources import real_twins
from sources.markdown import code, table
from ssdlab.units import MB

_ASKED = {
    Question.STEADY: "steady speed",
    Question.RATED: "random writes, against the maker's rating",
    Question.AMPLIFICATION: "write amplification by the drive's counters",
    Question.PRINTED: "a printed value",
}


_SHORT = {
    Verdict.AGREES: "agrees",
    Verdict.DIFFERS: "differs",
    Verdict.WITHHELD_MOVING: "no answer: not flat",
    Verdict.WITHHELD: "no answer: flat",
}
_SUMMARY = ("compared", *(_SHORT[one] for one in Verdict), "median apart", "worst")


class Unexplained(Exception):  # noqa: N818 - the error is the finding
    """A disagreement of which the page would say nothing."""


def whys_of(answer: Answer) -> list[Why]:
    """What is known of a disagreement."""
    return [why for why in known().why if why.is_of(answer)]


def page() -> str:
    """`against-real-drives.md`.

    Raises:
        Unexplained: A disagreement is neither explained nor listed as open.
    """
    found = answers()
    apart = [one for one in found if one.verdict in {Verdict.DIFFERS, Verdict.WITHHELD}]
    if unsaid := [f"{one.set}: {one.load}" for one in apart if not whys_of(one)]:
        raise Unexplained(", ".join(unsaid))
    return f"""# Against real drives

{len(known().set)} sets of measurements of {
        len(_measured())
    } real drives, made and published by others, are imported or analysed as `ssdlab import` and
`ssdlab analyse --as steady` do it, and each answer is held against what the authors, or the maker, say of the same run. Of {
        len(found)
    } comparisons
{_counted(found, Verdict.AGREES)} agree, {_counted(found, Verdict.DIFFERS)} differ, and in {
        _counted(found, Verdict.WITHHELD) + _counted(found, Verdict.WITHHELD_MOVING)
    } the analysis gives no answer where the authors have one: {
        _counted(found, Verdict.WITHHELD_MOVING)
    } times on a stretch that is
not flat, {_counted(found, Verdict.WITHHELD)} times on one that is. The limits are the same for all drives: {
        _percent(Question.STEADY.within)
    } of the
authors' value, {_percent(Question.RATED.within)} of a maker's rating, {
        _percent(Question.PRINTED.within)
    } of a printed number. Flat is a stretch in which means over five minutes
are at most {
        _percent(FLAT)
    } apart; this measure was chosen with the data at hand, as the halves of a stretch are alike also where it goes up and down.

**The {len(files())} files are not in this repository**: {
        _without_licence()
    }, and together they are large. Kept is where each is, its hash, and the
answers (`tests/data/foreign/real/`). To fetch them and derive every number of this page anew:

```sh
uv run python -m tests.study.real_drives               # from raw.githubusercontent.com
uv run python -m tests.study.real_drives --from DIR    # from bare clones, DIR/OWNER+NAME
```

## Who measured

{table(("repository", "commit", "licence", "what is said there"), map(_source, known().source))}
## By drive

{table(("drive", "sets", *_SUMMARY), (_drive(drive, found) for drive in _measured()))}
## By question

{table(("question", *_SUMMARY), (_question(one, found) for one in Question))}
The speeds of both sides are of the same bytes. That they agree shows that the analysis reads them right and calls a drive steady at a speed that the
rest of the run keeps; only the makers' ratings are from somewhere else.

## What it showed to be wrong here

All three are mended.

- `ssdlab import` refused all 16 logs of counters that are among these files: their form had been taken from the newest source of SSD-iq, which
  writes two or three columns more than the versions that were used for the paper.
- `ssdlab analyse` refused averaged logs of fio if one of the jobs only reads ("the log holds no writes"), as in 4 writers beside 1 reader
  (`Krien/NVMeBenchmarks`). Such a job is left out now, as it already was in logs of every I/O.
- Our own study of SSD-iq's logs (`tests/study/real_streams.py`) lost a quarter of the bytes of 65 of the runs it judged: six of the files lack the line of titles, and
  the first thread was dropped in silence. It also counted a directory twice that is there twice. [The table](../guide/analyse.md#what-real-drives-showed)
  is of the mended study.

{real_twins.section()}{_answers_in_full(found, apart)}"""


def _answers_in_full(found: Sequence[Answer], apart: Sequence[Answer]) -> str:
    return f"""## Disagreements

{
        table(
            ("set", "load", "question", "ours", "theirs", "apart", "", "why"),
            (cells for one in apart for cells in _disagreement(one)),
        )
    }
## No answer, where the authors' stretch is not flat

A mean can be taken of any stretch. The analysis says that these are not steady, or takes its verdict back.

{
        table(
            ("set", "load", "theirs", "five minutes differ by", "what the analysis says"),
            (_withheld(one) for one in found if one.verdict is Verdict.WITHHELD_MOVING),
        )
    }
## Every set

{table(("set", "drive", "what was done", "files"), _sets())}
## Every comparison

{table(("set", "load", "question", "ours", "theirs", "apart", "five minutes differ by", ""), map(_compared, found))}
## What is not here

The authors' own numbers of the stretch from 60 to 99 % of a run are derived from the same files by their rule, as their repository has no table of them. Of SSD-iq, runs of
sequential and zoned writes are left out of the question for steadiness, and so are runs at a fixed rate and those of less than twice the
tested size; the larger logs are absent from the copy that was read. In `Krien/NVMeBenchmarks` and `SamYaple/fio-plot-results` there are long logs, but beside them
pictures and no numbers or words to hold an answer against. No fill of a whole consumer drive at constant load was found published
as a series, so no SLC cache is judged here.
"""


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _counted(found: Sequence[Answer], verdict: Verdict) -> int:
    return sum(one.verdict is verdict for one in found)


def _measured() -> list[Drive]:
    used = {one.drive for one in known().set}
    return [drive for drive in known().drive if drive.id in used]


def _without_licence() -> str:
    unnamed = {source.repository for source in known().source if not source.licence}
    of_them = sum(file.repository in unnamed for file in files())
    return f"{of_them} are of repositories that name no licence"


def _source(source: Source) -> tuple[str, ...]:
    name = f"{code(source.repository)}, {source.authors}"
    return name, code(source.commit[:12]), source.licence or "none named", source.says


def _drive(drive: Drive, found: Sequence[Answer]) -> tuple[str, ...]:
    names = {one.name for one in known().set if one.drive == drive.id}
    return drive.name, str(len(names)), *_summary([one for one in found if one.set in names])


def _question(question: Question, found: Sequence[Answer]) -> tuple[str, ...]:
    return _ASKED[question], *_summary([one for one in found if one.question is question])


def _summary(found: Sequence[Answer]) -> tuple[str, ...]:
    apart = [one.apart for one in found if one.apart is not None]
    counts = (str(_counted(found, verdict)) for verdict in Verdict)
    return str(len(found)), *counts, f"{median(map(abs, apart)):.1%}", f"{max(apart, key=abs):+.1%}"


def _iops(bytes_per_s: float) -> str:
    return f"{bytes_per_s / 4096:,.0f} IOPS"


def _printed(name: str) -> Callable[[float], str]:
    if name.endswith("bandwidth"):
        return lambda value: f"{value / MB:,.3f} MB/s"
    if name.endswith("iops"):
        return lambda value: f"{value:,.1f} IOPS"
    return lambda value: f"{value / 1000:,.2f} µs"


def _form(answer: Answer) -> Callable[[float], str]:
    match answer.question:
        case Question.STEADY | Question.RATED:
            return _iops
        case Question.AMPLIFICATION:
            return "{:.3f}".format
        case Question.PRINTED:
            return _printed(answer.load)


def _ours(answer: Answer) -> str:
    return "none" if answer.ours is None else _form(answer)(answer.ours)


def _apart(answer: Answer) -> str:
    return "" if answer.apart is None else f"{answer.apart:+.1%}"


def _moves(answer: Answer) -> str:
    return "" if answer.moves is None else f"{answer.moves:.1%}"


def _disagreement(answer: Answer) -> Iterator[tuple[str, ...]]:
    values = (_ours(answer), _form(answer)(answer.theirs), _apart(answer))
    for why in whys_of(answer):
        yield code(answer.set), answer.load, _ASKED[answer.question], *values, why.state, why.text


def _withheld(answer: Answer) -> tuple[str, ...]:
    return code(answer.set), answer.load, _form(answer)(answer.theirs), _moves(answer), answer.why_none


def _sets() -> Iterator[tuple[str, ...]]:
    for one in known().set:
        yield code(one.name), known().drive_of(one).name, one.of, str(len(one.files))


def _compared(answer: Answer) -> tuple[str, ...]:
    values = (_ours(answer), _form(answer)(answer.theirs), _apart(answer), _moves(answer))
    return code(answer.set), answer.load, answer.question.value, *values, _SHORT[answer.verdict]
