"""The host of a run in its bundle: how it was found, what was set, what was put back."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ssdlab.bundle.model import NOT_RECORDED
from ssdlab.bundle.warning import WarningKind
from ssdlab.host.restore import Restoration
from ssdlab.host.settings import Knob
from ssdlab.host.tune import SetOutcome, TunedHost, Tuning
from ssdlab.message import Message, commas, message

if TYPE_CHECKING:
    from ssdlab.lab.lifecycle import Run


@contextmanager
def host_noted(host: TunedHost | None, run: "Run") -> Iterator[None]:
    """Note the host as a run begins or goes on; at its end put the host back while there is a bundle to say it in.

    Raises:
        OSError: The bundle cannot be written.
    """
    if host is None:
        yield
        return
    try:
        _note_setting_up(run, host.tuning)
        yield
    finally:
        restoration = host.restore()
        if restoration is not None:
            _note_putting_back(run, restoration)


def _note_setting_up(run: "Run", tuning: Tuning) -> None:
    run.writer.host(run.now_ns(), tuning)
    for recovered in tuning.recovered:
        run.warn(WarningKind.HOST, recovered_words(recovered))
    # Polling is an option of the job too, and is dropped there.
    refused = [one for one in tuning.applied if one.outcome is SetOutcome.REFUSED and one.knob is not Knob.IO_POLL]
    for reason in dict.fromkeys(one.reason for one in refused):
        names = commas(*dict.fromkeys(one.knob.value for one in refused if one.reason == reason))
        run.warn(WarningKind.HOST, message("lab-host-not-set", names=names, why=reason or NOT_RECORDED.reason))


def _note_putting_back(run: "Run", restoration: Restoration) -> None:
    for one in restoration.failed:
        why = one.reason or NOT_RECORDED.reason
        run.tell(message("lab-host-not-put-back", path=str(one.path), before=one.before, why=why))
    try:
        run.writer.host_restored(run.now_ns(), restoration)
    except OSError:
        # The host is as before; that the bundle has no room for the word is reported by what ended the run.
        return


def recovered_words(restoration: Restoration) -> Message:
    """What was found of a run that ended without putting the host back."""
    if not restoration.settings:
        return message("lab-host-left", run=restoration.of)
    counts = Counter(setting.outcome for setting in restoration.settings)
    told = (message("lab-host-so-many", count=count, outcome=outcome.words) for outcome, count in counts.items())
    return message("lab-host-put-back", run=restoration.of, outcomes=commas(*told))
