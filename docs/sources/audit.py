"""The audit: an index of all checks, and a page for each."""

from functools import cache
from pathlib import Path

from sources.audit_words import WORDS
from sources.example import Example
from sources.markdown import code, listing, table
from ssdlab.analysis.audit.of_fio_json import facts_of_files
from ssdlab.analysis.audit.rule import AuditRule
from ssdlab.analysis.audit.run import RULES, audit_facts
from ssdlab.analysis.log.file import identify
from ssdlab.bundle.model import Check, Outcome

_RECORDED = Path(__file__).parents[2] / "tests" / "data" / "fio-3.33" / "audit"
_OUTCOMES = (
    ("pass", "it was checked and is in order", "0"),
    ("warn", "look before you use the number; the finding says at what", "0"),
    ("fail", "do not trust the numbers of this step without finding out why; each is marked", "3"),
    ("unknown", "it could not be checked, and why", "0"),
    ("not applicable", "there was nothing to check, and why; counted, and listed with `--json`", "0"),
)


def page() -> str:
    """`audit.md`: the index."""
    if surplus := WORDS.keys() - {rule.name for rule in RULES}:
        raise KeyError(f"there is no check {', '.join(sorted(surplus))} any more")
    rows = [(f"[{rule.name}](checks/{rule.name}.md)", WORDS[rule.name].compares) for rule in RULES]
    return (
        "# Audit\n\nEach finished step that did I/O is held against every check, and so is anybody's fio JSON with "
        "`ssdlab log --audit`. The outcome is in `audit.json`, in `ssdlab show` and in the report; what it is for is in "
        "[trust](../concepts/trust.md). A finding states the numbers it saw; `--json` has them with names and units.\n\n"
        f"{table(('outcome', 'meaning', 'exit status'), _OUTCOMES)}\n"
        f"## Checks\n\n{table(('check', 'compares'), rows)}"
    )


def check_pages(example: Example) -> dict[str, str]:
    """Page of each check by its file name."""
    return {f"{rule.name}.md": _check_page(rule, example) for rule in RULES}


def _check_page(rule: AuditRule, example: Example) -> str:
    words = WORDS[rule.name]
    rows = [(outcome.value, str(meaning)) for outcome, meaning in rule.meaning.items()]
    remedy = str(rule.remedy)
    return (
        f"# {rule.name}\n\n{words.compares}\n\n{table(('outcome', 'meaning'), rows)}\n"
        f"## Why\n\n{words.why}\n\n"
        f"## What to do\n\n{remedy[0].upper()}{remedy[1:]}.\n\n"
        f"## Example\n\n{_example(rule, words.case, example)}\n"
        "[All checks](../audit.md)\n"
    )


def _example(rule: AuditRule, case: str, example: Example) -> str:
    if case:
        job = (_RECORDED / f"{case}.fio").read_text()
        return f"This job, run with fio 3.33,\n\n{listing('ini', job)}\ngives\n\n{_entry(_recorded(case)[rule.name])}"
    found = [check for bundle in example.bundles for check in bundle.audit if check.name == rule.name]
    applying = [check for check in found if check.outcome is not Outcome.NOT_APPLICABLE]
    if applying:
        return f"Of a run on `model:demo`:\n\n{_entry(applying[0])}"
    return f"Of a job of fio 3.33 that is in order:\n\n{_entry(_recorded('clean')[rule.name])}"


@cache
def _recorded(case: str) -> dict[str, Check]:
    logs = sorted(_RECORDED.glob(f"{case}_bw*.log"))
    files = [identify(path, None) for path in (_RECORDED / f"{case}.json", *logs)]
    (facts,) = facts_of_files(files)
    return {check.name: check for check in audit_facts(facts)}


def _entry(check: Check) -> str:
    rows = [("outcome", check.outcome.value), ("finding", str(check.finding))]
    rows += [(code(one.name), f"{one.value} {one.unit}".rstrip()) for one in check.numbers]
    return table(("key", "value"), rows)
