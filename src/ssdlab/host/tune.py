"""Setting the host up for measuring (METHODS 0), and back; what was set is checked by reading it again."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path, PurePosixPath

from ssdlab.host import restore
from ssdlab.host.kernel import Kernel
from ssdlab.host.restore import Companion, HeldRecord, Restoration, RestoreRecord, SettingChange
from ssdlab.host.settings import NO_POLL_QUEUES, RESET_WITH_SCHEDULER, HostSetting, Knob, settings
from ssdlab.host.state import HostState, look
from ssdlab.host.uninterrupted import uninterrupted
from ssdlab.message import Message, message, verbatim
from ssdlab.message_json import Remark
from ssdlab.unknown import Unknown


class SetOutcome(Enum):
    """What became of a setting."""

    ALREADY = "was so already"
    SET = "set"
    REFUSED = "could not be set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """One setting during a run.

    Attributes:
        path: Below sysfs.
        after: Read back.
        reason: Why it could not be set.
    """

    knob: Knob
    path: PurePosixPath
    before: str
    wanted: str
    after: str | Unknown
    outcome: SetOutcome
    reason: Remark = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The host of a run: how it was found, what was set, and what earlier runs had left to put back first."""

    found: HostState
    applied: tuple[Applied, ...]
    recovered: tuple[Restoration, ...]


class TunedHost:
    """A host that is set up, until it is told to be as before."""

    def __init__(self, tuning: Tuning, kernel: Kernel, record: HeldRecord | None) -> None:
        self.tuning = tuning
        self._kernel = kernel
        self._record = record

    def restore(self) -> Restoration | None:
        """Put everything back; None if there is nothing (any more).

        Raises:
            OSError: The record cannot be read or removed.
        """
        if self._record is None:
            return None
        with uninterrupted(), restore.locked(self._record.path.parent):
            held, self._record = self._record, None
            with held.file:
                found, _ = restore.find(self._kernel, held.path.parent)
                own = [one for one in found if one.path == held.path]
                return restore.put_back(self._kernel, own[0], found) if own else None


@contextmanager
def tuned(device: str, kernel: Kernel | None = None, directory: Path | None = None) -> Iterator[TunedHost]:
    """Set the host up for measuring a drive, and put everything back at the end, however the end comes.

    A record of what is to be put back is on the medium before the first change; if it cannot be written nothing is changed.

    Args:
        device: Name of the drive in /sys/block.
        kernel: The kernel told; that which runs, if not given.
        directory: Where the record is kept; see `restore_directory`.

    Raises:
        OSError: A record cannot be removed.
    """
    kernel, directory = kernel or Kernel(), directory or restore.restore_directory()
    host: TunedHost | None = None
    try:
        # A signal that came meanwhile is raised where this block ends.
        with uninterrupted():
            host = _set_up(device, kernel, directory)
        yield host
    finally:
        if host is not None:
            host.restore()


def left_alone(why: Unknown) -> TunedHost:
    """The host as it is, for a target that it is not set up for."""
    return TunedHost(Tuning(found=look(why), applied=(), recovered=()), Kernel(), None)


def _set_up(device: str, kernel: Kernel, directory: Path) -> TunedHost:
    try:
        with restore.locked(directory):
            recovered = restore.put_back_stale(kernel, directory)
            state = look(device, kernel)
            found, _ = restore.find(kernel, directory)
            needed = restore.needed_by_others(found, None)
            changes = tuple(_changes(kernel, settings(state), needed))
            record = restore.write(directory, _record(kernel, device, changes)) if changes else None
            applied = tuple(_apply(kernel, one) for one in settings(state))
    except OSError as error:
        reason = message("host-not-noted", directory=str(directory), error=restore.reason_of(error))
        state = look(device, kernel)
        refused = tuple(_not_set(kernel, one, reason) for one in settings(state))
        return TunedHost(Tuning(found=state, applied=refused, recovered=()), kernel, None)
    return TunedHost(Tuning(found=state, applied=applied, recovered=recovered), kernel, record)


def _changes(
    kernel: Kernel, wanted: tuple[HostSetting, ...], needed: Mapping[PurePosixPath, SettingChange]
) -> Iterator[SettingChange]:
    for one in wanted:
        if one.path in needed:
            yield needed[one.path]
        elif one.now != one.wanted and one.obstacle is None:
            companions = tuple(_companions(kernel, one.path)) if one.knob is Knob.SCHEDULER else ()
            yield SettingChange(knob=one.knob, path=one.path, before=one.now, wanted=one.wanted, companions=companions)


def _companions(kernel: Kernel, scheduler: PurePosixPath) -> Iterator[Companion]:
    """What a change of the scheduler resets; its own depths follow `nr_requests`, which therefore comes first."""
    queue = kernel.sysfs / scheduler.parent
    own = sorted(path for path in (queue / "iosched").glob("*") if path.is_file())
    first, *others = (queue / name for name in RESET_WITH_SCHEDULER)
    for path in (first, *own, *others):
        said = kernel.chosen(path)
        if not isinstance(said, Unknown):
            yield Companion(PurePosixPath(path.relative_to(kernel.sysfs)), said)


def _record(kernel: Kernel, device: str, changes: tuple[SettingChange, ...]) -> RestoreRecord:
    return RestoreRecord(
        boot_id=restore.boot_id(kernel),
        pid=os.getpid(),
        device=device,
        queue_inode=restore.queue_inode(kernel, device),
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        changes=changes,
    )


def _apply(kernel: Kernel, one: HostSetting) -> Applied:
    if one.obstacle is not None:
        return _not_set(kernel, one, one.obstacle)
    try:
        # Read again: the setting before may have changed this one.
        if kernel.chosen(kernel.sysfs / one.path) != one.wanted:
            kernel.tell(kernel.sysfs / one.path, one.wanted)
    except OSError as error:
        return _not_set(kernel, one, _reason(one, verbatim(error.strerror or str(error))))
    after = kernel.chosen(kernel.sysfs / one.path)
    if after != one.wanted:
        return _not_set(kernel, one, _reason(one, message("host-not-accepted")))
    outcome = SetOutcome.ALREADY if one.now == one.wanted else SetOutcome.SET
    return Applied(knob=one.knob, path=one.path, before=one.now, wanted=one.wanted, after=after, outcome=outcome)


def _reason(one: HostSetting, said: Message) -> Message:
    return NO_POLL_QUEUES if one.knob is Knob.IO_POLL else said


def _not_set(kernel: Kernel, one: HostSetting, reason: Message) -> Applied:
    after = kernel.chosen(kernel.sysfs / one.path)
    outcome = SetOutcome.ALREADY if after == one.wanted else SetOutcome.REFUSED
    return Applied(
        knob=one.knob,
        path=one.path,
        before=one.now,
        wanted=one.wanted,
        after=after,
        outcome=outcome,
        reason=None if outcome is SetOutcome.ALREADY else reason,
    )
