"""The host of a run in its bundle: how it was found, what was set, what was put back."""

from collections.abc import Iterator
from contextlib import contextmanager

from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.host_settings import Knob
from ssdlab.drive.restore import Restoration
from ssdlab.drive.tune import SetOutcome, Tuning
from ssdlab.lab.display import Display
from ssdlab.lab.open import Bench


@contextmanager
def host_noted(bench: Bench, writer: BundleWriter, display: Display) -> Iterator[None]:
    """Note the host as a run begins or goes on; at its end put the host back while there is a bundle to say it in.

    Raises:
        OSError: The bundle cannot be written.
    """
    if bench.host is None:
        yield
        return
    try:
        _note_setting_up(bench, writer, display, bench.host.tuning)
        yield
    finally:
        restoration = bench.host.restore()
        if restoration is not None:
            _note_putting_back(bench, writer, display, restoration)


def _note_setting_up(bench: Bench, writer: BundleWriter, display: Display, tuning: Tuning) -> None:
    writer.host(bench.engine.now_ns(), tuning)
    for recovered in tuning.recovered:
        _warn(bench, writer, display, recovered_words(recovered))
    # Polling is an option of the job too, and is dropped there.
    refused = [one for one in tuning.applied if one.outcome is SetOutcome.REFUSED and one.knob is not Knob.IO_POLL]
    for reason in dict.fromkeys(one.reason for one in refused):
        names = dict.fromkeys(one.knob.value for one in refused if one.reason == reason)
        _warn(bench, writer, display, f"{', '.join(names)} could not be set: {reason}")


def _warn(bench: Bench, writer: BundleWriter, display: Display, text: str) -> None:
    writer.warning(bench.engine.now_ns(), text)
    display.warning(text)


def _note_putting_back(bench: Bench, writer: BundleWriter, display: Display, restoration: Restoration) -> None:
    for one in restoration.failed:
        display.warning(f"{one.path} could not be put back to {one.before}: {one.reason}")
    try:
        writer.host_restored(bench.engine.now_ns(), restoration)
    except OSError:
        # The host is as before; that the bundle has no room for the word is reported by what ended the run.
        return


def recovered_words(restoration: Restoration) -> str:
    """What was found of a run that ended without putting the host back."""
    if not restoration.settings:
        return f"{restoration.of} ended without putting the host back; the start of the kernel since then did"
    outcomes = dict.fromkeys(one.outcome for one in restoration.settings)
    counts = [f"{sum(one.outcome is outcome for one in restoration.settings)} {outcome.value}" for outcome in outcomes]
    return f"{restoration.of} ended without putting the host back; its settings: {', '.join(counts)}"
