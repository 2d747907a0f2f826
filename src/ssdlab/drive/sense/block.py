"""Sensors of block devices: hwmon in sysfs, nvme-cli and smartctl, the kernel's log.

An NVMe drive answers on its admin queue, beside its I/O: it is asked while load runs, cheaply through hwmon every second and
wholly every half minute. SATA and SAS drives have one queue for everything, which a question would drain: they are asked before
and after a job only. No drive is asked while it rests, for hwmon too sends the drive a command.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ssdlab.drive.lateness import Lateness
from ssdlab.drive.nvme_controller import controller_of
from ssdlab.drive.sense import parse as reading
from ssdlab.drive.sense.kernel_log import KMSG, KernelLog
from ssdlab.drive.sense.reading import GLANCE_NS, READ_NS, Cadence, SensorReading, nothing_known
from ssdlab.drive.tool import ToolOutput, ask, text_of
from ssdlab.host.kernel import Kernel
from ssdlab.host.link import link_of, linked_device
from ssdlab.message import message
from ssdlab.unknown import Unknown

Ask = Callable[..., ToolOutput | Unknown]
_MILLI = 1000


class BlockSensor:
    """Of one drive by its name in `/sys/block`."""

    def __init__(self, name: str, kernel: Kernel | None = None, ask_program: Ask = ask, kmsg: Path = KMSG) -> None:
        """Begin to follow the kernel's log; the drive is not asked yet."""
        self._name = name
        self._kernel = kernel or Kernel()
        self._ask = ask_program
        self._is_nvme = re.fullmatch(r"nvme\d+n\d+", name) is not None
        self._controller = controller_of(self._kernel, name) if self._is_nvme else name
        self._media: str | Unknown = ""
        self._log = KernelLog(self._names(), kmsg)
        self.cadence = Cadence(None, None)
        if self._is_nvme:
            self.cadence = Cadence(GLANCE_NS if self._hwmon() else None, READ_NS)

    def _names(self) -> tuple[str, ...]:
        device = linked_device(self._kernel, self._name)
        names = [self._name, self._controller, *([] if isinstance(device, Unknown) else [device.name])]
        path = (self._kernel.sysfs / "block" / self._name / "device").resolve()
        # libata and the SCSI layer name a drive by port and address: `ata3`, `sd 2:0:0:0`.
        names += [part for part in path.parts if re.fullmatch(r"ata\d+|\d+:\d+:\d+:\d+", part)]
        return tuple(dict.fromkeys(names))

    def read(self) -> SensorReading:
        """See `Sensor`."""
        if self._is_nvme:
            found = self._nvme()
        elif re.fullmatch(r"sd[a-z]+", self._name):
            found = self._ata()
        else:
            return nothing_known(Unknown(message("unknown-no-drive-family")))
        temperatures_c = self._temperatures()
        if temperatures_c:
            first, *others = temperatures_c
            composite = temperatures_c[first] if isinstance(found.temperature_c, Unknown) else found.temperature_c
            more = {name: temperatures_c[name] for name in others}
            found = replace(found, temperature_c=composite, more_temperatures_c=more)
        return replace(found, link=self._link()) if isinstance(found.link, Unknown) else found

    def glance(self) -> SensorReading:
        """See `Sensor`."""
        unasked = Unknown(message("unknown-not-asked-often"))
        temperatures_c = self._temperatures()
        if not temperatures_c:
            return nothing_known(unasked)
        first, *others = temperatures_c
        more = {name: temperatures_c[name] for name in others}
        return replace(nothing_known(unasked), temperature_c=temperatures_c[first], more_temperatures_c=more)

    def messages(self) -> tuple[str, ...] | Unknown:
        """See `Sensor`."""
        return self._log.new_lines()

    def lateness(self) -> Lateness | Unknown:
        """See `Sensor`."""
        return Unknown(message("unknown-replies-by-itself"))

    def close(self) -> None:
        """Let go of the kernel's log."""
        self._log.close()

    def _nvme(self) -> SensorReading:
        # First the page some drives lack: asking for it then adds to the error log, which must not look like growth.
        media = self._media_bytes()
        said = self._said("nvme", "smart-log", f"/dev/{self._controller}", "-o", "json")
        found = nothing_known(said) if isinstance(said, Unknown) else reading.read_nvme(said)
        return replace(found, media_written_bytes=media)

    def _media_bytes(self) -> int | Unknown:
        """A drive that refused it once is not asked again."""
        if not isinstance(self._media, Unknown):
            self._media = self._said("nvme", "ocp", "smart-add-log", f"/dev/{self._controller}", "-o", "json")
        if isinstance(self._media, Unknown):
            return Unknown(message("unknown-no-ocp-page", why=self._media.reason))
        return reading.read_media_bytes(self._media)

    def _ata(self) -> SensorReading:
        # The generic device is asked so that smartctl does not open the block device itself.
        generic = sorted((self._kernel.sysfs / "block" / self._name / "device/scsi_generic").glob("sg*"))
        if not generic:
            return nothing_known(Unknown(message("unknown-no-generic-device")))
        said = self._said("smartctl", "-j", "-a", "-l", "devstat", f"/dev/{generic[0].name}")
        return nothing_known(said) if isinstance(said, Unknown) else reading.read_ata(said)

    def _said(self, program: str, *arguments: str) -> str | Unknown:
        return text_of(program, self._ask(program, *arguments))

    def _hwmon(self) -> list[Path]:
        """Under the controller; with native multipath the namespace's own directory leads to the subsystem instead."""
        places = (
            self._kernel.sysfs / "block" / self._name / "device",
            self._kernel.sysfs / "class/nvme" / self._controller,
        )
        found = {path.resolve() for place in places for path in place.glob("hwmon*/temp1_input")}
        return sorted(found)[:1]

    def _temperatures(self) -> dict[str, float]:
        """By label, NVMe's composite one first; none of a SATA drive, whose hwmon would drain its queue once more."""
        found: dict[str, float] = {}
        for first in self._hwmon() if self._is_nvme else []:
            for path in sorted(first.parent.glob("temp*_input")):
                value = self._kernel.number(path)
                label = self._kernel.says(path.with_name(path.name.replace("_input", "_label")))
                if not isinstance(value, Unknown):
                    found[path.name if isinstance(label, Unknown) else label] = value / _MILLI
        return found

    def _link(self) -> str | Unknown:
        link = link_of(self._kernel, self._name)
        if isinstance(link, Unknown):
            return link
        if isinstance(link.speed_now, Unknown) or isinstance(link.lanes_now, Unknown):
            return Unknown(message("unknown-link-speed"))
        return f"{link.speed_now} x{link.lanes_now}"
