"""Twins of real drives on the page of what others measured: what they predict, good or bad."""

from collections.abc import Iterator, Sequence

from tests.study.real_twins import Predicted, RealRun, RealTwin, Use, answers, drives, kept_steps

from sources.markdown import code, table
from ssdlab.twin.errors import errors_of
from ssdlab.twin.foreign.history import part_of

_USES = {
    Use.FITTED: "fitted to",
    Use.THIRD: "every third of the ladder, held out",
    Use.LATER: "second half of the writes, held out",
    Use.UNSEEN: "a kind of load that the fit was not shown",
}
_QUANTITIES = {
    "iops": "speed",
    "mean": "mean latency",
    "50": "median latency",
    "90": "90 %",
    "99": "99 %",
    "99.9": "99.9 %",
}


def section() -> str:
    """A heading and what follows it."""
    return f"""## Twins

{"".join(_of_drive(one) for one in drives())}"""


def _of_drive(drive: RealTwin) -> str:
    part = part_of(drive.capacity_bytes).of
    found = [one for one in answers() if one.drive == drive.id]
    steps = dict(zip((run.name for run in drive.run), map(len, kept_steps(drive)), strict=True))
    return f"""`ssdlab twin fit` makes a virtual drive of what fio measured ([how](../guide/twin.md#results-of-other-programs)). Here it was shown a part of what was published of one drive,
the {drive.name} (`{drive.repository}` at `{drive.commit[:12]}`, licence: {drive.licence or "none named"}), and predicts the rest. What of the files was used is in
`tests/data/foreign/real/twin_steps.jsonl`: of each job its load, its bytes, its speed and its latencies, with the hash of its file; 343 files, of
which jobs that failed a check of the audit are left out, most because speed and latency contradict the queue that was asked for.

{table(("run", "what was done", "jobs", "shown to the fit"), (_run(run, steps[run.name]) for run in drive.run))}
The twin is 1/{part} of the drive in size. What the drive was before is not published: it is taken as purged before the writes, and as filled once in order before
each of the other runs. Errors are those of the twin, without their signs.

{table(("run", "jobs", "of", "numbers", "median", "nine of ten", "worst"), _errors(found))}
What is seen of it: the ladder of writes is met where the fit saw its neighbours. In the second half the twin is slower, because after about one capacity its free blocks run out and it
collects, which this drive does not do then. Reads with as many in flight were up to 3.4 times as fast with many jobs as with few (256 in flight: 200,496 IOPS as `q32.j8`,
675,947 as `q8.j32`); a virtual drive knows only how many I/Os are in flight, so no twin meets both. The fit went between them: its commands take 2,675 ns each, so that no
reads of it get beyond 373,000 a second, where the drive reached 791,794. This is not mended: the fit takes no notice of jobs that the host may have slowed. Tails, and mixes with many writes, are not predicted: the state of the drive is not told by the data, and the twin begins on one
that was filled once. After errors had been seen three assumptions were changed: that small reads, as they were measured, fill the link; how many units there are;
and how points are thinned out. All errors
here are of one drive, and were seen before this page was written; none of another drive was held against it.

### Each job of the twin

Speed in IOPS, mean completion latency in µs. `q8.j4` is four jobs with eight in flight each.

{table(("run", "job", "", "shown", "speed", "twin", "off by", "mean latency", "twin", "off by"), _jobs(found))}
To fit it anew: `uv run python -m tests.study.real_twins`; to hold what is kept against the files: the same with `--from` as above.

"""


def _run(run: RealRun, jobs: int) -> tuple[str, ...]:
    shown = {
        "thirds": "two of three",
        "first half": "two of three of the first half",
        "nothing": "none",
    }
    return run.name, run.of, str(jobs), shown[run.shown]


def _errors(found: Sequence[Predicted]) -> Iterator[tuple[str, ...]]:
    runs = dict.fromkeys((one.run, one.use) for one in found)
    for run, use in runs:
        for quantity, words in _QUANTITIES.items():
            shares = [one.off for one in found if (one.run, one.use, one.quantity) == (run, use, quantity)]
            errors = errors_of(shares)
            if errors is not None:
                yield (
                    run,
                    _USES[use],
                    words,
                    str(errors.count),
                    *map(_percent, (errors.median, errors.most, errors.worst)),
                )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _jobs(found: Sequence[Predicted]) -> Iterator[tuple[str, ...]]:
    means = {(one.run, one.job, one.direction): one for one in found if one.quantity == "mean"}
    for one in found:
        if one.quantity != "iops":
            continue
        mean = means.get((one.run, one.job, one.direction))
        latency = ("", "", "") if mean is None else (*_us(mean), f"{mean.off:+.1%}")
        shown = "yes" if one.use is Use.FITTED else "no"
        speeds = (f"{one.measured:,.0f}", f"{one.twin:,.0f}", f"{one.off:+.1%}")
        yield one.run, code(one.job), one.direction, shown, *speeds, *latency


def _us(mean: Predicted) -> tuple[str, str]:
    return f"{mean.measured / 1000:,.1f}", f"{mean.twin / 1000:,.1f}"
