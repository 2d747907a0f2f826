"""The host of a run in its bundle: how it was found, what was set, what was put back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ssdlab.bundle.write import BundleWriter
from ssdlab.drive.host_settings import Knob
from ssdlab.drive.restore import Restoration
from ssdlab.drive.tune import SetOutcome, TunedHost, Tuning


@dataclass(frozen=True, slots=True)
class Notes:
    """Where it is written down, and who is told."""

    writer: BundleWriter
    now_ns: Callable[[], int]
    tell: Callable[[str], None]

    def warn(self, text: str) -> None:
        """Write down what the reader must know, and tell."""
        self.writer.warning(self.now_ns(), text)
        self.tell(text)


@contextmanager
def host_noted(host: TunedHost | None, notes: Notes) -> Iterator[None]:
    """Note the host as a run begins or goes on; at its end put the host back while there is a bundle to say it in.

    Raises:
        OSError: The bundle cannot be written.
    """
    if host is None:
        yield
        return
    try:
        _note_setting_up(notes, host.tuning)
        yield
    finally:
        restoration = host.restore()
        if restoration is not None:
            _note_putting_back(notes, restoration)


def _note_setting_up(notes: Notes, tuning: Tuning) -> None:
    notes.writer.host(notes.now_ns(), tuning)
    for recovered in tuning.recovered:
        notes.warn(recovered_words(recovered))
    # Polling is an option of the job too, and is dropped there.
    refused = [one for one in tuning.applied if one.outcome is SetOutcome.REFUSED and one.knob is not Knob.IO_POLL]
    for reason in dict.fromkeys(one.reason for one in refused):
        names = dict.fromkeys(one.knob.value for one in refused if one.reason == reason)
        notes.warn(f"{', '.join(names)} could not be set: {reason}")


def _note_putting_back(notes: Notes, restoration: Restoration) -> None:
    for one in restoration.failed:
        notes.tell(f"{one.path} could not be put back to {one.before}: {one.reason}")
    try:
        notes.writer.host_restored(notes.now_ns(), restoration)
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
