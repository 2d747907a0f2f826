"""The kernel that the tests boot: Debian's, taken out of its package and never installed.

It is the generic one, because the cloud kernel has neither SATA nor the 9p file system that shares the host's root.
"""

import lzma
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.vm.programs import NotPrepared, run

TOOLS = Path(__file__).parents[2] / ".tools"
_XZ_MAGIC = b"\xfd7zXZ\0"
_PACKAGE = "linux-image-amd64"
BOOT_MODULES = (
    *("virtio_pci", "9pnet_virtio", "9p", "overlay", "virtio_console", "virtio_blk", "ext4", "crc32c_generic"),
    *("nvme", "ahci", "sd_mod", "sg", "loop"),
)
"""What reaches the root and the drives. They travel in the initial file system, which is faster than looking for them."""
ROOT_MODULES = (
    *("vfat", "nls_ascii", "nls_cp437", "btrfs", "dm_mod", "dm_crypt", "dm_multipath", "md_mod", "raid1", "bcache"),
    *("aesni_intel", "cbc", "xts", "ecb", "sha256_generic", "algif_skcipher", "algif_hash"),
    *("scsi_debug", "null_blk", "nvmet_tcp", "nvme_tcp"),
)
"""What the kernel asks for when a test uses it."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel that can be booted."""

    image: Path
    release: str
    """As `uname -r` says it."""
    root: Path
    """Below it stands `lib/modules`."""

    @property
    def modules(self) -> Path:
        return self.root / "lib/modules" / self.release


def kernel(tools: Path = TOOLS) -> Kernel:
    """The kernel that `./dev vm` has prepared.

    Raises:
        NotPrepared: It has not been prepared.
    """
    found = sorted((tools / "vm").glob("kernel-*/boot/vmlinuz-*"))
    if not found:
        raise NotPrepared(f"no kernel in `{tools / 'vm'}`; `./dev vm` fetches one")
    packed, release = found[-1], found[-1].name.removeprefix("vmlinuz-")
    unpacked = packed.with_name(f"vmlinux-{release}")
    return Kernel(unpacked if unpacked.exists() else packed, release, packed.parents[1])


def prepare_kernel(tools: Path = TOOLS) -> Kernel:
    """Fetch the kernel unless it is there already.

    Raises:
        NotPrepared: This machine's package sources have none.
    """
    try:
        there = kernel(tools)
        closure(there.modules, *BOOT_MODULES, *ROOT_MODULES)
        _unpack(there)
        return kernel(tools)
    except NotPrepared:
        pass
    except KeyError:
        # It was prepared for tests that needed fewer modules.
        shutil.rmtree(there.root)
    package = _download(tools / "vm" / "packages")
    half_done = tools / "vm" / "half-done"
    shutil.rmtree(half_done, ignore_errors=True)
    run("dpkg-deb", "--extract", package, half_done)
    image = next((half_done / "boot").glob("vmlinuz-*"))
    _keep_needed(half_done, image.name.removeprefix("vmlinuz-"))
    half_done.rename(tools / "vm" / f"kernel-{package.stem}")
    shutil.rmtree(package.parent)
    _unpack(kernel(tools))
    return kernel(tools)


def _unpack(packed: Kernel) -> None:
    """Put the kernel itself beside its package, for QEMU to start by its PVH entry: unpacking takes a guest four seconds a start."""
    content = packed.image.read_bytes()
    start = content.find(_XZ_MAGIC)
    # One that is packed otherwise, or not any more, is started as it is.
    if packed.image.name.startswith("vmlinuz") and start >= 0:
        unpacked = packed.image.with_name(f"vmlinux-{packed.release}")
        half_done = unpacked.with_suffix(".half-done")
        half_done.write_bytes(lzma.LZMADecompressor().decompress(content[start:]))
        half_done.rename(unpacked)


def _download(directory: Path) -> Path:
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    depends = run("apt-cache", "depends", _PACKAGE)
    name = re.search(r"Depends: (linux-image-\S+)", depends)
    if name is None:
        raise NotPrepared(f"`apt-cache depends {_PACKAGE}` names no kernel; the tests boot Debian's for amd64")
    run("apt-get", "download", name[1], cwd=directory)
    return next(directory.glob("*.deb"))


def _keep_needed(root: Path, release: str) -> None:
    """Throw away all modules but those the tests need, which is most of the 400 MB."""
    modules = root / "lib/modules" / release
    run("depmod", "-b", root, release)
    needed = set(closure(modules, *BOOT_MODULES, *ROOT_MODULES))
    for path in modules.rglob("*.ko*"):
        if path not in needed:
            path.unlink()
    run("depmod", "-b", root, release)


def closure(modules: Path, *names: str) -> list[Path]:
    """The files of modules and of what they need, in an order in which they can be loaded; built-in ones are left out.

    Raises:
        KeyError: There is no such module.
    """
    needs: dict[Path, list[Path]] = {}
    for line in (modules / "modules.dep").read_text().splitlines():
        path, _, others = line.partition(":")
        # modules.dep lists what a module needs from the nearest to the farthest.
        needs[modules / path] = [modules / other for other in reversed(others.split())]
    by_name = {_name(path): path for path in needs}
    built_in = {_name(Path(line)) for line in (modules / "modules.builtin").read_text().splitlines()}
    wanted = [by_name[name] for name in names if name not in built_in]
    return list(dict.fromkeys(path for one in wanted for path in (*needs[one], one)))


def _name(path: Path) -> str:
    return path.name.partition(".ko")[0].replace("-", "_")
