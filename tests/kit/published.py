"""Publishing in tests: with a key of their own, and what must be the same in the copy."""

from dataclasses import replace
from pathlib import Path

from ssdlab.analysis.conclude import conclude
from ssdlab.bundle.imported import is_imported, open_imported
from ssdlab.bundle.model import Check, Metric
from ssdlab.bundle.read import open_bundle
from ssdlab.message import verbatim
from ssdlab.probe.store.conclude import estimate_again
from ssdlab.probe.store.reader import is_probed
from ssdlab.publish.copy import Account, published_copy
from ssdlab.publish.owner import Owner

OWNER = Owner(b"k" * 32)


def copy_of(bundle: Path, directory: Path) -> tuple[Path, Account]:
    """A published copy in a directory of its own."""
    directory.mkdir(parents=True)
    return published_copy(bundle, directory, OWNER)


def computed(path: Path) -> tuple[list[Metric], list[Check]]:
    """Metrics and audit computed anew from the raw data; those of an import as they stand."""
    if is_imported(path):
        run = open_imported(path)
        return list(run.metrics), list(run.audit)
    bundle = open_bundle(path)
    assert not bundle.faults
    if is_probed(bundle):
        return list(estimate_again(path).metrics), []
    metrics, audit = conclude(bundle)
    return list(metrics), list(audit)


def stored(path: Path) -> tuple[list[Metric], list[Check]]:
    """As they stand in the bundle."""
    bundle = open_imported(path) if is_imported(path) else open_bundle(path)
    return list(bundle.metrics), list(bundle.audit)


def without_words(audit: list[Check]) -> list[Check]:
    """Only what numbers and outcomes say: a finding may name what is private."""
    return [replace(check, finding=verbatim(""), meaning=None, remedy=None) for check in audit]
