"""Every check of the audit."""

from sources.example import Example
from sources.markdown import code, table
from ssdlab.analysis import audit_amount as amount
from ssdlab.analysis import audit_host as host
from ssdlab.analysis import audit_latency as latency
from ssdlab.analysis.audit import RULES

_SQPOLL = ".".join(map(str, host._SQPOLL_SINCE))
_QUEUE = f"Up to {latency._QUEUE_WARN:.0%} off passes, up to {latency._QUEUE_FAIL:.0%} warns."

_COMPARED = {
    "fio.version": f"The version of fio against the faults known of it: with `sqthread_poll` its completion latencies are wrong before {_SQPOLL}.",
    "options.dropped": "Every option of the method that could not be used, with the reason, and whether these numbers depend on it.",
    "host.cpu": f"Processor time of fio: {host._CPU_BUSY_PERCENT:.0f} % of one core a job, or of all cores of the host, is too much.",
    "series.regular": "Windows over twice as long as they should be (nothing completed for that long), and windows missing at the end.",
    "clock.agrees": "The engine's duration of the job against the run's own clock: a suspended host stops one of them.",
    "bytes.logs_agree": f"The bytes in fio's text logs against the total in fio's JSON. What was in flight when fio stopped logging may be missing, and more only if it is under {amount._LOG_SHARE:.0%}.",
    "bytes.series_agrees": f"The bytes of all windows of `series.parquet` against the total; allowed is {amount._LOG_SHARE:.0%}.",
    "coverage.fill": "For fills: bytes written against bytes of the region, and whether the order of offsets visits every block.",
    "io.errors": "The number of I/Os that failed.",
    "io.short": "The number of I/Os that moved fewer bytes than asked.",
    "latency.clat_within_lat": "Mean completion latency against mean total latency, of which it is a part.",
    "latency.clat_low_end": f"Median completion latency against {latency._LOW_END_SHARE:.0%} of the median of the total latency.",
    "latency.histogram_whole": "I/Os in the latency bins against I/Os done; whether the largest latency lies in the last bin used.",
    "latency.percentile_samples": "The number of I/Os, and with it the highest percentile that has 10 samples above it.",
    "queue.littles_law": f"The queue depth asked for against IOPS x mean latency (Little's law). {_QUEUE}",
}


def page(example: Example) -> str:
    """`audit.md`."""
    parts = [
        (
            "# Audit\n\nEach finished step that did I/O is held against every check that applies to it. The outcome is in "
            "`audit.json`, in `ssdlab show` and in the report; what it is for is in [trust](../concepts/trust.md). The finding "
            "of a check states the numbers it saw. A check that **failed** marks every number of its step and makes the exit "
            "status 3; a **warning** asks the reader to look; **unknown** says that it could not be checked.\n"
        ),
    ]
    for rule in RULES:
        rows = [(outcome.value, meaning) for outcome, meaning in rule.meaning.items()]
        parts.append(f"## {rule.name}\n\n{_COMPARED[rule.name]}\n\n{table(('outcome', 'meaning'), rows)}")
    if surplus := _COMPARED.keys() - {rule.name for rule in RULES}:
        raise KeyError(f"there is no check {', '.join(sorted(surplus))} any more")
    parts.append(_one_check(example))
    return "\n".join(parts)


def _one_check(example: Example) -> str:
    check = next(check for bundle in example.bundles for check in bundle.audit if check.name == "queue.littles_law")
    rows = [(code(name), str(getattr(check, name))) for name in ("name", "step", "finding", "meaning")]
    rows.insert(2, (code("outcome"), check.outcome.value))
    return f"## One entry\n\nOf a run on `model:demo`:\n\n{table(('key', 'value'), rows)}"
