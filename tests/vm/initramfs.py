"""The initial file system: enough to mount the host's root read-only, lay a writable layer over it and go on there."""

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.vm.kernel import BOOT_MODULES, Kernel, closure
from tests.vm.programs import NotPrepared
from tests.vm.python_image import SERIAL, directories

_PROGRAM, _FILE, _DIRECTORY = 0o100755, 0o100644, 0o040755

_PARAMETERS = {"nvme.ko": "poll_queues=1", "nvme-core.ko": "multipath=N"}
"""As `nvme.poll_queues=1` on the command line of a system that loads its modules with modprobe; more than there are processors are refused.
Of a drive that may have several paths, as any over a network, this kernel would count nothing."""

_INIT = """\
#!/busybox sh
/busybox mkdir -p /proc /new /lower /layer
{insert}
/busybox mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=512000,cache=loose host /lower
/busybox mount -t tmpfs tmpfs /layer
/busybox mkdir /layer/upper /layer/work
/busybox mount -t overlay -o lowerdir=/lower,upperdir=/layer/upper,workdir=/layer/work overlay /new
/busybox mount -t devtmpfs devtmpfs /new/dev
/busybox mount -t proc proc /new/proc
/busybox mount -t sysfs sysfs /new/sys
/busybox mount -t tmpfs tmpfs /new/run
/busybox mkdir -p /new/var/lib/ssdlab && /busybox mount -t tmpfs tmpfs /new/var/lib/ssdlab
/busybox mkdir -p /new/dev/shm /new/dev/pts /new/run/lock /new/lib/modules/{release}
/busybox mount -t tmpfs tmpfs /new/dev/shm
/busybox mount -t devpts devpts /new/dev/pts
/busybox mount --bind /new{modules} /new/lib/modules/{release}
/busybox mkdir /new/run/python
for disk in /new/sys/block/vd*; do
    [ "$(/busybox cat $disk/serial)" = {serial} ] && /busybox mount -t ext4 -o ro,noload /new/dev/${{disk##*/}} /new/run/python
done
{shadow}
exec /busybox switch_root /new /bin/sh {start}
"""
"""What the host keeps in /run, for ssdlab and below the mount points of the kernel is covered; all else is seen and cannot be changed."""


def write(path: Path, kernel: Kernel, *start: Path) -> None:
    """Write the initial file system that ends in running a script of the host's, with its arguments, as the first process.

    Raises:
        NotPrepared: There is no busybox.
    """
    boot_modules = closure(kernel.modules, *BOOT_MODULES)
    script = _INIT.format(
        insert="\n".join(
            f"/busybox insmod /modules/{one.name} {_PARAMETERS.get(one.name, '')}" for one in boot_modules
        ),
        release=kernel.release,
        modules=kernel.modules,
        start=shlex.join(map(str, start)),
        serial=SERIAL,
        shadow="\n".join(
            f"/busybox mount --bind /new/run/python/{number} /new{shlex.quote(str(path))}"
            for number, path in enumerate(directories())
        ),
    )
    busybox = shutil.which("busybox")
    if busybox is None:
        raise NotPrepared("`busybox` is missing; `./dev vm` installs it")
    path.write_bytes(
        archive(
            [
                Entry("init", script.encode(), _PROGRAM),
                Entry("busybox", Path(busybox).read_bytes(), _PROGRAM),
                Entry("dev", b"", _DIRECTORY),
                Entry("modules", b"", _DIRECTORY),
                *(Entry(f"modules/{one.name}", one.read_bytes(), _FILE) for one in boot_modules),
            ]
        )
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the archive."""

    name: str
    content: bytes
    mode: int


def archive(entries: list[Entry]) -> bytes:
    """The cpio archive that Linux unpacks (Documentation/driver-api/early-userspace/buffer-format.rst)."""
    parts = []
    for number, entry in enumerate([*entries, Entry("TRAILER!!!", b"", 0)], 1):
        name = entry.name.encode() + b"\0"
        fields = (number, entry.mode, 0, 0, 1, 0, len(entry.content), 0, 0, 0, 0, len(name), 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields)
        parts += [_padded(head + name), _padded(entry.content)]
    return b"".join(parts)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
