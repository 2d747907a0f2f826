"""The fio of the guests: one whose completion latencies are right under `sqthread_poll`, built where Debian's is older.

It has no nbd engine, because guests test block devices and libnbd's many libraries would slow down each of its starts.
"""

import shutil
from pathlib import Path

from tests.vm.kernel import TOOLS
from tests.vm.programs import NotPrepared, run

from ssdlab.engine.fio.binary import SQPOLL_SINCE, version_of

SUITE = "forky"
"""Debian 14 has fio 3.41."""
_ENGINES = ("io_uring", "libaio")
"""What the suites ask for on block devices."""
_SOURCE_OPTIONS = (
    "Dir::Etc::SourceList={0}/sources.list",
    "Dir::Etc::SourceParts=-",
    "Dir::State::Lists={0}/lists",
    "Dir::Cache::pkgcache=",
    "Dir::Cache::srcpkgcache=",
    "APT::Sandbox::User=root",
)
"""Apt looks at our one source and leaves the machine's own alone."""


def fio_directory(tools: Path = TOOLS) -> Path:
    """Where the fio for guests is; to be put first on PATH.

    Raises:
        NotPrepared: There is none.
    """
    installed = shutil.which("fio")
    if installed is not None and _is_new(Path(installed)) and _has_engines(Path(installed)):
        return Path(installed).parent
    built = [fio for fio in sorted(tools.glob("fio-*/fio")) if _has_engines(fio)]
    if not built:
        raise NotPrepared(
            f"fio is older than {SQPOLL_SINCE} or lacks one of {', '.join(_ENGINES)}; `./dev vm` builds one that has them"
        )
    return built[-1].parent


def prepare_fio(tools: Path = TOOLS) -> Path:
    """Build fio from Debian's source unless a new one is there already.

    Raises:
        NotPrepared: The source cannot be had, or not be built.
    """
    try:
        return fio_directory(tools)
    except NotPrepared:
        pass
    place = tools / "fio-source"
    shutil.rmtree(place, ignore_errors=True)
    (place / "lists/partial").mkdir(parents=True)
    (place / "sources.list").write_text(f"deb-src {_mirror()} {SUITE} main\n")
    options = [word for option in _SOURCE_OPTIONS for word in ("-o", option.format(place))]
    run("apt-get", *options, "update")
    run("apt-get", *options, "source", "--download-only", "--tar-only", "fio", cwd=place)
    (source,) = place.glob("*.orig.tar.*")
    run("tar", "--extract", "--strip-components=1", "--file", source, cwd=place)
    run("./configure", cwd=place)
    # The source is a package's, not a clone: its version is in a file, and the build must not depend on this processor.
    run("make", "-j2", "CONFIG_BUILD_NATIVE=", "fio", cwd=place)
    built = tools / run(place / "fio", "--version").strip()
    built.mkdir(exist_ok=True)
    shutil.move(place / "fio", built / "fio")
    shutil.rmtree(place)
    return fio_directory(tools)


def _is_new(fio: Path) -> bool:
    version = version_of(run(fio, "--version").strip())
    return version is not None and version >= SQPOLL_SINCE


def _has_engines(fio: Path) -> bool:
    """One that somebody built by hand may lack what was not installed then."""
    return set(_ENGINES) <= set(run(fio, "--enghelp").split())


def _mirror() -> str:
    """Where this machine gets Debian's packages from."""
    asked = run("apt-get", "indextargets", "--format", "$(ORIGIN) $(COMPONENT) $(REPO_URI)", "Created-By: Packages")
    for line in asked.splitlines():
        origin, component, address = line.split(" ", 2)
        if origin == "Debian" and component == "main" and "security" not in address:
            return address
    raise NotPrepared("no package source of this machine is Debian's; a newer fio must be put on PATH by hand")
