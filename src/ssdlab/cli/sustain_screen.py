"""A sustained write as it goes on: a line for each record, on a terminal one that changes."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from ssdlab.cli.language import sentence
from ssdlab.cli.outlive import lost_of
from ssdlab.cli.terminal import cut_to, visible
from ssdlab.message import Message, duration, message, number, size
from ssdlab.unknown import Unknown

if TYPE_CHECKING:
    from ssdlab.lab.lost import Lost
    from ssdlab.lab.sustain.live import Live, Watcher


@contextmanager
def screen_for(stream: TextIO) -> "Iterator[Watcher]":
    """What suits the stream; what follows it begins on a line of its own."""
    screen = _Terminal(stream) if stream.isatty() else _Lines(stream)
    try:
        yield screen
    finally:
        screen.end_line()


class _Lines:
    """A line for each record."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_told_no_temperature = False

    @property
    def lost(self) -> "Lost | None":
        """See `Audience`."""
        return lost_of(self._stream)

    def begins(self, bundle: Path, length_bytes: int) -> None:
        """See `Watcher`."""
        self.line(message("cli-passes-of", bundle=str(bundle), length=size(length_bytes)))

    def record(self, live: "Live") -> None:
        """See `Watcher`."""
        self.note_no_temperature(live)
        print(line_of(live), file=self._stream, flush=True)

    def note_no_temperature(self, live: "Live") -> None:
        """Once: most memory cards have no sensor, and no line would ever say more."""
        if isinstance(live.temperature_c, Unknown) and not self._has_told_no_temperature:
            self._has_told_no_temperature = True
            self.note(message("cli-no-temperature", why=live.temperature_c.reason))

    def rests(self, duration_ns: int) -> None:
        """See `Watcher`."""
        self.line(message("cli-drive-rests", rest=duration(duration_ns)))

    def note(self, text: Message) -> None:
        """See `Watcher`."""
        self.line(message("cli-note", note=text))

    def line(self, told: Message) -> None:
        """What stands on a line of its own."""
        self.end_line()
        print(visible(sentence(told)), file=self._stream, flush=True)

    def end_line(self) -> None:
        """Every line is whole."""


class _Terminal(_Lines):
    """One line a pass, which changes."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._is_open = False

    def record(self, live: "Live") -> None:
        """See `Watcher`."""
        self.note_no_temperature(live)
        is_last = live.record.total_bytes >= live.length_bytes
        # A line that wraps could not be written over.
        line = cut_to(line_of(live), shutil.get_terminal_size().columns - 1)
        print(f"\r\x1b[K{line}", end="\n" if is_last else "", file=self._stream, flush=True)
        self._is_open = not is_last

    def end_line(self) -> None:
        """The line that changes stays as it was."""
        if self._is_open:
            print(file=self._stream, flush=True)
            self._is_open = False


def line_of(live: "Live") -> str:
    """Where it is, how fast, how warm as far as the drive tells, how long to go."""
    record, warm = live.record, live.temperature_c
    told = message(
        "cli-sustain-record",
        phase=record.phase.value,
        number=record.number,
        done=size(record.total_bytes),
        whole=size(live.length_bytes),
        speed=number(record.bytes_per_s / 1e6, ",.0f"),
        worst=number(live.worst_bytes_per_s / 1e6, ",.0f"),
    )
    warmth = "" if isinstance(warm, Unknown) else f"  {warm:.0f} °C"
    return f"{sentence(told)}{warmth}{_left(live)}"


_NOTHING_NS = 10_000_000
"""What a drive whose last bytes make no whole I/O leaves of a pass."""


def _left(live: "Live") -> str:
    left, in_all = live.left_ns, live.left_in_all_ns
    words = f"  {sentence(message('cli-time-left', left=duration(left)))}" if left else ""
    if isinstance(in_all, Unknown) or in_all - left < _NOTHING_NS:
        return words
    if words:
        return f"{words}, {sentence(message('cli-time-in-all', left=duration(in_all)))}"
    return f"  {sentence(message('cli-time-left-in-all', left=duration(in_all)))}"
