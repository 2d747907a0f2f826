"""Checks that failed in an import, in little memory: a file of a gigabyte has a quarter of a million jobs, and all may fail the same."""

from collections import Counter

from ssdlab.bundle.model import Check

TOLD_MAX = 3
"""Jobs named of those that failed one check; the audit of the bundles has all."""


class FailedChecks:
    """How often each check failed, and the first few times that it did."""

    def __init__(self) -> None:
        """None yet."""
        self.first: dict[str, list[Check]] = {}
        self.count = Counter[str]()

    def add(self, check: Check) -> None:
        """One more."""
        self.count[check.name] += 1
        if self.count[check.name] <= TOLD_MAX:
            self.first.setdefault(check.name, []).append(check)

    def add_all(self, others: "FailedChecks") -> None:
        """Those of another file."""
        self.count.update(others.count)
        for name, checks in others.first.items():
            told = self.first.setdefault(name, [])
            told += checks[: TOLD_MAX - len(told)]


class FailuresOfJobs:
    """The names of the checks that each job of a file failed; jobs that failed the same share them."""

    def __init__(self) -> None:
        """None yet."""
        self._names: dict[str, tuple[str, ...]] = {}
        self._shared: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, check: Check) -> None:
        """One more."""
        names = self._names.get(check.step, ())
        if check.name not in names:
            more = (*names, check.name)
            self._names[check.step] = self._shared.setdefault(more, more)

    def names(self, subject: str) -> tuple[str, ...]:
        """In the order of the audit."""
        return self._names.get(subject, ())
