"""Record the set of traces: `uv run python docs/record_traces.py [PROGRAM...]` as root, some minutes, on a host that does nothing else.

Each program runs as it is on an ext4 file system on a virtual drive that serves NBD in real time and writes down what it is asked; `nbdfuse`
makes a file of it, and a loop device with direct I/O a drive of the file, so that no cache but the file system's own is in between. Before
a program starts the file system is mounted anew: nothing of it is in memory. A trace ends when all that the program wrote is on the drive.

It needs nbdfuse, git, cargo, gcc, PostgreSQL, rocksdb-tools and Chromium, all of Debian, and that the repository is built. Recorded anew, a
trace has other times and places: scores of another recording are not to be compared.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ssdlab.trace.make import Wanted, cut_trace, import_trace

ROOT = Path(__file__).resolve().parents[1]
TRACES = Path(__file__).parent / "traces"
DRIVE = "mlc-1tb?capacity=8GiB"
FILE_SYSTEM = "5G"
"""Less than three quarters of the drive, which is what the suite fills."""
LICENCE = "CC0-1.0"
_REST_S = 2.0
"""Until the drive has nothing more to do by itself."""
_FOREVER_NS = 2**63 - 1
_SSDLAB = Path(sys.executable).with_name("ssdlab")
_POSTGRES = Path("/usr/lib/postgresql/15/bin")
_CHROMIUM = Path("/usr/lib/chromium")
_PACKAGES = (
    "git", "perl-modules-5.36", "libpython3.11-stdlib", "vim-runtime", "manpages-dev", "fonts-dejavu-core", "binutils-common",
    "mime-support", "libglib2.0-data", "tcl8.6",
)  # fmt: skip
"""Some of a thousand small files, some of a few large ones."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is recorded.

    Attributes:
        name: Of the trace.
        prepare: Everything that has to be on the file system before; not part of the trace.
        play: The program itself.
    """

    name: str
    prepare: Callable[[Path], None]
    play: Callable[[Path], None]


def _run(*command: str | Path, cwd: Path | None = None, **environment: str) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, env={**os.environ, **environment}, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr.decode(errors='replace')}")


def _packages(disk: Path) -> None:
    (disk / "packages").mkdir()
    _run("apt-get", "download", "-q", *_PACKAGES, cwd=disk / "packages")
    database = disk / "root/var/lib/dpkg"
    for name in ("info", "updates"):
        (database / name).mkdir(parents=True)
    (database / "status").touch()


def _install(disk: Path) -> None:
    debs = sorted((disk / "packages").glob("*.deb"))
    _run("dpkg", f"--root={disk / 'root'}", "--force-depends", "--force-script-chrootless", "--unpack", *debs)


def _bare(disk: Path) -> None:
    _run("git", "clone", "-q", "--bare", ROOT, disk / "origin")


def _clone(disk: Path) -> None:
    work = disk / "work"
    _run("git", "clone", "-q", "--no-local", disk / "origin", work)
    for commit in ("HEAD~300", "-"):
        _run("git", "checkout", "-q", commit, cwd=work)
    _run("git", "log", "--stat", "-n", "50", cwd=work)


def _sources(disk: Path) -> None:
    _run("git", "clone", "-q", "--depth=1", f"file://{ROOT}", disk / "source")
    _run("cargo", "fetch", "--locked", cwd=disk / "source")


def _compile(disk: Path) -> None:
    _run(
        "cargo",
        "build",
        "-q",
        "--locked",
        "--offline",
        "-p",
        "ssdlab-vdrive",
        cwd=disk / "source",
        CARGO_TARGET_DIR=str(disk / "target"),
    )


def _as_postgres(*command: str | Path) -> None:
    _run("runuser", "-u", "postgres", "--", *command, cwd=Path("/"))


@contextmanager
def _postgres(disk: Path) -> Iterator[tuple[str, ...]]:
    """Runs on the disk; how to reach it."""
    data = disk / "postgres"
    control = (_POSTGRES / "pg_ctl", "-w", "-s", "-D", data)
    _as_postgres(*control, "-o", f"-k {data} -c listen_addresses= -c shared_buffers=64MB", "-l", data / "said", "start")
    try:
        yield "-h", str(data), "-d", "postgres"
    finally:
        _as_postgres(*control, "-m", "fast", "stop")


def _tables(disk: Path) -> None:
    (disk / "postgres").mkdir()
    _run("chown", "postgres", disk / "postgres")
    _as_postgres(_POSTGRES / "initdb", "-A", "trust", "-D", disk / "postgres")
    with _postgres(disk) as place:
        _as_postgres(_POSTGRES / "pgbench", "-q", "-i", "-s", "20", *place)


def _database(disk: Path) -> None:
    with _postgres(disk) as place:
        _as_postgres(_POSTGRES / "pgbench", "-c", "4", "-t", "1000", "--random-seed=11", *place)


def _nothing(_: Path) -> None:
    pass


def _sqlite(disk: Path) -> None:
    """Half of it with a rollback journal, half with a write-ahead log, as programs on desktops and phones do; then a look at all."""
    import random
    import sqlite3

    chance = random.Random(11)  # noqa: S311 - no secret
    for mode in ("DELETE", "WAL"):
        with closing(sqlite3.connect(disk / f"{mode}.sqlite", isolation_level=None)) as database:
            database.execute(f"PRAGMA journal_mode={mode}")
            database.execute("PRAGMA synchronous=FULL")
            database.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, topic INTEGER, text BLOB)")
            database.execute("CREATE INDEX by_topic ON note (topic)")
            for number in range(400):
                database.execute("BEGIN")
                for _ in range(4):
                    row = (chance.randrange(1000), chance.randbytes(chance.randrange(20, 2000)))
                    database.execute("INSERT INTO note (topic, text) VALUES (?, ?)", row)
                database.execute("UPDATE note SET topic = topic + 1 WHERE id = ?", (chance.randrange(1 + 4 * number),))
                database.execute("COMMIT")


def _rocksdb(disk: Path) -> None:
    _run(
        "db_bench", f"--db={disk / 'rocksdb'}", "--benchmarks=fillrandom,readwhilewriting", "--num=150000", "--value_size=800", "--seed=11",
        "--write_buffer_size=8388608", "--target_file_size_base=8388608", "--max_background_jobs=2", "--threads=2", "--duration=10", "--cache_size=4194304",
        "--use_direct_reads",
    )  # fmt: skip


def _browser(disk: Path) -> None:
    _run("cp", "-r", _CHROMIUM, disk / "chromium")
    _run("cp", "-r", ROOT / "docs", disk / "pages")
    _start_browser(disk)


def _start_browser(disk: Path) -> None:
    """With the profile it had; it draws a page and ends."""
    options = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={disk / 'profile'}",
        "--virtual-time-budget=3000",
    )
    page = disk / "pages/images/suite-enterprise.png"
    _run(disk / "chromium/chromium", *options, f"--screenshot={disk / 'screen.png'}", f"file://{page}", cwd=disk)


def _large(disk: Path) -> None:
    _run("dd", "if=/dev/urandom", f"of={disk / 'large'}", "bs=1M", "count=600", "status=none")


def _copy(disk: Path) -> None:
    _run("cp", disk / "large", disk / "copy")


SET = (
    Program("install", _packages, _install),
    Program("clone", _bare, _clone),
    Program("compile", _sources, _compile),
    Program("postgresql", _tables, _database),
    Program("sqlite", _nothing, _sqlite),
    Program("rocksdb", _nothing, _rocksdb),
    Program("browser", _browser, _start_browser),
    Program("copy", _large, _copy),
)


@contextmanager
def _served(directory: Path, recording: Path) -> Iterator[str]:
    """The drive's NBD URI, while it writes down what it is asked."""
    place = ("--socket", directory / "nbd", "--record", recording, "--store", directory / "store")
    with subprocess.Popen([_SSDLAB, "vdrive", "serve", DRIVE, *place], stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None or not (ready := process.stdout.readline().split()):
                raise RuntimeError("the drive did not start")
            yield ready[1]
        finally:
            process.terminate()
            process.wait()


@contextmanager
def _as_block_device(directory: Path, uri: str) -> Iterator[str]:
    """A loop device on a file that is the drive."""
    point = directory / "fuse"
    point.mkdir()
    with subprocess.Popen(["nbdfuse", "-C", "4", point / "drive", uri]) as process:
        try:
            while not (point / "drive").exists():
                time.sleep(0.05)
            command = ["losetup", "--direct-io=on", "--sector-size=4096", "--show", "-f", str(point / "drive")]
            loop = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
            try:
                yield loop
            finally:
                _run("losetup", "-d", loop)
        finally:
            _run("umount", point)
            process.wait()


@contextmanager
def _mounted(loop: str, directory: Path) -> Iterator[Path]:
    disk = directory / "disk"
    disk.mkdir(exist_ok=True)
    _run("mount", loop, disk)
    try:
        yield disk
    finally:
        _run("umount", disk)


def _recorded(program: Program, directory: Path, out: Path) -> None:
    recording, whole = directory / "drive.ioreq", directory / "whole.ssdtrace"
    # PostgreSQL runs as a user of its own.
    directory.chmod(0o755)
    with ExitStack() as stack:
        uri = stack.enter_context(_served(directory, recording))
        loop = stack.enter_context(_as_block_device(directory, uri))
        _run("mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", loop, FILE_SYSTEM)
        with _mounted(loop, directory) as disk:
            program.prepare(disk)
        with _mounted(loop, directory) as disk:
            time.sleep(_REST_S)
            begins_ns = time.time_ns()
            program.play(disk)
            os.sync()
    _, meta = import_trace([recording], Wanted(licence=LICENCE), whole)
    if meta.started_unix_ns is None:
        raise RuntimeError("a recording of ours has a date")
    cut_trace(whole, begins_ns - meta.started_unix_ns, _FOREVER_NS, out)


def main() -> int:
    """Record all of them, or those that are named."""
    for program in SET:
        if sys.argv[1:] and program.name not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as place:
            out = TRACES / f"{program.name}.ssdtrace"
            begin_s = time.monotonic()
            _recorded(program, Path(place), out)
        print(f"{out.name}: {out.stat().st_size:,} bytes, {time.monotonic() - begin_s:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
