"""A machine in QEMU that the tests hold by its buttons: start, say something, pull a drive, pull the plug."""

import json
import queue
import shlex
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tests.kit.processes import Ended, wait_until
from tests.vm import initramfs
from tests.vm.disks import Disk, NvmeDisk, SataDisk
from tests.vm.fio_source import fio_directory
from tests.vm.kernel import kernel
from tests.vm.python_image import SERIAL, python_image

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
SSDLAB = str(REPOSITORY / ".venv/bin/ssdlab")
COMMAND_LIMIT_S = 1800
_BOOT_LIMIT_S = 1200
_PROCESSOR = "max,-erms,-fsrm"
"""Told of neither, kernel and libraries copy without the string instructions that QEMU does byte by byte: a program starts in half the time."""
_FAST = "mitigations=off nokaslr norandmaps no5lvl tsc=reliable cryptomgr.notests"
"""Translated code is found again if it stands where it stood, a fifth level of pages slows each walk, and reading another clock stops QEMU."""


class Clock(Enum):
    """What a guest's time goes by."""

    OF_THE_HOST = ""
    OF_ITS_OWN = "-icount shift=0,sleep=off"
    """By the instructions that it does, a nanosecond each; while it waits for a timer no time passes outside. However busy the host is, the
    guest measures the same."""


class GuestGone(RuntimeError):  # noqa: N818 - the error is the state
    """The machine went off while it was asked something."""


@dataclass(slots=True)
class Command:
    """Something the guest has been told to do."""

    guest: "Guest"
    text: str
    answers: "queue.Queue[dict[str, str | int] | None]" = field(default_factory=lambda: queue.Queue(1))

    @property
    def is_running(self) -> bool:
        """Whether it has not answered yet."""
        return self.answers.empty()

    def ended(self, limit_s: float = COMMAND_LIMIT_S) -> Ended:
        """Wait until it has ended.

        Raises:
            GuestGone: The machine went off.
            TimeoutError: It did not end in time.
        """
        try:
            answer = self.answers.get(timeout=limit_s)
        except queue.Empty:
            raise TimeoutError(f"`{self.text}` did not end within {limit_s} s\n{self.guest.console()}") from None
        if answer is None:
            raise GuestGone(f"the machine went off during `{self.text}`\n{self.guest.console()}")
        return Ended(int(answer["status"]), str(answer["stdout"]), str(answer["stderr"]))


class Guest:
    """One running machine.

    The host's root is the guest's, read-only under a layer in its memory; `share` is a directory both can write to.
    """

    def __init__(self, directory: Path, process: "subprocess.Popen[bytes]") -> None:
        self.share = directory / "share"
        self._directory = directory
        self._process = process
        self._commands: dict[int, Command] = {}
        self._ready = Command(self, "boot")
        self._commands[0] = self._ready
        self._port = _connected(directory / "agent", process)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def run(self, command: str, limit_s: float = COMMAND_LIMIT_S) -> Ended:
        """Have a command done by the guest's shell, to its end."""
        return self.start(command).ended(limit_s)

    def must(self, command: str, limit_s: float = COMMAND_LIMIT_S) -> str:
        """What a command that must succeed prints."""
        done = self.run(command, limit_s)
        assert done.status == 0, f"`{command}`: status {done.status}\n{done.stdout}{done.stderr}"
        return done.stdout.strip()

    def ssdlab(self, *arguments: str, limit_s: float = COMMAND_LIMIT_S) -> Ended:
        """Run `ssdlab` in the guest."""
        return self.run(shlex.join([SSDLAB, *arguments]), limit_s)

    def start(self, command: str) -> Command:
        """Have a command done while the test does something else."""
        number = max(self._commands) + 1
        started = self._commands[number] = Command(self, command)
        self._port.sendall(json.dumps({"number": number, "command": command}).encode() + b"\n")
        return started

    def wait_ready(self, disks: int) -> None:
        """Until it takes commands and has found its drives."""
        self._ready.ended(_BOOT_LIMIT_S)
        self.must(
            f"until [ $(ls /sys/block | grep -cE '^(nvme|sd|vd)') -ge {disks} ]; do sleep 0.05; done", _BOOT_LIMIT_S
        )

    def power_cut(self) -> None:
        """Pull the plug: whatever is in the guest's memory is lost."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        self._port.close()

    def unplug(self, disk: Disk) -> None:
        """Take a drive out of the running machine."""
        self.qmp("device_del", id=disk.name)

    def plug_again(self, disk: NvmeDisk) -> None:
        """Put back what was taken out."""
        self.qmp("device_add", **disk.properties)
        self.must(f"until grep -q {disk.serial} /sys/block/nvme*n1/device/serial; do sleep 0.05; done")

    def qmp(self, command: str, **arguments: object) -> object:
        """Ask QEMU for something (QEMU Machine Protocol)."""
        with socket.socket(socket.AF_UNIX) as control, control.makefile("rw") as lines:
            control.connect(str(self._directory / "qmp"))
            lines.readline()
            for asked in ({"execute": "qmp_capabilities"}, {"execute": command, "arguments": arguments}):
                lines.write(json.dumps(asked))
                lines.flush()
                # Events stand between the answers.
                answer = next(one for one in map(json.loads, lines) if "event" not in one)
                assert "return" in answer, answer
            return answer["return"]

    def console(self) -> str:
        """The end of what the kernel has said."""
        return (self._directory / "console").read_text(errors="replace")[-4000:]

    def _listen(self) -> None:
        with self._port.makefile("rb") as lines, suppress(OSError):
            for line in lines:
                answer = json.loads(line)
                self._commands[answer["number"]].answers.put(answer)
        for command in self._commands.values():
            with suppress(queue.Full):
                command.answers.put_nowait(None)


@contextmanager
def booted(
    directory: Path,
    disks: Sequence[Disk],
    *,
    kernel_words: str = "",
    memory: str = "1536M",
    clock: Clock = Clock.OF_THE_HOST,
) -> Iterator[Guest]:
    """A machine with drives in the order of their slots; it is gone at the end."""
    (directory / "share").mkdir(parents=True, exist_ok=True)
    for name in ("agent", "qmp"):
        (directory / name).unlink(missing_ok=True)
    booting = kernel()
    initramfs.write(directory / "initramfs", booting, HERE / "start.sh", fio_directory())
    words = f"console=ttyS0 quiet panic=-1 {_FAST} possible_cpus=1 {kernel_words}"
    command = [
        *("setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64"),
        # A second processor doubles what a guest costs, even at rest: each then does with locks what one does without. But for a machine that
        # may never have one QEMU leaves out the guest's memory barriers, and its own thread misses doorbells of an NVMe drive, which then hangs.
        *("-accel", "tcg", "-smp", "1,maxcpus=2", "-cpu", _PROCESSOR, "-m", memory, *clock.value.split()),
        *("-nodefaults", "-no-user-config", "-no-reboot", "-display", "none"),
        *("-serial", f"file:{directory / 'console'}", "-qmp", f"unix:{directory / 'qmp'},server=on,wait=off"),
        *("-kernel", str(booting.image), "-initrd", str(directory / "initramfs"), "-append", words),
        *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
        *("-virtfs", f"local,path={directory / 'share'},mount_tag=share,security_model=none"),
        *("-device", "virtio-serial", "-chardev", f"socket,id=agent,path={directory / 'agent'},server=on,wait=off"),
        *("-device", "virtserialport,chardev=agent,name=agent"),
        # Its driver looks for a disk on each port, which takes longer than to find all others.
        *(("-device", "ich9-ahci,id=ahci") if any(isinstance(disk, SataDisk) for disk in disks) else ()),
        *(word for disk in disks for word in disk.arguments()),
        *("-drive", f"file={python_image()},format=raw,if=none,readonly=on,id={SERIAL}"),
        *("-device", f"virtio-blk-pci,serial={SERIAL},drive={SERIAL}"),
    ]
    with (directory / "qemu").open("w") as complaints:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=complaints)
    try:
        guest = Guest(directory, process)
        try:
            guest.wait_ready(len(disks) + 1)
            yield guest
        finally:
            guest.power_cut()
    finally:
        process.kill()
        process.wait()


def _connected(path: Path, process: "subprocess.Popen[bytes]") -> socket.socket:
    port = socket.socket(socket.AF_UNIX)

    def connects() -> bool:
        assert process.poll() is None, (path.parent / "qemu").read_text()
        with suppress(OSError):
            port.connect(str(path))
            return True
        return False

    wait_until(connects, "QEMU listens")
    return port
